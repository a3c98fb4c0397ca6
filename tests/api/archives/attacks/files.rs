//! Files of imports that are bombs, point elsewhere or are broken: their job fails with a reason, nothing is saved, and nothing
//! outside the file is read.

use std::io::Write;

use super::*;

const JOBS: &str = "/repositories/2/jobs";

/// A finding aid with this in its scope and contents.
fn finding_aid(declarations: &str, text: &str, components: &str) -> Vec<u8> {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>{declarations}<ead><eadheader><eadid>x</eadid></eadheader>
<archdesc level="collection"><did><unitid>MS1</unitid><unittitle>Papers</unittitle>
<unitdate normal="1900/1910">1900-1910</unitdate><physdesc><extent>3 Linear Feet</extent></physdesc></did>
<scopecontent><p>{text}</p></scopecontent><dsc>{components}</dsc></archdesc></ead>"#
    )
    .into_bytes()
}

/// Runs an import of a file; returns its status and its log.
async fn import(archives: &Archives, kind: &str, tolerant: bool, file: &[u8]) -> (String, String) {
    let mut job = json!({"job": {"jsonmodel_type": "import_job", "filenames": ["f.xml"], "import_type": kind}});
    if tolerant {
        job["job_params"] = json!({"tolerant": true}).to_string().into();
    }
    let mut body =
        format!("--xx\r\nContent-Disposition: form-data; name=\"job\"\r\n\r\n{job}\r\n--xx\r\n").into_bytes();
    body.extend(b"Content-Disposition: form-data; name=\"files[0]\"; filename=\"f.xml\"\r\n\r\n");
    body.extend(file);
    body.extend(b"\r\n--xx--\r\n");
    let client = archives.admin.with_header("content-type", "multipart/form-data; boundary=xx");
    let job = uri(&client.send(Method::POST, &format!("{JOBS}_with_files"), Some(body)).await.expect(200));
    archives.library.run_jobs().await;
    let status = archives.get(&job).await["status"].as_str().unwrap_or_default().to_owned();
    (status, archives.admin.get(&format!("{job}/log")).await.expect(200).text)
}

/// The types of import that read XML.
async fn types(archives: &Archives) -> Vec<String> {
    let all = texts(&archives.get(&format!("{JOBS}/import_types")).await, "name");
    let of_xml: Vec<String> = all.into_iter().filter(|name| name == "ead_xml").collect();
    assert!(of_xml.contains(&"ead_xml".to_owned()), "{of_xml:?}");
    of_xml
}

async fn nothing_is_saved(archives: &Archives, what: &str) {
    for path in ["/repositories/2/resources", "/repositories/2/archival_objects", "/subjects", "/agents/people"] {
        assert_eq!(archives.get(&format!("{path}?all_ids=true")).await, json!([]), "{what}: {path}");
    }
}

#[tokio::test]
async fn bombs_and_broken_files_fail_with_a_reason() {
    let archives = archives().await;
    archives.repository("A").await;
    let mut laughs = "<!DOCTYPE ead [<!ENTITY l0 \"ha\">".to_owned();
    for level in 1..12 {
        laughs += &format!("<!ENTITY l{level} \"{}\">", format!("&l{};", level - 1).repeat(10));
    }
    laughs += "]>";
    let circle = "<!DOCTYPE ead [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]>";
    let wide = format!("<!DOCTYPE ead [<!ENTITY a \"{}\">]>", "ha ".repeat(50_000));
    let whole = finding_aid("", "a", "");
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("billion laughs", finding_aid(&laughs, "&l11;", "")),
        ("entities in a circle", finding_aid(circle, "&a;", "")),
        ("a wide entity many times", finding_aid(&wide, &"&a;".repeat(5_000), "")),
        ("deep components", finding_aid("", "a", &"<c>".repeat(50_000))),
        ("deep text", finding_aid("", &"<emph>".repeat(50_000), "")),
        ("a name without end", [b"<ead><".to_vec(), vec![b'a'; 3_000_000]].concat()),
        ("an attribute without end", [b"<ead a=\"".to_vec(), vec![b'a'; 3_000_000]].concat()),
        ("no UTF-8", [&whole[..300], b"\xff\xfe\xfa", &whole[300..]].concat()),
        ("a NUL", [&whole[..300], b"\0", &whole[300..]].concat()),
        ("a reference to NUL", finding_aid("", "&#0;", "")),
        ("cut off", whole[..whole.len() - 30].to_vec()),
        ("empty", Vec::new()),
        ("JSON", b"{\"title\": 1}".to_vec()),
        ("an archive", b"PK\x03\x04\x14\0\0\0\x08\0".to_vec()),
        ("a wrong encoding", b"<?xml version=\"1.0\" encoding=\"UTF-16\"?><ead/>".to_vec()),
    ];
    for kind in types(&archives).await {
        for (what, file) in &files {
            let (status, log) = import(&archives, &kind, false, file).await;
            assert_eq!(status, "failed", "{kind}, {what}: {log}");
            assert!(log.contains("f.xml") && log.len() < 10_000, "{kind}, {what}: {} bytes: {log:.2000}", log.len());
            nothing_is_saved(&archives, &format!("{kind}, {what}")).await;
        }
    }
}

#[tokio::test]
async fn nothing_outside_a_file_is_read() {
    let archives = archives().await;
    archives.repository("A").await;
    let mut elsewhere = tempfile::NamedTempFile::new().expect("a file");
    elsewhere.write_all(b"PASSWORDS-OF-THIS-MACHINE").expect("written");
    let path = elsewhere.path().to_string_lossy().into_owned();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let web = format!("http://{}/x", listener.local_addr().expect("an address"));
    let called = tokio::spawn(async move { listener.accept().await.is_ok() });
    for kind in types(&archives).await {
        for tolerant in [false, true] {
            for place in [format!("file://{path}"), path.clone(), web.clone()] {
                for declarations in [
                    format!("<!DOCTYPE ead [<!ENTITY away SYSTEM \"{place}\">]>"),
                    format!("<!DOCTYPE ead [<!ENTITY % all SYSTEM \"{place}\"> %all; <!ENTITY away \"&all;\">]>"),
                    format!("<!DOCTYPE ead PUBLIC \"x\" \"{place}\" [<!ENTITY away PUBLIC \"x\" \"{place}\">]>"),
                    format!("<!DOCTYPE ead SYSTEM \"{place}\">"),
                ] {
                    let include =
                        format!("&away;<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"{place}\"/>");
                    let (_, log) = import(&archives, &kind, tolerant, &finding_aid(&declarations, &include, "")).await;
                    assert!(!log.contains("PASSWORDS"), "{kind}, {declarations}: {log}");
                }
            }
        }
    }
    assert!(!called.is_finished(), "an import called another server");
    called.abort();
    for id in archives.get("/repositories/2/resources?all_ids=true").await.as_array().into_iter().flatten() {
        let saved = archives.get(&format!("/repositories/2/resources/{id}")).await.to_string();
        assert!(!saved.contains("PASSWORDS"), "{saved}");
    }
}
