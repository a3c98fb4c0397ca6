//! Resources as MARCXML, and tables of what they have.

use std::collections::HashMap;

use futures_util::Stream;
use metadata::{Labels as LabelTable, Marc, Sheet, marc};
use serde_json::Value;
use store::{
    Session,
    statements::archives::{TREE_LABELS, TREE_SHEET, TREE_WALK},
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

const COMPONENT: &str = "archival_object";

async fn resource(session: &Session, of: Exported, shown: &[&str]) -> Result<Value, Refusal> {
    let mut record = get(session, of.place("resource"), of.id, of.seen).await?;
    resolve(session, &mut record, &Wanted::read(shown.iter().copied()), of.seen).await?;
    Ok(record)
}

/// A resource as MARCXML. Two round trips.
pub async fn marc_of_resource(session: &Session, of: Exported, include_unpublished: bool) -> Result<String, Refusal> {
    let record = resource(session, of, &["repository", "linked_agents", "subjects"]).await?;
    Ok(marc(record, Marc { include_unpublished, lists: &Labels }))
}

/// Labels for the containers of a resource, in parts. Four round trips, whatever their number; memory grows with the number
/// of containers.
pub async fn labels(
    session: &Session,
    of: Exported,
) -> Result<impl Stream<Item = Result<Vec<u8>, Refusal>> + Send + use<>, Refusal> {
    let record = resource(session, of, &["repository"]).await?;
    let links = by_address(session.values(TREE_LABELS, &[&of.id]).await?);
    let rows = session.stream(TREE_WALK, &[&COMPONENT, &of.id]).await?;
    let document = LabelTable::begin(&record);
    Ok(Walk { rows, nodes: Some(of.place(COMPONENT)), document, links, wanted: Wanted::read(["top_container"]) }
        .parts())
}

/// What the rows of a sheet get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetKind {
    Containers,
    DigitalObjects,
}

/// A sheet to fill in, with a row for each archival object of a resource, in parts. Two round trips.
pub async fn sheet(
    session: &Session,
    of: Exported,
    kind: SheetKind,
) -> Result<impl Stream<Item = Result<Vec<u8>, Refusal>> + Send + use<>, Refusal> {
    let record = resource(session, of, &[]).await?;
    let rows = session.stream(TREE_SHEET, &[&of.id, &of.repository]).await?;
    let document = match kind {
        SheetKind::Containers => Sheet::of_containers(&record),
        SheetKind::DigitalObjects => Sheet::of_digital_objects(&record),
    };
    Ok(Walk { rows, nodes: None, document, links: HashMap::new(), wanted: Wanted::default() }.parts())
}

impl Document for LabelTable {
    fn add(&mut self, record: Value, depth: u32) {
        self.component(&record, depth);
    }

    fn written(&mut self) -> &mut Vec<u8> {
        LabelTable::written(self)
    }

    fn end(mut self) -> Vec<u8> {
        std::mem::take(LabelTable::written(&mut self))
    }
}

impl Document for Sheet {
    fn add(&mut self, record: Value, _depth: u32) {
        self.row(&record);
    }

    fn written(&mut self) -> &mut Vec<u8> {
        Sheet::written(self)
    }

    fn end(mut self) -> Vec<u8> {
        std::mem::take(Sheet::written(&mut self))
    }
}
