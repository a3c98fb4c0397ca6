//! CQL that is malformed, endless or deeply nested.

use std::time::Duration;

use http::Method;
use serde_json::json;
use testkit::{Client, library};

use crate::support::WITHOUT_CQL;

use super::{all_answered, badly_answered, badly_refused, everything_comes_to_rest};

/// No query may take longer.
const PATIENCE: Duration = Duration::from_secs(30);

fn nested(levels: usize) -> String {
    format!("{}id==1{}", "(".repeat(levels), ")".repeat(levels))
}

fn many(terms: usize, clause: &str, operator: &str) -> String {
    vec![clause; terms].join(operator)
}

/// Queries that must be refused.
fn malformed() -> Vec<String> {
    [
        "(",
        ")",
        "id==",
        "==x",
        "id==(",
        "a=b and",
        "sortby",
        "a=b sortby x/y/z",
        "a=\"b",
        "a=b and or c=d",
        "id=/x/=y",
        "a within \"1 2\"",
        "a=b prox c=d",
        "\"",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain(["(".repeat(20_000), "not ".repeat(5_000)])
    .collect()
}

/// Queries that may be answered or refused.
fn strange() -> Vec<String> {
    vec![
        nested(100),
        nested(1_000),
        nested(10_000),
        many(10_000, "x", " or "),
        format!("id==({})", many(10_000, "1", " or ")),
        format!("name==({})", many(10_000, "1", " or ")),
        many(3_000, "name==1", " and "),
        many(3_000, "id<>1", " not "),
        format!("(name=1 {}", "and (name=2 ".repeat(1_000) + &")".repeat(1_001)),
        format!("cql.allRecords=1 sortby {}", "name ".repeat(1_000)),
        format!("name==\"{}\"", "*".repeat(5_000)),
        format!("name==\"{}\"", "?".repeat(5_000)),
        format!("name=\"{}\"", "word ".repeat(2_000)),
        format!("name==\"{}\"", "\u{1D11E}".repeat(3_000)),
        "name==\"nul\0inside\"".into(),
        "name=\"' | & ! <-> :* ()\"".into(),
        "name==\"'; DROP TABLE item; --\"".into(),
        "\"name'; DROP TABLE item; --\"==1".into(),
        "metadata.updatedDate>\"not a date\"".into(),
        "name==/number 1e999999".into(),
        "name</number 1".into(),
        "identifiers==/@value/@identifierTypeId=1 x".into(),
        "> dc = \"urn\" dc.title = x".into(),
        "name=\"\" or name==\"\" not name<>\"\"".into(),
        "name any \"\u{0}\"".into(),
        "name=^x^".into(),
        "name=x sortby".into(),
        "name=x\\".into(),
    ]
}

#[tokio::test]
async fn malformed_queries_are_refused_by_every_list() {
    let library = library().await;
    let lists = lists(&library);
    let queries = malformed();
    let requests = lists.iter().flat_map(|path| {
        let open = &library.open;
        queries.iter().map(move |cql| ask(open, path, cql))
    });
    all_answered(requests, badly_refused).await;
    everything_comes_to_rest(&library).await;
}

#[tokio::test]
async fn no_query_fails_or_takes_long() {
    let library = library().await;
    let lists = lists(&library);
    let queries = strange();
    let requests = lists.iter().flat_map(|path| {
        let open = &library.open;
        queries.iter().map(move |cql| ask(open, path, cql))
    });
    all_answered(requests, badly_answered).await;
    everything_comes_to_rest(&library).await;
}

/// A body has room for longer queries than a URL.
#[tokio::test]
async fn queries_in_bodies_are_no_exception() {
    let library = library().await;
    let routes = library.app.routes.all().iter();
    let paths = routes.filter(|route| route.method == Method::POST && route.path.ends_with("/retrieve"));
    let huge = [
        nested(200_000),
        many(100_000, "name==1", " or "),
        format!("barcode==({})", many(100_000, "1", " or ")),
        "\0".into(),
    ];
    let requests = paths.flat_map(|route| {
        let open = &library.open;
        huge.iter().map(move |cql| async move {
            let body = json!({"query": cql, "limit": 10});
            (shown(&route.path, cql), open.post(&route.path, &body).await)
        })
    });
    all_answered(requests, badly_answered).await;
    everything_comes_to_rest(&library).await;
}

fn lists(library: &testkit::Library) -> Vec<String> {
    let routes = library.app.routes.all().iter();
    let lists = routes.filter(|route| route.method == Method::GET && route.list.is_some());
    lists
        .map(|route| route.path.clone())
        .filter(|path| !path.contains('{') && !WITHOUT_CQL.contains(&path.as_str()))
        .collect()
}

async fn ask(client: &Client, path: &str, cql: &str) -> (String, testkit::Answer) {
    let what = shown(path, cql);
    let asking = client.query(path, cql);
    let answer = tokio::time::timeout(PATIENCE, asking).await;
    (what.clone(), answer.unwrap_or_else(|_| panic!("{what} takes too long")))
}

fn shown(path: &str, cql: &str) -> String {
    let start: String = cql.chars().take(60).collect();
    format!("{path} {start} ({} bytes)", cql.len())
}
