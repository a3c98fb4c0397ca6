//! A spreadsheet with field codes: one row names the columns for the program, other rows above and below it name them for
//! people. Only rows of data have nothing in the first column.

use std::collections::HashMap;

use super::{Row, SheetError};

/// The rows of data, with their columns by field code.
#[derive(Debug, Default)]
pub(crate) struct Table {
    columns: HashMap<String, usize>,
    /// Field codes in their order.
    pub codes: Vec<String>,
    rows: Vec<Row>,
}

/// A row of data. Cells can be changed while it is worked on.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    pub table: &'a Table,
    pub number: usize,
    cells: Vec<Option<String>>,
}

impl Table {
    /// Finds the row with field codes: the first whose first cell has the text. `below_title` are further rows for people.
    ///
    /// # Errors
    /// There is none, or a code is there twice.
    pub(crate) fn with_codes(rows: Vec<Row>, marker: &str) -> Result<Self, SheetError> {
        let is_codes =
            |row: &Row| row.cells.first().and_then(Option::as_deref).is_some_and(|first| first.contains(marker));
        let at = rows.iter().position(is_codes).ok_or(SheetError::NoHeader)?;
        let codes = rows[at].cells.clone();
        let data = rows.into_iter().skip(at + 1).filter(|row| row.cells.first().is_none_or(Option::is_none));
        Self::new(codes, data.collect())
    }

    /// A sheet whose second row has the codes; all rows below are data.
    ///
    /// # Errors
    /// There is no such row, or a code is there twice.
    pub(crate) fn below_titles(rows: Vec<Row>) -> Result<Self, SheetError> {
        let codes = rows.iter().find(|row| row.number == 2).ok_or(SheetError::NoHeader)?.cells.clone();
        Self::new(codes, rows.into_iter().filter(|row| row.number > 2).collect())
    }

    fn new(codes: Vec<Option<String>>, rows: Vec<Row>) -> Result<Self, SheetError> {
        let mut table = Self::default();
        let mut twice = String::new();
        for (place, code) in codes.into_iter().enumerate() {
            let Some(code) = code else { continue };
            if table.columns.insert(code.clone(), place).is_some() {
                twice.push_str(&format!(" {code},"));
            }
            table.codes.push(code);
        }
        if !twice.is_empty() {
            return Err(SheetError::Duplicates(twice));
        }
        table.rows = rows.into_iter().filter(|row| row.cells.iter().any(Option::is_some)).collect();
        Ok(table)
    }

    /// The rows of data that are not empty.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.rows.iter().map(|row| Line { table: self, number: row.number, cells: row.cells.clone() })
    }

    /// The field codes that begin with a text, each with what comes after it.
    pub(crate) fn codes_after<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.codes.iter().filter_map(move |code| Some((code.as_str(), code.strip_prefix(prefix)?)))
    }
}

impl Line<'_> {
    /// The cell of a column.
    pub(crate) fn get(&self, code: &str) -> Option<&str> {
        self.cells.get(*self.table.columns.get(code)?)?.as_deref()
    }

    /// The cell of a numbered column: `number_2`, and `number` for an empty `suffix`.
    pub(crate) fn numbered(&self, code: &str, suffix: &str) -> Option<&str> {
        self.get(&format!("{code}{suffix}"))
    }

    /// The cell as an owned text.
    pub(crate) fn text(&self, code: &str) -> Option<String> {
        self.get(code).map(str::to_owned)
    }

    /// The cell as yes or no: `t`, `true` and `1` are yes, all else is no, and an empty one neither.
    pub(crate) fn flag(&self, code: &str) -> Option<bool> {
        let text = self.get(code)?.to_lowercase();
        Some(["t", "1", "true"].contains(&text.as_str()))
    }

    /// Whether the row has one of these columns filled.
    pub(crate) fn has_any(&self, codes: &[&str], suffix: &str) -> bool {
        codes.iter().any(|code| self.numbered(code, suffix).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, rows};
    use super::*;

    fn table(csv: &str, marker: &str) -> Result<Table, SheetError> {
        Table::with_codes(rows(csv.into(), Format::Csv, None).expect("rows"), marker)
    }

    #[test]
    fn data_are_below_the_codes_and_have_nothing_in_the_first_column() {
        let csv =
            "Title for people\nfield code (keep),title,publish\nField name,Title,Publish?\n,Letters,TRUE\n,,\n,x,no\n";
        let table = table(csv, "field code").expect("a table");
        let found: Vec<_> = table.lines().map(|line| (line.number, line.text("title"), line.flag("publish"))).collect();
        assert_eq!(found, [(4, Some("Letters".to_owned()), Some(true)), (6, Some("x".to_owned()), Some(false))]);
        let line = table.lines().next().expect("a line");
        assert_eq!((line.get("level"), line.flag("level")), (None, None));
    }

    #[test]
    fn codes_must_be_there_once() {
        assert_eq!(table("a,b\n", "field code").map(|_| ()), Err(SheetError::NoHeader));
        let twice = table("field code,a,b,a,b\n", "field code").map(|_| ());
        assert_eq!(twice, Err(SheetError::Duplicates(" a, b,".to_owned())));
    }

    #[test]
    fn codes_may_be_in_the_second_row() {
        let found = rows("Id,Title\nid,title\n7,Letters\n".into(), Format::Csv, None).expect("rows");
        let table = Table::below_titles(found).expect("a table");
        let ids: Vec<_> = table.lines().filter_map(|line| line.text("id")).collect();
        assert_eq!((ids, table.codes.len()), (vec!["7".to_owned()], 2));
        assert_eq!(table.codes_after("ti").collect::<Vec<_>>(), [("title", "tle")]);
    }
}
