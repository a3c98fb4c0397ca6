//! Finding aids: a resource with all its components as EAD (contract 6), streamed while it is read.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use ead::{ExportError, ExportOptions, Exporter, Format, Json, Linked, Repository};
use futures_util::{Stream, StreamExt, stream};
use jiff::Timestamp;
use rand::Rng;
use serde_json::Value;
use store::{
    Session, StoreError,
    db::{JsonText, Row, Rows},
    statements::archives::{READ_RECORDS, TREE_LINKS, TREE_SIZE, TREE_WALK},
};

use crate::{
    RELEASE,
    exports::{Exported, Labels},
    records::{Place, get},
    refusal::Refusal,
    resolve::{Wanted, resolve},
};

/// The links that a finding aid follows: the paths that references are kept under.
const LINKS: [&str; 4] =
    ["linked_agents", "subjects", "instances/digital_object", "instances/sub_container/top_container"];
const KIND: &str = "resource";
/// The type of the nodes of a finding aid.
const COMPONENT: &str = "archival_object";
/// Parts of about this many bytes are handed on.
const PART_SIZE: usize = 32 * 1024;

/// What a client asks of a finding aid.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    pub include_unpublished: bool,
    pub include_daos: bool,
    pub numbered_cs: bool,
    pub include_uris: bool,
    pub ead3: bool,
}

/// What was written and not yet handed on.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A part of a finding aid.
pub struct Part {
    pub text: Vec<u8>,
    /// How many components were read for it; those that are not published are among them.
    pub components: u64,
}

impl From<Part> for Bytes {
    fn from(part: Part) -> Self {
        part.text.into()
    }
}

/// A finding aid under way.
struct Writing {
    rows: Rows,
    nodes: Place,
    exporter: Option<Exporter<'static, Written>>,
    written: Written,
}

/// The finding aid of a resource, in parts. Five round trips, whatever its size; one more with an agent for the repository.
/// Memory grows with the number of distinct agents, subjects and digital objects, not with the number of components.
pub async fn ead(
    session: &Session,
    of: Exported,
    asked: Asked,
    now: Timestamp,
) -> Result<impl Stream<Item = Result<Part, Refusal>> + Send + use<>, Refusal> {
    let resource = get(session, of.place(KIND), of.id, of.seen).await?;
    let kinds_and_ids: (&[&str], &[i64]) = (&["repository"], &[of.repository]);
    let mut owner: Value = session.value(READ_RECORDS, &[&kinds_and_ids.0, &kinds_and_ids.1]).await?;
    resolve(session, &mut owner, &Wanted::read(["agent_representation"]), of.seen).await?;
    let linked: Vec<Value> = session.values(TREE_LINKS, &[&KIND, &of.id, &COMPONENT, &LINKS.as_slice()]).await?;
    let by_uri = |record: Value| Some((record["uri"].as_str()?.to_owned(), Json::from(record)));
    let linked: Linked = linked.into_iter().filter_map(by_uri).collect();
    let written = Written::default();
    let created =
        now.strftime(if asked.ead3 { "%Y-%m-%dT%H:%M:%S+00:00" } else { "%Y-%m-%d %H:%M:%S UTC" }).to_string();
    let options = ExportOptions {
        include_unpublished: asked.include_unpublished,
        include_daos: asked.include_daos,
        numbered_cs: asked.numbered_cs,
        include_uris: asked.include_uris,
        format: if asked.ead3 { Format::Ead3 } else { Format::Ead2002 },
        linked,
        producer: format!("ArchivesSpace {RELEASE}").into(),
        ..ExportOptions::new(&Labels, created)
    };
    let mut exporter = Exporter::new(options, written.clone(), || format!("{:032x}", rand::rng().random::<u128>()));
    let agent = owner["agent_representation"].get("_resolved");
    exporter.begin(&resource, &Repository { record: &owner, agent }).map_err(failed)?;
    let rows = session.stream(TREE_WALK, &[&COMPONENT, &of.id]).await?;
    let writing = Writing { rows, nodes: of.place(COMPONENT), exporter: Some(exporter), written };
    Ok(stream::unfold(writing, |mut writing| async move {
        let part = writing.next().await?;
        Some((part, writing))
    }))
}

/// How many components a resource has. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn size(session: &Session, id: i64) -> Result<u64, StoreError> {
    let many: i64 = session.value(TREE_SIZE, &[&COMPONENT, &id]).await?;
    Ok(many.unsigned_abs())
}

fn failed(error: ExportError) -> Refusal {
    StoreError::Other(error.to_string()).into()
}

/// A component and its depth.
fn read(row: &Row, nodes: Place) -> Result<(Json<'_>, u32), Refusal> {
    let JsonText(text) = row.get("record");
    let mut record: Json = serde_json::from_str(text).map_err(|error| StoreError::Other(error.to_string()))?;
    record.insert("uri", Json::Text(nodes.uri(row.get("id")).into()));
    record.insert("suppressed", Json::Flag(row.get("suppressed")));
    Ok((record, u32::try_from(row.get::<_, i32>("depth")).unwrap_or(1)))
}

impl Writing {
    /// The next part; `None` after the last.
    async fn next(&mut self) -> Option<Result<Part, Refusal>> {
        let exporter = self.exporter.as_mut()?;
        let mut components = 0;
        while self.written.len() < PART_SIZE {
            let row = match self.rows.next().await {
                Some(Ok(row)) => row,
                Some(Err(error)) => {
                    self.exporter = None;
                    return Some(Err(error.into()));
                }
                None => {
                    let ended = self.exporter.take()?.end().map_err(failed);
                    return Some(ended.map(|_| Part { text: self.written.take(), components }));
                }
            };
            let added =
                read(&row, self.nodes).and_then(|(record, depth)| exporter.component(record, depth).map_err(failed));
            if let Err(refusal) = added {
                self.exporter = None;
                return Some(Err(refusal));
            }
            components += 1;
        }
        Some(Ok(Part { text: self.written.take(), components }))
    }
}
