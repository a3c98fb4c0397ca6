//! Makes a sheet of components of the library.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;
use store::{Session, StoreError, statements::archives::READ_RECORDS};

use super::sheet::{Component, Room, chosen, workbook};
use crate::{
    model::{Uri, ValueLists},
    refusal::Refusal,
};

/// A sheet has at most this many components.
const MOST: usize = 10_000;

/// The workbook of components of a repository with the chosen groups of columns. What is no component is left out. Two round
/// trips.
///
/// # Errors
/// There are too many components; a text is too long for a cell.
pub async fn make(
    session: &Session,
    repository: i64,
    uris: &[String],
    room: Room,
    groups: &[String],
    lists: &(dyn ValueLists + Sync),
) -> Result<Vec<u8>, Refusal> {
    let of = |uri: &String| {
        let fits = |uri: &Uri| uri.kind.name == "archival_object" && uri.repository == Some(repository);
        Uri::parse(uri).filter(fits).map(|uri| uri.id)
    };
    let ids: Vec<i64> = uris.iter().filter_map(of).collect();
    if ids.len() > MOST {
        return Err(Refusal::BadRequest(format!("A spreadsheet has at most {MOST} archival objects")));
    }
    let kinds = vec!["archival_object"; ids.len()];
    let records: Vec<Value> = session.values(READ_RECORDS, &[&kinds, &ids]).await?;
    let named = read_named(session, &records).await?;
    let components: Vec<Component> = records.into_iter().filter_map(|record| component(record, &named)).collect();
    let columns = chosen(&components, room, groups);
    let wrong =
        |error: rust_xlsxwriter::XlsxError| Refusal::BadRequest(format!("The spreadsheet cannot be made: {error}"));
    workbook(&components, &columns, lists).map_err(wrong)
}

/// The addresses that a component's cells are about: containers, digital objects, accessions.
fn names(record: &Value) -> impl Iterator<Item = &str> {
    let of = |list: &'static str, path: &'static str| {
        let items = record[list].as_array().into_iter().flatten();
        items.filter_map(move |item| item.pointer(path)?.as_str())
    };
    of("instances", "/sub_container/top_container/ref")
        .chain(of("instances", "/digital_object/ref"))
        .chain(of("accession_links", "/ref"))
}

async fn read_named(session: &Session, records: &[Value]) -> Result<HashMap<String, Value>, StoreError> {
    let names: BTreeSet<&str> = records.iter().flat_map(names).collect();
    let uris: Vec<Uri> = names.into_iter().filter_map(Uri::parse).collect();
    if uris.is_empty() {
        return Ok(HashMap::new());
    }
    let kinds: Vec<&str> = uris.iter().map(|uri| uri.kind.name.as_str()).collect();
    let ids: Vec<i64> = uris.iter().map(|uri| uri.id).collect();
    let found: Vec<Value> = session.values(READ_RECORDS, &[&kinds, &ids]).await?;
    Ok(found.into_iter().filter_map(|record| Some((record["uri"].as_str()?.to_owned(), record))).collect())
}

fn component(record: Value, named: &HashMap<String, Value>) -> Option<Component> {
    let id = Uri::parse(record["uri"].as_str()?)?.id;
    let version = record["lock_version"].as_i64().unwrap_or_default();
    let all = names(&record).filter_map(|uri| Some((uri.to_owned(), named.get(uri)?.clone()))).collect();
    Some(Component { id, version, doc: record, named: all })
}
