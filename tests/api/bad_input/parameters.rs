//! SQL, broken text and nonsense in every part of a path, every query parameter and every header of every route.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use api::route::Route;
use http::Method;
use testkit::{Answer, Client, Library, library};

use super::{ATTACKS, all_answered, badly_answered, everything_comes_to_rest};
use crate::support::{ONE, encoded, one_of_each, path_of};

/// Code with which handlers read query parameters.
const READ_BY: [&str; 4] = ["query.get(\"", "query.flag(\"", "query.all(\"", ".number(\""];
/// Parameters that handlers read through a list of names.
const LISTED: [&str; 4] = ["isbn", "isbn10", "isbn13", "lang"];

/// Headers that the gateway or a handler reads.
const HEADERS: &[&str] = &[
    "x-okapi-tenant",
    "x-okapi-token",
    "x-okapi-user-id",
    "x-okapi-permissions",
    "x-okapi-request-id",
    "x-okapi-url",
    "authorization",
    "cookie",
    "content-type",
    "accept",
    "accept-encoding",
    "accept-language",
    "authtoken-refresh-cache",
    "if-none-match",
    "range",
    "origin",
];

#[tokio::test]
async fn no_value_in_a_path_fails() {
    let library = library().await;
    one_of_each(&library).await;
    let before = untouched(&library).await;
    let routes = library.app.routes.all().iter();
    let requests = routes
        .filter(|route| route.path.contains('{'))
        .flat_map(|route| ATTACKS.iter().map(move |attack| (route, attack)))
        // With an empty last part, it would be the path of all records, which a DELETE may clear.
        .filter(|(route, attack)| !(attack.is_empty() && route.method == Method::DELETE))
        .map(|(route, attack)| {
            let value = encoded(attack);
            let path = path_of(route, "attack").replace("attack", &value);
            send(&library.open, route, path)
        });
    all_answered(requests, badly_answered).await;
    everything_comes_to_rest(&library).await;
    assert_eq!(untouched(&library).await, before);
}

#[tokio::test]
async fn no_parameter_of_a_query_fails() {
    let library = library().await;
    one_of_each(&library).await;
    let before = untouched(&library).await;
    let routes = library.app.routes.all().iter();
    let targets = routes.filter(|route| !clears_a_table(route));
    let parameters = &parameters();
    let requests = targets.enumerate().flat_map(|(place, route)| {
        let open = &library.open;
        parameters.iter().enumerate().map(move |(at, name)| {
            // Rotates the attacks, so that every parameter meets every attack.
            let attack = encoded(ATTACKS[(place + at) % ATTACKS.len()]);
            let path = path_of(route, "00000000-0000-4000-8000-000000000000");
            send(open, route, format!("{path}?{name}={attack}"))
        })
    });
    all_answered(requests, badly_answered).await;
    everything_comes_to_rest(&library).await;
    assert_eq!(untouched(&library).await, before);
}

#[tokio::test]
async fn no_header_fails() {
    let library = library().await;
    one_of_each(&library).await;
    let printable: Vec<&str> = ATTACKS
        .iter()
        .filter_map(|attack| std::str::from_utf8(attack).ok())
        .filter(|attack| attack.bytes().all(|byte| (b' '..=b'~').contains(&byte)))
        .collect();
    let routes = library.app.routes.all().iter();
    let requests = routes.filter(|route| route.method == Method::GET).enumerate().flat_map(|(place, route)| {
        let (open, printable) = (&library.open, &printable);
        HEADERS.iter().enumerate().map(move |(at, name)| {
            let client = open.with_header(name, printable[(place + at) % printable.len()]);
            let path = path_of(route, &ONE.to_string());
            async move { send(&client, route, path).await }
        })
    });
    all_answered(requests, badly_answered).await;
    everything_comes_to_rest(&library).await;
}

/// Every parameter that a handler reads, found in the sources so that none is missed.
fn parameters() -> BTreeSet<String> {
    let mut names = BTreeSet::from(LISTED.map(str::to_owned));
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/api/src");
    read_all(&sources, &mut |text| {
        for start in READ_BY {
            let rest = text.split(start).skip(1);
            names.extend(rest.filter_map(|rest| Some(rest.split('"').next()?.to_owned())));
        }
    });
    for known in ["query", "limit", "offset", "totalRecords"] {
        assert!(names.contains(known), "{known} is not among {names:?}");
    }
    names
}

fn read_all(directory: &Path, read: &mut impl FnMut(&str)) {
    for entry in fs::read_dir(directory).expect("the sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            read_all(&path, read);
        } else if let Ok(text) = fs::read_to_string(&path) {
            read(&text);
        }
    }
}

/// A DELETE of all records of a kind.
fn clears_a_table(route: &Route) -> bool {
    route.method == Method::DELETE && !route.path.contains('{')
}

async fn send(client: &Client, route: &Arc<Route>, path: String) -> (String, Answer) {
    let body = (route.method != Method::GET).then(|| b"{}".to_vec());
    let answer = client.send(route.method.clone(), &path, body).await;
    (format!("{} {path}", route.method), answer)
}

/// The tables that still have the record of [`one_of_each`].
async fn untouched(library: &Library) -> Vec<&'static str> {
    let tenant = library.app.tenant(library.tenant).expect("the tenant");
    let session = library.app.session(&tenant).expect("a session");
    let mut tables = Vec::new();
    for collection in &library.app.collections {
        let sql = format!("SELECT FROM {} WHERE id = $1", collection.table);
        let found = session.find(&sql, &[&ONE]).await.expect("the table");
        tables.extend(found.map(|_| collection.table));
    }
    tables
}
