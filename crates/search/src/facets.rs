//! Counting the values of fields among the documents found.

use std::{collections::HashMap, sync::Arc};

use tantivy::{BitSet, DocId, SegmentReader, columnar::StrColumn, index::SegmentId};

use crate::{fields::Kind, kept};

/// Documents whose values are read from a column at once.
const AT_ONCE: usize = 1024;
/// To read a document's values takes as long as to compare so many words of two sets.
const WORDS_FOR_A_DOCUMENT: u64 = 4;

/// Counts values of one field.
pub(crate) struct Counting {
    pub(crate) field: String,
    pub(crate) kind: Kind,
}

/// A field with up to so many values in a segment is counted in a table of them all, 8 bytes each: far quicker than a map, and
/// bounded.
const IN_A_TABLE: usize = 1 << 16;

/// Counts within one segment, by the ordinals of its values.
pub(crate) struct SegmentCounting {
    column: StrColumn,
    kind: Kind,
    segment: SegmentId,
    /// What the sets of documents with each value are kept as.
    name: Arc<str>,
}

enum Counts {
    Table(Vec<u64>),
    Map(HashMap<u64, u64>),
}

impl Counts {
    fn of(values: usize) -> Self {
        if values <= IN_A_TABLE { Self::Table(vec![0; values]) } else { Self::Map(HashMap::new()) }
    }

    fn add(&mut self, value: u64) {
        match self {
            Self::Table(counts) => {
                if let Some(count) = counts.get_mut(value as usize) {
                    *count += 1;
                }
            }
            Self::Map(counts) => *counts.entry(value).or_insert(0) += 1,
        }
    }

    /// The values that were counted at all, in their order.
    fn found(self) -> Vec<(u64, u64)> {
        match self {
            Self::Table(counts) => (0..).zip(counts).filter(|(_, count)| *count > 0).collect(),
            Self::Map(counts) => {
                let mut found: Vec<_> = counts.into_iter().collect();
                found.sort_unstable();
                found
            }
        }
    }
}

impl Counting {
    /// `None` if no document of the segment has a value.
    pub(crate) fn for_segment(&self, reader: &SegmentReader) -> tantivy::Result<Option<SegmentCounting>> {
        let column = reader.fast_fields().str(&self.field)?;
        let name = format!("values of {}", self.field).into();
        Ok(column.map(|column| SegmentCounting { column, kind: self.kind, segment: reader.segment_id(), name }))
    }
}

impl SegmentCounting {
    /// The values and how many of the documents found have each.
    pub(crate) fn count(&self, found: &BitSet) -> tantivy::Result<HashMap<String, u64>> {
        let with_sets = self.column.num_terms() as u64 * words(found);
        let is_quicker = with_sets <= found.len() as u64 * WORDS_FOR_A_DOCUMENT;
        let sets = if is_quicker { kept::sets(self.segment, &self.name, || Ok(self.sets(found)))? } else { None };
        let counts = match sets {
            Some(sets) => Counts::Table(sets.iter().map(|set| in_both(set, found)).collect()),
            None => self.read(found),
        };
        let counts = counts.found();
        let values: Vec<u64> = counts.iter().map(|(value, _)| *value).collect();
        let mut counts = counts.into_iter().map(|(_, count)| count);
        let mut counted = HashMap::with_capacity(values.len());
        // In their order, each block of the dictionary is read once.
        self.column.dictionary().sorted_ords_to_term_cb(&values, |text| {
            let value = self.kind.decode(&String::from_utf8_lossy(text));
            *counted.entry(value).or_insert(0) += counts.next().unwrap_or_default();
        })?;
        Ok(counted)
    }

    /// Reads the values of each document found.
    fn read(&self, found: &BitSet) -> Counts {
        let mut counts = Counts::of(self.column.num_terms());
        let (mut having, mut places, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut count = |documents: &mut Vec<DocId>| {
            having.clear();
            places.clear();
            self.column.ords().row_ids_for_docs(documents, &mut having, &mut places);
            values.resize(places.len(), 0);
            self.column.ords().values.get_vals(&places, &mut values);
            values.iter().for_each(|value| counts.add(*value));
            documents.clear();
        };
        let mut documents = Vec::with_capacity(AT_ONCE);
        for bucket in 0..words(found) as DocId {
            for document in found.tinyset(bucket) {
                documents.push(bucket * u64::BITS + document);
            }
            if documents.len() >= AT_ONCE - u64::BITS as usize {
                count(&mut documents);
            }
        }
        count(&mut documents);
        counts
    }

    /// The documents with each value, of as many documents as were looked at.
    fn sets(&self, found: &BitSet) -> Vec<BitSet> {
        let documents = found.max_value();
        let mut sets = vec![BitSet::with_max_value(documents); self.column.num_terms()];
        for document in 0..documents {
            for value in self.column.term_ords(document) {
                if let Some(set) = sets.get_mut(value as usize) {
                    set.insert(document);
                }
            }
        }
        sets
    }
}

/// Words of 64 documents in a set.
fn words(set: &BitSet) -> u64 {
    u64::from(set.max_value().div_ceil(u64::BITS))
}

fn in_both(one: &BitSet, other: &BitSet) -> u64 {
    (0..words(one) as DocId).map(|at| u64::from(one.tinyset(at).intersect(other.tinyset(at)).len())).sum()
}

/// The most frequent values, the most frequent first, equally frequent ones in the order of their texts.
pub(crate) fn most_frequent(counts: HashMap<String, u64>, least: u64, most: usize) -> Vec<(String, u64)> {
    let mut counts: Vec<_> = counts.into_iter().filter(|(_, count)| *count >= least).collect();
    counts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    counts.truncate(most);
    counts
}
