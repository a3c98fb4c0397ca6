//! Records in MARCXML, EAC-CPF and tables as ArchivesSpace's records (contract 3.5 "Import types", 6.7, 6.8). No I/O but the
//! reader that is given: one record of the file is held at a time.
//!
//! | Source | Module |
//! |---|---|
//! | MARCXML of collections and of subjects | [`marc_bib`], with [`headings`], [`fields`] and [`templates`] |
//! | MARCXML of agents | [`marc_agents`] |
//! | EAC-CPF | [`eac`] |
//! | tables | [`tables`], with one module for each kind |
//! | what an entry has become | [`waiting`] |
//!
//! Where ArchivesSpace's own mapping cannot be meant, this does otherwise:
//!
//! * A field that gives an empty note gives no note; blanks around the text of subfields of local notes are one.
//! * What an authority record says of its heading (046, 400, 678) is not taken from bibliographic records, in which these
//!   fields mean something else.
//! * A uniform title (240) that stands in for a missing title shows its text, not the codes of its subfields.
//! * Records of one file know nothing of each other, but for rows of components that name their digital object.

mod eac;
mod element;
mod fields;
mod headings;
mod marc_agents;
mod marc_bib;
mod record;
pub mod tables;
mod templates;
mod waiting;

use std::io::BufRead;

use ead::Limits;
use serde_json::Value;

use element::{Element, Elements};
pub use record::Reason;
use record::{Batch, Draft};
use waiting::{Entries, Waiting};

/// The largest record, in bytes.
const LARGEST_RECORD: usize = 16 << 20;
/// How many elements a record has at most.
const MOST_ELEMENTS: usize = 200_000;

/// What an XML file is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// MARCXML: resources with their agents and subjects.
    Marc,
    /// MARCXML: agents and subjects only, also of authority records.
    MarcHeadings,
    /// MARCXML: accessions with their agents and subjects.
    MarcAccessions,
    /// MARCXML of authority records of agents.
    MarcAgents,
    /// EAC-CPF.
    Eac,
}

impl Format {
    /// The element that is one record.
    fn element(self) -> &'static str {
        if self == Self::Eac { "eac-cpf" } else { "record" }
    }
}

/// How to read.
pub struct Options<'a> {
    /// The number of the repository, for temporary addresses.
    pub repository: i64,
    /// A fresh random text each time, for temporary addresses and identifiers.
    pub ids: Box<dyn FnMut() -> String + 'a>,
    /// The day of the import, `YYYY-MM-DD`.
    pub today: String,
    /// Whether the history of authority records is read.
    pub events: bool,
    /// Whether the subjects of authority records in MARC are read.
    pub subjects: bool,
    /// Whether a text is the name of a type of extent.
    pub is_extent_type: &'a dyn Fn(&str) -> bool,
}

/// A record with a temporary address. What it refers to came before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    pub record: Value,
    /// The line of the file where it begins, from 1.
    pub line: u64,
}

/// What is wrong with a file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ImportError {
    /// From 1.
    pub line: u64,
    /// What the record calls itself.
    pub identifier: Option<String>,
    pub reason: String,
}

/// The records of an XML file, one after the other.
pub struct Importer<'a, R: BufRead> {
    format: Format,
    elements: Elements<R>,
    options: Options<'a>,
    waiting: Waiting,
    /// Whether the file has any record.
    found: bool,
}

impl<'a, R: BufRead> Importer<'a, R> {
    /// # Errors
    /// The beginning of the file is no XML.
    pub fn new(format: Format, input: R, options: Options<'a>) -> Result<Self, ImportError> {
        // A record is held whole, with all its elements.
        let limits = Limits { element_bytes: LARGEST_RECORD, elements: MOST_ELEMENTS, ..Limits::default() };
        let elements = Elements::new(input, format.element(), limits)?;
        Ok(Self { format, elements, options, waiting: Waiting::default(), found: false })
    }
}

impl<R: BufRead> Entries for Importer<'_, R> {
    fn waiting(&mut self) -> &mut Waiting {
        &mut self.waiting
    }

    /// Reads the next element with a record.
    fn read(&mut self) -> Result<bool, ImportError> {
        let Some(element) = self.elements.next()? else {
            if self.found {
                return Ok(false);
            }
            let reason = format!("the file has no element `{}`", self.format.element());
            return Err(ImportError { line: 1, identifier: None, reason });
        };
        self.found = true;
        let mut batch = Batch::new(&mut self.options);
        let read = convert(self.format, &element, &mut batch);
        let line = element.line;
        read.map_err(|Reason(reason)| ImportError { line, identifier: called(&element), reason })?;
        self.waiting.add(batch.records, line);
        Ok(true)
    }
}

impl<R: BufRead> Iterator for Importer<'_, R> {
    type Item = Result<Imported, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_record()
    }
}

fn convert(format: Format, element: &Element, batch: &mut Batch<'_, '_>) -> Result<(), Reason> {
    match format {
        Format::Marc => marc_bib::read(element, Draft::resource(batch), batch),
        Format::MarcAccessions => marc_bib::read(element, Draft::accession(batch), batch),
        Format::MarcHeadings => {
            let resource = Draft::resource(batch);
            marc_bib::read_headings(element, resource, batch)
        }
        Format::MarcAgents => {
            marc_agents::read(element, batch);
            Ok(())
        }
        Format::Eac => {
            eac::read(element, batch);
            Ok(())
        }
    }
}

/// What a record calls itself: its control number or identifier.
fn called(element: &Element) -> Option<String> {
    let number = element.find("controlfield").find(|field| field.attribute("tag") == Some("001"));
    let number = number.or_else(|| element.find("recordId").next());
    number.map(|of| of.text().trim().to_owned()).filter(|text| !text.is_empty())
}
