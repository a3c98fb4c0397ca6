//! Words and values that are looked for, and in how many documents of each segment they are. A search for a word asks dozens of
//! fields for it, twice in each segment: how rare it is, and where. To look into a dictionary is most of what a search with few
//! results costs, and most fields do not have the word.

use std::{
    fmt,
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
};

use lru::LruCache;
use tantivy::{
    DocId, Searcher, SeekDangerResult, SegmentReader, TERMINATED, TantivyError, Term,
    index::SegmentId,
    query::{
        Bm25StatisticsProvider, EmptyScorer, EnableScoring, Explanation, PhraseQuery, Query, Scorer, TermQuery, Weight,
    },
    schema::{Field, IndexRecordOption},
};

/// Words and values that are remembered, for one index: with 16 segments about half a kB each.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(8_192).expect("not 0");
/// Longer ones, like whole titles, are not looked for again.
const LONGEST: usize = 100;

/// The segments of an index, each with the number of its documents that have a word or value, also deleted ones.
type Found = Arc<[(SegmentId, u32)]>;

/// What is known of words and values in an index.
pub(crate) struct Terms(Mutex<LruCache<Term, Found>>);

impl Default for Terms {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(REMEMBERED)))
    }
}

impl Terms {
    /// A segment never changes: after a commit only the new ones are looked into.
    fn find(&self, searcher: &Searcher, term: &Term) -> tantivy::Result<Found> {
        let remembered = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let segments = searcher.segment_readers();
        let known = remembered().get(term).cloned();
        if let Some(known) = &known
            && known.iter().map(|(segment, _)| *segment).eq(segments.iter().map(SegmentReader::segment_id))
        {
            return Ok(Arc::clone(known));
        }
        let look = |segment: &SegmentReader| {
            let id = segment.segment_id();
            let known = known.iter().flat_map(|known| known.iter()).find(|(known, _)| *known == id);
            let documents = match known {
                Some((_, documents)) => *documents,
                None => segment.inverted_index(term.field())?.doc_freq(term)?,
            };
            Ok((id, documents))
        };
        let found: Found = segments.iter().map(look).collect::<tantivy::Result<_>>()?;
        if term.serialized_value_bytes().len() <= LONGEST {
            remembered().put(term.clone(), Arc::clone(&found));
        }
        Ok(found)
    }
}

/// A query for one word or value, or for words one after the other: documents have all of them, or are not found.
pub(crate) struct Known {
    query: Box<dyn Query>,
    words: Arc<[Term]>,
    terms: Arc<Terms>,
}

impl Known {
    pub(crate) fn one(term: Term, read: IndexRecordOption, terms: &Arc<Terms>) -> Self {
        let words = [term.clone()].into();
        Self { query: Box::new(TermQuery::new(term, read)), words, terms: Arc::clone(terms) }
    }

    /// Words with their places, at least two of them.
    pub(crate) fn phrase(words: Vec<(usize, Term)>, terms: &Arc<Terms>) -> Self {
        Self::near(words, 0, terms)
    }

    /// The same, where the words may be so many places away from there in all.
    pub(crate) fn near(words: Vec<(usize, Term)>, places: u32, terms: &Arc<Terms>) -> Self {
        let each = words.iter().map(|(_, word)| word.clone()).collect();
        let query = Box::new(PhraseQuery::new_with_offset_and_slop(words, places));
        Self { query, words: each, terms: Arc::clone(terms) }
    }
}

impl Clone for Known {
    fn clone(&self) -> Self {
        let (words, terms) = (Arc::clone(&self.words), Arc::clone(&self.terms));
        Self { query: self.query.box_clone(), words, terms }
    }
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.query.fmt(f)
    }
}

impl Query for Known {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let Some(searcher) = scoring.searcher() else { return self.query.weight(scoring) };
        let found = self.words.iter().map(|word| self.terms.find(searcher, word));
        let found = found.collect::<tantivy::Result<Vec<Found>>>()?;
        let segments: Vec<SegmentId> = searcher
            .segment_readers()
            .iter()
            .map(SegmentReader::segment_id)
            .enumerate()
            // The segments of what is found are those of the searcher, in the same order.
            .filter(|(place, _)| found.iter().all(|of_word| of_word[*place].1 > 0))
            .map(|(_, segment)| segment)
            .collect();
        let statistics = Statistics { searcher, words: &self.words, found: &found };
        let scoring = match scoring {
            EnableScoring::Enabled { .. } => EnableScoring::enabled_from_statistics_provider(&statistics, searcher),
            disabled @ EnableScoring::Disabled { .. } => disabled,
        };
        let query = if segments.is_empty() { None } else { Some(self.query.weight(scoring)?) };
        Ok(Box::new(KnownWeight { segments, query }))
    }

    fn query_terms<'a>(&'a self, visitor: &mut dyn FnMut(&'a Term, bool)) {
        self.query.query_terms(visitor);
    }
}

/// How many documents have a word is known already.
struct Statistics<'a> {
    searcher: &'a Searcher,
    words: &'a [Term],
    found: &'a [Found],
}

impl Bm25StatisticsProvider for Statistics<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        self.searcher.total_num_tokens(field)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        self.searcher.total_num_docs()
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        match self.words.iter().zip(self.found).find(|(word, _)| *word == term) {
            Some((_, found)) => Ok(found.iter().map(|(_, documents)| u64::from(*documents)).sum()),
            None => self.searcher.doc_freq(term),
        }
    }
}

struct KnownWeight {
    /// Those that have all words.
    segments: Vec<SegmentId>,
    /// `None`: there are no such segments.
    query: Option<Box<dyn Weight>>,
}

impl KnownWeight {
    /// What looks for the documents of a segment; `None`: it has none.
    fn within(&self, reader: &SegmentReader) -> Option<&dyn Weight> {
        self.query.as_deref().filter(|_| self.segments.contains(&reader.segment_id()))
    }
}

impl Weight for KnownWeight {
    fn scorer(&self, reader: &SegmentReader, boost: f32) -> tantivy::Result<Box<dyn Scorer>> {
        self.within(reader).map_or_else(|| Ok(Box::new(EmptyScorer) as Box<dyn Scorer>), |of| of.scorer(reader, boost))
    }

    fn scorer_danger(
        &self,
        reader: &SegmentReader,
        target: DocId,
        boost: f32,
    ) -> tantivy::Result<(SeekDangerResult, Box<dyn Scorer>)> {
        match self.within(reader) {
            Some(query) => query.scorer_danger(reader, target, boost),
            None => Ok((SeekDangerResult::SeekLowerBound(TERMINATED), Box::new(EmptyScorer))),
        }
    }

    fn explain(&self, reader: &SegmentReader, document: DocId) -> tantivy::Result<Explanation> {
        match self.within(reader) {
            Some(query) => query.explain(reader, document),
            None => Err(TantivyError::InvalidArgument(format!("document {document} is left out"))),
        }
    }
}
