//! The title page and the contents.

use krilla::geom::Rect;

use crate::{
    block::{Front, Span},
    draw::{Drawing, Jump},
    lines::{Line, lines, one_line},
    page::{Command, MARGIN, Mark, PAGE, WIDTH, leading, place},
    shape::Shaper,
};

/// The size of letters in the contents.
const SIZE: f32 = 10.0;
/// The room for page numbers.
const NUMBERS: f32 = 40.0;
/// How much of the first page the heading takes, in lines.
const HEADING: usize = 3;
/// How many places the contents have at most; what is deeper is left out first.
const MOST: usize = 2000;

/// A line of the contents.
struct Row {
    x: f32,
    line: Line,
    /// The mark that it is of, in its first line.
    mark: Option<usize>,
}

/// The contents of a finding aid.
pub(crate) struct Contents {
    pub(crate) marks: Vec<Mark>,
    rows: Vec<Row>,
}

impl Contents {
    pub(crate) fn new(marks: &[Mark], shaper: &mut Shaper) -> Self {
        let deepest = (2..=4).rev().find(|level| marks.iter().filter(|mark| mark.level <= *level).count() <= MOST);
        let deepest = deepest.unwrap_or(1);
        let marks: Vec<Mark> = marks.iter().filter(|mark| mark.level <= deepest).take(MOST).cloned().collect();
        let mut rows = Vec::new();
        for (place, mark) in marks.iter().enumerate() {
            let x = f32::from(mark.level.saturating_sub(1)) * 14.0;
            let span = if mark.level == 1 { Span::bold(mark.text.as_str()) } else { Span::plain(mark.text.as_str()) };
            for (number, line) in lines(shaper, &[span], SIZE, WIDTH - NUMBERS - x).into_iter().enumerate() {
                rows.push(Row { x, line, mark: (number == 0).then_some(place) });
            }
        }
        Self { marks, rows }
    }

    fn of_page() -> usize {
        ((PAGE.1 - 2.0 * MARGIN) / leading(SIZE)) as usize
    }

    /// How many pages they take.
    pub(crate) fn pages(&self) -> usize {
        (self.rows.len() + HEADING).div_ceil(Self::of_page()).max(1)
    }

    /// The first page of the description, of the whole, from 0.
    pub(crate) fn first_page(&self) -> usize {
        1 + self.pages()
    }

    /// Draws them. Each line leads to its place.
    pub(crate) fn draw(&mut self, shaper: &mut Shaper, drawing: &mut Drawing) {
        let first = self.first_page();
        let mut commands = Vec::new();
        let (heading, _) = one_line(shaper, &[Span::bold("Contents")], 15.0);
        place(&mut commands, heading, MARGIN, MARGIN + 15.0, 15.0);
        let (mut jumps, mut row) = (Vec::new(), HEADING);
        for Row { x, line, mark } in std::mem::take(&mut self.rows) {
            if row == Self::of_page() {
                drawing.page_with(shaper, std::mem::take(&mut commands), std::mem::take(&mut jumps));
                row = 0;
            }
            let top = MARGIN + row as f32 * leading(SIZE);
            place(&mut commands, line, MARGIN + x, top + SIZE, SIZE);
            if let Some(mark) = mark.and_then(|mark| self.marks.get(mark)) {
                let page = first + mark.page;
                let (number, width) = one_line(shaper, &[Span::plain((page + 1).to_string())], SIZE);
                place(&mut commands, number, MARGIN + WIDTH - width, top + SIZE, SIZE);
                let rect = Rect::from_xywh(MARGIN + x, top, WIDTH - x, leading(SIZE));
                jumps.extend(rect.map(|rect| Jump { rect, page, y: mark.y }));
            }
            row += 1;
        }
        drawing.page_with(shaper, commands, jumps);
    }
}

/// Draws the title page.
pub(crate) fn title_page(front: &Front, shaper: &mut Shaper, drawing: &mut Drawing) {
    let mut commands: Vec<Command> = Vec::new();
    let mut y = 180.0;
    let mut add = |spans: Vec<Span>, size: f32, after: f32, y: &mut f32| {
        for line in lines(shaper, &spans, size, WIDTH) {
            if *y + leading(size) > PAGE.1 - MARGIN {
                return;
            }
            place(&mut commands, line, MARGIN, *y + size, size);
            *y += leading(size);
        }
        *y += after;
    };
    add(vec![Span::bold(front.title.as_str())], 24.0, 10.0, &mut y);
    add(vec![Span::plain(front.subtitle.as_str())], 14.0, 10.0, &mut y);
    add(vec![Span::plain(front.identifier.as_str())], 12.0, 16.0, &mut y);
    add(vec![Span::plain(front.author.as_str())], 12.0, 16.0, &mut y);
    for line in &front.notes {
        add(vec![Span::plain(line.as_str())], 10.0, 4.0, &mut y);
    }
    let taken = front.publisher.len() as f32 * leading(10.0);
    let mut y = y.max(PAGE.1 - MARGIN - taken - 20.0);
    for (place, line) in front.publisher.iter().enumerate() {
        let span = if place == 0 { Span::bold(line.as_str()) } else { Span::plain(line.as_str()) };
        add(vec![span], 10.0, 0.0, &mut y);
    }
    drawing.plain_page(commands);
}
