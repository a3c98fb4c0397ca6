//! Blocks on pages: where each stands, and when a page is full.

use crate::{
    block::{BULLET, Block, Span},
    draw::Drawing,
    lines::{Line, lines},
    page::{Command, MARGIN, Mark, PAGE, WIDTH, leading, place},
    shape::Shaper,
};

/// The size of ordinary letters.
const TEXT: f32 = 10.0;
const SMALL: f32 = 9.0;
/// The room for containers at the right.
const CONTAINERS: f32 = 120.0;
/// The room for the names of members at the left.
const LABELS: f32 = 112.0;
/// A step from the left.
const STEP: f32 = 14.0;
/// No component stands further to the right, however deep it is.
const DEEPEST: u8 = 10;
/// A heading that has less room below it goes to the next page.
const WITH_HEADING: f32 = 60.0;

/// What a run through a finding aid leaves.
pub(crate) struct Set {
    pub(crate) marks: Vec<Mark>,
    pub(crate) pages: usize,
    pub(crate) drawing: Option<Drawing>,
}

/// Sets blocks on pages; draws them, if it has a drawing.
pub(crate) struct Setter<'s> {
    shaper: &'s mut Shaper,
    drawing: Option<Drawing>,
    commands: Vec<Command>,
    marks: Vec<Mark>,
    y: f32,
    pages: usize,
    is_over: bool,
}

/// Lines that stand side by side: where they begin, and the lines.
type Column = (f32, Vec<Line>);

impl<'s> Setter<'s> {
    pub(crate) fn new(shaper: &'s mut Shaper, drawing: Option<Drawing>) -> Self {
        Self { shaper, drawing, commands: Vec::new(), marks: Vec::new(), y: MARGIN, pages: 0, is_over: false }
    }

    /// How many pages are full.
    pub(crate) fn pages(&self) -> usize {
        self.pages
    }

    /// Whether a page has become full since this was asked last.
    pub(crate) fn is_page_over(&mut self) -> bool {
        std::mem::take(&mut self.is_over)
    }

    pub(crate) fn end(mut self) -> Set {
        self.turn();
        Set { marks: self.marks, pages: self.pages, drawing: self.drawing }
    }

    fn turn(&mut self) {
        let commands = std::mem::take(&mut self.commands);
        if let Some(drawing) = &mut self.drawing {
            drawing.page(self.shaper, commands);
        }
        self.pages += 1;
        self.y = MARGIN;
        self.is_over = true;
    }

    /// Goes to the next page if this one has less room.
    fn need(&mut self, room: f32) {
        if self.y + room > PAGE.1 - MARGIN {
            self.turn();
        }
    }

    fn space(&mut self, room: f32) {
        if self.y > MARGIN {
            self.y += room;
        }
    }

    fn mark(&mut self, level: u8, text: &str) {
        self.marks.push(Mark { level, text: text.to_owned(), page: self.pages, y: self.y });
    }

    /// Sets one block.
    pub(crate) fn block(&mut self, block: &Block) {
        match block {
            Block::Heading { level, text } => self.heading(*level, text),
            Block::Paragraph { spans, indent } => {
                let x = f32::from(*indent) * STEP;
                let set = lines(self.shaper, spans, TEXT, WIDTH - x);
                self.columns(vec![(x, set)], TEXT);
                self.space(4.0);
            }
            Block::Pair { label, spans, indent } => {
                let x = f32::from(*indent) * STEP;
                let name = lines(self.shaper, &[Span::bold(label.as_str())], SMALL, LABELS - 8.0);
                let told = lines(self.shaper, spans, SMALL, WIDTH - x - LABELS);
                self.columns(vec![(x, name), (x + LABELS, told)], SMALL);
                self.space(3.0);
            }
            Block::Item { mark, spans, indent } => {
                let x = f32::from(*indent) * STEP;
                let room = if mark == BULLET { STEP } else { 2.0 * STEP };
                let mark = lines(self.shaper, &[Span::plain(mark.as_str())], TEXT, room);
                let told = lines(self.shaper, spans, TEXT, WIDTH - x - room);
                self.columns(vec![(x, mark), (x + room, told)], TEXT);
                self.space(2.0);
            }
            Block::Page => {
                if self.y > MARGIN {
                    self.turn();
                }
            }
            Block::Component { depth, spans, containers, in_contents } => {
                let x = f32::from((*depth).clamp(1, DEEPEST) - 1) * STEP;
                self.space(if in_contents.is_some() { 10.0 } else { 2.0 });
                self.need(if in_contents.is_some() { WITH_HEADING } else { leading(TEXT) });
                if let Some(text) = in_contents {
                    self.mark(depth.saturating_add(1), text);
                }
                let room = if containers.is_empty() { 0.0 } else { CONTAINERS };
                let title = lines(self.shaper, spans, TEXT, WIDTH - x - room - 8.0);
                let held = lines(self.shaper, &[Span::plain(containers.as_str())], TEXT, CONTAINERS);
                self.columns(vec![(x, title), (WIDTH - CONTAINERS, held)], TEXT);
                self.space(2.0);
            }
        }
    }

    fn heading(&mut self, level: u8, text: &str) {
        let (size, above) = if level == 1 { (15.0, 22.0) } else { (11.5, 12.0) };
        self.space(above);
        self.need(WITH_HEADING);
        self.mark(level, text);
        let set = lines(self.shaper, &[Span::bold(text)], size, WIDTH);
        self.columns(vec![(0.0, set)], size);
        if level == 1 {
            self.commands.push(Command::Rule { y: self.y + 1.0 });
            self.space(8.0);
        } else {
            self.space(3.0);
        }
    }

    fn columns(&mut self, columns: Vec<Column>, size: f32) {
        let rows = columns.iter().map(|(_, lines)| lines.len()).max().unwrap_or_default();
        let mut columns: Vec<_> = columns.into_iter().map(|(x, lines)| (x, lines.into_iter())).collect();
        for _ in 0..rows {
            self.need(leading(size));
            for (x, lines) in &mut columns {
                if let (Some(line), true) = (lines.next(), self.drawing.is_some()) {
                    place(&mut self.commands, line, MARGIN + *x, self.y + size, size);
                }
            }
            self.y += leading(size);
        }
    }
}
