//! Words as glyphs. Words are kept, because finding aids use the same ones again and again.

use std::{collections::BTreeSet, collections::HashMap, ops::Range, sync::Arc};

use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Direction, UnicodeBuffer};

use crate::{block::Face, fonts::Fonts};

/// So many words are kept.
const MOST_WORDS: usize = 20_000;

/// Glyphs of one font.
pub(crate) struct Run {
    pub(crate) font: Font,
    pub(crate) text: String,
    pub(crate) glyphs: Vec<KrillaGlyph>,
    /// In parts of the size of the letters.
    pub(crate) width: f32,
}

/// A word in glyphs, from left to right.
pub(crate) struct Shaped {
    pub(crate) runs: Vec<Run>,
    /// In parts of the size of the letters.
    pub(crate) width: f32,
}

type Word = (String, Face, bool);

/// Turns words into glyphs.
pub(crate) struct Shaper {
    fonts: Fonts,
    words: HashMap<Word, Arc<Shaped>>,
    missing: BTreeSet<char>,
}

impl Shaper {
    pub(crate) fn new(fonts: Fonts) -> Self {
        Self { fonts, words: HashMap::new(), missing: BTreeSet::new() }
    }

    /// The characters that no font had.
    pub(crate) fn into_missing(self) -> BTreeSet<char> {
        self.missing
    }

    /// The glyphs of a text that is written in one direction.
    pub(crate) fn shape(&mut self, text: &str, face: Face, right_to_left: bool) -> Arc<Shaped> {
        let word = (text.to_owned(), face, right_to_left);
        if let Some(known) = self.words.get(&word) {
            return Arc::clone(known);
        }
        let mut runs: Vec<Run> = self
            .by_font(text, face)
            .into_iter()
            .map(|(font, part)| self.run(font, &text[part], right_to_left))
            .collect();
        if right_to_left {
            runs.reverse();
        }
        let width = runs.iter().map(|run| run.width).sum();
        let shaped = Arc::new(Shaped { runs, width });
        if self.words.len() >= MOST_WORDS {
            self.words.clear();
        }
        self.words.insert(word, Arc::clone(&shaped));
        shaped
    }

    /// The parts of a text that one font has. Marks stay with the letter before them.
    fn by_font(&mut self, text: &str, face: Face) -> Vec<(usize, Range<usize>)> {
        let mut parts: Vec<(usize, Range<usize>)> = Vec::new();
        for (place, character) in text.char_indices() {
            let end = place + character.len_utf8();
            let is_silent = character.is_whitespace() || character.is_control() || is_mark(character);
            let found = if is_silent && !parts.is_empty() { None } else { self.fonts.for_character(character, face) };
            if found.is_none() && !is_silent {
                self.missing.insert(character);
            }
            match parts.last_mut() {
                Some((font, part)) if found.is_none_or(|found| found == *font) => part.end = end,
                _ => parts.push((found.unwrap_or_default(), place..end)),
            }
        }
        parts
    }

    fn run(&self, font: usize, text: &str, right_to_left: bool) -> Run {
        let typeface = self.fonts.get(font);
        let em = typeface.font.units_per_em();
        let mut glyphs = Vec::new();
        if let Some(shaping) = typeface.shaping() {
            let mut buffer = UnicodeBuffer::new();
            buffer.push_str(text);
            buffer.guess_segment_properties();
            buffer.set_direction(if right_to_left { Direction::RightToLeft } else { Direction::LeftToRight });
            let output = rustybuzz::shape(&shaping, &[], buffer);
            let (infos, positions) = (output.glyph_infos(), output.glyph_positions());
            let mut starts: Vec<usize> = infos.iter().map(|info| info.cluster as usize).collect();
            starts.sort_unstable();
            starts.dedup();
            for (info, position) in infos.iter().zip(positions) {
                let start = info.cluster as usize;
                let next = starts.partition_point(|other| *other <= start);
                let end = starts.get(next).copied().unwrap_or(text.len());
                glyphs.push(KrillaGlyph::new(
                    GlyphId::new(info.glyph_id),
                    position.x_advance as f32 / em,
                    position.x_offset as f32 / em,
                    position.y_offset as f32 / em,
                    position.y_advance as f32 / em,
                    start..end,
                    None,
                ));
            }
        }
        let width = glyphs.iter().map(|glyph| glyph.x_advance).sum();
        Run { font: typeface.font.clone(), text: text.to_owned(), glyphs, width }
    }
}

/// Whether a character is drawn on the one before.
fn is_mark(character: char) -> bool {
    matches!(u32::from(character), 0x300..=0x36F | 0x591..=0x5C7 | 0x610..=0x61A | 0x64B..=0x65F | 0x1AB0..=0x1AFF
        | 0x1DC0..=0x1DFF | 0x200B..=0x200F | 0x20D0..=0x20FF | 0xFE00..=0xFE0F | 0xFE20..=0xFE2F)
}
