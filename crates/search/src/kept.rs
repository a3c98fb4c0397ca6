//! Sets of documents that many searches need: those that a filter finds, like what a user may see, and those with each value of a
//! field. What is needed again in a segment is kept. A segment never changes; documents deleted from it are left out by whoever
//! collects.

use std::{
    fmt,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use lru::LruCache;
use tantivy::{
    BitSet, DocId, DocSet, SeekDangerResult, SegmentReader, TERMINATED, TantivyError,
    index::SegmentId,
    query::{ConstScorer, EnableScoring, Explanation, Query, Scorer, Weight},
};

/// Bytes of all that is kept in the process.
const MEMORY: usize = 32 << 20;
/// What an entry takes besides its documents and the text of its filter, about.
const ENTRY: usize = 200;
/// Longer filters, as long lists of records, are not used again.
const LONGEST: usize = 2_000;
/// In smaller segments nothing is gained.
const SMALLEST: DocId = 1_000;

/// A segment, and what its sets are of.
type Key = (SegmentId, Arc<str>);
/// One set of a filter, or one for each value of a field.
pub(crate) type Sets = Arc<[BitSet]>;

static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(|| Mutex::new(Cache { found: LruCache::unbounded(), bytes: 0 }));

struct Cache {
    /// `None` after the first use: most filters are not used again.
    found: LruCache<Key, Option<Sets>>,
    bytes: usize,
}

fn size((_, name): &Key, sets: Option<&Sets>) -> usize {
    let sets = sets.map_or(&[][..], |sets| &**sets);
    ENTRY + name.len() + sets.iter().map(|set| set.max_value() as usize / 8).sum::<usize>()
}

impl Cache {
    fn put(&mut self, key: Key, sets: Option<Sets>) {
        self.bytes += size(&key, sets.as_ref());
        if let Some((key, replaced)) = self.found.push(key, sets) {
            self.bytes -= size(&key, replaced.as_ref());
        }
        while self.bytes > MEMORY
            && let Some((key, sets)) = self.found.pop_lru()
        {
            self.bytes -= size(&key, sets.as_ref());
        }
    }
}

/// The sets of this name in a segment, made at their second use: what is used once is found with less work without them.
pub(crate) fn sets(
    segment: SegmentId,
    name: &Arc<str>,
    make: impl FnOnce() -> tantivy::Result<Vec<BitSet>>,
) -> tantivy::Result<Option<Sets>> {
    let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (segment, Arc::clone(name));
    let known = cache().found.get(&key).cloned();
    let sets = match known {
        Some(Some(sets)) => return Ok(Some(sets)),
        Some(None) => Some(Sets::from(make()?)),
        None => None,
    };
    cache().put(key, sets.clone());
    Ok(sets)
}

/// The documents of a filter that is kept.
pub(crate) struct Documents {
    /// The first of them.
    sets: Sets,
    document: DocId,
    many: u32,
}

impl Documents {
    pub(crate) fn of(sets: Sets) -> Self {
        let many = sets.first().map_or(0, |set| set.len() as u32);
        let mut documents = Self { sets, document: 0, many };
        documents.document = documents.from(0);
        documents
    }

    /// The first document from one on.
    fn from(&self, first: DocId) -> DocId {
        let Some(set) = self.sets.first().filter(|set| first < set.max_value()) else { return TERMINATED };
        let word = |bucket: u32| u64::from_le_bytes(set.tinyset(bucket).into_bytes());
        let bucket = first / u64::BITS;
        let rest = word(bucket) >> (first % u64::BITS);
        if rest != 0 {
            return first + rest.trailing_zeros();
        }
        let next = set.first_non_empty_bucket(bucket + 1);
        next.map_or(TERMINATED, |bucket| bucket * u64::BITS + word(bucket).trailing_zeros())
    }
}

impl DocSet for Documents {
    fn advance(&mut self) -> DocId {
        if self.document != TERMINATED {
            self.document = self.from(self.document + 1);
        }
        self.document
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if target > self.document {
            self.document = self.from(target);
        }
        self.document
    }

    /// Looks at one document, without finding the next.
    fn seek_danger(&mut self, target: DocId) -> SeekDangerResult {
        let Some(set) = self.sets.first().filter(|set| target < set.max_value()) else {
            self.document = TERMINATED;
            return SeekDangerResult::SeekLowerBound(TERMINATED);
        };
        if !set.contains(target) {
            return SeekDangerResult::SeekLowerBound(target + 1);
        }
        self.document = target;
        SeekDangerResult::Found
    }

    fn doc(&self) -> DocId {
        self.document
    }

    fn size_hint(&self) -> u32 {
        self.many
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
        let found = || {
            let mut documents = BitSet::with_max_value(reader.max_doc());
            let mut found = self.filter.scorer(reader, boost)?;
            let mut document = found.doc();
            while document != TERMINATED {
                documents.insert(document);
                document = found.advance();
            }
            Ok(vec![documents])
        };
        match sets(reader.segment_id(), &self.name, found)? {
            Some(sets) => Ok(Box::new(ConstScorer::new(Documents::of(sets), 0.0))),
            None => self.filter.scorer(reader, boost),
        }
    }

    fn explain(&self, reader: &SegmentReader, document: DocId) -> tantivy::Result<Explanation> {
        let mut found = self.scorer(reader, 1.0)?;
        if found.seek(document) == document {
            return Ok(Explanation::new("kept", 0.0));
        }
        Err(TantivyError::InvalidArgument(format!("document {document} is left out")))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tantivy::query::BitSetDocSet;

    use super::*;

    proptest! {
        #[test]
        fn documents_of_a_filter_are_passed_as_those_of_a_set(
            documents in prop::collection::btree_set(0_u32..300, 0..40),
            many in 300_u32..330,
            steps in prop::collection::vec(prop::option::of(1_u32..90), 1..40),
        ) {
            let mut set = BitSet::with_max_value(many);
            documents.iter().for_each(|document| { set.insert(*document); });
            let mut plain = BitSetDocSet::from(set.clone());
            let mut found = Documents::of(Sets::from(vec![set]));
            prop_assert_eq!((found.doc(), found.size_hint() as usize), (plain.doc(), documents.len()));
            for step in steps {
                if found.doc() == TERMINATED {
                    break;
                }
                match step {
                    None => { prop_assert_eq!(found.advance(), plain.advance()); }
                    Some(far) if far % 2 == 0 => {
                        let target = found.doc() + far;
                        prop_assert_eq!(found.seek(target), plain.seek(target));
                    }
                    Some(far) => {
                        let target = found.doc() + far;
                        let next = plain.seek(target);
                        match found.seek_danger(target) {
                            SeekDangerResult::Found => prop_assert_eq!((next, found.doc()), (target, target)),
                            SeekDangerResult::SeekLowerBound(bound) => {
                                prop_assert!(bound > target && bound <= next);
                                prop_assert_eq!(found.seek(bound), next);
                            }
                        }
                    }
                }
            }
        }
    }
}
