//! The indexes for searches: opened at the start, and killed in the middle of their work.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::archives;
use super::kill::{Desk, make_library_in};
use super::servers::{Server, url};
use super::support::{Carrel, command, data_dir, send};

const PATIENCE: Duration = Duration::from_secs(120);
/// So many small segments become one.
const MERGED: usize = 8;

/// How many instances a query finds, and whether the answer says that something may be missing; `None` while the index is made.
pub async fn found(desk: &Desk, query: &str) -> Option<(u64, bool)> {
    let request = desk.http.get(format!("{}/search/instances?query={}", desk.base, query.replace('=', "%3D")));
    let answer = request.header("x-okapi-token", &desk.token).send().await.expect("an answer");
    if answer.status().as_u16() == 503 {
        return None;
    }
    assert_eq!(answer.status().as_u16(), 200);
    let is_behind = answer.headers().contains_key("x-carrel-search-behind");
    let body: Value = answer.json().await.expect("JSON");
    Some((body["totalRecords"].as_u64().expect("a number"), is_behind))
}

/// Waits until the index has everything; returns how many instances a query finds.
pub async fn until_found(desk: &Desk, query: &str) -> u64 {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some((many, false)) = found(desk, query).await {
            return many;
        }
        assert!(Instant::now() < deadline, "the index is never complete");
    }
}

/// Adds an instance; `false` if the server is gone.
pub async fn add_instance(desk: &Desk, title: &str) -> bool {
    // A type that FOLIO's reference data has.
    let text = "6312d172-f0cf-40f6-b27d-9fa8feaf332f";
    let record = json!({"source": "FOLIO", "title": title, "instanceTypeId": text});
    let request = desk.http.post(format!("{}/instance-storage/instances", desk.base));
    let request = request.header("x-okapi-token", &desk.token).header("content-type", "application/json");
    let Ok(answer) = request.body(record.to_string()).send().await else { return false };
    let status = answer.status().as_u16();
    let Ok(text) = answer.text().await else { return false };
    assert_eq!(status, 201, "{text}");
    true
}

/// What the metrics say of an index; `None` if it is not used.
async fn gauge(carrel: &Carrel, name: &str, index: &str) -> Option<f64> {
    let metrics = reqwest::get(format!("http://{}/metrics", carrel.staff)).await.expect("an answer");
    let metrics = metrics.text().await.expect("a text");
    let of_index = format!("index=\"{index}\"");
    let line = metrics.lines().find(|line| line.starts_with(&format!("{name}{{")) && line.contains(&of_index))?;
    line.rsplit(' ').next()?.parse().ok()
}

pub async fn until_gauge(carrel: &Carrel, name: &str, index: &str, is_right: impl Fn(f64) -> bool) {
    let deadline = Instant::now() + PATIENCE;
    let mut last = None;
    while !last.is_some_and(&is_right) {
        assert!(Instant::now() < deadline, "{name} of {index} is {last:?}");
        last = gauge(carrel, name, index).await;
    }
}

#[tokio::test]
async fn indexes_that_are_there_are_opened_at_the_start() {
    let dir = data_dir();
    archives::make(dir.path());
    let carrel = Carrel::start(dir.path());
    // That of the archives is made at the start, that of the catalogue when somebody searches.
    until_gauge(&carrel, "carrel_search_documents", "archives", |documents| documents > 200.0).await;
    assert_eq!(gauge(&carrel, "carrel_search_documents", "catalogue").await, None);
    assert!(!dir.path().join("search/catalogue").exists());
    let many = until_found(&Desk::open(&carrel).await, "cql.allRecords=1").await;
    assert!(many > 0);
    assert!(carrel.stop("TERM").success());

    let carrel = Carrel::start(dir.path());
    for index in ["archives", "catalogue"] {
        until_gauge(&carrel, "carrel_search_documents", index, |documents| documents > 0.0).await;
        assert_eq!(gauge(&carrel, "carrel_search_building", index).await, Some(0.0));
    }
    // The very first search has an answer.
    let first = found(&Desk::open(&carrel).await, "cql.allRecords=1").await;
    assert_eq!(first.map(|(found, _)| found), Some(many));
    assert!(carrel.stop("TERM").success());
}

