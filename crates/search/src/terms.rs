//! Walks through the dictionary of a field in a segment, in its order or back. Its blocks can only be read forward: on the way
//! back, some values are read ahead, and more of them the longer the way is.

use std::io;

use tantivy::{
    postings::TermInfo,
    termdict::{TermDictionary, TermStreamer},
};

/// Values that are read at once on the way back, first and at most.
const FIRST: u64 = 16;
const AT_MOST: u64 = 1024;

/// A walk; before its first step it is at no value.
pub(crate) enum Walk<'a> {
    Forward(Box<TermStreamer<'a>>),
    Back(Back<'a>),
}

/// A way back.
pub(crate) struct Back<'a> {
    terms: &'a TermDictionary,
    /// What is read, but for the values that were passed; the one at hand is the last.
    read: Vec<(Vec<u8>, TermInfo)>,
    /// The first value that was read, or what the way begins before, and its place.
    first: Vec<u8>,
    place: u64,
    at_once: u64,
}

impl<'a> Walk<'a> {
    /// From a value on, or the one after it.
    pub(crate) fn from(terms: &'a TermDictionary, first: impl AsRef<[u8]>) -> io::Result<Self> {
        Ok(Self::Forward(Box::new(terms.range().ge(first).into_stream()?)))
    }

    /// Back from a value, without it.
    pub(crate) fn before(terms: &'a TermDictionary, end: impl AsRef<[u8]>) -> io::Result<Self> {
        let mut after = terms.range().ge(&end).into_stream()?;
        let place = if after.advance() { after.term_ord() } else { terms.num_terms() as u64 };
        Ok(Self::Back(Back { terms, read: Vec::new(), first: end.as_ref().to_vec(), place, at_once: FIRST }))
    }

    /// Goes to the next value; `false`: there is none.
    pub(crate) fn advance(&mut self) -> io::Result<bool> {
        match self {
            Self::Forward(stream) => Ok(stream.advance()),
            Self::Back(back) => back.advance(),
        }
    }

    /// The value at hand.
    pub(crate) fn key(&self) -> &[u8] {
        match self {
            Self::Forward(stream) => stream.key(),
            Self::Back(back) => back.read.last().map_or(&[], |(key, _)| key),
        }
    }

    /// Where the documents are that have it.
    pub(crate) fn documents(&self) -> TermInfo {
        match self {
            Self::Forward(stream) => stream.value().clone(),
            Self::Back(back) => back.read.last().map_or_else(TermInfo::default, |(_, documents)| documents.clone()),
        }
    }
}

impl Back<'_> {
    fn advance(&mut self) -> io::Result<bool> {
        self.read.pop();
        if self.read.is_empty() && self.place > 0 {
            let place = self.place.saturating_sub(self.at_once);
            let mut first = Vec::new();
            self.terms.ord_to_term(place, &mut first)?;
            let mut values = self.terms.range().ge(&first).lt(&self.first).into_stream()?;
            while values.advance() {
                self.read.push((values.key().to_vec(), values.value().clone()));
            }
            (self.first, self.place) = (first, place);
            self.at_once = AT_MOST.min(self.at_once * 4);
        }
        Ok(!self.read.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tantivy::{directory::FileSlice, termdict::TermDictionaryBuilder};

    use super::*;

    /// Each key is in as many documents as its place says.
    fn dictionary(keys: &[String]) -> io::Result<TermDictionary> {
        let mut builder = TermDictionaryBuilder::create(Vec::new())?;
        for (place, key) in keys.iter().enumerate() {
            builder.insert(key, &TermInfo { doc_freq: place as u32 + 1, ..TermInfo::default() })?;
        }
        TermDictionary::open(FileSlice::from(builder.finish()?))
    }

    fn passed(mut walk: Walk<'_>, at_most: usize) -> io::Result<Vec<(String, u32)>> {
        let mut found = Vec::new();
        while found.len() < at_most && walk.advance()? {
            found.push((String::from_utf8_lossy(walk.key()).into_owned(), walk.documents().doc_freq));
        }
        Ok(found)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_walk_passes_what_a_sorted_list_has(
            count in prop::sample::select(vec![0_usize, 1, 15, 16, 17, 80, 81, 3_000]),
            at in 0_usize..6_100,
            at_most in prop::sample::select(vec![1_usize, 20, 400, 10_000]),
        ) {
            let key = |number: usize| format!("{number:05} of a list that has many values");
            let keys: Vec<String> = (0..count).map(|number| key(number * 2 + 1)).collect();
            let terms = dictionary(&keys).expect("a dictionary");
            let all: Vec<(String, u32)> = keys.into_iter().zip(1..).collect();
            let from = key(at);
            let first = all.partition_point(|(key, _)| *key < from);
            let forward = passed(Walk::from(&terms, &from).expect("a walk"), at_most).expect("values");
            prop_assert_eq!(&forward[..], &all[first..all.len().min(first + at_most)]);
            let mut back = passed(Walk::before(&terms, &from).expect("a walk"), at_most).expect("values");
            back.reverse();
            prop_assert_eq!(&back[..], &all[first.saturating_sub(at_most)..first]);
        }
    }
}
