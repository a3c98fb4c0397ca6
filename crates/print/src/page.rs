//! One page: its size, and what is on it.

use std::sync::Arc;

use crate::{
    block::Span,
    lines::{Line, Placed, one_line},
    shape::{Shaped, Shaper},
};

/// The size of a page, in points: US letter, as ArchivesSpace prints.
pub(crate) const PAGE: (f32, f32) = (612.0, 792.0);
/// The room around the text.
pub(crate) const MARGIN: f32 = 64.0;
/// How wide the text is.
pub(crate) const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;

/// The distance between lines of a size.
pub(crate) fn leading(size: f32) -> f32 {
    size * 1.38
}

/// What is drawn on a page.
pub(crate) enum Command {
    /// A word; `y` is the line that its letters stand on.
    Word { x: f32, y: f32, size: f32, shaped: Arc<Shaped>, link: Option<(Arc<str>, f32)> },
    /// A thin line over the whole width.
    Rule { y: f32 },
}

/// Adds the words of a line that begins at a place.
pub(crate) fn place(commands: &mut Vec<Command>, line: Line, x: f32, y: f32, size: f32) {
    let command = |Placed { x: within, shaped, link, width }: Placed| Command::Word {
        x: x + within,
        y,
        size,
        shaped,
        link: link.map(|link| (link, width)),
    };
    commands.extend(line.words.into_iter().map(command));
}

/// A place that is in the contents.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mark {
    /// 1 for a part, 2 for a section, more for a component.
    pub(crate) level: u8,
    pub(crate) text: String,
    /// Of the description, from 0.
    pub(crate) page: usize,
    /// From the top.
    pub(crate) y: f32,
}

/// A line that ends with `…` where it is wider than the room for it.
pub(crate) fn cut(shaper: &mut Shaper, text: &str, size: f32, room: f32) -> Line {
    let whole = one_line(shaper, &[Span::plain(text)], size);
    if whole.1 <= room {
        return whole.0;
    }
    let mut characters: Vec<char> = text.chars().take(400).collect();
    loop {
        characters.truncate(characters.len().saturating_sub(4));
        let shorter: String = characters.iter().collect::<String>().trim_end().to_owned() + "…";
        let (line, width) = one_line(shaper, &[Span::plain(shorter)], size);
        if width <= room || characters.is_empty() {
            return line;
        }
    }
}