#[tokio::test]
async fn each_process_keeps_an_index_of_its_own() {
    let (dir, server) = (data_dir(), Server::primary().await);
    let database = url(&[&server]);
    make_library_in(&["--database-url", &database]);
    let start = |name: &str| {
        let mut command = command(&dir.path().join(name));
        command.env("CARREL_DATABASE_URL", &database);
        Carrel::start_with(command)
    };
    let (one, other) = (start("one"), start("other"));
    let desks = [Desk::open(&one).await, Desk::open(&other).await];
    for desk in &desks {
        assert!(until_found(desk, "cql.allRecords=1").await > 0);
    }
    assert!(["one", "other"].iter().all(|name| generations(&dir.path().join(name)).len() == 1));
    // What one process saves is soon in the index of the other, too.
    for (place, title) in ["Quinquereme", "Cavalcade"].iter().enumerate() {
        assert!(add_instance(&desks[place], title).await);
        let query = format!("title={title}");
        assert_eq!(until_found(&desks[place], &query).await, 1);
        let deadline = Instant::now() + PATIENCE;
        while !matches!(found(&desks[1 - place], &query).await, Some((1, _))) {
            assert!(Instant::now() < deadline, "{title} is never found by the other process");
        }
    }
    assert!(one.stop("TERM").success());
    assert_eq!(until_found(&desks[1], "title any \"quinquereme cavalcade\"").await, 2);
    assert!(other.stop("TERM").success());
}

#[tokio::test]
async fn without_a_folder_for_data_an_index_is_temporary_and_a_warning_says_so() {
    let (dir, server) = (data_dir(), Server::primary().await);
    let database = url(&[&server]);
    make_library_in(&["--database-url", &database]);
    std::fs::write(dir.path().join("file"), "in the way").expect("a file");
    let mut command = command(&dir.path().join("file/data"));
    command.env("CARREL_DATABASE_URL", &database);
    let carrel = Carrel::spawn(command);
    carrel.line_with("data_dir takes no files");
    let carrel = carrel.ready();
    assert!(until_found(&Desk::open(&carrel).await, "cql.allRecords=1").await > 0);
    assert!(carrel.stop("TERM").success());
}

/// Asks for records of the catalogue until the answer has them; whether an answer was an error before.
async fn until_shown(desk: &Desk) -> bool {
    let deadline = Instant::now() + PATIENCE;
    let mut has_failed = false;
    loop {
        let request = desk.http.get(format!("{}/search/instances?query=cql.allRecords%3D1&limit=5", desk.base));
        let answer = request.header("x-okapi-token", &desk.token).send().await.expect("an answer");
        match answer.status().as_u16() {
            200 => return has_failed,
            status => has_failed |= status == 500,
        }
        assert!(Instant::now() < deadline, "the index is never complete");
    }
}

#[tokio::test]
async fn an_index_that_is_deleted_or_damaged_while_it_is_searched_comes_back() {
    let dir = data_dir();
    archives::make(dir.path());
    let carrel = Carrel::start(dir.path());
    let desk = Desk::open(&carrel).await;
    let many = until_found(&desk, "cql.allRecords=1").await;

    std::fs::remove_dir_all(dir.path().join("search/catalogue/t_diku")).expect("removed");
    assert!(add_instance(&desk, "Quinquereme").await);
    assert_eq!(until_found(&desk, "title=Quinquereme").await, 1);
    let deadline = Instant::now() + PATIENCE;
    while generations(dir.path()).is_empty() {
        assert!(Instant::now() < deadline, "the index is never there again");
        tokio::task::yield_now().await;
    }
    assert_eq!(until_found(&desk, "cql.allRecords=1").await, many + 1);
    assert!(carrel.stop("TERM").success());

    // Another process has nothing of it in its memory.
    let carrel = Carrel::start(dir.path());
    let desk = Desk::open(&carrel).await;
    assert_eq!(until_found(&desk, "title=nothing").await, 0);
    let folder = generations(dir.path()).pop().expect("an index");
    let files = std::fs::read_dir(&folder).expect("a folder").flatten().map(|entry| entry.path());
    for file in files.filter(|path| path.extension().is_some_and(|extension| extension == "store")) {
        let length = file.metadata().expect("a length").len();
        let mut file = std::fs::OpenOptions::new().write(true).open(file).expect("a file");
        file.write_all(&vec![0xff; usize::try_from(length).expect("a length")]).expect("written");
    }
    assert!(until_shown(&desk).await, "nobody noticed the damage");
    assert_eq!(until_found(&desk, "cql.allRecords=1").await, many + 1);
    assert!(carrel.stop("TERM").success());
}

/// When Carrel is killed.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// When so many saves were made and searched for: each search makes a commit.
    Commit(usize),
    /// When so much was committed that segments of the index are merged.
    Merge,
    /// When a new index is being made.
    Rebuild,
    /// When a new index takes over.
    Exchange,
}

/// The indexes of the only library, the newest last.
fn generations(data: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(data.join("search/catalogue/t_diku/1")) else { return Vec::new() };
    let mut all: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    all.sort_by_key(|path| path.file_name().and_then(|name| name.to_str()?.parse::<u64>().ok()));
    all
}

