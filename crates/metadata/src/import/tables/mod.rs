//! Tables: each row is a record with what belongs to it. The first row that is not empty names the columns.
//!
//! Columns that no record has are left out; a name that cannot be one of a column ends the import, as does a row with a
//! value that cannot be read.

mod accessions;
mod agents;
mod assessments;
mod digital_objects;
mod rows;
mod simple;

use std::{collections::HashMap, io::Read};

use serde_json::Value;

use super::{
    ImportError, Imported, Reason,
    waiting::{Entries, Waiting},
};
use rows::Rows;

/// What the rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    Accessions,
    Assessments,
    DigitalObjects,
    Locations,
    Subjects,
}

/// An attribute that assessments can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    pub id: i64,
    /// `rating`, `format` or `conservation_issue`.
    pub kind: String,
    pub label: String,
}

/// What rows refer to.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The attributes of assessments.
    pub attributes: Vec<Attribute>,
    /// Addresses of the agents of users, by user names in small letters.
    pub agents_of_users: HashMap<String, String>,
}

/// How to read a table.
pub struct TableOptions<'a> {
    /// The number of the repository.
    pub repository: i64,
    /// A fresh random text each time, for temporary addresses.
    pub ids: Box<dyn FnMut() -> String + 'a>,
    /// The year of the import: a year of two digits that is later is of the century before.
    pub year: i16,
    /// Whether locations belong to the repository.
    pub of_repository: bool,
    /// The types that a date can have.
    pub date_types: Vec<String>,
    pub known: &'a Known,
}

/// What rows know of the rows before.
#[derive(Debug, Default)]
struct Before {
    /// Addresses of digital objects by their identifiers.
    digital_objects: HashMap<String, String>,
    /// The address of the agent that stands for this program.
    program: Option<String>,
}

/// The records of a table, row by row.
pub struct Tables<'a, R: Read> {
    table: Table,
    rows: Rows<R>,
    options: TableOptions<'a>,
    before: Before,
    waiting: Waiting,
}

impl<'a, R: Read> Tables<'a, R> {
    /// # Errors
    /// The names of the columns cannot be read.
    pub fn new(table: Table, input: R, options: TableOptions<'a>) -> Result<Self, ImportError> {
        let mut rows = Rows::new(input);
        let read = match table {
            Table::Assessments => assessments::headers(&mut rows, options.known),
            _ => rows.read_headers(),
        };
        read?;
        if table == Table::DigitalObjects {
            digital_objects::check_headers(&rows)?;
        }
        Ok(Self { table, rows, options, before: Before::default(), waiting: Waiting::default() })
    }
}

impl<R: Read> Entries for Tables<'_, R> {
    fn waiting(&mut self) -> &mut Waiting {
        &mut self.waiting
    }

    fn read(&mut self) -> Result<bool, ImportError> {
        let Some(row) = self.rows.next()? else { return Ok(false) };
        let mut made = Made { options: &mut self.options, before: &mut self.before, records: Vec::new() };
        let read = match self.table {
            Table::Accessions => accessions::read(&row, &mut made),
            Table::Assessments => assessments::read(&row, &mut made),
            Table::DigitalObjects => digital_objects::read(&row, &mut made),
            Table::Locations => {
                simple::location(&row, &mut made);
                Ok(())
            }
            Table::Subjects => {
                simple::subject(&row, &mut made);
                Ok(())
            }
        };
        let line = row.line;
        read.map_err(|Reason(reason)| ImportError { line, identifier: row.called(), reason })?;
        self.waiting.add(made.records, line);
        Ok(true)
    }
}

impl<R: Read> Iterator for Tables<'_, R> {
    type Item = Result<Imported, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_record()
    }
}

/// The records of a row.
struct Made<'m, 'a> {
    options: &'m mut TableOptions<'a>,
    before: &'m mut Before,
    records: Vec<Value>,
}

impl Made<'_, '_> {
    /// A new temporary address of a type of record.
    fn address(&mut self, path: &str) -> String {
        format!("{path}/import_{}", (self.options.ids)())
    }

    /// The address of the records of the repository that have this path.
    fn own(&mut self, path: &str) -> String {
        let path = format!("/repositories/{}/{path}", self.options.repository);
        self.address(&path)
    }
}
