//! Authorities come from a file, one on each line.

use std::{fs, path::Path};

use super::*;

const BULK: &str = "/authority-storage/authorities/bulk";

/// A library, and the folder of its files.
async fn with_files() -> (Decided, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let files = folder.path().to_owned();
    let all = Decided::with(move |settings| settings.files_directory = Some(files)).await;
    fs::create_dir(folder.path().join(TENANT)).expect("a folder");
    (all, folder)
}

fn write(folder: &Path, name: &str, lines: &[String]) {
    fs::write(folder.join(TENANT).join(name), lines.join("\n")).expect("room");
}

fn read(folder: &Path, name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join(TENANT).join(name)).expect("the file");
    text.lines().map(str::to_owned).collect()
}

fn line(more: Value) -> String {
    let mut record = json!({"source": "MARC", "naturalId": "n1"});
    record.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
    record.to_string()
}

fn numbered(number: u32) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

#[tokio::test]
async fn what_can_be_read_is_added_or_replaced_and_the_rest_is_told() {
    let (all, folder) = with_files().await;
    let old = all.authority(json!({"topicalTerm": "Maps", "id": numbered(1)})).await;
    let stale = all.authority(json!({"topicalTerm": "Charts", "id": numbered(2)})).await;
    all.client.put(&format!("{PATH}/{}", numbered(2)), &stale).await.expect(204);
    let lines = [
        line(json!({"id": numbered(1), "topicalTerm": "Maps and plans", "_version": 0})),
        line(json!({"id": numbered(2), "topicalTerm": "Charts and plans", "_version": 0})),
        line(json!({"id": numbered(3), "personalName": "Twain, Mark", "sourceFileId": LCNAF, "sftPersonalName": []})),
        String::new(),
        line(json!({"id": numbered(4), "topicalTerm": "Lost", "sourceFileId": NOBODY})),
        line(json!({"id": numbered(5), "notes": [{"noteTypeId": "x", "note": "Checked"}]})),
        json!({"id": numbered(6), "source": "MARC"}).to_string(),
        "no JSON".to_owned(),
        line(json!({"topicalTerm": "Without an id"})),
        line(json!({"id": numbered(7), "topicalTerm": "First"})),
        line(json!({"id": numbered(7), "topicalTerm": "Last"})),
    ];
    fs::create_dir(folder.path().join(TENANT).join("2026")).expect("a folder");
    write(folder.path(), "2026/names", &lines);
    let answer = all.client.post(BULK, &json!({"recordsFileName": "/2026/names"})).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let told = json!({"errorsNumber": 5, "errorRecordsFileName": "2026/names_failedEntities", "errorsFileName": "2026/names_errors"});
    assert_eq!(answer.json(), told);

    let mut failed = read(folder.path(), "2026/names_failedEntities");
    failed.sort();
    let mut expected: Vec<String> = [1, 4, 5, 6, 7].map(|place| lines[place].clone()).into();
    expected.sort();
    assert_eq!(failed, expected);
    let reasons = read(folder.path(), "2026/names_errors");
    for reason in [
        format!("{},Authority Source File with the given 'id' does not exists.", numbered(4)),
        format!(
            "{0},Cannot update record {0} because it has been changed (optimistic locking): Stored _version is 1, \
             _version of request is 0",
            numbered(2)
        ),
    ] {
        assert!(reasons.contains(&reason), "{reasons:?}");
    }
    for beginning in [
        format!("{},Unexpected json parsing exception: ", numbered(5)),
        format!("{},Unexpected json parsing exception: naturalId must not be null", numbered(6)),
        "null,Unexpected json parsing exception: ".to_owned(),
    ] {
        assert!(reasons.iter().any(|reason| reason.starts_with(&beginning)), "{beginning}: {reasons:?}");
    }

    let now = all.client.get(&format!("{PATH}/{}", numbered(1))).await.expect(200).json();
    assert_eq!((&now["topicalTerm"], &now["_version"]), (&json!("Maps and plans"), &json!(1)));
    assert_eq!(now["metadata"]["createdDate"], old["metadata"]["createdDate"]);
    let new = all.client.get(&format!("{PATH}/{}", numbered(3))).await.expect(200).json();
    assert_eq!((&new["_version"], new.get("sftPersonalName")), (&json!(0), None));
    assert_eq!(all.client.get(&format!("{PATH}/{}", numbered(7))).await.expect(200).json()["topicalTerm"], "Last");
    assert_eq!(all.headings("topicalTerm all \"without\"").await, ["Without an id"]);
    assert_eq!(all.headings("personalName all \"twain\"").await, ["Twain, Mark"]);

    // What failed is a file that can be loaded again when it was corrected.
    write(folder.path(), "2026/again", &[line(json!({"id": numbered(4), "topicalTerm": "Found"}))]);
    let again = all.client.post(BULK, &json!({"recordsFileName": "2026/again"})).await.expect(200);
    assert_eq!(again.json(), json!({"errorsNumber": 0}));
    assert!(!folder.path().join(TENANT).join("2026/again_errors").exists());
}

#[tokio::test]
async fn a_long_file_is_written_five_hundred_at_once() {
    let (all, folder) = with_files().await;
    let lines: Vec<String> = (0..1_201).map(|number| line(json!({"topicalTerm": format!("Term {number}")}))).collect();
    write(folder.path(), "terms", &lines);
    let answer = all.client.post(BULK, &json!({"recordsFileName": "terms"})).await.expect(200);
    assert_eq!((answer.round_trips(), answer.json()), (3, json!({"errorsNumber": 0})));
    let listed = all.client.get(&format!("{PATH}?limit=0")).await.expect(200).json();
    assert_eq!(listed["totalRecords"], 1_201);
}

#[tokio::test]
async fn files_that_cannot_be_used_are_refused() {
    let (all, folder) = with_files().await;
    let none = Decided::new().await;
    fs::create_dir(folder.path().join(TENANT).join("a folder")).expect("a folder");
    fs::write(folder.path().join("elsewhere"), "").expect("room");
    write(folder.path(), "long", &["x".repeat(2 << 20)]);
    for (of, sent, status, message) in [
        (&all, json!({}), 422, "must not be null"),
        (&all, json!({"recordsFileName": "names"}), 400, "There is no file names in the folder of files"),
        (&all, json!({"recordsFileName": ""}), 400, " is no name of a file in the folder of files"),
        (
            &all,
            json!({"recordsFileName": "../elsewhere"}),
            400,
            "../elsewhere is no name of a file in the folder of files",
        ),
        (
            &all,
            json!({"recordsFileName": "a folder"}),
            400,
            "The file a folder cannot be used: Is a directory (os error 21)",
        ),
        (&all, json!({"recordsFileName": "long"}), 400, "The file long has a line of more than a megabyte"),
        (&none, json!({"recordsFileName": "names"}), 400, "There is no folder of files"),
    ] {
        let answer = of.client.malformed().post(BULK, &sent).await.expect(status);
        assert_eq!(refusal(&answer).0, message, "{sent}");
    }
}