/// How many segments the index that is searched has.
fn segments(data: &Path) -> usize {
    let meta = generations(data).first().and_then(|path| std::fs::read(path.join("meta.json")).ok());
    let meta: Option<Value> = meta.and_then(|meta| serde_json::from_slice(&meta).ok());
    meta.and_then(|meta| Some(meta["segments"].as_array()?.len())).unwrap_or(0)
}

/// Kills the server when its index has as many segments as are merged at once; `false` if that takes too long.
async fn kill_at_merge(data: PathBuf, process: u32) -> bool {
    let mut turns = tokio::time::interval(Duration::from_millis(1));
    let deadline = Instant::now() + PATIENCE;
    let mut is_time = false;
    while !is_time && Instant::now() < deadline {
        turns.tick().await;
        is_time = segments(&data) >= MERGED;
    }
    send("KILL", process);
    is_time
}

/// Saves what both indexes have and searches, until the server is gone; counts what was acknowledged.
async fn save_until_gone(
    carrel: &Carrel,
    desk: &Desk,
    session: &str,
    saved: &mut [usize; 2],
    is_time: impl Fn(usize) -> bool,
) {
    let mut made = 0;
    loop {
        let number = saved[0] + saved[1];
        if !add_instance(desk, &format!("Zzkilled {number}")).await {
            return;
        }
        saved[0] += 1;
        if !archives::add_subject(carrel, session, &format!("Zzkilled {number}")).await {
            return;
        }
        saved[1] += 1;
        made += 1;
        // Both are committed now, while nobody waits for the answer.
        let searches = [
            desk.http.get(format!("{}/search/instances?query=title%3Dzzkilled", desk.base)),
            desk.http.get(format!("http://{}/search?q=zzkilled&page=1", carrel.archives)),
        ];
        for search in searches {
            let search = search.header("x-okapi-token", &desk.token).header("x-archivesspace-session", session);
            tokio::spawn(search.send());
        }
        if is_time(made) {
            send("KILL", carrel.process.id());
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_acknowledged_is_found_after_a_kill_in_a_commit_a_merge_or_a_rebuild() {
    let dir = data_dir();
    archives::make(dir.path());
    let mut saved = [0, 0];
    let moments =
        [Moment::Commit(2), Moment::Rebuild, Moment::Merge, Moment::Exchange, Moment::Commit(5), Moment::Rebuild];
    for moment in moments {
        let carrel = Carrel::start(dir.path());
        let (desk, session) =
            (Desk::open(&carrel).await, archives::session(&carrel, "admin").await.expect("a session"));
        compare(&carrel, &desk, &session, saved).await;
        match moment {
            Moment::Commit(after) => save_until_gone(&carrel, &desk, &session, &mut saved, |made| made >= after).await,
            Moment::Merge => {
                let killing = tokio::spawn(kill_at_merge(dir.path().to_owned(), carrel.process.id()));
                save_until_gone(&carrel, &desk, &session, &mut saved, |_| false).await;
                assert!(killing.await.expect("it was killed"), "nothing is merged");
            }
            Moment::Rebuild | Moment::Exchange => {
                until_gauge(&carrel, "carrel_search_building", "catalogue", |building| building == 0.0).await;
                let before = generations(dir.path());
                let reindex = format!("{}/search/index/instance-records/reindex/full", desk.base);
                let reindex = desk.http.post(reindex).header("x-okapi-token", &desk.token).send().await;
                assert_eq!(reindex.expect("an answer").status().as_u16(), 200);
                let is_time = |now: &[PathBuf]| match moment {
                    Moment::Rebuild => now != before,
                    _ => now.first() != before.first(),
                };
                let deadline = Instant::now() + PATIENCE;
                while !is_time(&generations(dir.path())) {
                    assert!(Instant::now() < deadline, "no other index: {moment:?}");
                }
                send("KILL", carrel.process.id());
            }
        }
    }
    let carrel = Carrel::start(dir.path());
    let (desk, session) = (Desk::open(&carrel).await, archives::session(&carrel, "admin").await.expect("a session"));
    compare(&carrel, &desk, &session, saved).await;
    assert!(carrel.stop("TERM").success());
}

/// Everything acknowledged is found, and nothing that is not there.
async fn compare(carrel: &Carrel, desk: &Desk, session: &str, saved: [usize; 2]) {
    let found = until_found(desk, "title=zzkilled").await;
    let stored = desk.get("/instance-storage/instances?limit=0&query=title=zzkilled").await;
    assert_eq!(Some(found), stored["totalRecords"].as_u64());
    assert!(found >= saved[0] as u64, "{found} of {} instances", saved[0]);
    let found = archives::until_found(carrel, session, "zzkilled").await;
    assert!(found >= saved[1] as u64, "{found} of {} subjects", saved[1]);
    let all = until_found(desk, "cql.allRecords=1").await;
    assert_eq!(Some(all), desk.get("/instance-storage/instances?limit=0").await["totalRecords"].as_u64());
}
