//! The content of a report or comparison: sections of sentences, tables and charts.
//!
//! One document is rendered in three ways, so that they cannot differ: [`html`] for people, [`markdown`] for release
//! notes and pull requests, [`text`] for the terminal.

pub(crate) mod chart;
pub mod html;
pub mod markdown;
pub(crate) mod number;
pub(crate) mod table;
pub mod text;

use serde::Serialize;

use chart::Chart;
use table::Table;

#[derive(Debug, Clone, Default, Serialize)]
pub struct Document {
    pub title: String,
    /// Subtitle.
    pub about: String,
    pub sections: Vec<Section>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Section {
    pub title: String,
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "content")]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// Related sentences.
    List(Vec<String>),
    /// What a reader should know before trusting the figures.
    Warnings(Vec<String>),
    Table(Table),
    /// Only a page can show it.
    Chart(Chart),
    /// A command line.
    Command(String),
}

impl Section {
    /// A section; `None` if it would be empty.
    pub fn of(title: &str, blocks: Vec<Block>) -> Option<Self> {
        let has_content = blocks.iter().any(|block| !block.is_empty());
        has_content.then(|| Self {
            title: title.to_owned(),
            blocks: blocks.into_iter().filter(|block| !block.is_empty()).collect(),
        })
    }
}

impl Section {
    /// Whether it contains anything but charts.
    fn has_words(&self) -> bool {
        self.blocks.iter().any(|block| !matches!(block, Block::Chart(_)))
    }
}

impl Block {
    fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) | Self::Command(text) => text.is_empty(),
            Self::List(items) | Self::Warnings(items) => items.is_empty(),
            Self::Table(table) => table.rows.is_empty(),
            Self::Chart(chart) => chart.svg.is_empty(),
        }
    }
}

#[cfg(test)]
pub(crate) mod sample {
    use super::{
        table::{Cell, Mark, Table},
        *,
    };

    /// A document with one block of each type.
    pub fn document() -> Document {
        let mut table = Table::new("Response times, \"desk\" | all", &["Request"]);
        table.number("Average", Some("Check-in"));
        table.number("p95", Some("Check-in"));
        table.row(vec![
            Cell::text("GET <item> | by *barcode*"),
            Cell::number(12.5, 1),
            Cell::number(1234.0, 0).marked(Mark::Worse),
        ]);
        let blocks = vec![
            Block::Text("Check-in & check-out.".to_owned()),
            Block::List(vec!["One.".to_owned(), "Two.".to_owned()]),
            Block::Warnings(vec!["The generator was the limit.".to_owned()]),
            Block::Command("carrel lab run --users 1,5".to_owned()),
            Block::Table(table),
            Block::Text(String::new()),
        ];
        Document {
            title: "A run".to_owned(),
            about: "22 November 2026".to_owned(),
            sections: Section::of("Summary", blocks).into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_section_is_left_out() {
        assert!(Section::of("Errors", vec![Block::List(Vec::new())]).is_none());
        let section = Section::of("Errors", vec![Block::Text(String::new()), Block::Text("One.".into())]);
        assert_eq!(section.expect("a section").blocks.len(), 1);
    }
}
