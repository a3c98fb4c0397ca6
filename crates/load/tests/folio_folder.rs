//! Folders of FOLIO records, loaded into a real database.

// The helpers of a test may fail by a panic, too.
#![allow(clippy::unwrap_used)]

use std::{
    fs,
    path::{Path, PathBuf},
};

use load::folder::{Listener, Refusal, Report, Summary, load};
use serde_json::{Value, json};

const BUNDLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../store/data");

/// Collects the reports of a load.
#[derive(Default)]
struct Collected {
    refused: Vec<String>,
}

impl Listener for Collected {
    fn begins(&mut self, _: &str, _: usize) {}

    fn refused(&mut self, refusal: &Refusal<'_>) {
        let file = refusal.file.file_name().unwrap().to_string_lossy();
        let line = refusal.line.map_or(String::new(), |line| format!(":{line}"));
        let id = refusal.id.unwrap_or("no id");
        let text = format!("{file}{line} {id} {}", refusal.reason);
        self.refused.push(text);
    }

    fn ends(&mut self, _: &Summary) {}
}

async fn load_folder(library: &testkit::Library, folder: &Path) -> (Report, Vec<String>) {
    let tenant = library.app.tenant(library.tenant).unwrap();
    let mut collected = Collected::default();
    let report = load(&library.app, &tenant, folder, &mut collected).await.unwrap();
    (report, collected.refused)
}

fn summary<'a>(report: &'a Report, path: &str) -> &'a Summary {
    let found = report.summaries.iter().find(|summary| summary.path == path);
    found.unwrap_or_else(|| panic!("{path} was not loaded: {report:#?}"))
}

