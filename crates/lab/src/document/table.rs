//! Tables of documents.

use serde::Serialize;

use super::number;

/// A table. The first cell of a row names it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

/// A column.
#[derive(Debug, Clone, Serialize)]
pub struct Column {
    /// Its name, below that of its group.
    pub name: String,
    /// What neighbouring columns have in common.
    pub group: Option<String>,
    /// Whether it has numbers.
    pub numeric: bool,
}

/// Neighbouring columns of one group, or one column that is in none.
#[derive(Debug, Serialize)]
pub struct Heading<'a> {
    /// The group's name; none for a column on its own.
    pub group: Option<&'a str>,
    /// Its columns.
    pub columns: &'a [Column],
}

/// A cell.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Cell {
    /// What is in it.
    pub text: String,
    /// Whether it stands out.
    pub mark: Option<Mark>,
}

/// Why a cell stands out. A page shows it in colour, and the cell always says it in words or signs, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Better than before.
    Better,
    /// Worse than before, or above a threshold.
    Worse,
    /// As before.
    Stable,
    /// It cannot be told.
    Unstable,
}

impl Table {
    /// An empty table with columns of words.
    pub fn new(caption: impl Into<String>, columns: &[&str]) -> Self {
        let column = |name: &&str| Column {
            name: (*name).to_owned(),
            group: None,
            numeric: false,
        };
        Self {
            caption: caption.into(),
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
        }
    }

    /// One more column of numbers.
    pub fn number(&mut self, name: &str, group: Option<&str>) {
        self.columns.push(Column {
            name: name.to_owned(),
            group: group.map(str::to_owned),
            numeric: true,
        });
    }

    /// More columns of numbers.
    pub fn numbers(&mut self, names: &[&str], group: Option<&str>) {
        names.iter().for_each(|name| self.number(name, group));
    }

    /// One more row, made as long as there are columns.
    pub fn row(&mut self, mut cells: Vec<Cell>) {
        cells.resize_with(self.columns.len(), Cell::none);
        self.rows.push(cells);
    }

    /// The columns by their groups, in order.
    pub fn headings(&self) -> Vec<Heading<'_>> {
        let together = |one: &Column, next: &Column| one.group.is_some() && one.group == next.group;
        let heading = |columns| Heading {
            group: <[Column]>::first(columns).and_then(|column| column.group.as_deref()),
            columns,
        };
        self.columns.chunk_by(together).map(heading).collect()
    }
}

impl Column {
    /// Its name with that of its group, for tables that have one line of headings.
    pub fn full_name(&self) -> String {
        match &self.group {
            Some(group) => format!("{group}: {}", self.name),
            None => self.name.clone(),
        }
    }
}

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            mark: None,
        }
    }

    /// A number with so many decimals.
    pub fn number(value: f64, decimals: usize) -> Self {
        Self::text(number::number(value, decimals))
    }

    /// A whole number.
    pub fn count(value: u64) -> Self {
        Self::text(number::count(value))
    }

    /// Milliseconds.
    pub fn millis(value: f64) -> Self {
        Self::text(number::millis(value))
    }

    /// There is no such figure.
    pub fn none() -> Self {
        Self::text("—")
    }

    /// The same, standing out.
    pub fn marked(self, mark: Mark) -> Self {
        Self {
            mark: Some(mark),
            ..self
        }
    }
}
