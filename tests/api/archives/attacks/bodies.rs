//! Bodies that are not JSON, nested too deeply, too large, or with values that no record has.

use testkit::library_with;

use super::*;

/// Bodies that no route for records can read, or that are no record.
fn unreadable() -> Vec<Vec<u8>> {
    let mut bodies: Vec<Vec<u8>> = [
        &b""[..],
        b"{",
        b"}",
        b"{\"title\"}",
        b"{\"title\": 'a'}",
        b"[1, 2",
        b"\"text\"",
        b"17",
        b"true",
        b"null",
        b"[]",
        b"[null]",
        b"{\"title\": \"\xff\xfe\"}",
        b"{\"title\": \"\\ud800\"}",
        b"{\"title\": 1e999}",
        b"{\"title\": \"a\0b\"}",
        b"{\"title\": \"a\\u0000b\"}",
        b"\0",
        b"title=a&id_0=b",
        b"<resource/>",
    ]
    .map(<[u8]>::to_vec)
    .into();
    bodies.push(b"[".repeat(100_000));
    bodies.push(b"{\"a\":".repeat(100_000));
    // Closed, and still deeper than any record.
    bodies.push([b"{\"notes\":".repeat(5_000), b"1".to_vec(), b"}".repeat(5_000)].concat());
    bodies
}

fn start(body: &[u8]) -> String {
    String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned()
}

#[tokio::test]
async fn what_is_no_record_is_refused() {
    let all = collection().await;
    let (repository, resource, file) = (&all.repository, &all.resource, &all.files[0]);
    let paths = [
        format!("{repository}/resources"),
        format!("{repository}/archival_objects"),
        format!("{repository}/top_containers"),
        format!("{resource}/children"),
        format!("{repository}/top_containers/bulk/barcodes"),
        format!("{repository}/jobs"),
        "/agents/people".to_owned(),
        "/subjects".to_owned(),
        "/locations".to_owned(),
        "/locations/batch".to_owned(),
        "/merge_requests/subject".to_owned(),
        "/config/enumerations".to_owned(),
        "/repositories".to_owned(),
        "/repositories/with_agent".to_owned(),
        resource.clone(),
        file.clone(),
    ];
    for path in &paths {
        for body in unreadable() {
            let answer = all.archives.admin.send(Method::POST, path, Some(body.clone())).await;
            // Nothing at all is a job of no type.
            let statuses: &[u16] = if body == b"null" { &[400, 404] } else { &[400] };
            refused(&answer, statuses, &format!("{path} {}", start(&body)));
        }
    }
    // Nothing has changed.
    assert_eq!(all.archives.get(&format!("{repository}/resources?all_ids=true")).await, json!([1]));
    assert_eq!(all.archives.get(file).await["lock_version"], 0);
}

#[tokio::test]
async fn a_batch_that_cannot_be_read_imports_nothing() {
    let all = collection().await;
    let path = format!("{}/batch_imports", all.repository);
    for body in unreadable().into_iter().filter(|body| body != b"[]") {
        let answer = all.archives.admin.malformed().send(Method::POST, &path, Some(body.clone())).await;
        let what = start(&body);
        // Others are told of in the answer, which has begun before they are read.
        if answer.status == 400 {
            refused(&answer, &[400], &what);
        } else {
            let told: Value = serde_json::from_str(&answer.expect(200).text).unwrap_or_else(|_| panic!("{what}"));
            let last = told.as_array().and_then(|parts| parts.last()).cloned().unwrap_or_default();
            assert!(last["errors"][0].as_str().is_some_and(|error| !error.is_empty()), "{what}: {told}");
            assert_eq!(last["saved"], json!([]), "{what}");
        }
    }
    assert_eq!(all.archives.get(&format!("{}/resources?all_ids=true", all.repository)).await, json!([1]));
}

