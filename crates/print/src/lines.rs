//! Lines of words: where a paragraph breaks, and in which order its words stand.

use std::{ops::Range, sync::Arc};

use unicode_bidi::BidiInfo;
use unicode_linebreak::linebreaks;

use crate::{
    block::{Face, Span},
    shape::{Shaped, Shaper},
};

/// A word where it stands.
pub(crate) struct Placed {
    /// From the left of the line, in points.
    pub(crate) x: f32,
    pub(crate) shaped: Arc<Shaped>,
    pub(crate) link: Option<Arc<str>>,
    pub(crate) width: f32,
}

/// A line of a paragraph.
pub(crate) struct Line {
    pub(crate) words: Vec<Placed>,
}

/// A part of the text that is drawn in one go: of one span and one direction, a word or the space after it.
struct Piece {
    range: Range<usize>,
    face: Face,
    link: Option<Arc<str>>,
    right_to_left: bool,
    shaped: Arc<Shaped>,
    is_space: bool,
    /// Whether a line may end after it.
    may_end: bool,
    /// Whether it must.
    must_end: bool,
}

/// Sets spans in lines of so many points.
pub(crate) fn lines(shaper: &mut Shaper, spans: &[Span], size: f32, width: f32) -> Vec<Line> {
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    if text.trim().is_empty() {
        return Vec::new();
    }
    let directions = Directions::of(&text);
    let pieces = pieces(shaper, spans, &text, &directions);
    let mut lines = Vec::new();
    let mut line: Vec<Piece> = Vec::new();
    let mut word: Vec<Piece> = Vec::new();
    let taken = |pieces: &[Piece]| pieces.iter().map(|piece| piece.shaped.width * size).sum::<f32>();
    // A space at the end takes no room.
    let inked = |pieces: &[Piece]| {
        let spaces = pieces.iter().rev().take_while(|piece| piece.is_space).count();
        taken(&pieces[..pieces.len() - spaces])
    };
    for piece in pieces {
        let (may_end, must_end) = (piece.may_end, piece.must_end);
        word.push(piece);
        if !may_end {
            continue;
        }
        if !line.is_empty() && taken(&line) + inked(&word) > width {
            lines.push(std::mem::take(&mut line));
        }
        for part in fitting(shaper, std::mem::take(&mut word), &text, size, width) {
            if !line.is_empty() && taken(&line) + inked(&part) > width {
                lines.push(std::mem::take(&mut line));
            }
            line.extend(part);
        }
        if must_end {
            lines.push(std::mem::take(&mut line));
        }
    }
    line.extend(word);
    if !line.is_empty() {
        lines.push(line);
    }
    lines.into_iter().map(|line| directions.ordered(line, size, width)).collect()
}

/// The whole text on one line, whatever its width.
pub(crate) fn one_line(shaper: &mut Shaper, spans: &[Span], size: f32) -> (Line, f32) {
    let mut lines = lines(shaper, spans, size, f32::MAX);
    let line = if lines.is_empty() { Line { words: Vec::new() } } else { lines.remove(0) };
    let width = line.words.iter().map(|word| word.x + word.width).fold(0.0, f32::max);
    (line, width)
}

/// A word that is wider than a line in parts that are not.
fn fitting(shaper: &mut Shaper, word: Vec<Piece>, text: &str, size: f32, width: f32) -> Vec<Vec<Piece>> {
    if word.iter().all(|piece| piece.is_space || piece.shaped.width * size <= width) {
        return vec![word];
    }
    let mut parts = Vec::new();
    for piece in word {
        if piece.is_space || piece.shaped.width * size <= width {
            parts.push(vec![piece]);
            continue;
        }
        let mut start = piece.range.start;
        let mut shown: Option<(usize, Arc<Shaped>)> = None;
        let ends = text[piece.range.clone()].char_indices().map(|(at, c)| piece.range.start + at + c.len_utf8());
        let cut = |from: usize, to: usize, shaped: Arc<Shaped>| Piece {
            range: from..to,
            shaped,
            link: piece.link.clone(),
            face: piece.face,
            right_to_left: piece.right_to_left,
            is_space: false,
            may_end: true,
            must_end: false,
        };
        for end in ends {
            let shaped = shaper.shape(&text[start..end], piece.face, piece.right_to_left);
            match shown.take() {
                Some((before, fits)) if shaped.width * size > width => {
                    parts.push(vec![cut(start, before, fits)]);
                    start = before;
                    shown = Some((end, shaper.shape(&text[start..end], piece.face, piece.right_to_left)));
                }
                _ => shown = Some((end, shaped)),
            }
        }
        parts.extend(shown.map(|(end, shaped)| vec![cut(start, end, shaped)]));
    }
    parts
}

