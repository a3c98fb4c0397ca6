//! Near-static records are answered from memory, and nobody notices except by the time it takes (decision 37).

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use http::Method;
use serde_json::{Value, json};
use store::{Database, Session};
use testkit::{Client, Library, library, library_with};
use uuid::Uuid;

use crate::support::{ONE, one_of_each, reader};

const SLIPS: &str = "/staff-slips-storage/staff-slips";
const GROUPS: &str = "/groups?query=cql.allRecords=1 sortby group&limit=2000";
/// Another process's changes are seen within this time; the rest is for a slow machine.
const WITHIN: Duration = Duration::from_millis(1_000);
const SLOW_MACHINE: Duration = Duration::from_millis(500);

/// Paths whose handlers read in their own way.
const OF_THEIR_OWN: [&str; 3] = ["/locale", "/base-url", "/settings/entries"];

/// Reads until the answer needs no round trip. On a slow machine the first ones may take longer than an answer is valid.
async fn kept(client: &Client, path: &str) -> String {
    for _ in 0..20 {
        let answer = client.get(path).await.expect(200);
        if answer.round_trips() == 0 {
            return answer.text;
        }
        assert_eq!(answer.round_trips(), 1, "{path}");
    }
    panic!("{path} is never kept");
}

/// A session of another process: it shares nothing with the library's.
fn another_process(library: &Library) -> Session {
    let database = Database::new(library.app.database.config().clone(), 1);
    database.session(&format!("t_{}", library.tenant)).expect("a session")
}

async fn stamp(session: &Session) -> Uuid {
    session.value("SELECT stamp FROM snapshot_stamp", &[]).await.expect("a stamp")
}

#[tokio::test]
async fn lists_and_records_need_no_round_trip_the_second_time_and_are_the_same() {
    let library = library().await;
    one_of_each(&library).await;
    let client = reader(&library);
    let mut asked = 0;
    for collection in library.app.collections.iter().filter(|collection| collection.is_near_static()) {
        let (list, record) = (collection.path.to_owned(), format!("{}/{ONE}", collection.path));
        for path in [format!("{list}?limit=1000"), format!("{list}?totalRecords=none"), list, record] {
            let bare = path.split('?').next().unwrap_or_default();
            if library.app.routes.find(&Method::GET, bare).is_none()
                || OF_THEIR_OWN.iter().any(|own| bare.starts_with(own))
            {
                continue;
            }
            let first = client.get(&path).await.expect(200);
            assert_eq!(kept(&client, &path).await, first.text, "{path}");
            asked += 1;
        }
    }
    assert!(asked > 100, "only {asked} answers are kept");
}

#[tokio::test]
async fn whoever_changes_a_record_reads_it_in_the_next_answer() {
    let library = library().await;
    let client = &library.open;
    let slip = json!({"id": ONE, "name": "Label", "template": "one"});
    client.put(&format!("{SLIPS}/{ONE}"), &slip).await.expect(204);
    assert!(kept(client, SLIPS).await.contains("one"));
    let changed = json!({"id": ONE, "name": "Label", "template": "two"});
    client.put(&format!("{SLIPS}/{ONE}"), &changed).await.expect(204);
    assert!(client.get(SLIPS).await.expect(200).text.contains("two"));
    kept(client, SLIPS).await;
    client.delete(&format!("{SLIPS}/{ONE}")).await.expect(204);
    assert!(!client.get(SLIPS).await.expect(200).text.contains("Label"));

    let settings = reader(&library).with_header(
        "x-okapi-permissions",
        &json!(["mod-settings.global.read.one", "mod-settings.global.write.one"]).to_string(),
    );
    let entries = "/settings/entries?query=scope==one";
    for value in 0..3 {
        // A statement of its own writes these.
        let entry = json!([{"scope": "one", "key": "k", "value": value}]);
        settings.put("/settings/upload", &entry).await.expect(200);
        assert_eq!(settings.get(entries).await.expect(200).json()["items"][0]["value"], value);
        kept(&settings, entries).await;
    }
}

#[tokio::test]
async fn settings_that_exist_once_are_kept_until_they_change() {
    let library = library().await;
    let client = &library.open;
    for (path, member, set) in [
        ("/locale", "currency", json!({"locale": "de-DE", "currency": "EUR", "timezone": "Europe/Berlin"})),
        ("/base-url", "baseUrl", json!({"baseUrl": "https://library.example"})),
    ] {
        let before = kept(client, path).await;
        client.put(path, &set).await.expect(204);
        let answer = client.get(path).await.expect(200);
        assert_eq!(answer.json()[member], set[member], "{before}");
        assert_eq!(kept(client, path).await, answer.text);
    }
}

