//! Reports: a title, and lines below it.

use std::io;

use crate::{
    PrintError, Printed, Progress,
    block::{BULLET, Block, Front, Span},
    draw::Drawing,
    fonts::Fonts,
    pages::{Set, Setter},
    shape::Shaper,
};

/// A line of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// What comes next begins a page.
    Page,
    /// A heading, which is in the outline of the PDF.
    Heading(String),
    /// A name at the left, and what it is.
    Pair(String, String),
    /// An entry of a list, so many steps from the left: names, which may be empty, and what they are.
    Item(u8, Vec<(String, String)>),
}

impl Line {
    fn block(self) -> Block {
        match self {
            Self::Page => Block::Page,
            Self::Heading(text) => Block::Heading { level: 2, text },
            Self::Pair(label, text) => Block::Pair { label, spans: vec![Span::plain(text)], indent: 0 },
            Self::Item(indent, pairs) => {
                let mut spans = Vec::new();
                for (place, (name, text)) in pairs.into_iter().enumerate() {
                    if place > 0 {
                        spans.push(Span::plain("; "));
                    }
                    if !name.is_empty() {
                        spans.push(Span::bold(format!("{name}: ")));
                    }
                    spans.push(Span::plain(text));
                }
                Block::Item { mark: BULLET.to_owned(), spans, indent }
            }
        }
    }
}

/// Prints a report whose lines `open` gives, twice. `goes_on` is asked after each page; `false` cancels. `most` is the number of
/// pages that it may have.
///
/// # Errors
/// [`PrintError`].
pub fn print_lines<I: Iterator<Item = io::Result<Line>>>(
    title: &str,
    open: impl Fn() -> io::Result<I>,
    most: usize,
    mut goes_on: impl FnMut(Progress) -> bool,
) -> Result<Printed, PrintError> {
    let mut shaper = Shaper::new(Fonts::built_in());
    let mut set = |run: u8, shaper: &mut Shaper, drawing: Option<Drawing>| -> Result<Set, PrintError> {
        let mut setter = Setter::new(shaper, drawing);
        setter.block(&Block::Heading { level: 1, text: title.to_owned() });
        for line in open()? {
            setter.block(&line?.block());
            if setter.is_page_over() {
                if setter.pages() > most {
                    return Err(PrintError::TooLong(most));
                }
                if !goes_on(Progress { run, pages: setter.pages() }) {
                    return Err(PrintError::Canceled);
                }
            }
        }
        Ok(setter.end())
    };
    let measured = set(1, &mut shaper, None)?;
    if measured.pages > most {
        return Err(PrintError::TooLong(most));
    }
    let front = Front { title: title.to_owned(), ..Front::default() };
    let drawn = set(2, &mut shaper, Some(Drawing::new(&front, measured.pages)))?;
    let drawing = drawn.drawing.ok_or_else(|| PrintError::Pdf("nothing was drawn".to_owned()))?;
    let pdf = drawing.finish(&drawn.marks, 0)?;
    Ok(Printed { pdf, pages: measured.pages, missing: shaper.into_missing() })
}
