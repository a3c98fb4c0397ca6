//! Components in a spreadsheet that staff change and send back (contract 3.5, `bulk_archival_object_updater_job`): a column for
//! each member, named by its path, as ArchivesSpace's sheets have them.
//!
//! | Step | Module |
//! |---|---|
//! | columns and their paths | [`columns`] |
//! | a sheet of components | [`sheet`], with what the database has of them [`make`] |
//! | the cells of a row | [`row`] |
//! | what a row changes | [`change`], for containers and digital objects [`instances`] |
//! | digital objects that rows describe | [`digital_objects`] |

pub(crate) mod change;
pub(crate) mod columns;
pub(crate) mod digital_objects;
pub(crate) mod instances;
mod make;
pub(crate) mod row;
pub(crate) mod sheet;
#[cfg(test)]
mod tests;

pub use make::make;
pub use sheet::Room;

/// The sheet with the components.
pub(crate) const SHEET: &str = "Updates";

/// What is wrong with a row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The row as people count it; none for the sheet as a whole.
    pub row: Option<usize>,
    /// The path of the column.
    pub column: Option<String>,
    /// The member of the record.
    pub property: Option<String>,
    pub errors: Vec<String>,
}

impl Problem {
    /// What is wrong with the sheet as a whole.
    pub(crate) fn of_sheet(error: String) -> Self {
        Self { column: Some("id".to_owned()), errors: vec![error], ..Self::default() }
    }

    /// What is wrong with a cell.
    pub(crate) fn at(row: usize, column: &str, error: impl Into<String>) -> Self {
        Self { row: Some(row), column: Some(column.to_owned()), errors: vec![error.into()], ..Self::default() }
    }

    /// The lines of a log about it.
    pub(crate) fn lines(&self) -> String {
        let none = || "N/A".to_owned();
        format!(
            "Sheet name: {SHEET}\nRow number: {}\nColumn: {}\nJSONModel Property: {}\nErrors: {}",
            self.row.map_or_else(none, |row| row.to_string()),
            self.column.clone().unwrap_or_else(none),
            self.property.clone().unwrap_or_else(none),
            self.errors.join("\n")
        )
    }
}
