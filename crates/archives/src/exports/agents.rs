//! Agents as MARCXML and EAC-CPF.

use std::collections::HashMap;

use futures_util::Stream;
use metadata::{Eac, Related, marc_authority};
use serde_json::Value;
use store::{Session, statements::archives::AGENT_RECORDS};

use super::{
    Labels,
    walk::{Document, Walk},
};
use crate::{
    records::{Place, Seen, get},
    refusal::Refusal,
    resolve::{Wanted, resolve},
};

/// Properties of an agent whose records its exports show.
const SHOWN: [&str; 3] = ["related_agents", "subjects", "places"];

/// Which of the records that an agent is linked to are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    None,
    /// Those of a repository.
    Of(i64),
    All,
}

/// An agent as a MARCXML authority record; `site` is where readers find agents. Two round trips.
pub async fn marc_of_agent(session: &Session, kind: &'static str, id: i64, site: &str) -> Result<String, Refusal> {
    Ok(marc_authority(&agent(session, kind, id).await?, &Labels, site))
}

async fn agent(session: &Session, kind: &'static str, id: i64) -> Result<Value, Refusal> {
    let mut agent = get(session, Place { kind, repository: None }, id, Seen::All).await?;
    resolve(session, &mut agent, &Wanted::read(SHOWN), Seen::All).await?;
    Ok(agent)
}

/// An agent as EAC-CPF with the records that it is linked to, in parts; `site` is where readers find records. Three round
/// trips, whatever the number of records.
pub async fn eac(
    session: &Session,
    kind: &'static str,
    id: i64,
    (told, seen): (Told, Seen),
    site: String,
) -> Result<impl Stream<Item = Result<Vec<u8>, Refusal>> + Send + use<>, Refusal> {
    let agent = agent(session, kind, id).await?;
    let (of, repository) = match told {
        Told::None => (None, None),
        Told::Of(repository) => (Some(id), Some(repository)),
        Told::All => (Some(id), None),
    };
    let rows = session.stream(AGENT_RECORDS, &[&kind, &of, &repository, &seen.all()]).await?;
    let document = Eac::begin(agent, &Labels, site);
    Ok(Walk { rows, nodes: None, document, links: HashMap::new(), wanted: Wanted::default() }.parts())
}

impl Document for Eac<'static> {
    fn add(&mut self, record: Value, _depth: u32) {
        let of = |member: &str| record[member].as_str().unwrap_or_default();
        self.record(Related { role: of("role"), uri: of("uri"), title: of("title") });
    }

    fn written(&mut self) -> &mut Vec<u8> {
        Eac::written(self)
    }

    fn end(self) -> Vec<u8> {
        Eac::end(self).into_bytes()
    }
}
