//! The index of the archives on disk: each process has its own, and one that is too old is searched until another is made
//! (decision 44).

use std::{
    fs::File,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use ::archives::{
    refusal::Refusal,
    search::{self, Described, Search, Shape, find},
};
use ::search::fields::{Fields, Kind};
use indexing::{Batch, Changes, Index, Reached, Sessions, Source, Waiting};
use jiff::Timestamp;
use store::{Session, StoreError, db::Transaction};
use tokio::time::{interval, timeout};

use super::*;

/// Sessions for an index, as many as there may be at the moment.
fn sessions(archives: &Archives, most: &Arc<AtomicUsize>) -> Sessions {
    let app = Arc::clone(&archives.library.app);
    let tenant = app.tenant(archives.library.tenant).expect("the tenant");
    let (most, made) = (Arc::clone(most), AtomicUsize::new(0));
    Box::new(move |_| {
        if made.fetch_add(1, Ordering::SeqCst) >= most.load(Ordering::SeqCst) {
            return Err(StoreError::Other("no more sessions".to_owned()));
        }
        app.session(&tenant)
    })
}

fn unlimited() -> Arc<AtomicUsize> {
    Arc::new(AtomicUsize::new(usize::MAX))
}

/// The titles of all resources that an index finds, and whether it says that something may be missing: also that it is not made
/// yet.
async fn found(archives: &Archives, index: &Arc<Index>) -> (Vec<String>, bool) {
    let app = &archives.library.app;
    let session = app.session(&app.tenant(archives.library.tenant).expect("the tenant")).expect("a session");
    let search = Search {
        types: vec!["resource".to_owned()],
        sort: Some("title_sort asc".to_owned()),
        limit: 10,
        ..Search::default()
    };
    let searched = search::Archives { index: Arc::clone(index), session, referred: Arc::default() };
    match find(&searched, &search, &Shape::default(), archives.library.clock.now()).await {
        Ok(found) => (texts(&found.body["results"], "title"), found.is_behind),
        Err(Refusal::NotYet(_)) => (Vec::new(), true),
        Err(other) => panic!("{other}"),
    }
}

#[tokio::test]
async fn processes_on_one_database_have_an_index_each() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let folder = tempfile::tempdir().expect("a folder");
    let start = || {
        Index::start(
            Described,
            Some(folder.path().to_owned()),
            Duration::from_secs(60),
            sessions(&archives, &unlimited()),
        )
    };
    let (one, other) = (start(), start());
    for index in [&one, &other] {
        assert_eq!(found(&archives, index).await, (vec!["Papers 1".to_owned()], false));
    }
    for number in ["1", "2"] {
        assert!(folder.path().join(number).join("1/meta.json").exists(), "{number}");
    }
    // What another process saves is found by both.
    archives.add(&format!("{repository}/resources"), &resource("2")).await;
    for index in [&one, &other] {
        index.wrote();
        assert_eq!(found(&archives, index).await.0, ["Papers 1", "Papers 2"]);
    }
}

/// What an index finds once it is complete.
async fn complete(archives: &Archives, index: &Arc<Index>) -> Vec<String> {
    let mut turns = interval(Duration::from_millis(100));
    for _ in 0..600 {
        let (titles, is_behind) = found(archives, index).await;
        if !is_behind {
            return titles;
        }
        turns.tick().await;
    }
    panic!("no other index is made");
}

/// Waits until the process that used an index has let go of it.
async fn let_go(folder: &Path) {
    let mut turns = interval(Duration::from_millis(20));
    for _ in 0..1_000 {
        if File::open(folder.join("lock")).is_ok_and(|lock| lock.try_lock().is_ok()) {
            return;
        }
        turns.tick().await;
    }
    panic!("the index is still used");
}

/// Makes an index older than changes are kept.
fn age(index: &Path) {
    let path = index.join("meta.json");
    let mut meta: Value = serde_json::from_slice(&std::fs::read(&path).expect("the index")).expect("JSON");
    let mut position: Value = serde_json::from_str(meta["payload"].as_str().expect("a position")).expect("JSON");
    position["seconds"] = 1.into();
    meta["payload"] = position.to_string().into();
    std::fs::write(path, meta.to_string()).expect("written");
}

#[tokio::test]
async fn an_index_that_is_too_old_is_searched_until_another_is_made() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("1");
    let index = Index::start(
        Described,
        Some(folder.path().to_owned()),
        Duration::from_secs(60),
        sessions(&archives, &unlimited()),
    );
    assert_eq!(found(&archives, &index).await, (vec!["Papers 1".to_owned()], false));
    drop(index);
    let_go(&place).await;
    age(&place.join("1"));
    archives.add(&format!("{repository}/resources"), &resource("2")).await;
    // Enough to open the old one and to begin another, but not to make it.
    let most = Arc::new(AtomicUsize::new(2));
    let index =
        Index::start(Described, Some(folder.path().to_owned()), Duration::from_secs(1), sessions(&archives, &most));
    let mut seen = (Vec::new(), true);
    for _ in 0..20 {
        seen = found(&archives, &index).await;
        assert!(seen.1, "the old index passes for a new one: {seen:?}");
        if !seen.0.is_empty() {
            break;
        }
    }
    assert_eq!(seen.0, ["Papers 1"]);
    most.store(usize::MAX, Ordering::SeqCst);
    assert_eq!(complete(&archives, &index).await, ["Papers 1", "Papers 2"]);
    assert!(!place.join("1").exists(), "the old index is still there");
}