fn pieces(shaper: &mut Shaper, spans: &[Span], text: &str, directions: &Directions<'_>) -> Vec<Piece> {
    let mut ends: Vec<usize> = linebreaks(text).map(|(place, _)| place).collect();
    let breaks: Vec<(usize, bool)> =
        linebreaks(text).map(|(place, kind)| (place, kind == unicode_linebreak::BreakOpportunity::Mandatory)).collect();
    let mut of_spans = Vec::new();
    let mut at = 0;
    for span in spans {
        of_spans.push((at..at + span.text.len(), span));
        at += span.text.len();
        ends.push(at);
    }
    ends.extend(directions.changes());
    // Spaces are apart, so that they can be left out at the end of a line.
    let mut was_space = None;
    for (place, character) in text.char_indices() {
        let is_space = character.is_whitespace();
        if was_space.is_some_and(|was| was != is_space) {
            ends.push(place);
        }
        was_space = Some(is_space);
    }
    ends.sort_unstable();
    ends.dedup();
    let mut pieces = Vec::new();
    let (mut start, mut of_span) = (0, 0);
    for end in ends.into_iter().filter(|end| *end > 0) {
        while of_spans[of_span].0.end <= start && of_span + 1 < of_spans.len() {
            of_span += 1;
        }
        let span = of_spans[of_span].1;
        let part = &text[start..end];
        let right_to_left = directions.is_right_to_left(start);
        let is_space = part.chars().all(char::is_whitespace);
        let found = breaks.binary_search_by_key(&end, |(place, _)| *place).ok().map(|place| breaks[place].1);
        let shaped = shaper.shape(if is_space { " " } else { part }, span.face, right_to_left);
        pieces.push(Piece {
            range: start..end,
            face: span.face,
            link: span.link.as_deref().map(Arc::from),
            right_to_left,
            shaped,
            is_space,
            may_end: found.is_some(),
            must_end: found == Some(true) && end < text.len(),
        });
        start = end;
    }
    pieces
}

/// In which direction the parts of a text are written; nothing for one from left to right.
struct Directions<'t>(Option<BidiInfo<'t>>);

impl<'t> Directions<'t> {
    fn of(text: &'t str) -> Self {
        let may_turn = |c: char| matches!(u32::from(c), 0x590..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF | 0x200F | 0x10800..=0x10FFF);
        Self(text.chars().any(may_turn).then(|| BidiInfo::new(text, None)))
    }

    fn is_right_to_left(&self, place: usize) -> bool {
        self.0.as_ref().is_some_and(|info| info.levels.get(place).is_some_and(unicode_bidi::Level::is_rtl))
    }

    /// Where the direction changes.
    fn changes(&self) -> Vec<usize> {
        let Some(info) = &self.0 else { return Vec::new() };
        let pairs = info.levels.windows(2).enumerate();
        pairs
            .filter(|(_, pair)| pair[0] != pair[1])
            .map(|(place, _)| place + 1)
            .filter(|p| info.text.is_char_boundary(*p))
            .collect()
    }

    /// The pieces of a line where they stand.
    fn ordered(&self, mut line: Vec<Piece>, size: f32, width: f32) -> Line {
        while line.last().is_some_and(|piece| piece.is_space) {
            line.pop();
        }
        let mut is_turned = false;
        if let (Some(info), Some(first), Some(last)) = (&self.0, line.first(), line.last()) {
            let whole = first.range.start..last.range.end;
            let of = |paragraph: &&unicode_bidi::ParagraphInfo| paragraph.range.contains(&whole.start);
            if let Some(paragraph) = info.paragraphs.iter().find(of) {
                is_turned = paragraph.level.is_rtl();
                let (levels, runs) = info.visual_runs(paragraph, whole);
                let mut ordered: Vec<Piece> = Vec::new();
                let mut rest: Vec<Option<Piece>> = line.into_iter().map(Some).collect();
                for run in runs {
                    let within = |piece: &&mut Option<Piece>| {
                        piece.as_ref().is_some_and(|piece| run.contains(&piece.range.start))
                    };
                    let mut of_run: Vec<Piece> = rest.iter_mut().filter(within).filter_map(Option::take).collect();
                    if levels[run.start].is_rtl() {
                        of_run.reverse();
                    }
                    ordered.extend(of_run);
                }
                ordered.extend(rest.into_iter().flatten());
                line = ordered;
            }
        }
        let taken: f32 = line.iter().map(|piece| piece.shaped.width * size).sum();
        let mut x = if is_turned && width < f32::MAX { (width - taken).max(0.0) } else { 0.0 };
        let mut words = Vec::new();
        for piece in line {
            let width = piece.shaped.width * size;
            words.push(Placed { x, shaped: piece.shaped, link: piece.link, width });
            x += width;
        }
        Line { words }
    }
}
