//! The disk fills up while the desk works: Carrel reports it, the doctor works, nothing is lost, and work continues
//! once there is space again.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use super::archives;
use super::kill::{Desk, compare, make_library};
use super::search;
use super::support::{Carrel, carrel, command, data_dir, database};

/// A separate in-memory disk for the data; unmounted on drop.
struct Disk {
    dir: TempDir,
    /// Where it is mounted.
    path: PathBuf,
}

impl Disk {
    /// `None` if this account may not mount.
    fn mount() -> Option<Self> {
        let dir = data_dir();
        let path = dir.path().to_owned();
        Self::mount_at(dir, path)
    }

    /// The disk of the indexes alone, in a data directory that is elsewhere.
    fn mount_for_search() -> Option<Self> {
        let dir = data_dir();
        let path = dir.path().join("data/search");
        std::fs::create_dir_all(&path).expect("a folder");
        Self::mount_at(dir, path)
    }

    fn mount_at(dir: TempDir, path: PathBuf) -> Option<Self> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=1g,mode=0711", "carrel-test"]).arg(&path);
        mount.output().ok()?.status.success().then_some(Self { dir, path })
    }

    fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// False if the disk holds more than that.
    fn resize(&self, kilobytes: u64) -> bool {
        let mut mount = Command::new("mount");
        mount.args(["-o", &format!("remount,size={kilobytes}k")]).arg(&self.path);
        mount.status().expect("mount is there").success()
    }

    fn used_kilobytes(&self) -> u64 {
        let output = Command::new("df").args(["-k", "--output=used"]).arg(&self.path).output();
        let output = String::from_utf8(output.expect("df is there").stdout).expect("text");
        let used = output.lines().last().and_then(|line| line.trim().parse().ok());
        used.expect("a number")
    }

    /// Uses up the free space, while others may be using it, too.
    fn fill(&self) {
        let full = (0..100).any(|_| self.resize(self.used_kilobytes().max(4)));
        assert!(full, "more is always being written");
    }

    fn empty(&self) {
        assert!(self.resize(1 << 20));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.path).status();
    }
}

