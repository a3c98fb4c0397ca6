//! Finding aids that are imported, exported, imported elsewhere and exported again stay as they are (contract 6.5).

use std::path::Path;

use super::*;

/// Larger files take a debug build too long; the crate `ead` takes them through the same rounds.
const SMALL: u64 = 70_000;

/// Real finding aids (`crates/ead/tests/data/README.md` says where they are from).
fn files() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/ead/tests/data");
    let entries = std::fs::read_dir(folder).expect("finding aids").flatten();
    let small = entries.filter(|entry| {
        entry.path().extension().is_some_and(|of| of == "xml") && entry.metadata().is_ok_and(|of| of.len() < SMALL)
    });
    let read = small.map(|entry| {
        (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).expect("a finding aid"))
    });
    let files: Vec<_> = read.collect();
    assert!(files.len() >= 4, "{}", files.len());
    files
}

/// Imports a file by a job; returns the address of the resource.
async fn import(archives: &Archives, repository: &str, name: &str, file: &[u8], tolerant: bool) -> String {
    let params = json!({"tolerant": tolerant}).to_string();
    let job = json!({"job_params": params,
        "job": {"jsonmodel_type": "import_job", "filenames": [name], "import_type": "ead_xml"}});
    let mut body =
        format!("--xx\r\nContent-Disposition: form-data; name=\"job\"\r\n\r\n{job}\r\n--xx\r\n").into_bytes();
    body.extend(format!("Content-Disposition: form-data; name=\"files[0]\"; filename=\"{name}\"\r\n\r\n").bytes());
    body.extend(file);
    body.extend(b"\r\n--xx--\r\n");
    let client = archives.admin.with_header("content-type", "multipart/form-data; boundary=xx");
    let job = uri(&client.send(Method::POST, &format!("{repository}/jobs_with_files"), Some(body)).await.expect(200));
    archives.library.run_jobs().await;
    let log = archives.admin.get(&format!("{job}/log")).await.expect(200).text;
    assert_eq!(archives.get(&job).await["status"], "completed", "{name}: {log}");
    let made = archives.get(&format!("{job}/records?page=1&page_size=250")).await;
    let uris: Vec<&str> =
        made["results"].as_array().into_iter().flatten().filter_map(|of| of["record"]["ref"].as_str()).collect();
    uris.iter().find(|uri| uri.contains("/resources/")).unwrap_or_else(|| panic!("{name}: {made}")).to_string()
}

async fn export(archives: &Archives, resource: &str) -> String {
    let path = resource.replace("/resources/", "/resource_descriptions/");
    let all = "include_unpublished=true&include_daos=true&include_uris=false";
    archives.admin.get(&format!("{path}.xml?{all}")).await.expect(200).text
}

/// Without the ids of containers, which each export makes anew.
fn settled(xml: &str) -> Vec<String> {
    let mut pieces = xml.split("<container ");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (tag, rest) = piece.split_once('>').expect("the end of a tag");
        let kept = tag.split(' ').filter(|part| !part.starts_with("id=") && !part.starts_with("parent="));
        text += &format!("<container {}>{rest}", kept.collect::<Vec<_>>().join(" "));
    }
    text.split('<').map(str::to_owned).collect()
}

/// How many components a finding aid has.
fn components(xml: &str) -> usize {
    let is_component = |piece: &&str| {
        let name = piece.split([' ', '>', '\n', '\r', '\t']).next().unwrap_or_default();
        name.strip_prefix('c').is_some_and(|rest| rest.len() != 1 && rest.chars().all(|c| c.is_ascii_digit()))
    };
    xml.split('<').filter(is_component).count()
}

#[tokio::test]
async fn finding_aids_settle_after_one_round() {
    let archives = archives().await;
    // Their names are in the finding aids.
    let mut repositories = Vec::new();
    for code in ["A", "B"] {
        repositories.push(archives.add("/repositories", &json!({"repo_code": code, "name": "Library"})).await);
    }
    for (name, file) in files() {
        let first = import(&archives, &repositories[0], &name, &file, true).await;
        let tree = archives.get(&format!("{first}/tree")).await.to_string();
        let wanted = components(&String::from_utf8_lossy(&file));
        assert_eq!(tree.matches("\"node_type\":\"archival_object\"").count(), wanted, "{name}");
        let once = export(&archives, &first).await;
        assert_eq!(components(&once), wanted, "{name}");
        let second = import(&archives, &repositories[1], &name, once.as_bytes(), false).await;
        let twice = export(&archives, &second).await;
        let (once, twice) = (settled(&once), settled(&twice));
        let differ = once.iter().zip(&twice).position(|(once, twice)| once != twice);
        if let Some(at) = differ {
            let around = at.saturating_sub(3)..=at;
            panic!("{name}: {:#?} became {:#?}", &once[around.clone()], &twice[around]);
        }
        assert_eq!(once.len(), twice.len(), "{name}");
    }
}