#[tokio::test]
async fn openings_and_circulation_rules_are_kept_until_they_change() {
    let library = library().await;
    let client = &library.open;
    let desk = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";
    let mut calendar = json!({"name": "Spring", "startDate": "2022-01-01", "endDate": "2022-05-31", "assignments": [desk],
        "normalHours": [{"startDay": "MONDAY", "startTime": "08:00", "endDay": "MONDAY", "endTime": "20:00"}],
        "exceptions": []});
    let made = client.create("/calendar/calendars", &calendar).await;
    let calendar_path = format!("/calendar/calendars/{}", made["id"].as_str().expect("an id"));
    let openings = [
        format!("/calendar/dates/{desk}/surrounding-openings?date=2022-01-04"),
        format!("/calendar/dates/{desk}/all-openings?startDate=2022-01-01&endDate=2022-01-31&limit=100"),
        format!("/calendar/calendars?servicePointId={desk}"),
    ];
    for path in &openings {
        assert!(kept(client, path).await.contains("08:00"), "{path}");
    }
    calendar["normalHours"][0]["startTime"] = "09:00".into();
    client.put(&calendar_path, &calendar).await.expect(200);
    for path in &openings {
        assert!(client.get(path).await.expect(200).text.contains("09:00"), "{path}");
        assert!(kept(client, path).await.contains("09:00"), "{path}");
    }
    // Another day, another range and another service point are other questions.
    let monday = client.get(&openings[0].replace("04", "03")).await.expect(200);
    assert_ne!(monday.text, kept(client, &openings[0]).await);
    let tuesdays = client.get(&openings[1].replace("&limit=100", "&includeClosed=true&limit=100")).await.expect(200);
    assert_eq!(tuesdays.json()["totalRecords"], 31);
    let nowhere = client.get(&openings[2].replace(desk, &Uuid::new_v4().to_string())).await.expect(200);
    assert_eq!(nowhere.json()["totalRecords"], 0);
    let stored = "/circulation-rules-storage";
    for (path, text) in [("/circulation/rules", "priority: t"), (stored, "priority: g")] {
        kept(client, path).await;
        client.put(stored, &json!({"rulesAsText": text})).await.expect(204);
        assert_eq!(client.get(path).await.expect(200).json()["rulesAsText"], text);
        assert!(kept(client, path).await.contains(text));
    }
}

/// Readers keep the snapshot filled, so that an old answer would be there whenever it could be given.
#[tokio::test(flavor = "multi_thread")]
async fn no_old_answer_survives_a_change_among_many_readers() {
    let library = library().await;
    let group = library.open.create("/groups", &json!({"group": "staff", "desc": "0"})).await;
    let path = format!("/groups/{}", group["id"].as_str().expect("an id"));
    let stop = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let (client, path, stop) = (library.open.clone(), path.clone(), Arc::clone(&stop));
            tokio::spawn(async move {
                let (mut last, mut kept) = (0, 0);
                while !stop.load(Ordering::Relaxed) {
                    for path in [GROUPS, &path] {
                        let answer = client.get(path).await.expect(200);
                        kept += usize::from(answer.round_trips() == 0);
                        let body = answer.json();
                        let group = body.pointer("/usergroups/0").unwrap_or(&body);
                        let desc = number(group);
                        assert!(desc >= last, "{desc} after {last}");
                        last = desc;
                    }
                }
                kept
            })
        })
        .collect();
    for desc in 1..150 {
        let changed = json!({"id": group["id"], "group": "staff", "desc": desc.to_string()});
        library.open.put(&path, &changed).await.expect(204);
        for path in [GROUPS, &path] {
            let body = library.open.get(path).await.expect(200).json();
            assert_eq!(number(body.pointer("/usergroups/0").unwrap_or(&body)), desc, "{path}");
        }
    }
    stop.store(true, Ordering::Relaxed);
    for reader in readers {
        assert!(reader.await.expect("no panic") > 20, "the readers read the database");
    }
}

fn number(group: &Value) -> u32 {
    group["desc"].as_str().and_then(|desc| desc.parse().ok()).expect("a number")
}

