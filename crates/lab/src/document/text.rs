//! Documents for the terminal: tables with aligned columns.

use std::fmt::Write;

use super::{Block, Document, table::Table};

/// Renders the document without charts.
pub fn render(document: &Document) -> String {
    let mut text = format!("{}\n{}\n", document.title, document.about);
    for section in document.sections.iter().filter(|section| section.has_words()) {
        let rule = "─".repeat(section.title.chars().count());
        let _ = write!(text, "\n{}\n{rule}\n", section.title);
        section.blocks.iter().for_each(|one| block(&mut text, one));
    }
    text
}

// Writing to a String does not fail, here and below.
fn block(text: &mut String, block: &Block) {
    let _ = match block {
        Block::Text(paragraph) => writeln!(text, "{paragraph}"),
        Block::List(items) => items.iter().try_for_each(|item| writeln!(text, "• {item}")),
        Block::Warnings(items) => items.iter().try_for_each(|item| writeln!(text, "! {item}")),
        Block::Command(command) => writeln!(text, "  {command}"),
        Block::Table(shown) => table(text, shown),
        Block::Chart(_) => Ok(()),
    };
}

fn table(text: &mut String, table: &Table) -> std::fmt::Result {
    let names: Vec<String> = table.columns.iter().map(|one| one.full_name()).collect();
    let width = |at: usize| {
        let cells = table.rows.iter().map(|row| row[at].text.chars().count());
        cells.chain([names[at].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..names.len()).map(width).collect();
    let print = |text: &mut String, cells: &[&str]| {
        let mut line = String::new();
        for ((cell, &width), column) in cells.iter().zip(&widths).zip(&table.columns) {
            if column.numeric {
                write!(line, "{cell:>width$}  ")?;
            } else {
                write!(line, "{cell:<width$}  ")?;
            }
        }
        writeln!(text, "{}", line.trim_end())
    };
    write!(text, "\n{}\n", table.caption)?;
    print(text, &names.iter().map(String::as_str).collect::<Vec<_>>())?;
    for row in &table.rows {
        print(text, &row.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};

    #[test]
    fn a_document_for_the_terminal() {
        insta::assert_snapshot!(render(&sample::document()));
    }
}
