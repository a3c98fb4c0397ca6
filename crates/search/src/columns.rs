//! Columns of segments that are counted or sorted by, and the values of fields, numbered for all segments. To find a column in a
//! segment's file and open it takes as long as to read some hundred documents of it, and to spell its values longer, so both are
//! kept until their segment is gone.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tantivy::{Searcher, SegmentReader, columnar::StrColumn, index::SegmentId};

/// Values of a field in a segment that are numbered; more of them are spelt when they are needed.
const MOST: usize = 1 << 14;
/// Values of a field that are kept. Those of segments that are gone are forgotten only together with all others.
const MOST_KEPT: usize = 1 << 16;

/// What is kept of the columns of an index.
#[derive(Default)]
pub(crate) struct Columns(Mutex<Open>);

#[derive(Default)]
struct Open {
    /// Of the index, when it was looked through last.
    generation: u64,
    /// By field and segment; `None`: no document of the segment has a value.
    columns: HashMap<String, HashMap<SegmentId, Option<StrColumn>>>,
    vocabularies: HashMap<String, Arc<Vocabulary>>,
}

/// The values of a field in all segments that were counted, each with a number.
#[derive(Default)]
pub(crate) struct Vocabulary(Mutex<Numbered>);

#[derive(Default)]
struct Numbered {
    numbers: HashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
    /// The numbers of a segment's values, in their order.
    of_segments: HashMap<SegmentId, Arc<[u32]>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Columns {
    /// Forgets what belongs to segments that the searcher does not have, so that their files can be deleted.
    pub(crate) fn keep(&self, searcher: &Searcher) {
        let generation = searcher.generation();
        let mut open = locked(&self.0);
        if open.generation == generation.generation_id() {
            return;
        }
        open.generation = generation.generation_id();
        let is_there = |segment: &SegmentId| generation.segments().contains_key(segment);
        open.columns.values_mut().for_each(|of_field| of_field.retain(|segment, _| is_there(segment)));
        open.vocabularies.retain(|_, vocabulary| {
            let mut numbered = locked(&vocabulary.0);
            numbered.of_segments.retain(|segment, _| is_there(segment));
            numbered.texts.len() <= MOST_KEPT
        });
    }

    /// The column of a field in a segment; `None` if no document of the segment has a value.
    pub(crate) fn get(&self, field: &str, segment: &SegmentReader) -> tantivy::Result<Option<StrColumn>> {
        let id = segment.segment_id();
        let known = locked(&self.0).columns.get(field).and_then(|of_field| of_field.get(&id)).cloned();
        if let Some(column) = known {
            return Ok(column);
        }
        let column = segment.fast_fields().str(field)?;
        locked(&self.0).columns.entry(field.to_owned()).or_default().insert(id, column.clone());
        Ok(column)
    }

    /// The values of a field.
    pub(crate) fn vocabulary(&self, field: &str) -> Arc<Vocabulary> {
        let mut open = locked(&self.0);
        match open.vocabularies.get(field) {
            Some(vocabulary) => Arc::clone(vocabulary),
            None => Arc::clone(open.vocabularies.entry(field.to_owned()).or_default()),
        }
    }
}

impl Vocabulary {
    /// The numbers of a segment's values, in their order; `None` if there are too many.
    pub(crate) fn of(&self, segment: SegmentId, column: &StrColumn) -> tantivy::Result<Option<Arc<[u32]>>> {
        if column.num_terms() > MOST {
            return Ok(None);
        }
        let mut numbered = locked(&self.0);
        if let Some(numbers) = numbered.of_segments.get(&segment) {
            return Ok(Some(Arc::clone(numbers)));
        }
        let mut numbers = Vec::with_capacity(column.num_terms());
        let mut values = column.dictionary().stream()?;
        while values.advance() {
            numbers.push(numbered.number(&String::from_utf8_lossy(values.key())));
        }
        let numbers: Arc<[u32]> = numbers.into();
        numbered.of_segments.insert(segment, Arc::clone(&numbers));
        Ok(Some(numbers))
    }

    /// The values with these numbers.
    pub(crate) fn texts(&self, numbers: impl IntoIterator<Item = u32>) -> Vec<Arc<str>> {
        let numbered = locked(&self.0);
        let text = |number: u32| numbered.texts.get(number as usize).cloned();
        numbers.into_iter().filter_map(text).collect()
    }
}

impl Numbered {
    fn number(&mut self, value: &str) -> u32 {
        if let Some(number) = self.numbers.get(value) {
            return *number;
        }
        let (value, number) = (Arc::<str>::from(value), self.texts.len() as u32);
        self.texts.push(Arc::clone(&value));
        self.numbers.insert(value, number);
        number
    }
}
