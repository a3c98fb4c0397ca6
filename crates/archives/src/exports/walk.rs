//! Documents that are handed on in parts, while the rows that they are made of are read.

use std::collections::HashMap;

use futures_util::{Stream, StreamExt, stream};
use serde_json::Value;
use store::db::{Row, Rows};

use crate::{
    records::Place,
    refusal::Refusal,
    resolve::{Wanted, resolve_from},
};

/// Parts of about this many bytes are handed on.
const PART: usize = 32 * 1024;

/// A document that grows with each row.
pub(super) trait Document: Send + 'static {
    /// Adds a record; `depth` is 1 right below the record at the top.
    fn add(&mut self, record: Value, depth: u32);
    /// What was written and not yet taken.
    fn written(&mut self) -> &mut Vec<u8>;
    /// The rest.
    fn end(self) -> Vec<u8>;
}

/// A document under way.
pub(super) struct Walk<D> {
    /// With the columns `depth`, `record` and `suppressed`, and with `id` if they are nodes.
    pub(super) rows: Rows,
    /// Where the nodes of a tree are from; other records have their addresses.
    pub(super) nodes: Option<Place>,
    pub(super) document: D,
    /// What records refer to, by its address, and by which properties.
    pub(super) links: HashMap<String, Value>,
    pub(super) wanted: Wanted,
}

impl<D: Document> Walk<D> {
    /// The document in parts. What is suppressed stays out, with all that is below it.
    pub(super) fn parts(self) -> impl Stream<Item = Result<Vec<u8>, Refusal>> + Send + use<D> {
        stream::unfold((Some(self), None), |(walk, hidden)| async move {
            let mut walk = walk?;
            let mut hidden: Option<u32> = hidden;
            while walk.document.written().len() < PART {
                let row = match walk.rows.next().await {
                    Some(Ok(row)) => row,
                    Some(Err(error)) => return Some((Err(error.into()), (None, hidden))),
                    None => return Some((Ok(walk.document.end()), (None, hidden))),
                };
                let (depth, mut record) = walked(&row, walk.nodes);
                if hidden.is_some_and(|of| depth > of) {
                    continue;
                }
                hidden = (record["suppressed"] == true).then_some(depth);
                if hidden.is_none() {
                    resolve_from(&mut record, &walk.wanted, &walk.links);
                    walk.document.add(record, depth);
                }
            }
            let part = std::mem::take(walk.document.written());
            Some((Ok(part), (Some(walk), hidden)))
        })
    }
}

/// A node of a tree with its depth.
fn walked(row: &Row, nodes: Option<Place>) -> (u32, Value) {
    let mut record: Value = row.get("record");
    if let Some(nodes) = nodes {
        record["uri"] = nodes.uri(row.get("id")).into();
    }
    record["suppressed"] = row.get::<_, bool>("suppressed").into();
    (u32::try_from(row.get::<_, i32>("depth")).unwrap_or(1), record)
}

/// Records by their addresses.
pub(super) fn by_address(records: Vec<Value>) -> HashMap<String, Value> {
    records.into_iter().filter_map(|record| Some((record["uri"].as_str()?.to_owned(), record))).collect()
}
