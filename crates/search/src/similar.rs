//! Words with typing errors: documents with a word that differs in few letters from the one that is looked for, as Lucene's
//! `word~` finds them. tantivy's own query takes all such words and ranks them alike; here only the nearest of them count, so
//! that a search costs no more in a large index, and the nearer a word is, the higher its documents are ranked.

use std::{collections::BTreeSet, fmt, sync::Arc};

use tantivy::{
    Searcher, Term,
    query::{BoostQuery, EnableScoring, FuzzyTermQuery, Query, Weight},
    schema::{Field as Column, IndexRecordOption},
};

use crate::{
    best::Best,
    known::{Known, Terms},
};

/// How many letters may differ at most; Lucene has the same limit.
pub(crate) const MOST_EDITS: u8 = 2;
/// Of the words that are near, so many are looked for; Lucene has the same limit.
const MOST_SPELLINGS: usize = 50;
/// Longer words, in letters, are looked for as they are: what finds those near to them grows with them.
const LONGEST: usize = 64;

/// A word, or one that is near to it.
pub(crate) struct Similar {
    /// Finds all words with so few differences.
    near: FuzzyTermQuery,
    column: Column,
    word: Vec<char>,
    terms: Arc<Terms>,
}

/// A query for a word as the terms of its field are spelt, and those near to it.
pub(crate) fn similar(column: Column, word: &str, edits: u8, terms: &Arc<Terms>) -> Box<dyn Query> {
    let term = Term::from_field_text(column, word);
    let letters: Vec<char> = word.chars().take(LONGEST + 1).collect();
    if edits == 0 || letters.len() < 2 || letters.len() > LONGEST {
        return Box::new(spelt(term, terms));
    }
    let near = FuzzyTermQuery::new(term, edits.min(MOST_EDITS), true);
    Box::new(Similar { near, column, word: letters, terms: Arc::clone(terms) })
}

fn spelt(term: Term, terms: &Arc<Terms>) -> Known {
    Known::one(term, IndexRecordOption::WithFreqs, terms)
}

/// How many letters differ between two words: letters that are left out, put in, taken for others, or change places with the next
/// one. `None` if there are more than allowed, or as many as the shorter word has letters, because then nothing is the same.
pub(crate) fn edits(one: &[char], other: &[char], allowed: u8) -> Option<usize> {
    let (shorter, longer) = (one.len().min(other.len()), one.len().max(other.len()));
    if longer - shorter > usize::from(allowed) {
        return None;
    }
    // Rows of the table of differences between the beginnings of the words: two back, the last, and this one.
    let mut rows = [vec![0; other.len() + 1], (0..=other.len()).collect(), vec![0; other.len() + 1]];
    for (i, letter) in one.iter().enumerate() {
        let [before, last, row] = &mut rows;
        row[0] = i + 1;
        for (j, of_other) in other.iter().enumerate() {
            let mut least = (last[j] + usize::from(letter != of_other)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && one[i - 1] == *of_other && other[j - 1] == *letter {
                least = least.min(before[j - 1] + 1);
            }
            row[j + 1] = least;
        }
        rows.rotate_left(1);
    }
    let edits = rows[1][other.len()];
    (edits == 0 || (edits <= usize::from(allowed) && edits < shorter)).then_some(edits)
}

impl Similar {
    /// The nearest words of the field, with the number of letters in which they differ.
    fn spellings(&self, searcher: &Searcher) -> tantivy::Result<BTreeSet<(usize, String)>> {
        let automaton = self.near.automaton()?;
        let mut nearest = BTreeSet::new();
        for reader in searcher.segment_readers() {
            let index = reader.inverted_index(self.column)?;
            let mut words = index.terms().search(&automaton).into_stream()?;
            while words.advance() {
                let Ok(word) = std::str::from_utf8(words.key()) else { continue };
                let letters: Vec<char> = word.chars().collect();
                if let Some(edits) = edits(&self.word, &letters, MOST_EDITS) {
                    nearest.insert((edits, word.to_owned()));
                }
                if nearest.len() > MOST_SPELLINGS {
                    nearest.pop_last();
                }
            }
        }
        Ok(nearest)
    }
}

impl Clone for Similar {
    fn clone(&self) -> Self {
        let (near, column, word, terms) = (self.near.clone(), self.column, self.word.clone(), Arc::clone(&self.terms));
        Self { near, column, word, terms }
    }
}

impl fmt::Debug for Similar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.near.fmt(f)
    }
}

impl Query for Similar {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        // Without an index to look into, all words that are near count.
        let Some(searcher) = scoring.searcher() else { return self.near.weight(scoring) };
        let way = |(edits, word): (usize, String)| {
            let shorter = self.word.len().min(word.chars().count());
            let likeness = 1.0 - edits as f32 / shorter.max(1) as f32;
            let term = Term::from_field_text(self.column, &word);
            Box::new(BoostQuery::new(Box::new(spelt(term, &self.terms)), likeness)) as Box<dyn Query>
        };
        Best(self.spellings(searcher)?.into_iter().map(way).collect()).weight(scoring)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_differ_are_counted() {
        for (one, other, expected) in [
            ("walrus", "walrus", Some(0)),
            ("walrs", "walrus", Some(1)),
            ("wlaurs", "walrus", Some(2)),
            ("wlarus", "walrus", Some(1)),
            ("wals", "walrus", Some(2)),
            ("wal", "walrus", None),
            ("éric", "eric", Some(1)),
            ("ab", "cd", None),
            ("a", "b", None),
            ("ab", "a", None),
            ("", "", Some(0)),
            ("", "a", None),
        ] {
            let letters = |word: &str| word.chars().collect::<Vec<_>>();
            for (one, other) in [(one, other), (other, one)] {
                assert_eq!(edits(&letters(one), &letters(other), MOST_EDITS), expected, "{one} {other}");
            }
        }
    }
}
