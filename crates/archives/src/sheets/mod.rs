//! Spreadsheets that staff fill in, as csv or xlsx (contract 3.5): their rows, and the columns by their field codes.

mod read;
mod table;

pub(crate) use read::{Format, Row, SheetError, rows};
pub(crate) use table::{Line, Table};
