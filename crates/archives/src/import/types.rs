//! The types of imports (contract 3.5): what each is called and what reads its files.

use std::io::BufRead;

use store::{Session, StoreError};

use super::{
    ImportError, Stage, Trouble,
    finding_aid::{self, Counts},
};

/// A type of import.
#[derive(Debug)]
pub struct ImportType {
    pub name: &'static str,
    /// What clients are told of it.
    pub description: &'static str,
    /// Reads a file into an import; returns how many records of each type it has.
    pub(crate) read: for<'a> fn(&mut Stage, Source<'a>) -> Result<Counts, ImportError>,
}

/// The types of imports, in the order in which clients are told of them.
pub const IMPORTS: &[ImportType] =
    &[ImportType { name: "ead_xml", description: "Import EAD records from an XML file", read: ead }];

/// A file to import.
pub(crate) struct Source<'a> {
    pub name: &'a str,
    pub input: &'a mut dyn BufRead,
    pub reading: &'a Reading,
    /// Gets what was put right.
    pub tell: &'a mut dyn FnMut(&Trouble),
}

/// How files are read, and what readers know of the library.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub finding_aids: finding_aid::Reading,
}

impl Reading {
    /// What the readers of a type need to know.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn of(
        session: &Session,
        of: &ImportType,
        _repository: i64,
        tolerant: bool,
    ) -> Result<Self, StoreError> {
        let mut reading = Self::default();
        if of.name == "ead_xml" {
            reading.finding_aids = finding_aid::Reading::of(session, tolerant).await?;
        }
        Ok(reading)
    }
}

fn ead(stage: &mut Stage, source: Source<'_>) -> Result<Counts, ImportError> {
    finding_aid::read(stage, source.name, source.input, &source.reading.finding_aids, source.tell)
}
