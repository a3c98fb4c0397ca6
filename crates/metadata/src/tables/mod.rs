//! Tables: labels of containers, and sheets to fill in (contract 3.5).

mod labels;
mod sheets;

use csv::{Terminator, WriterBuilder};
pub use labels::Labels;
pub use sheets::Sheet;

/// Adds a row to a text. An empty cell stays empty.
fn add_row<'t>(text: &mut Vec<u8>, delimiter: u8, row: impl IntoIterator<Item = &'t str>) {
    let mut builder = WriterBuilder::new();
    builder.delimiter(delimiter).terminator(Terminator::Any(b'\n'));
    builder.from_writer(text).write_record(row).expect("a vector takes all rows");
}
