//! Attacks on the archives' port: what is hostile, broken or too much is refused with an error in the contract's form (1.3),
//! changes nothing, and shows nothing to those who may not see it.

mod bodies;
mod files;
mod leaks;
mod parameters;
mod references;
mod storms;

use super::*;

/// A repository with a resource that has two series and three files.
struct Collection {
    archives: Archives,
    repository: String,
    resource: String,
    series: Vec<String>,
    files: Vec<String>,
}

async fn collection() -> Collection {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let resource = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let nodes = format!("{repository}/archival_objects");
    let (mut series, mut files) = (Vec::new(), Vec::new());
    for title in ["Letters", "Diaries"] {
        series.push(archives.add(&nodes, &component(title, &resource, None)).await);
    }
    for title in ["a", "b", "c"] {
        files.push(archives.add(&nodes, &component(title, &resource, Some(&series[0]))).await);
    }
    Collection { archives, repository, resource, series, files }
}

/// Asserts that an answer is a refusal in the contract's form; returns what is wrong.
fn refused(answer: &Answer, statuses: &[u16], what: &str) -> Value {
    assert!(statuses.contains(&answer.status), "{what}: {} {}", answer.status, answer.text);
    let body: Value = serde_json::from_str(&answer.text).unwrap_or_else(|_| panic!("{what}: {}", answer.text));
    assert!(body["error"].is_string() || body["error"].is_object(), "{what}: {body}");
    body["error"].clone()
}

/// Asserts that an answer is the wanted one or a refusal, but no failure of the server.
fn answered(answer: &Answer, what: &str) {
    let what: String = what.chars().take(200).collect();
    assert!(answer.status < 500, "{what}: {} {}", answer.status, answer.text);
    // Of what has no such identifier, there is an empty list.
    if answer.status >= 400 && answer.text != "[]" {
        refused(answer, &[400, 403, 404, 409, 413, 414], &what);
    }
}

/// A value as a parameter.
fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}
