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
    Exported, Labels,
    walk::{Document, Walk, by_address},
};
use crate::{
    records::get,
    refusal::Refusal,
    resolve::{Wanted, resolve},
};

const KIND: &str = "digital_object";
const COMPONENT: &str = "digital_object_component";
/// What is shown of the records that a digital object refers to.
const SHOWN: [&str; 3] = ["linked_agents", "subjects", "repository::agent_representation"];

async fn digital_object(session: &Session, of: Exported) -> Result<Value, Refusal> {
    let mut record = get(session, of.place(KIND), of.id, of.seen).await?;
    resolve(session, &mut record, &Wanted::read(SHOWN), of.seen).await?;
    Ok(record)
}

/// A digital object as Dublin Core; `site` is where the API is. Three round trips.
pub async fn dublin_core(session: &Session, of: Exported, site: &str) -> Result<String, Refusal> {
    Ok(metadata::dublin_core(&digital_object(session, of).await?, site))
}

/// A digital object with its components as MODS, in parts. Four round trips, whatever their number.
pub async fn mods(
    session: &Session,
    of: Exported,
) -> Result<impl Stream<Item = Result<Vec<u8>, Refusal>> + Send + use<>, Refusal> {
    let record = digital_object(session, of).await?;
    let rows = session.stream(TREE_WALK, &[&COMPONENT, &of.id]).await?;
    let document = Mods::begin(&record, &Labels);
    Ok(Walk { rows, nodes: Some(of.place(COMPONENT)), document, links: HashMap::new(), wanted: Wanted::default() }
        .parts())
}

/// A digital object with its components as METS, in parts; `site` is where the API is. Five round trips, whatever their
/// number. Memory grows with the number of files and of distinct agents and subjects.
pub async fn mets(
    session: &Session,
    of: Exported,
    dmd: Dmd,
    (site, now): (String, Timestamp),
) -> Result<impl Stream<Item = Result<Vec<u8>, Refusal>> + Send + use<>, Refusal> {
    let record = digital_object(session, of).await?;
    let properties = ["linked_agents", "subjects"];
    let linked: Vec<Value> = session.values(TREE_LINKS, &[&KIND, &of.id, &COMPONENT, &properties.as_slice()]).await?;
    let links = by_address(linked);
    let rows = session.stream(TREE_WALK, &[&COMPONENT, &of.id]).await?;
    let created = now.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string();
    let document = Mets::begin(&record, dmd, &Labels, &created, site);
    Ok(Walk { rows, nodes: Some(of.place(COMPONENT)), document, links, wanted: Wanted::read(properties) }.parts())
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
