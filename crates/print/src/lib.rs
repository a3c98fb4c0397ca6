//! Finding aids on paper: from EAD to PDF, with a title page, contents with page numbers and links, the description, and the
//! inventory with its containers; and reports, line by line. The crate knows EAD and pages, and nothing of records.
//!
//! What is printed is read twice: once to learn on which page everything is, once to draw it. So memory grows with the pages
//! alone, and the contents can name them.
//!
//! | Topic | Module |
//! |---|---|
//! | XML as elements | `element` |
//! | lines of a report | `report` |
//! | EAD as parts of a page | `ead`, `did`, `texts`, `block` |
//! | fonts, and which has a character | `fonts` |
//! | words as glyphs, and lines of words | `shape`, `lines` |
//! | pages | `page`, `pages`, `draw`, `contents` |

mod block;
mod contents;
mod did;
mod draw;
mod ead;
mod element;
mod fonts;
mod lines;
mod numbering;
mod page;
mod pages;
mod report;
mod shape;
mod texts;

use std::{
    collections::BTreeSet,
    io::{self, BufRead},
};

pub use report::{Line, print_lines};

use crate::{block::Front, contents::Contents, draw::Drawing, ead::Ead, fonts::Fonts, pages::Setter, shape::Shaper};

/// A finding aid on paper.
#[derive(Debug)]
pub struct Printed {
    /// The PDF.
    pub pdf: Vec<u8>,
    pub pages: usize,
    /// Characters that no font on this machine has. Boxes stand in their place.
    pub missing: BTreeSet<char>,
}

/// Why a finding aid was not printed.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// The finding aid cannot be read.
    #[error("the finding aid cannot be read: {0}")]
    Source(String),
    #[error("the finding aid cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It would have more pages than the limit.
    #[error(
        "the finding aid would have more than {0} pages, which is the most that is printed; export it as EAD \
         (resource_descriptions/:id.xml) and set that with another program, leave out what is not published, or divide the \
         collection into several resources"
    )]
    TooLong(usize),
    /// The caller wants no more of it.
    #[error("the printing was canceled")]
    Canceled,
    /// The PDF cannot be written, which is a bug.
    #[error("the PDF cannot be written: {0}")]
    Pdf(String),
}

/// How far a printing is: pages set in this run through the finding aid, and which run it is, of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub run: u8,
    pub pages: usize,
}

/// Prints a finding aid in EAD 2002 that `open` opens, twice. `goes_on` is asked after each page; `false` cancels. `most` is
/// the number of pages that it may have.
///
/// # Errors
/// [`PrintError`].
pub fn print<R: BufRead>(
    open: impl Fn() -> io::Result<R>,
    most: usize,
    mut goes_on: impl FnMut(Progress) -> bool,
) -> Result<Printed, PrintError> {
    let mut shaper = Shaper::new(Fonts::built_in());
    let mut set = |run: u8, shaper: &mut Shaper, drawing: Option<Drawing>| {
        let mut setter = Setter::new(shaper, drawing);
        let mut ead = Ead::new(open()?);
        while let Some(block) = ead.next()? {
            setter.block(&block);
            if setter.is_page_over() {
                if setter.pages() > most {
                    return Err(PrintError::TooLong(most));
                }
                if !goes_on(Progress { run, pages: setter.pages() }) {
                    return Err(PrintError::Canceled);
                }
            }
        }
        let front: Front = ead.into_front();
        Ok((setter.end(), front))
    };
    let (measured, front) = set(1, &mut shaper, None)?;
    let mut contents = Contents::new(&measured.marks, &mut shaper);
    let total = 1 + contents.pages() + measured.pages;
    if total > most {
        return Err(PrintError::TooLong(most));
    }
    let mut drawing = Drawing::new(&front, total);
    contents::title_page(&front, &mut shaper, &mut drawing);
    contents.draw(&mut shaper, &mut drawing);
    let (drawn, _) = set(2, &mut shaper, Some(drawing))?;
    let drawing = drawn.drawing.ok_or_else(|| PrintError::Pdf("nothing was drawn".to_owned()))?;
    let pdf = drawing.finish(&contents.marks, contents.first_page())?;
    Ok(Printed { pdf, pages: total, missing: shaper.into_missing() })
}
