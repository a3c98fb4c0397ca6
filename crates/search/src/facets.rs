//! Counting the values of fields among the documents found.

use std::{collections::HashMap, sync::Arc};

use tantivy::{BitSet, DocId, SegmentReader, columnar::StrColumn, index::SegmentId};

use crate::{
    columns::{Columns, Vocabulary},
    fields::Kind,
    kept,
};

/// Documents whose values are read from a column at once.
const AT_ONCE: usize = 1024;
/// To read a document's values takes as long as to compare so many words of two sets.
const WORDS_FOR_A_DOCUMENT: u64 = 4;

/// Counts values of one field.
pub(crate) struct Counting {
    pub(crate) field: String,
    pub(crate) kind: Kind,
    pub(crate) vocabulary: Arc<Vocabulary>,
}

/// How many documents have each value, in one segment or several.
#[derive(Default)]
pub(crate) struct Counted {
    /// By the numbers of the vocabulary.
    numbered: Vec<u64>,
    /// Of segments whose values have no numbers: as they are indexed.
    spelt: HashMap<String, u64>,
}

impl Counted {
    pub(crate) fn add(&mut self, other: Self) {
        if self.numbered.len() < other.numbered.len() {
            self.numbered.resize(other.numbered.len(), 0);
        }
        self.numbered.iter_mut().zip(other.numbered).for_each(|(all, count)| *all += count);
        other.spelt.into_iter().for_each(|(value, count)| *self.spelt.entry(value).or_insert(0) += count);
    }
}

/// A field with up to so many values in a segment is counted in a table of them all, 8 bytes each: far quicker than a map, and
/// bounded.
const IN_A_TABLE: usize = 1 << 16;

/// Counts within one segment, by the ordinals of its values.
pub(crate) struct SegmentCounting {
    column: StrColumn,
    vocabulary: Arc<Vocabulary>,
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
    pub(crate) fn for_segment(
        &self,
        columns: &Columns,
        reader: &SegmentReader,
    ) -> tantivy::Result<Option<SegmentCounting>> {
        let column = columns.get(&self.field, reader)?;
        let (segment, name) = (reader.segment_id(), format!("values of {}", self.field).into());
        let vocabulary = Arc::clone(&self.vocabulary);
        Ok(column.map(|column| SegmentCounting { column, vocabulary, segment, name }))
    }

    /// The most frequent values, the most frequent first, equally frequent ones in the order of their texts.
    pub(crate) fn most_frequent(&self, counted: Counted, least: u64, most: usize) -> Vec<(String, u64)> {
        let found = || (0..).zip(&counted.numbered).filter(|(_, count)| **count > 0);
        let texts = self.vocabulary.texts(found().map(|(number, _)| number));
        let mut counts: Vec<(Arc<str>, u64)> = texts.into_iter().zip(found().map(|(_, count)| *count)).collect();
        if !counted.spelt.is_empty() {
            let mut spelt = counted.spelt;
            counts.iter_mut().for_each(|(text, count)| *count += spelt.remove(&**text).unwrap_or_default());
            counts.extend(spelt.into_iter().map(|(text, count)| (text.into(), count)));
        }
        counts.retain(|(_, count)| *count >= least);
        counts.sort_unstable_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        counts.truncate(most);
        counts.into_iter().map(|(text, count)| (self.kind.decode(&text), count)).collect()
    }
}

impl SegmentCounting {
    /// How many of the documents found have each value.
    pub(crate) fn count(&self, found: &BitSet) -> tantivy::Result<Counted> {
        let with_sets = self.column.num_terms() as u64 * words(found);
        let is_quicker = with_sets <= found.len() as u64 * WORDS_FOR_A_DOCUMENT;
        let sets = if is_quicker { kept::sets(self.segment, &self.name, || Ok(self.sets(found)))? } else { None };
        let counts = match sets {
            Some(sets) => Counts::Table(sets.iter().map(|set| in_both(set, found)).collect()),
            None => self.read(found),
        };
        let counts = counts.found();
        let mut counted = Counted::default();
        if let Some(numbers) = self.vocabulary.of(self.segment, &self.column)? {
            for (value, count) in counts {
                let Some(number) = numbers.get(value as usize).map(|number| *number as usize) else { continue };
                if counted.numbered.len() <= number {
                    counted.numbered.resize(number + 1, 0);
                }
                counted.numbered[number] += count;
            }
            return Ok(counted);
        }
        let values: Vec<u64> = counts.iter().map(|(value, _)| *value).collect();
        let mut counts = counts.into_iter().map(|(_, count)| count);
        // In their order, each block of the dictionary is read once.
        self.column.dictionary().sorted_ords_to_term_cb(&values, |text| {
            let value = String::from_utf8_lossy(text).into_owned();
            *counted.spelt.entry(value).or_insert(0) += counts.next().unwrap_or_default();
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
