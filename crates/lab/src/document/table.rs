//! Tables of documents.

use serde::Serialize;

use super::number;

/// A table. The first cell of each row is its name.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Table {
    pub caption: String,
    pub columns: Vec<Column>,
    /// Each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Column {
    /// Header below that of its group.
    pub name: String,
    /// Common header of neighbouring columns.
    pub group: Option<String>,
    /// Whether it contains numbers.
    pub numeric: bool,
}

/// Neighbouring columns of one group, or one column without a group.
#[derive(Debug, Serialize)]
pub(crate) struct Heading<'a> {
    /// `None` for a column without a group.
    pub group: Option<&'a str>,
    pub columns: &'a [Column],
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct Cell {
    pub text: String,
    pub mark: Option<Mark>,
}

/// Highlighting of a cell. A page shows it in colour; the cell's text always says the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    Better,
    /// Worse than before, or above a threshold.
    Worse,
    Stable,
    Unstable,
}

impl Table {
    /// An empty table with text columns.
    pub fn new(caption: impl Into<String>, columns: &[&str]) -> Self {
        let column = |name: &&str| Column { name: (*name).to_owned(), group: None, numeric: false };
        Self { caption: caption.into(), columns: columns.iter().map(column).collect(), rows: Vec::new() }
    }

    /// Adds a column of numbers.
    pub fn number(&mut self, name: &str, group: Option<&str>) {
        self.columns.push(Column { name: name.to_owned(), group: group.map(str::to_owned), numeric: true });
    }

    /// Adds columns of numbers.
    pub fn numbers(&mut self, names: &[&str], group: Option<&str>) {
        names.iter().for_each(|name| self.number(name, group));
    }

    /// Adds a row, padded to the number of columns.
    pub fn row(&mut self, mut cells: Vec<Cell>) {
        cells.resize_with(self.columns.len(), Cell::none);
        self.rows.push(cells);
    }

    /// The columns by group, in order.
    pub(crate) fn headings(&self) -> Vec<Heading<'_>> {
        let together = |one: &Column, next: &Column| one.group.is_some() && one.group == next.group;
        let heading =
            |columns| Heading { group: <[Column]>::first(columns).and_then(|column| column.group.as_deref()), columns };
        self.columns.chunk_by(together).map(heading).collect()
    }
}

impl Column {
    /// Its name with that of its group, for tables with one header line.
    pub(crate) fn full_name(&self) -> String {
        match &self.group {
            Some(group) => format!("{group}: {}", self.name),
            None => self.name.clone(),
        }
    }
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), mark: None }
    }

    /// A number with `decimals` digits after the point.
    pub fn number(value: f64, decimals: usize) -> Self {
        Self::text(number::number(value, decimals))
    }

    /// A whole number.
    pub fn count(value: u64) -> Self {
        Self::text(number::count(value))
    }

    pub fn millis(value: f64) -> Self {
        Self::text(number::millis(value))
    }

    /// A missing figure.
    pub fn none() -> Self {
        Self::text("—")
    }

    /// Highlights the cell.
    pub fn marked(self, mark: Mark) -> Self {
        Self { mark: Some(mark), ..self }
    }
}
