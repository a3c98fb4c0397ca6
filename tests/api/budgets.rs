//! How many round trips a request may take: one for a list, a record or any batch of ids, none for near-static ones that
//! were read just before, two for a check-out or check-in, three for a log-in.

use api::route::Route;
use http::Method;
use serde_json::json;
use store::collection::Collection;
use testkit::{Answer, Library, library};
use uuid::Uuid;

use crate::support::{ONE, WITHOUT_CQL, one_of_each, path_of, reader};

#[tokio::test]
async fn every_read_of_every_route_is_one_round_trip() {
    let library = library().await;
    one_of_each(&library).await;
    let client = reader(&library);
    let mut over = Vec::new();
    for route in library.app.routes.all() {
        if route.method != Method::GET {
            continue;
        }
        let path = path_of(route, &ONE.to_string());
        // The first request may have to load the tenant's configuration.
        client.get(&path).await;
        let answer = client.get(&path).await;
        if answer.status >= 500 || answer.round_trips() > 1 {
            over.push(described(&route.path, &answer));
        }
    }
    assert!(over.is_empty(), "{over:#?}");
}

fn described(path: &str, answer: &Answer) -> String {
    let (status, trips) = (answer.status, answer.round_trips());
    format!("GET {path}: {trips} round trips, {status} {}", answer.text)
}

#[tokio::test]
async fn every_collection_reads_its_lists_and_records_in_one_round_trip() {
    let library = library().await;
    one_of_each(&library).await;
    let client = reader(&library);
    let mut lists = 0;
    for collection in &library.app.collections {
        if let Some(route) = record_route(&library, collection.path) {
            let record = path_of(route, &ONE.to_string());
            at_most_one(collection, &record, &client.get(&record).await.expect(200));
        }
        if !has_list(&library, collection.path) {
            continue;
        }
        lists += 1;
        // mod-entities-links refuses more.
        let most = if collection.path.starts_with("/authority-") { 2_000 } else { i32::MAX };
        let longest = format!("?limit={most}&offset=1");
        for page in ["", "?limit=1", &longest, "?totalRecords=none"] {
            let path = format!("{}{page}", collection.path);
            at_most_one(collection, &path, &client.get(&path).await.expect(200));
        }
        for index in &collection.indexes {
            let cql = format!("{0}=one or {0}==one* sortby {0}", index.field);
            at_most_one(collection, &cql, &client.query(collection.path, &cql).await.expect(200));
        }
    }
    assert!(lists > 20, "only {lists} collections have a list");
}

/// One round trip; near-static records may have been read before. `tests/api/snapshot.rs` shows that these take none.
#[track_caller]
fn at_most_one(collection: &Collection, what: &str, answer: &Answer) {
    let least = u32::from(!collection.is_near_static());
    assert!((least..=1).contains(&answer.round_trips()), "{} {what}: {}", collection.path, answer.round_trips());
}

fn has_list(library: &Library, path: &str) -> bool {
    let mut routes = library.app.routes.all().iter();
    !WITHOUT_CQL.contains(&path)
        && routes.any(|route| route.method == Method::GET && route.path == path && route.list.is_some())
}

/// The route that reads one record of the collection at `path`.
fn record_route<'a>(library: &'a Library, path: &str) -> Option<&'a Route> {
    let is_record = |rest: &str| rest.starts_with("/{") && !rest[1..].contains('/');
    let mut reads = library.app.routes.all().iter().filter(|route| route.method == Method::GET);
    reads.find(|route| route.path.strip_prefix(path).is_some_and(is_record)).map(AsRef::as_ref)
}

/// Batches as large as clients make them, in a URL and in a body.
#[tokio::test]
async fn a_batch_of_ids_is_one_round_trip_whatever_its_size() {
    let library = library().await;
    one_of_each(&library).await;
    let client = reader(&library);
    for collection in &library.app.collections {
        let posts = format!("{}/retrieve", collection.path);
        let routes = library.app.routes.all();
        let retrieves = routes.iter().any(|route| route.path == posts);
        let lists = has_list(&library, collection.path);
        for size in [1, 100, 1000] {
            let cql = batch(size);
            if lists {
                let path = format!("{}?limit={size}", collection.path);
                one_found(collection.list, client.query(&path, &cql).await);
            }
            if retrieves {
                let body = json!({"query": cql, "limit": size, "offset": 0});
                one_found(collection.list, client.post(&posts, &body).await);
            }
        }
    }
}

/// `id==(a or b or …)` with `size` ids, one of which exists.
fn batch(size: u128) -> String {
    let others = (1..size).map(Uuid::from_u128);
    let ids: Vec<_> = others.chain([ONE]).map(|id| id.to_string()).collect();
    format!("id==({})", ids.join(" or "))
}

#[track_caller]
fn one_found(list: &str, answer: Answer) {
    let answer = answer.expect(200);
    assert_eq!(answer.round_trips(), 1, "{list}");
    let found = &answer.json()[list];
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{list}: {found}");
}
