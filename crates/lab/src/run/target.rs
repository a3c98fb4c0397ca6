//! The target's product, version and number of records.

use serde_json::Value;

use crate::{
    access::Access,
    client::{Answer, Connection},
    results::model::{Named, Target},
    workload::Protocol,
};

/// Kind of record, and where FOLIO counts it.
const COUNTED: [(&str, &str); 5] = [
    ("instances", "/instance-storage/instances?limit=0"),
    ("holdings", "/holdings-storage/holdings?limit=0"),
    ("items", "/item-storage/items?limit=0"),
    ("users", "/users?limit=0"),
    ("open loans", "/circulation/loans?query=status.name==Open&limit=0"),
];

/// Asks the target. Missing answers are left out: none of them is needed to measure.
pub(super) async fn inspect(access: &Access, url: &str, protocol: Protocol) -> Target {
    let mut about = Target {
        url: url.to_owned(),
        tenant: access.tenant().map(str::to_owned),
        product: None,
        version: None,
        records: Named::new(),
    };
    let Ok(mut connection) = access.target.connect().await else {
        return about;
    };
    match protocol {
        Protocol::Folio => {
            (about.product, about.version) = product(access, &mut connection, "FOLIO", "/_/version").await;
            for (kind, path) in COUNTED {
                if let Some(count) = total(access, &mut connection, path).await {
                    about.records.insert(kind.to_owned(), count);
                }
            }
        }
        Protocol::Archives => {
            (about.product, about.version) = product(access, &mut connection, "ArchivesSpace", "/version").await;
        }
        Protocol::Plain => {}
    }
    about
}

/// The product and its version. Carrel reports the version of the product whose API it speaks, and its own name in a header.
async fn product(
    access: &Access,
    connection: &mut Connection,
    usual: &str,
    path: &str,
) -> (Option<String>, Option<String>) {
    let answer = access.get(connection, path).await.ok();
    let server = answer.as_ref().and_then(|answer| answer.header("server"));
    if let Some(version) = server.and_then(|server| server.strip_prefix("Carrel/")) {
        return (Some("Carrel".to_owned()), Some(version.to_owned()));
    }
    (Some(usual.to_owned()), answer.and_then(short))
}

/// A short text.
fn short(answer: Answer) -> Option<String> {
    let text = answer.excerpt(100);
    (answer.status == 200 && !text.is_empty()).then_some(text)
}

async fn total(access: &Access, connection: &mut Connection, path: &str) -> Option<u64> {
    let answer = access.get(connection, path).await.ok()?;
    let body: Value = serde_json::from_slice(&answer.body).ok()?;
    body.get("totalRecords")?.as_u64()
}
