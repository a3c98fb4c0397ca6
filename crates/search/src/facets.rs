//! Counting the values of fields among the documents found.

use std::collections::HashMap;

use tantivy::{DocId, SegmentReader, columnar::StrColumn};

use crate::fields::Kind;

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
    column: Option<StrColumn>,
    counts: Counts,
    kind: Kind,
    /// Of the documents at hand: those with values, where their values are, and which.
    having: Vec<DocId>,
    places: Vec<u32>,
    values: Vec<u64>,
}

enum Counts {
    Table(Vec<u64>),
    Map(HashMap<u64, u64>),
}

impl Counts {
    fn of(column: Option<&StrColumn>) -> Self {
        match column.map_or(0, |column| column.num_terms()) {
            values if values <= IN_A_TABLE => Self::Table(vec![0; values]),
            _ => Self::Map(HashMap::new()),
        }
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

    /// The values that were counted at all.
    fn found(self) -> Box<dyn Iterator<Item = (u64, u64)>> {
        match self {
            Self::Table(counts) => Box::new((0..).zip(counts).filter(|(_, count)| *count > 0)),
            Self::Map(counts) => Box::new(counts.into_iter()),
        }
    }
}

impl Counting {
    pub(crate) fn for_segment(&self, reader: &SegmentReader) -> tantivy::Result<SegmentCounting> {
        let column = reader.fast_fields().str(&self.field)?;
        let counts = Counts::of(column.as_ref());
        let (having, places, values) = (Vec::new(), Vec::new(), Vec::new());
        Ok(SegmentCounting { column, counts, kind: self.kind, having, places, values })
    }
}

impl SegmentCounting {
    /// Counts the values of documents; of many at once it is quicker.
    pub(crate) fn count(&mut self, documents: &[DocId]) {
        let Some(column) = &self.column else { return };
        self.having.clear();
        self.places.clear();
        column.ords().row_ids_for_docs(documents, &mut self.having, &mut self.places);
        self.values.resize(self.places.len(), 0);
        column.ords().values.get_vals(&self.places, &mut self.values);
        self.values.iter().for_each(|value| self.counts.add(*value));
    }

    /// The values and how many of the documents have each.
    pub(crate) fn harvest(self) -> HashMap<String, u64> {
        let Some(column) = self.column else { return HashMap::new() };
        let mut found = HashMap::new();
        for (value, count) in self.counts.found() {
            let mut text = String::new();
            if column.ord_to_str(value, &mut text).unwrap_or(false) {
                *found.entry(self.kind.decode(&text)).or_insert(0) += count;
            }
        }
        found
    }
}

/// The most frequent values, the most frequent first, equally frequent ones in the order of their texts.
pub(crate) fn most_frequent(counts: HashMap<String, u64>, least: u64, most: usize) -> Vec<(String, u64)> {
    let mut counts: Vec<_> = counts.into_iter().filter(|(_, count)| *count >= least).collect();
    counts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    counts.truncate(most);
    counts
}
