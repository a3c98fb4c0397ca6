//! Each module of FOLIO refuses in its own manner: status, body, text
//! (docs/decisions/0027-each-module-refuses-in-its-own-manner.md).

mod others;
mod spring;

use http::Method;
use serde_json::{Value, json};
use testkit::{Answer, Client, library};

const NOBODY: &str = "11111111-2222-4333-8444-555555555555";

async fn ask(client: &Client, method: &str, path: &str, body: Option<&str>) -> Answer {
    let method = Method::from_bytes(method.as_bytes()).expect("a method");
    client.send(method, path, body.map(|body| body.into())).await
}

/// method, path, body, status, message
type Row = (&'static str, &'static str, Option<&'static str>, u16, String);