#[tokio::test]
async fn another_process_changes_a_record_and_it_is_seen_within_a_second() {
    let library = library().await;
    let client = &library.open;
    client.create("/groups", &json!({"group": "staff", "desc": "0"})).await;
    let other = another_process(&library);
    for sql in [
        "UPDATE groups SET doc = doc || '{\"desc\": \"changed\"}'",
        "WITH gone AS (DELETE FROM groups RETURNING *) SELECT count(*) FROM gone",
        "INSERT INTO groups (id, doc) SELECT id, jsonb_build_object('id', id, 'group', 'x') FROM gen_random_uuid() AS id",
        "TRUNCATE groups CASCADE",
    ] {
        let before = kept(client, GROUPS).await;
        let version: i64 = other.value("SELECT version FROM configuration_version", &[]).await.expect("a version");
        let changed = Instant::now();
        other.batch(sql).await.expect(sql);
        while client.get(GROUPS).await.expect(200).text == before {
            assert!(changed.elapsed() < WITHIN + SLOW_MACHINE, "{sql}: not seen after {:?}", changed.elapsed());
        }
        let now: i64 = other.value("SELECT version FROM configuration_version", &[]).await.expect("a version");
        assert!(now > version, "{sql}: the desk would not see it");
    }
}

#[tokio::test]
async fn a_slip_does_not_reload_the_configuration_but_is_seen() {
    let library = library().await;
    let other = another_process(&library);
    let version = async || -> i64 {
        let sql = "SELECT version FROM configuration_version";
        other.value(sql, &[]).await.expect("a version")
    };
    let (before, stamped) = (version().await, stamp(&other).await);
    let slip = json!({"id": ONE, "name": "Label", "template": "one"});
    library.open.put(&format!("{SLIPS}/{ONE}"), &slip).await.expect(204);
    assert_eq!(version().await, before);
    assert_ne!(stamp(&other).await, stamped);
}

#[tokio::test]
async fn what_others_may_read_is_still_refused_to_those_who_may_not() {
    let library = library().await;
    let entries = "/settings/entries?query=scope==one";
    let may = reader(&library);
    kept(&may, entries).await;
    library.open.get(entries).await.expect(403);
    let own = may.with_header("x-okapi-permissions", r#"["mod-settings.owner.read.one"]"#);
    let own = own.with_header("x-okapi-user-id", &ONE.to_string());
    for _ in 0..3 {
        assert_eq!(own.get(entries).await.expect(200).round_trips(), 1, "the caller's own entries are not kept");
    }
    let closed = library_with(|settings| settings.allow_open_tenants = false).await;
    closed.open.get(GROUPS).await.expect(403);
}

#[tokio::test]
async fn queries_that_are_refused_or_on_undeclared_fields_are_not_kept() {
    let library = library().await;
    for _ in 0..3 {
        library.open.query("/groups", "group==").await.expect(400);
        let undeclared = library.open.query("/groups", "nobody==1").await.expect(200);
        assert_eq!(undeclared.header("x-carrel-undeclared-fields"), Some("nobody"));
        library.open.get(&format!("/groups/{ONE}")).await.expect(404);
    }
}

#[tokio::test]
async fn a_kept_answer_is_packed_for_those_who_can_unpack_it() {
    let library = library().await;
    for number in 0..40 {
        library.open.create("/groups", &json!({"group": format!("group {number}")})).await;
    }
    let packing = library.open.clone().unchecked().with_header("accept-encoding", "gzip");
    let plain = kept(&library.open, GROUPS).await;
    for _ in 0..4 {
        let packed = packing.get(GROUPS).await.expect(200);
        assert_eq!(packed.header("content-encoding"), Some("gzip"));
        assert_eq!(packed.header("vary"), Some("accept-encoding"));
        assert!(packed.text.len() < plain.len());
        let answer = library.open.get(GROUPS).await.expect(200);
        assert_eq!((answer.header("content-encoding"), &answer.text), (None, &plain));
    }
}

/// Otherwise a query would read what no trigger watches.
#[test]
fn near_static_records_are_made_of_near_static_records() {
    for collection in testkit::routes().0 {
        let Some(table) = (collection.near_static || collection.configuration).then_some(collection.table) else {
            continue;
        };
        assert!(!collection.near_static || collection.is_near_static(), "{table} is shown with other records");
        for field in &collection.virtuals {
            assert!(!field.sql.to_uppercase().contains("SELECT"), "{table}: {}", field.sql);
        }
    }
}