#[tokio::test]
async fn odd_values_are_refused_or_ignored() {
    let all = collection().await;
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(9_223_372_036_854_775_807_i64),
        json!(18_446_744_073_709_551_615_u64),
        json!(1e300),
        json!(1.5),
        json!("9".repeat(400)),
        json!("\u{feff}\u{202e}\u{1f9ff}"),
        json!("a".repeat(200_000)),
        json!([]),
        json!([[[]]]),
        json!({}),
        json!({"ref": null}),
        json!({"ref": {"ref": "/subjects/1"}}),
        json!([{"ref": "/subjects/99999999999999999999"}]),
        json!([{"jsonmodel_type": "note_multipart"}]),
    ];
    let members = [
        "title",
        "level",
        "publish",
        "lock_version",
        "position",
        "parent",
        "resource",
        "subjects",
        "linked_agents",
        "notes",
        "dates",
        "extents",
        "instances",
        "ref_id",
        "uri",
        "jsonmodel_type",
        "id",
        "suppressed",
        "repository",
        "ancestors",
        "external_ids",
        "rights_statements",
        "lang_materials",
    ];
    let path = format!("{}/archival_objects", all.repository);
    for member in members {
        for value in &odd {
            let mut record = component("File", &all.resource, None);
            record[member] = value.clone();
            let answer = all.archives.admin.malformed().post(&path, &record).await;
            answered(&answer, &format!("{member} {value}"));
            let mut record = all.archives.get(&all.files[0]).await;
            record[member] = value.clone();
            let answer = all.archives.admin.malformed().post(&all.files[0], &record).await;
            answered(&answer, &format!("{member} {value}"));
        }
    }
    // The tree is as whole as before.
    let tree = all.archives.get(&format!("{}/tree", all.resource)).await;
    let titles = texts(&tree["children"], "title");
    let place = |title: &str| titles.iter().position(|of| of == title);
    assert!(place("Letters").is_some() && place("Letters") < place("Diaries"), "{titles:?}");
    assert_eq!(tree["children"][place("Letters").unwrap_or_default()]["children"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn a_body_has_a_largest_size() {
    let library = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.body_limit = 200_000;
    })
    .await;
    user(&library, "admin", &["perms.all"]).await;
    let admin = signed_in(&library, "admin").await;
    let archives = Archives { library, admin };
    let repository = archives.repository("A").await;
    let mut record = resource("1");
    record["notes"] =
        json!([{"jsonmodel_type": "note_singlepart", "type": "abstract", "content": ["a".repeat(60_000)]}]);
    archives.admin.post(&format!("{repository}/resources"), &record).await.expect(200);
    for path in ["resources", "batch_imports", "jobs_with_files"] {
        let path = format!("{repository}/{path}");
        let answer = archives.admin.send(Method::POST, &path, Some(vec![b' '; 300_000])).await;
        refused(&answer, &[413], &path);
    }
    // Strangers may send less.
    let stranger = anonymous(&archives.library);
    let answer = stranger.send(Method::POST, "/users/admin/login", Some(vec![b'a'; 190_000])).await;
    refused(&answer, &[403, 413], "log-in");
}

#[tokio::test]
async fn a_form_that_is_broken_is_refused() {
    let all = collection().await;
    let path = format!("{}/jobs_with_files", all.repository);
    let part = |name: &str, text: &str| {
        format!("--xx\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"f.xml\"\r\n\r\n{text}\r\n")
    };
    let job = json!({"job": {"jsonmodel_type": "import_job", "filenames": ["a\0b.xml"], "import_type": "ead_xml"}});
    for body in [
        String::new(),
        "--xx".to_owned(),
        "--xx\r\n\r\n".to_owned(),
        part("job", "{") + "--xx--\r\n",
        part("job", "{}") + "--xx--\r\n",
        part("job", &job.to_string()) + &part("files[0]", "<ead/>") + "--xx--\r\n",
        part("files[0]", "<ead/>") + "--xx--\r\n",
        part("job", &"[".repeat(100_000)) + &part("files[0]", "<ead/>") + "--xx--\r\n",
    ] {
        for media in ["multipart/form-data; boundary=xx", "multipart/form-data", "text/plain"] {
            let client = all.archives.admin.with_header("content-type", media);
            let answer = client.send(Method::POST, &path, Some(body.clone().into_bytes())).await;
            refused(&answer, &[400], &format!("{media} {}", start(body.as_bytes())));
        }
    }
    assert_eq!(all.archives.get(&format!("{}/jobs?all_ids=true", all.repository)).await, json!([]));
}
