//! Single records, and the formats of one.

use std::collections::HashMap;

use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use metadata::{Harvest, harvested};
use serde_json::{Value, json};
use store::{
    Session,
    statements::archives::{HARVEST_DELETION, HARVEST_RECORD, READ_RECORDS},
};

use super::{
    Here, NO_FORMAT, NO_RECORD, Parts,
    answer::Answer,
    config,
    request::{Format, Request},
};
use crate::{
    exports::{Exported, Labels},
    finding_aid::{self, Asked},
    model::Uri,
    records::Seen,
    refusal::Refusal,
    resolve::{Wanted, referred, resolve_from},
};

/// What formats show of the records that a record refers to.
const SHOWN: [&str; 5] = ["repository", "linked_agents", "subjects", "resource", "ancestors"];

/// The address in an identifier: `oai:archivesspace//repositories/2/resources/1`.
fn address(identifier: &str) -> Option<&str> {
    identifier.find("/repositories/").map(|at| &identifier[at..])
}

/// The formats of all records, or of one.
pub(super) fn formats(identifier: Option<&str>, answer: &mut Answer) {
    let Some(identifier) = identifier else { return answer.formats(None) };
    match address(identifier).and_then(Uri::parse) {
        Some(uri) => answer.formats(Some(&uri.kind.name)),
        None => answer.error(NO_RECORD),
    }
}

/// A record.
pub(super) async fn record(
    session: &Session,
    request: &Request,
    here: &Here,
    mut answer: Answer,
) -> Result<Parts, Refusal> {
    let address = request.identifier.as_deref().and_then(address).unwrap_or_default();
    let config = config::read(session).await?;
    let prefix = config["oai_record_prefix"].as_str().unwrap_or_default();
    if let Some(deleted) = session.find_value::<Timestamp>(HARVEST_DELETION, &[&address]).await? {
        answer.open("GetRecord");
        answer.open("record");
        answer.header(prefix, address, deleted, true);
        answer.close("record");
        answer.close("GetRecord");
        return Ok(answer.end());
    }
    let uri = Uri::parse(address).filter(|uri| ["resource", "archival_object"].contains(&uri.kind.name.as_str()));
    let Some((uri, repository)) = uri.and_then(|uri| Some((uri, uri.repository?))) else {
        answer.error(NO_RECORD);
        return Ok(answer.end());
    };
    let kind = uri.kind.name.as_str();
    if !request.format.kinds().contains(&kind) {
        answer.error(NO_FORMAT);
        return Ok(answer.end());
    }
    let changed = session.find_value::<Timestamp>(HARVEST_RECORD, &[&kind, &uri.id, &repository]).await?;
    let Some(changed) = changed else {
        answer.error(NO_RECORD);
        return Ok(answer.end());
    };
    answer.open("GetRecord");
    answer.open("record");
    answer.header(prefix, address, changed, false);
    let format = match request.format {
        Format::Ead => {
            let rest = |answer: &mut Answer| {
                answer.close("record");
                answer.close("GetRecord");
            };
            return around_ead(session, (repository, uri.id), here, answer, rest).await;
        }
        Format::Of(format) => format,
    };
    let records = Records::read(session, &[(kind, uri.id)]).await?;
    records.each(format, here, |_, element| answer.metadata(element));
    answer.close("record");
    answer.close("GetRecord");
    Ok(answer.end())
}

/// Records of one answer, and what formats show of others. Each is completed only when its turn comes, so that memory does not
/// hold the records above it once for each.
pub(super) struct Records {
    records: Vec<Value>,
    referred: HashMap<String, Value>,
}

impl Records {
    /// Reads records. Three round trips.
    pub(super) async fn read(session: &Session, which: &[(&str, i64)]) -> Result<Self, Refusal> {
        let (kinds, ids): (Vec<&str>, Vec<i64>) = which.iter().copied().unzip();
        let mut records: Vec<Value> = session.values(READ_RECORDS, &[&kinds, &ids]).await?;
        let mut referred_to = referred(session, &mut records, &Wanted::read(SHOWN)).await?;
        let agents = Wanted::read(["linked_agents"]);
        let above =
            |record: &&mut Value| ["resource", "archival_object"].iter().any(|kind| record["jsonmodel_type"] == *kind);
        let links_of = |record: &mut Value| json!({"linked_agents": record["linked_agents"].clone()});
        let mut links: Vec<Value> = referred_to.values_mut().filter(above).map(links_of).collect();
        let agents_above = referred(session, &mut links, &agents).await?;
        for record in referred_to.values_mut().filter(above) {
            resolve_from(record, &agents, &agents_above);
        }
        Ok(Self { records, referred: referred_to })
    }

    /// The records in a format, with their addresses.
    pub(super) fn each(self, format: Harvest, here: &Here, mut each: impl FnMut(&str, &str)) {
        let wanted = Wanted::read(SHOWN);
        for mut record in self.records {
            resolve_from(&mut record, &wanted, &self.referred);
            let address = record["uri"].as_str().unwrap_or_default().to_owned();
            each(&address, &harvested(record, format, &Labels, &here.site));
        }
    }
}

/// An answer with a finding aid in the open record; `rest` writes what follows. Six round trips.
pub(super) async fn around_ead(
    session: &Session,
    (repository, id): (i64, i64),
    here: &Here,
    mut answer: Answer,
    rest: impl FnOnce(&mut Answer),
) -> Result<Parts, Refusal> {
    let asked =
        Asked { include_unpublished: false, include_daos: false, numbered_cs: false, include_uris: true, ead3: false };
    let of = Exported { repository, id, seen: Seen::Unsuppressed };
    let ead = finding_aid::ead(session, of, asked, here.now).await?;
    answer.open("metadata");
    let before = answer.take();
    answer.close("metadata");
    rest(&mut answer);
    let ead = ead
        .enumerate()
        .map(|(place, part)| part.map(|part| if place == 0 { undeclared(part.text) } else { part.text }));
    Ok(stream::iter([Ok(before)]).chain(ead).chain(answer.end()).into_stream().boxed())
}

/// A document without the declaration of XML.
fn undeclared(mut document: Vec<u8>) -> Vec<u8> {
    if document.starts_with(b"<?xml") {
        let end = document.windows(2).position(|pair| pair == b"?>").map_or(0, |end| end + 2);
        document.drain(..end);
    }
    document
}
