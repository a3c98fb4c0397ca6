//! Digital objects as Dublin Core, MODS and METS.

use std::collections::HashMap;

use futures_util::Stream;
use jiff::Timestamp;
use metadata::{Dmd, Mets, Mods};
use serde_json::Value;
use store::{
    Session,
    statements::archives::{TREE_LINKS, TREE_WALK},
};

use super::{
    Labels,
    walk::{Document, Walk, by_address},
};
use crate::{
    records::{Place, Seen, get},
    refusal::Refusal,
    resolve::{Wanted, resolve},
};

const COMPONENT: &str = "digital_object_component";
/// What is shown of the records that a digital object refers to.
const SHOWN: [&str; 3] = ["linked_agents", "subjects", "repository::agent_representation"];

async fn digital_object(session: &Session, place: Place, id: i64) -> Result<Value, Refusal> {
    let mut record = get(session, place, id, Seen::All).await?;
    resolve(session, &mut record, &Wanted::read(SHOWN)).await?;
    Ok(record)
}

fn place(repository: i64) -> Place {
    Place { kind: "digital_object", repository: Some(repository) }
}

fn components(repository: i64) -> Place {
    Place { kind: COMPONENT, repository: Some(repository) }
}

/// A digital object as Dublin Core; `site` is where the API is. Three round trips.
pub async fn dublin_core(session: &Session, repository: i64, id: i64, site: &str) -> Result<String, Refusal> {
    Ok(metadata::dublin_core(&digital_object(session, place(repository), id).await?, site))
}

/// A digital object with its components as MODS, in parts. Four round trips, whatever their number.
pub async fn mods(
    session: &Session,
    repository: i64,
    id: i64,
) -> Result<impl Stream<Item = Result<Vec<u8>, Refusal>> + Send + use<>, Refusal> {
    let record = digital_object(session, place(repository), id).await?;
    let rows = session.stream(TREE_WALK, &[&COMPONENT, &id]).await?;
    let document = Mods::begin(&record, &Labels);
    Ok(Walk { rows, nodes: Some(components(repository)), document, links: HashMap::new(), wanted: Wanted::default() }
        .parts())
}

/// A digital object with its components as METS, in parts; `site` is where the API is. Five round trips, whatever their
/// number. Memory grows with the number of files and of distinct agents and subjects.
pub async fn mets(
    session: &Session,
    repository: i64,
    id: i64,
    dmd: Dmd,
    (site, now): (String, Timestamp),
) -> Result<impl Stream<Item = Result<Vec<u8>, Refusal>> + Send + use<>, Refusal> {
    let place = place(repository);
    let record = digital_object(session, place, id).await?;
    let properties = ["linked_agents", "subjects"];
    let linked: Vec<Value> =
        session.values(TREE_LINKS, &[&place.kind, &id, &COMPONENT, &properties.as_slice()]).await?;
    let links = by_address(linked);
    let rows = session.stream(TREE_WALK, &[&COMPONENT, &id]).await?;
    let created = now.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string();
    let document = Mets::begin(&record, dmd, &Labels, &created, site);
    Ok(Walk { rows, nodes: Some(components(repository)), document, links, wanted: Wanted::read(properties) }.parts())
}

impl Document for Mods {
    fn add(&mut self, record: Value, _depth: u32) {
        self.component(&record);
    }

    fn written(&mut self) -> &mut Vec<u8> {
        Mods::written(self)
    }

    fn end(self) -> Vec<u8> {
        Mods::end(self).into_bytes()
    }
}

impl Document for Mets<'static> {
    fn add(&mut self, record: Value, depth: u32) {
        self.component(record, depth);
    }

    fn written(&mut self) -> &mut Vec<u8> {
        Mets::written(self)
    }

    fn end(self) -> Vec<u8> {
        Mets::end(self).into_bytes()
    }
}
