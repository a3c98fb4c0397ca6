//! Filters that many searches have, like what a user may see: the documents that they find in a segment are kept. A segment
//! never changes; documents deleted from it are left out by whoever collects.

use std::{
    fmt,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use lru::LruCache;
use tantivy::{
    BitSet, DocId, DocSet, SegmentReader, TERMINATED, TantivyError,
    index::SegmentId,
    query::{BitSetDocSet, ConstScorer, EnableScoring, Explanation, Query, Scorer, Weight},
};

/// Bytes of all that is kept in the process.
const MEMORY: usize = 32 << 20;
/// What an entry takes besides its documents and the text of its filter, about.
const ENTRY: usize = 200;
/// Longer filters, as long lists of records, are not used again.
const LONGEST: usize = 2_000;
/// In smaller segments nothing is gained.
const SMALLEST: DocId = 1_000;

/// A filter in a segment.
type Key = (SegmentId, Arc<str>);

static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(|| Mutex::new(Cache { found: LruCache::unbounded(), bytes: 0 }));

struct Cache {
    /// `None` after the first use: most filters are not used again.
    found: LruCache<Key, Option<Arc<BitSet>>>,
    bytes: usize,
}

fn size((_, filter): &Key, found: Option<&BitSet>) -> usize {
    ENTRY + filter.len() + found.map_or(0, |found| found.max_value() as usize / 8)
}

impl Cache {
    fn put(&mut self, key: Key, found: Option<Arc<BitSet>>) {
        self.bytes += size(&key, found.as_deref());
        if let Some((key, replaced)) = self.found.push(key, found) {
            self.bytes -= size(&key, replaced.as_deref());
        }
        while self.bytes > MEMORY
            && let Some((key, found)) = self.found.pop_lru()
        {
            self.bytes -= size(&key, found.as_deref());
        }
    }
}

/// A filter whose documents are kept when it is used again. They have no score.
#[derive(Clone)]
pub(crate) struct Kept {
    name: Arc<str>,
    filter: Arc<dyn Query>,
}

impl Kept {
    /// `name` is the same for the same filter and for no other, in all indexes of the process.
    pub(crate) fn new(name: String, filter: Box<dyn Query>) -> Self {
        Self { name: name.into(), filter: filter.into() }
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Query for Kept {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(KeptWeight { name: Arc::clone(&self.name), filter: self.filter.weight(scoring)? }))
    }
}

struct KeptWeight {
    name: Arc<str>,
    filter: Box<dyn Weight>,
}

impl Weight for KeptWeight {
    fn scorer(&self, reader: &SegmentReader, boost: f32) -> tantivy::Result<Box<dyn Scorer>> {
        if self.name.len() > LONGEST || reader.max_doc() < SMALLEST {
            return self.filter.scorer(reader, boost);
        }
        let key = (reader.segment_id(), Arc::clone(&self.name));
        let known = CACHE.lock().unwrap_or_else(PoisonError::into_inner).found.get(&key).cloned();
        let documents = match known {
            Some(Some(documents)) => documents,
            Some(None) => {
                let mut documents = BitSet::with_max_value(reader.max_doc());
                let mut found = self.filter.scorer(reader, boost)?;
                let mut document = found.doc();
                while document != TERMINATED {
                    documents.insert(document);
                    document = found.advance();
                }
                let documents = Arc::new(documents);
                CACHE.lock().unwrap_or_else(PoisonError::into_inner).put(key, Some(Arc::clone(&documents)));
                documents
            }
            None => {
                CACHE.lock().unwrap_or_else(PoisonError::into_inner).put(key, None);
                return self.filter.scorer(reader, boost);
            }
        };
        Ok(Box::new(ConstScorer::new(BitSetDocSet::from((*documents).clone()), 0.0)))
    }

    fn explain(&self, reader: &SegmentReader, document: DocId) -> tantivy::Result<Explanation> {
        let mut found = self.scorer(reader, 1.0)?;
        if found.seek(document) == document {
            return Ok(Explanation::new("kept", 0.0));
        }
        Err(TantivyError::InvalidArgument(format!("document {document} is left out")))
    }
}
