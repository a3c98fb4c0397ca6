//! Documents as Markdown, for release notes, pull requests and wikis.

use std::fmt::Write;

use super::{Block, Document, table::Table};

/// Renders the document without charts.
pub fn render(document: &Document) -> String {
    let mut text = format!("# {}\n\n{}\n", line(&document.title), line(&document.about));
    for section in document.sections.iter().filter(|section| section.has_words()) {
        let _ = write!(text, "\n## {}\n", line(&section.title));
        section.blocks.iter().for_each(|one| block(&mut text, one));
    }
    text
}

// Writing to a String does not fail, here and below.
fn block(text: &mut String, block: &Block) {
    let _ = match block {
        Block::Text(paragraph) => write!(text, "\n{}\n", line(paragraph)),
        Block::List(items) => {
            text.push('\n');
            items.iter().try_for_each(|item| writeln!(text, "- {}", line(item)))
        }
        Block::Warnings(items) => {
            text.push('\n');
            items.iter().try_for_each(|item| writeln!(text, "> **Note:** {}  ", line(item)))
        }
        Block::Command(command) => write!(text, "\n```sh\n{command}\n```\n"),
        Block::Table(shown) => table(text, shown),
        Block::Chart(_) => Ok(()),
    };
}

fn table(text: &mut String, table: &Table) -> std::fmt::Result {
    write!(text, "\n**{}**\n\n", line(&table.caption))?;
    let names = table.columns.iter().map(|column| column.full_name());
    row(text, names)?;
    let rules = table.columns.iter();
    let rules = rules.map(|column| if column.numeric { "---:" } else { "---" });
    writeln!(text, "| {} |", rules.collect::<Vec<_>>().join(" | "))?;
    for cells in &table.rows {
        row(text, cells.iter().map(|cell| cell.text.clone()))?;
    }
    Ok(())
}

fn row(text: &mut String, cells: impl Iterator<Item = String>) -> std::fmt::Result {
    let cells: Vec<_> = cells.map(|cell| line(&cell)).collect();
    writeln!(text, "| {} |", cells.join(" | "))
}

/// Puts text on one line and escapes Markdown and HTML.
fn line(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' => safe.push(' '),
            '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '\\' | '#' => {
                safe.push('\\');
                safe.push(character);
            }
            _ => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};

    #[test]
    fn a_document_in_markdown() {
        insta::assert_snapshot!(render(&sample::document()));
    }
}