fn totals(report: &Report) -> (u64, u64, u64, u64, u64) {
    let add = |of: fn(&Summary) -> u64| report.summaries.iter().map(of).sum();
    (
        add(|summary| summary.read),
        add(|summary| summary.created),
        add(|summary| summary.replaced),
        add(|summary| summary.already_there),
        add(|summary| summary.refused),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn folios_own_data_is_loaded_completely_and_once() {
    let library = testkit::library().await;
    let bundle = |set: &str| Path::new(BUNDLE).join(set);
    // One instance format has a member `readOnly` that no schema names; FOLIO's schema does not forbid it.
    let (report, refused) = load_folder(&library, &bundle("reference")).await;
    assert_eq!(refused, [""; 0]);
    assert_eq!(totals(&report), (626, 625, 1, 0, 0));
    assert_eq!(report.aside, []);

    let (report, refused) = load_folder(&library, &bundle("sample")).await;
    assert_eq!(refused, [""; 0]);
    assert_eq!(totals(&report), (481, 481, 0, 0, 0));

    for (path, total) in [
        ("/users", 303),
        ("/item-storage/items", 25),
        ("/instance-storage/instances", 36),
        ("/loan-storage/loans", 5),
        ("/coursereserves/courses", 13),
        ("/coursereserves/reserves", 8),
        ("/contributor-types", 268),
    ] {
        let page = library.open.get(&format!("{path}?limit=0")).await.expect(200).json();
        assert_eq!(page["totalRecords"], total, "{path}");
    }
    let rules = library.open.get("/circulation/rules").await.expect(200).json();
    assert!(rules["rulesAsText"].as_str().unwrap().starts_with("priority: number-of-criteria"));

    let (report, _) = load_folder(&library, &bundle("sample")).await;
    assert_eq!(totals(&report), (481, 0, 0, 481, 0));
}

/// Writes files below a folder.
fn write(folder: &Path, files: &[(&str, String)]) -> PathBuf {
    for (name, text) in files {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    folder.to_path_buf()
}

fn group(id: u32, name: &str) -> Value {
    json!({"id": uuid::Uuid::from_u128(id.into()), "group": name})
}

#[tokio::test(flavor = "multi_thread")]
async fn every_refused_record_is_reported_with_its_reason() {
    let library = testkit::library().await;
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        group(1, "adults").to_string(),
        "{\"group\": ".into(),
        group(2, "Adults").to_string(),
        group(3, "children").to_string(),
        json!({"id": uuid::Uuid::from_u128(4), "desc": "nameless"}).to_string(),
        group(3, "children again").to_string(),
        json!(7).to_string(),
    ];
    let user = |n: u32, group: u32| {
        json!({"id": uuid::Uuid::from_u128(n.into()), "username": format!("reader{n}"), "active": true,
            "patronGroup": uuid::Uuid::from_u128(group.into()), "personal": {"lastName": "Reader"}})
    };
    let users = json!({"users": [user(10, 1), user(11, 99), user(12, 3)], "totalRecords": 3});
    write(
        folder.path(),
        &[
            ("any/groups-1.0/groups.ndjson", lines.join("\n")),
            ("any/users/page.json", users.to_string()),
            ("any/users/broken.json", "[".into()),
            ("mod-users/loans/x.json", "{}".into()),
            ("strange/x.json", "{}".into()),
            ("any/users/README.md", "Users".into()),
        ],
    );
    let (report, mut refused) = load_folder(&library, folder.path()).await;
    let id = |n: u32| uuid::Uuid::from_u128(n.into()).to_string();
    let mut expected = [
        "groups.ndjson:2 no id this is no JSON: EOF while parsing a value at line 1 column 10".to_owned(),
        format!(
            "groups.ndjson:3 {} lower(f_unaccent(jsonb ->> 'group'::text)) value already exists in table groups: adults",
            id(2)
        ),
        format!("groups.ndjson:5 {} must not be null (group)", id(4)),
        format!("groups.ndjson:6 {} id value already exists in table groups: {}", id(3), id(3)),
        "groups.ndjson:7 no id expected a JSON object".to_owned(),
        "broken.json no id this is no JSON: EOF while parsing a list at line 1 column 1".to_owned(),
        format!("page.json {} Cannot add {}. Patron group not found", id(11), id(99)),
    ];
    refused.sort();
    expected.sort();
    assert_eq!(refused, expected);
    assert_eq!(report.refused(), 7);
    assert_eq!((summary(&report, "/groups").read, summary(&report, "/groups").created), (7, 2));
    assert_eq!((summary(&report, "/users").read, summary(&report, "/users").created), (4, 2));

    let aside: Vec<_> = report
        .aside
        .iter()
        .map(|aside| (aside.folder.strip_prefix(folder.path()).unwrap(), aside.files, aside.reason))
        .collect();
    let no_collection = "no collection is called so";
    let no_records = "only .json, .ndjson and .jsonl files hold records";
    assert_eq!(
        aside,
        [
            (Path::new("any/users"), 1, no_records),
            (Path::new("mod-users/loans"), 1, no_collection),
            (Path::new("strange"), 1, no_collection),
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn hrids_continue_after_loaded_ones() {
    let library = testkit::library().await;
    load_folder(&library, &Path::new(BUNDLE).join("reference")).await;
    let folder = tempfile::tempdir().unwrap();
    let instance = |hrid: &str| {
        json!({"hrid": hrid, "source": "FOLIO", "title": "t",
            "instanceTypeId": "6312d172-f0cf-40f6-b27d-9fa8feaf332f"})
    };
    let instances = ["in00000000041", "in7", "other99", "in0000000004x"].map(instance);
    write(folder.path(), &[("instances.json", json!(instances).to_string())]);
    let (report, _) = load_folder(&library, folder.path()).await;
    assert_eq!(totals(&report), (4, 4, 0, 0, 0));
    let mut next = instance("");
    next.as_object_mut().unwrap().remove("hrid");
    let created = library.open.create("/instance-storage/instances", &next).await;
    assert_eq!(created["hrid"], "in00000000042");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_wrong_record_among_many_is_refused_alone() {
    let library = testkit::library().await;
    let folder = tempfile::tempdir().unwrap();
    let tag = |n: u32| json!({"id": uuid::Uuid::from_u128(n.into()), "label": format!("tag {}", n.max(1))});
    // The first two differ only in their ids.
    let tags: Vec<_> = (0..2500).map(|n| tag(n).to_string()).collect();
    write(folder.path(), &[("tags.jsonl", tags.join("\n"))]);
    let (report, refused) = load_folder(&library, folder.path()).await;
    assert_eq!(totals(&report), (2500, 2499, 0, 0, 1));
    assert_eq!(refused.len(), 1);
    assert!(refused[0].starts_with("tags.jsonl:2 "), "{}", refused[0]);
}
