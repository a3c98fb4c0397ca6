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
    DocId, Searcher, SegmentReader, TantivyError, Term,
    index::SegmentId,
    query::{Bm25StatisticsProvider, EmptyScorer, EnableScoring, Explanation, Query, Scorer, TermQuery, Weight},
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

/// Documents with a word or value.
#[derive(Clone)]
pub(crate) struct Known {
    term: TermQuery,
    terms: Arc<Terms>,
}

impl Known {
    pub(crate) fn new(term: Term, read: IndexRecordOption, terms: &Arc<Terms>) -> Self {
        Self { term: TermQuery::new(term, read), terms: Arc::clone(terms) }
    }
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.term.fmt(f)
    }
}

impl Query for Known {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let Some(searcher) = scoring.searcher() else { return self.term.weight(scoring) };
        let found = self.terms.find(searcher, self.term.term())?;
        let counted = Counted { searcher, documents: found.iter().map(|(_, documents)| u64::from(*documents)).sum() };
        let scoring = match scoring {
            EnableScoring::Enabled { .. } => EnableScoring::enabled_from_statistics_provider(&counted, searcher),
            disabled @ EnableScoring::Disabled { .. } => disabled,
        };
        let term = if counted.documents == 0 { None } else { Some(self.term.weight(scoring)?) };
        Ok(Box::new(KnownWeight { found, term }))
    }

    fn query_terms<'a>(&'a self, visitor: &mut dyn FnMut(&'a Term, bool)) {
        self.term.query_terms(visitor);
    }
}

/// How many documents have the word is known already.
struct Counted<'a> {
    searcher: &'a Searcher,
    documents: u64,
}

impl Bm25StatisticsProvider for Counted<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        self.searcher.total_num_tokens(field)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        self.searcher.total_num_docs()
    }

    fn doc_freq(&self, _: &Term) -> tantivy::Result<u64> {
        Ok(self.documents)
    }
}

struct KnownWeight {
    found: Found,
    /// `None`: no segment has it.
    term: Option<Box<dyn Weight>>,
}

impl Weight for KnownWeight {
    fn scorer(&self, reader: &SegmentReader, boost: f32) -> tantivy::Result<Box<dyn Scorer>> {
        let segment = reader.segment_id();
        match &self.term {
            Some(term) if self.found.iter().any(|(found, documents)| *found == segment && *documents > 0) => {
                term.scorer(reader, boost)
            }
            _ => Ok(Box::new(EmptyScorer)),
        }
    }

    fn explain(&self, reader: &SegmentReader, document: DocId) -> tantivy::Result<Explanation> {
        match &self.term {
            Some(term) => term.explain(reader, document),
            None => Err(TantivyError::InvalidArgument(format!("document {document} is left out"))),
        }
    }
}
