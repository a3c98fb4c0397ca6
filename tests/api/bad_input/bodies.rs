//! Bodies that are not JSON, too large, or different from the declaration.

use std::sync::Arc;

use api::route::Route;
use http::Method;
use serde_json::{Value, json};
use store::record::{Field, Kind};
use testkit::{Answer, Client, library, library_with};

use super::{all_answered, badly_answered, badly_refused, everything_comes_to_rest};
use crate::support::{ONE, complete, one_of_each, path_of};

/// Bodies that no route for records can accept.
fn unreadable() -> Vec<Vec<u8>> {
    let mut bodies: Vec<Vec<u8>> = [
        &b""[..],
        b"{",
        b"}",
        b"{\"name\"}",
        b"{\"name\": \"a\",}",
        b"{\"name\": 'a'}",
        b"[1, 2",
        b"\"text\"",
        b"17",
        b"true",
        b"[]",
        b"{\"name\": \"\xff\xfe\"}",
        b"\xef\xbb\xbf{}}",
        b"{\"name\": \"\\ud800\"}",
        b"{\"name\": 1e999}",
        b"\0",
        b"name=value&other=1",
        b"<record/>",
    ]
    .map(<[u8]>::to_vec)
    .into();
    bodies.push(b"[".repeat(100_000));
    bodies.push(b"{\"a\":".repeat(100_000));
    bodies
}

/// Bodies that some route may accept.
fn odd() -> Vec<Vec<u8>> {
    [
        json!({}),
        json!({"id": "not a uuid"}),
        json!({"id": 1}),
        json!({"id": "00000000-0000-0000-0000-000000000000"}),
        json!({"noSuchMember": {"deep": [1, null]}}),
        json!({"name": "nul\0inside", "\0": "\0"}),
        json!({"metadata": "x", "_version": "x"}),
        json!({"_version": 9_223_372_036_854_775_807_i64}),
        Value::Null,
        json!([null]),
        json!([[]]),
        json!([{}, {"id": 1}]),
    ]
    .map(|value| value.to_string().into_bytes())
    .into()
}

fn writing(routes: &[Arc<Route>]) -> impl Iterator<Item = &Arc<Route>> {
    let methods = [Method::POST, Method::PUT, Method::PATCH];
    routes.iter().filter(move |route| methods.contains(&route.method))
}

async fn send(client: &Client, route: &Arc<Route>, body: Vec<u8>) -> (String, Answer) {
    let path = path_of(route, &ONE.to_string());
    let start = String::from_utf8_lossy(&body[..body.len().min(100)]).into_owned();
    let answer = client.malformed().send(route.method.clone(), &path, Some(body)).await;
    (format!("{} {path} {start}", route.method), answer)
}

#[tokio::test]
async fn every_writing_route_refuses_what_is_not_a_record() {
    let library = library().await;
    one_of_each(&library).await;
    let bodies = unreadable();
    let routes = writing(library.app.routes.all()).filter(|route| route.members().is_some());
    let requests = routes.flat_map(|route| {
        let open = &library.open;
        bodies.iter().map(move |body| send(open, route, body.clone()))
    });
    all_answered(requests, badly_refused).await;
    everything_comes_to_rest(&library).await;
}

#[tokio::test]
async fn no_body_fails_on_any_route() {
    let library = library().await;
    one_of_each(&library).await;
    let bodies: Vec<_> = odd().into_iter().chain(unreadable()).collect();
    let requests = writing(library.app.routes.all()).flat_map(|route| {
        let open = &library.open;
        bodies.iter().map(move |body| send(open, route, body.clone()))
    });
    all_answered(requests, badly_answered).await;
    everything_comes_to_rest(&library).await;
}

/// Each declared member with a value of another type, with SQL and with a NUL character.
#[tokio::test]
async fn a_member_of_the_wrong_kind_never_fails() {
    let library = library().await;
    one_of_each(&library).await;
    let requests = writing(library.app.routes.all()).flat_map(|route| {
        let open = &library.open;
        let members = route.members().into_iter().flat_map(|schema| {
            let whole = complete(schema);
            schema.fields().iter().flat_map(move |field| {
                let whole = whole.clone();
                wrong_values(field).into_iter().map(move |value| {
                    let mut record = whole.clone();
                    record.insert(field.name.clone(), value);
                    Value::Object(record).to_string().into_bytes()
                })
            })
        });
        members.map(move |body| send(open, route, body))
    });
    all_answered(requests, badly_answered).await;
    everything_comes_to_rest(&library).await;
}

fn wrong_values(field: &Field) -> [Value; 3] {
    let other = match field.kind {
        Kind::Object(_) | Kind::FreeObject | Kind::Named(_) => json!([["list"]]),
        Kind::List(_) => json!({"an": "object"}),
        Kind::Integer | Kind::Number => json!("-1e400"),
        _ => json!([{"list": "of objects"}]),
    };
    [other, json!("'; DROP TABLE item; --"), json!("nul\0inside")]
}

/// For every route, with and without a declared length.
#[tokio::test]
async fn every_route_refuses_a_body_over_the_limit() {
    let library = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.body_limit = 1_000;
    })
    .await;
    let limit = |route: &Route| route.body_limit.unwrap_or(1_000);
    let routes = writing(library.app.routes.all()).filter(|route| limit(route) <= 1 << 20);
    let requests = routes.map(|route| send(&library.open, route, vec![b' '; limit(route) + 1]));
    all_answered(requests, |answer| match answer.status {
        413 => None,
        _ => Some("it was read".into()),
    })
    .await;
    everything_comes_to_rest(&library).await;
}
