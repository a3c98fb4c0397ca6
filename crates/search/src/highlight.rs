//! Marks in a text the words that were asked for.

use std::collections::HashSet;

use crate::{analysis::tokens, query::Query, similar::edits};

/// How many bytes stand around a marked word.
const AROUND: usize = 50;

/// The words that a query asks for, whatever the field; patterns end in `*`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    words: HashSet<String>,
    beginnings: Vec<String>,
    /// Words in which so many letters may differ.
    similar: Vec<(Vec<char>, u8)>,
}

impl Wanted {
    /// The words of a query, without those it excludes.
    pub fn of(query: &Query) -> Self {
        let mut wanted = Self::default();
        wanted.collect(query);
        wanted
    }

    fn collect(&mut self, query: &Query) {
        match query {
            Query::Similar { value, edits, .. } => {
                let words = tokens(true, value).into_iter().map(|token| (token.text.chars().collect(), *edits));
                self.similar.extend(words);
            }
            Query::Has { value, .. } | Query::Phrase { value, .. } | Query::Near { value, .. } => {
                self.words.extend(tokens(true, value).into_iter().map(|token| token.text));
            }
            Query::Like { pattern, .. } => {
                let beginning = pattern.split(['*', '?']).next().unwrap_or_default();
                let words = tokens(true, beginning);
                self.beginnings.extend(words.into_iter().next_back().map(|token| token.text));
            }
            Query::And(queries) | Query::Or(queries) | Query::Best(queries) => {
                queries.iter().for_each(|query| self.collect(query));
            }
            Query::Boost(query, _) | Query::Prefer(query, _) => self.collect(query),
            Query::All | Query::Filter(_) | Query::Not(_) | Query::Range { .. } | Query::Present { .. } => {}
        }
    }

    fn is_similar(&self, word: &str) -> bool {
        if self.similar.is_empty() {
            return false;
        }
        let letters: Vec<char> = word.chars().collect();
        self.similar.iter().any(|(wanted, allowed)| edits(wanted, &letters, *allowed).is_some())
    }

    /// The text around the first wanted word, or the whole text, with all wanted words in it between the marks; `None`
    /// without any.
    pub fn mark(&self, text: &str, marks: (&str, &str), whole: bool) -> Option<String> {
        let is_wanted = |word: &str| {
            self.words.contains(word)
                || self.beginnings.iter().any(|beginning| word.starts_with(beginning))
                || self.is_similar(word)
        };
        let found: Vec<_> = tokens(true, text).into_iter().filter(|token| is_wanted(&token.text)).collect();
        let first = found.first()?;
        let (from, to) = if whole {
            (0, text.len())
        } else {
            let from = text.floor_char_boundary(first.offset_from.saturating_sub(AROUND));
            (from, text.ceil_char_boundary((first.offset_to + AROUND).min(text.len())))
        };
        let mut marked = String::new();
        let mut at = from;
        for token in found.iter().filter(|token| token.offset_to <= to) {
            marked.push_str(&text[at..token.offset_from]);
            marked.extend([marks.0, &text[token.offset_from..token.offset_to], marks.1]);
            at = token.offset_to;
        }
        marked.push_str(&text[at..to]);
        Some(marked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wanted_words_are_marked() {
        let query = Query::And(vec![
            Query::has("title", "maps"),
            Query::Like { field: "title".into(), pattern: "lond*".into() },
            Query::has("title", "paris").negated(),
            Query::Similar { field: "title".into(), value: "harbor".into(), edits: 1 },
        ]);
        let wanted = Wanted::of(&query);
        let mark = |text: &str, whole| wanted.mark(text, ("<b>", "</b>"), whole);
        assert_eq!(mark("Maps of London, Paris", true).as_deref(), Some("<b>Maps</b> of <b>London</b>, Paris"));
        assert_eq!(mark("Harbour, barbour", true).as_deref(), Some("<b>Harbour</b>, barbour"));
        assert_eq!(mark("Letters", true), None);
        let long = format!("{} maps {}", "é".repeat(80), "x".repeat(200));
        assert!(mark(&long, false).is_some_and(|part| part.contains("<b>maps</b>") && part.len() < 150));
    }
}
