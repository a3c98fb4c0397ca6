//! Every route once: reads with ids of existing records, writes with records like existing ones.

use std::{fmt, sync::Arc};

use api::route::Route;
use http::Method;
use serde_json::Value;
use store::collection::Collection;
use testkit::{Answer, Client};
use uuid::Uuid;

use crate::filled::Filled;

/// Which table's ids a path needs if it is not below a collection's path: prefix, table.
const IDS: [(&str, &str); 12] = [
    ("/inventory/items", "item"),
    ("/inventory/instances", "instance"),
    ("/inventory/holdings", "holdings_record"),
    ("/inventory-view", "instance"),
    ("/inventory-hierarchy", "instance"),
    ("/circulation/loans", "loan"),
    ("/circulation/requests/queue/item", "item"),
    ("/circulation/requests/queue/instance", "instance"),
    ("/circulation/requests", "request"),
    ("/perms/users", "permissions_users"),
    ("/perms/permissions", "permissions"),
    ("/item-storage", "item"),
];

/// A write here would replace the rules that the desk needs, so it is left out; its table is small.
const RULES: &str = "/circulation-rules-storage";

pub struct Request {
    method: Method,
    path: String,
    body: Option<Value>,
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl Request {
    pub async fn send(&self, client: &Client) -> Answer {
        let body = self.body.as_ref().map(|body| body.to_string().into_bytes());
        client.send(self.method.clone(), &self.path, body).await
    }
}

/// One request for each route that needs no special body, then writes to each collection.
pub async fn requests(filled: &Filled) -> Vec<Request> {
    let mut all = Vec::new();
    for route in filled.library.app.routes.all() {
        if is_administration(route) || route.method == Method::DELETE || route.path == RULES {
            continue;
        }
        let body = (route.method != Method::GET).then(|| body_of(route));
        all.push(Request { method: route.method.clone(), path: path_of(filled, route), body });
    }
    for collection in filled.growing() {
        all.extend(writes(filled, collection).await);
    }
    all
}

/// Okapi's own routes are about modules and tenants, not about a library's records.
fn is_administration(route: &Arc<Route>) -> bool {
    route.path.starts_with("/_/")
}

fn path_of(filled: &Filled, route: &Route) -> String {
    let id = id_for(filled, &route.path).to_string();
    let parts = route.path.split('/');
    let filled: Vec<_> = parts.map(|part| if part.starts_with('{') { &id } else { part }).collect();
    filled.join("/")
}

fn id_for(filled: &Filled, path: &str) -> Uuid {
    let declared = filled.library.app.collections.iter().map(|one| (one.path, one.table));
    let candidates = declared.chain(IDS).filter(|(start, _)| path.starts_with(start));
    let table = candidates.max_by_key(|(start, _)| start.len()).map_or("users", |(_, table)| table);
    filled.ids.get(table).copied().unwrap_or_else(|| filled.ids["users"])
}

fn body_of(route: &Route) -> Value {
    route.members().map_or_else(|| Value::Object(Default::default()), |schema| crate::filled::filled_in(schema).into())
}

/// Adds, changes and deletes a record of the collection, and asks for a set of them.
async fn writes(filled: &Filled, collection: &Collection) -> Vec<Request> {
    let mut record = filled.newest(collection).await;
    let id = Uuid::new_v4();
    record["id"] = id.to_string().into();
    for unique in &collection.uniques {
        let field = unique.fields[0];
        if record[field].is_string() {
            record[field] = id.to_string().into();
        }
    }
    let (list, one) = (collection.path.to_owned(), format!("{}/{id}", collection.path));
    let mut changed = record.clone();
    changed["_version"] = 1.into();
    vec![
        Request { method: Method::POST, path: list, body: Some(record) },
        Request { method: Method::GET, path: one.clone(), body: None },
        Request { method: Method::PUT, path: one.clone(), body: Some(changed) },
        Request { method: Method::DELETE, path: one, body: None },
    ]
}
