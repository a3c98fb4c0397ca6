//! Finding aids in EAD 2002 and EAD3 (contract 6.4 to 6.6).

use std::{
    collections::{BTreeMap, HashMap},
    io::BufRead,
    sync::Arc,
};

use ead::{ImportOptions, Importer, Item, Limits, Mode};
use rand::Rng;
use store::{Session, StoreError, statements::archives::CONTAINER_PROFILES};

use super::{ImportError, Stage, Trouble};
use crate::model::{ValueLists, lists::starting_value};

/// How finding aids are read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Puts right what breaks a rule instead of refusing the file.
    pub tolerant: bool,
    /// Addresses of container profiles by name.
    pub container_profiles: HashMap<String, String>,
}

impl Reading {
    /// With the container profiles of the library. One round trip.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn of(session: &Session, tolerant: bool) -> Result<Self, StoreError> {
        let rows = session.query(CONTAINER_PROFILES, &[]).await?;
        let profiles = rows.iter().map(|row| (row.get("name"), row.get("uri")));
        Ok(Self { tolerant, container_profiles: profiles.collect() })
    }
}

/// What a finding aid brought: how many records of each type.
pub type Counts = BTreeMap<String, u64>;

/// The value lists of the library, as the import of EAD asks for them.
struct Values(Arc<dyn ValueLists + Send + Sync>);

impl ead::Lists for Values {
    fn label<'a>(&'a self, _list: &str, _value: &str) -> Option<&'a str> {
        None
    }

    fn value<'a>(&'a self, list: &str, label: &str) -> Option<&'a str> {
        starting_value(list, label)
    }

    fn allows(&self, list: &str, value: &str) -> bool {
        self.0.has(list, value)
    }
}

/// Reads a finding aid into an import. `tell` gets each repair of a tolerant import.
///
/// # Errors
/// What is wrong with the file, and where.
pub fn read(
    stage: &mut Stage,
    name: &str,
    input: impl BufRead,
    reading: &Reading,
    tell: &mut dyn FnMut(&Trouble),
) -> Result<Counts, ImportError> {
    stage.begin_file(name);
    stage.tolerant = reading.tolerant;
    let values = Values(stage.lists());
    let options = ImportOptions {
        mode: if reading.tolerant { Mode::Tolerant } else { Mode::Strict },
        limits: Limits::default(),
        repository: stage.repository(),
        lists: &values,
        container_profiles: &reading.container_profiles,
        ids: Box::new(|| format!("{:032x}", rand::rng().random::<u128>())),
    };
    let broken = |stage: &Stage, error: ead::ImportError| {
        let place = if error.element.is_empty() { String::new() } else { format!("{}: ", error.element) };
        let reason = format!("{place}{}", error.reason);
        ImportError::Refused(Box::new(stage.trouble(error.line, error.identifier, reason)))
    };
    let importer = Importer::new(input, options).map_err(|error| broken(stage, error))?;
    let mut counts = Counts::new();
    for item in importer {
        match item.map_err(|error| broken(stage, error))? {
            Item::Record { record, line } => {
                let kind = record["jsonmodel_type"].as_str().unwrap_or_default().to_owned();
                *counts.entry(kind).or_default() += 1;
                stage.add(record, line)?;
            }
            Item::Revised { record, line } => stage.revise(record, line)?,
            Item::Repair(repair) => {
                let reason = format!("{}: {}; {}", repair.element, repair.problem, repair.action);
                tell(&stage.trouble(repair.line, repair.identifier, reason));
            }
        }
        std::mem::take(&mut stage.repairs).iter().for_each(&mut *tell);
    }
    Ok(counts)
}