/// The archives as an earlier version indexed them: it knew fewer fields.
struct Earlier;

impl Source for Earlier {
    type Key = <Described as Source>::Key;
    type Read = <Described as Source>::Read;

    fn name(&self) -> &'static str {
        Described.name()
    }

    fn fields(&self) -> Arc<Fields> {
        let exact = "id uri types primary_type repository suppressed publish resource".split_whitespace();
        let sorted = [("title", Kind::Text), ("title_sort", Kind::Sorted)];
        Arc::new(Fields::declare(exact.map(|name| (name, Kind::Exact)).chain(sorted)))
    }

    fn before_all(&self) -> Self::Key {
        Described.before_all()
    }

    async fn reached(&self, session: &Session) -> Result<Reached, StoreError> {
        Described.reached(session).await
    }

    async fn changes(&self, session: &Session, since: &str) -> Result<Changes<Self::Key>, StoreError> {
        Described.changes(session, since).await
    }

    async fn page(&self, session: &Session, after: &Self::Key, most: usize) -> Result<Vec<Self::Key>, StoreError> {
        Described.page(session, after, most).await
    }

    async fn read(&self, session: &Session, records: &[Self::Key]) -> Result<Self::Read, StoreError> {
        Described.read(session, records).await
    }

    fn documents(read: Self::Read) -> Batch {
        Described::documents(read)
    }

    async fn waiting(&self, session: &Session, since: &str) -> Result<Waiting, StoreError> {
        Described.waiting(session, since).await
    }

    async fn is_empty(&self, session: &Session) -> Result<bool, StoreError> {
        Described.is_empty(session).await
    }

    async fn trim(&self, session: &Session, before: Timestamp) -> Result<(), StoreError> {
        Described.trim(session, before).await
    }
}

#[tokio::test]
async fn an_index_of_an_earlier_version_is_searched_until_another_is_made() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("1");
    let in_folder = || Some(folder.path().to_owned());
    let index = Index::start(Earlier, in_folder(), Duration::from_secs(60), sessions(&archives, &unlimited()));
    assert_eq!(found(&archives, &index).await, (vec!["Papers 1".to_owned()], false));
    drop(index);
    let_go(&place).await;
    archives.add(&format!("{repository}/resources"), &resource("2")).await;
    // Enough to open the old one, to begin another, and to take over what has changed, but not to make the other.
    let most = Arc::new(AtomicUsize::new(3));
    let index = Index::start(Described, in_folder(), Duration::from_secs(3_600), sessions(&archives, &most));
    let seen = timeout(Duration::from_secs(60), found(&archives, &index)).await;
    let seen = seen.expect("a search waits in vain for what the old index will never have");
    assert_eq!(seen.0, ["Papers 1", "Papers 2"], "what has changed is found, too");
    assert!(seen.1, "the old index passes for a new one");
    let mut turns = interval(Duration::from_millis(20));
    while !index.status().is_failing {
        turns.tick().await;
    }
    assert!(index.status().is_building);
    most.store(usize::MAX, Ordering::SeqCst);
    assert_eq!(complete(&archives, &index).await, ["Papers 1", "Papers 2"]);
    assert!(!place.join("1").exists(), "the old index is still there");
    assert!(!index.status().is_building && !index.status().is_failing);
}

/// Keeps everybody from reading a table of the library until it is let go of.
async fn held(archives: &Archives, table: &str) -> Transaction {
    let app = &archives.library.app;
    let session = app.session(&app.tenant(archives.library.tenant).expect("the tenant")).expect("a session");
    let held = session.begin().await.expect("a transaction");
    held.execute(&format!("LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE"), &[]).await.expect("a lock");
    held
}

#[tokio::test]
async fn a_search_before_the_first_index_is_made_is_refused_for_now() {
    let library = testkit::library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.search_patience = Duration::ZERO;
    });
    let archives = with_administrator(library.await).await;
    let repository = archives.repository("A").await;
    archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let path = format!("{repository}/search?page=1&type[]=resource");
    let held = held(&archives, "archival_record").await;
    let answer = archives.admin.get(&path).await.expect(503);
    assert_eq!(answer.header("retry-after"), Some("2"));
    let said = answer.json()["error"].as_str().expect("a sentence").to_owned();
    assert!(said.contains("still being made"), "{said}");
    held.commit().await.expect("let go");
    // Nothing is silently missing: an answer has everything, or says that it has not.
    for _ in 0..100_000 {
        let answer = archives.admin.get(&path).await;
        if answer.status == 200 && answer.header("x-carrel-search-behind").is_none() {
            assert_eq!(answer.json()["total_hits"], 1);
            return;
        }
        assert!([200, 503].contains(&answer.status), "{}", answer.text);
    }
    panic!("the index is never made");
}

#[tokio::test]
async fn a_query_is_refused_without_waiting_for_the_index() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let held = held(&archives, "archival_record").await;
    let refused = async {
        for query in ["aq=nothing", "facet[]=nothing", "resolve[]=nothing", "sort=nothing", "dt=pdf"] {
            archives.admin.get(&format!("{repository}/search?page=1&{query}")).await.expect(400);
        }
    };
    timeout(Duration::from_secs(60), refused).await.expect("it waits for the index");
    held.commit().await.expect("let go");
    assert_eq!(archives.get(&format!("{repository}/search?page=1&type[]=resource")).await["total_hits"], 1);
}
