//! What the readers of files are given.

use std::io::BufRead;

use jiff::Timestamp;
use metadata::import::tables::{Attribute, Known};
use serde_json::Value;
use store::{
    Session, StoreError,
    statements::archives::{AGENTS_OF_USERS, ATTRIBUTES},
};

use super::{Trouble, finding_aid};

/// Types of imports whose readers need to know something of the library.
pub(super) const FINDING_AIDS: &str = "ead_xml";
pub(super) const ASSESSMENTS: &str = "assessment_csv";

/// What a client asks of an import.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    /// Puts right what breaks a rule of finding aids.
    pub tolerant: bool,
    /// Reads the history of authority records, too.
    pub events: bool,
    /// Reads the subjects of authority records of agents, too.
    pub subjects: bool,
    /// Locations belong to the repository.
    pub repository: bool,
    pub now: Timestamp,
}

/// A file to import.
pub(crate) struct Source<'a> {
    pub name: &'a str,
    pub input: &'a mut (dyn BufRead + Send),
    pub reading: &'a Reading,
    /// Gets what was put right.
    pub tell: &'a mut dyn FnMut(&Trouble),
}

/// How files are read, and what readers know of the library.
#[derive(Debug)]
pub(crate) struct Reading {
    pub options: Options,
    pub finding_aids: finding_aid::Reading,
    /// What assessments refer to.
    pub known: Known,
}

impl Reading {
    /// What the readers of a type of import need to know. At most two round trips.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn of(
        session: &Session,
        import: &str,
        repository: i64,
        options: Options,
    ) -> Result<Self, StoreError> {
        let finding_aids = match import {
            FINDING_AIDS => finding_aid::Reading::of(session, options.tolerant).await?,
            _ => finding_aid::Reading::default(),
        };
        let known = if import == ASSESSMENTS { known(session, repository).await? } else { Known::default() };
        Ok(Self { options, finding_aids, known })
    }
}

/// What assessments refer to. Two round trips.
async fn known(session: &Session, repository: i64) -> Result<Known, StoreError> {
    let definitions: Value = session.value(ATTRIBUTES, &[&repository]).await?;
    let text = |of: &Value, member: &str| of[member].as_str().unwrap_or_default().to_owned();
    let attributes =
        definitions.as_array().into_iter().flatten().filter_map(|of| {
            Some(Attribute { id: of["id"].as_i64()?, kind: text(of, "type"), label: text(of, "label") })
        });
    let rows = session.query(AGENTS_OF_USERS, &[]).await?;
    let agents_of_users = rows.iter().map(|row| (row.get("username"), row.get("agent"))).collect();
    Ok(Known { attributes: attributes.collect(), agents_of_users })
}
