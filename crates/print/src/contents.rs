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
/// How far down the title is.
const TITLE: f32 = 180.0;
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

/// A part of the title page: its lines, their size and the space after them.
struct Part {
    lines: Vec<Line>,
    size: f32,
    after: f32,
}

impl Part {
    fn height(&self) -> f32 {
        if self.lines.is_empty() { 0.0 } else { self.lines.len() as f32 * leading(self.size) + self.after }
    }
}

/// Draws the title page. What is long begins further up.
pub(crate) fn title_page(front: &Front, shaper: &mut Shaper, drawing: &mut Drawing) {
    let mut part = |span: Span, size: f32, after: f32| Part { lines: lines(shaper, &[span], size, WIDTH), size, after };
    let mut upper = vec![
        part(Span::bold(front.title.as_str()), 24.0, 10.0),
        part(Span::plain(front.subtitle.as_str()), 14.0, 10.0),
        part(Span::plain(front.identifier.as_str()), 12.0, 16.0),
        part(Span::plain(front.author.as_str()), 12.0, 16.0),
    ];
    upper.extend(front.notes.iter().map(|line| part(Span::plain(line.as_str()), 10.0, 4.0)));
    let publisher = front.publisher.iter().enumerate();
    let span = |(place, line): (usize, &String)| match place {
        0 => Span::bold(line.as_str()),
        _ => Span::plain(line.as_str()),
    };
    let lower: Vec<Part> = publisher.map(|line| part(span(line), 10.0, 0.0)).collect();
    let height = |parts: &[Part]| parts.iter().map(Part::height).sum::<f32>();
    let bottom = PAGE.1 - MARGIN - height(&lower);
    let mut commands: Vec<Command> = Vec::new();
    let mut y = TITLE.min(bottom - height(&upper)).max(MARGIN);
    let mut draw = |parts: Vec<Part>, y: &mut f32| {
        for Part { lines, size, after } in parts {
            let space = if lines.is_empty() { 0.0 } else { after };
            for line in lines {
                if *y + leading(size) <= PAGE.1 - MARGIN + 1.0 {
                    place(&mut commands, line, MARGIN, *y + size, size);
                }
                *y += leading(size);
            }
            *y += space;
        }
    };
    draw(upper, &mut y);
    let mut y = y.max(bottom - 20.0);
    draw(lower, &mut y);
    drawing.plain_page(commands);
}