/// The doctor must report this as a failure.
fn finds(data: &Path, fault: &str) {
    let output = carrel(data, &["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let findings = report["findings"].as_array().expect("findings");
    let mut failed = findings.iter().filter(|finding| finding["level"] == "fail");
    let found = failed.any(|finding| finding.to_string().contains(fault));
    assert!(found, "no {fault:?} in {findings:#?}");
}

/// Checks items out until the disk is full; returns the loans, and the answer of the first failure.
async fn lend_until_full(desk: &Desk) -> (Vec<String>, (u16, String)) {
    let items = "/item-storage/items?limit=500&query=status.name==Available";
    let items = desk.barcodes(items, "items").await;
    let patrons = desk.barcodes("/users?limit=200&query=active==true", "users").await;
    let mut loans = Vec::new();
    for (item, patron) in items.iter().zip(patrons.iter().cycle()) {
        let (status, body) = desk.try_check_out(item, patron).await.expect("an answer");
        match status {
            201 => {
                let loan: Value = serde_json::from_str(&body).expect("JSON");
                loans.push(loan["id"].as_str().expect("an id").to_owned());
            }
            // For example, a patron with too many loans.
            422 => {}
            _ => return (loans, (status, body)),
        }
    }
    panic!("{} loans, and the disk is still not full", loans.len());
}

#[tokio::test]
async fn a_full_disk_is_reported_at_the_desk_until_there_is_space() {
    let Some(disk) = Disk::mount() else {
        eprintln!("skipped: a disk of a test's own needs the right to mount (root, CAP_SYS_ADMIN)");
        return;
    };
    make_library(&disk.data());
    let carrel = Carrel::start(&disk.data());
    let desk = Desk::open(&carrel).await;
    carrel.until("/readyz", 200).await;

    disk.fill();
    let (mut loans, (status, text)) = lend_until_full(&desk).await;
    assert_eq!(status, 507, "{text}");
    assert!(text.contains("disk of the database is full"), "{text}");
    let text = carrel.until("/readyz", 503).await;
    assert!(text.contains("disk of the database is full"), "{text}");
    assert_eq!(carrel.status("/healthz").await, Some(200));
    finds(&disk.data(), "are free on the disk");

    disk.empty();
    carrel.until("/readyz", 200).await;
    disk.fill();
    loans.extend(lend_until_full(&desk).await.0);

    // Without room for its log, PostgreSQL itself stops and cannot start.
    let client = database(&disk.data()).await;
    let fill_the_log = "SELECT pg_switch_wal(), pg_logical_emit_message(false, 'test', repeat('x', 1000000))";
    while client.batch_execute(fill_the_log).await.is_ok() {}
    carrel.until("/readyz", 503).await;
    finds(&disk.data(), "are free on the disk");

    disk.empty();
    carrel.until("/readyz", 200).await;
    compare(&carrel, &loans).await;
    assert!(carrel.stop("TERM").success());

    // The doctor runs without a server and without room to start one.
    disk.fill();
    finds(&disk.data(), "is full");
    let refused = command(&disk.data()).output().expect("it runs");
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(text.contains("is full") && text.contains("Free some"), "{text}");
}

#[tokio::test]
async fn a_full_disk_of_the_indexes_loses_nothing_and_searches_catch_up() {
    let Some(disk) = Disk::mount_for_search() else {
        eprintln!("skipped: a disk of a test's own needs the right to mount (root, CAP_SYS_ADMIN)");
        return;
    };
    archives::make(&disk.data());
    // Without an index the searches say so, and all else works.
    disk.fill();
    let carrel = Carrel::start(&disk.data());
    let desk = Desk::open(&carrel).await;
    let session = archives::session(&carrel, "admin").await.expect("a session");
    assert_eq!(archives::found(&carrel, &session, "papers").await, None);
    assert_eq!(search::found(&desk, "cql.allRecords=1").await, None);
    for index in ["archives", "catalogue"] {
        search::until_gauge(&carrel, "carrel_search_failing", index, |failing| failing == 1.0).await;
    }
    disk.empty();
    let before = archives::until_found(&carrel, &session, "papers").await;
    let titles = search::until_found(&desk, "cql.allRecords=1").await;

    disk.fill();
    let saved = 20;
    for number in 0..saved {
        assert!(archives::add_subject(&carrel, &session, &format!("Quinquereme {number}")).await);
        assert!(search::add_instance(&desk, &format!("Quinquereme {number}")).await);
    }
    // The saves are there, and the searches answer from what they have and say so.
    let subjects = archives::text(&carrel, &session, "/subjects?all_ids=true").await;
    assert!(serde_json::from_str::<Vec<u64>>(&subjects).expect("ids").len() >= saved, "{subjects}");
    assert_eq!(archives::found(&carrel, &session, "papers").await, Some((before, true)));
    assert_eq!(archives::found(&carrel, &session, "quinquereme").await, Some((0, true)));
    assert_eq!(search::found(&desk, "cql.allRecords=1").await, Some((titles, true)));
    assert_eq!(search::found(&desk, "title=quinquereme").await, Some((0, true)));
    let info: Value = serde_json::from_str(&archives::text(&carrel, &session, "/system/info").await).expect("JSON");
    assert!(info["solr_info"]["documents_behind"].as_u64() > Some(0), "{info}");
    for index in ["archives", "catalogue"] {
        search::until_gauge(&carrel, "carrel_search_failing", index, |failing| failing == 1.0).await;
        search::until_gauge(&carrel, "carrel_search_documents_behind", index, |behind| behind > 0.0).await;
        search::until_gauge(&carrel, "carrel_search_seconds_behind", index, |seconds| seconds > 0.0).await;
    }
    finds(&disk.data(), "The index for searches in the archives");
    finds(&disk.data(), "The index for searches in the catalogue");
    finds(&disk.data(), "cannot be written");

    disk.empty();
    assert_eq!(archives::until_found(&carrel, &session, "quinquereme").await, saved as u64);
    assert_eq!(search::until_found(&desk, "title=quinquereme").await, saved as u64);
    assert_eq!(archives::until_found(&carrel, &session, "papers").await, before);
    for index in ["archives", "catalogue"] {
        search::until_gauge(&carrel, "carrel_search_failing", index, |failing| failing == 0.0).await;
    }
    assert!(carrel.stop("TERM").success());
}
