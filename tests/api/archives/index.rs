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

use archives::search::{Described, Search, Shape, find};
use indexing::{Index, Sessions};
use store::StoreError;

use super::*;

/// Sessions for an index, as many as there may be at the moment.
fn sessions(archives: &Archives, most: &Arc<AtomicUsize>) -> Sessions {
    let app = Arc::clone(&archives.library.app);
    let tenant = app.tenant(archives.library.tenant).expect("the tenant");
    let (most, made) = (Arc::clone(most), AtomicUsize::new(0));
    Box::new(move || {
        if made.fetch_add(1, Ordering::SeqCst) >= most.load(Ordering::SeqCst) {
            return Err(StoreError::Other("no more sessions".to_owned()));
        }
        app.session(&tenant)
    })
}

fn unlimited() -> Arc<AtomicUsize> {
    Arc::new(AtomicUsize::new(usize::MAX))
}

/// The titles of all resources that an index finds, and whether it says that something may be missing.
async fn found(archives: &Archives, index: &Index) -> (Vec<String>, bool) {
    let app = &archives.library.app;
    let session = app.session(&app.tenant(archives.library.tenant).expect("the tenant")).expect("a session");
    let search = Search {
        types: vec!["resource".to_owned()],
        sort: Some("title_sort asc".to_owned()),
        limit: 10,
        ..Search::default()
    };
    let found =
        find(index, &session, &search, &Shape::default(), archives.library.clock.now()).await.expect("an answer");
    (texts(&found.body["results"], "title"), found.is_behind)
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

/// Waits until the process that used an index has let go of it.
async fn let_go(folder: &Path) {
    let mut turns = tokio::time::interval(Duration::from_millis(20));
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
    for _ in 0..60 {
        seen = found(&archives, &index).await;
        if !seen.1 {
            break;
        }
    }
    assert_eq!(seen, (vec!["Papers 1".to_owned(), "Papers 2".to_owned()], false));
    assert!(!place.join("1").exists(), "the old index is still there");
}
