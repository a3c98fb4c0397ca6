//! Counting the rows of ordered lists.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError},
    time::Instant,
};

use crate::{
    SearchError,
    index::Reader,
    lists::Start,
    tally::{Counted, Tally},
};

/// Lists with more values are counted beside the answers.
const QUICK: u64 = 20_000;
/// For so many times as long as it takes to count a list, it is not counted again.
const REST: u32 = 20;
/// Different sets of groups that are kept apart; rows in any further one are counted in the first of its groups.
const SETS: usize = 20_000;

impl Reader {
    /// How many rows the list of a field has. Of a large one the numbers may be from some moments before: it is counted beside
    /// what asks for them, and again only after a rest.
    ///
    /// # Errors
    /// [`SearchError`] if the index cannot be read.
    pub fn tally(&self, field: &str) -> Result<Arc<Tally>, SearchError> {
        let generation = self.searcher().generation().generation_id();
        let slot = {
            let mut all = self.tallies.slots.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(field.to_owned()).or_default())
        };
        // Who asks at the same moment waits for the first count.
        let mut held = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(counted) = held.counted.clone() {
            if counted.generation == generation {
                return Ok(counted.tally);
            }
            if counted.values > QUICK {
                if !held.is_counting && counted.at.elapsed() > counted.took * REST {
                    held.is_counting = true;
                    let (reader, field, slot) = (self.clone(), field.to_owned(), Arc::clone(&slot));
                    std::thread::spawn(move || {
                        let counted = reader.counted(&field);
                        let mut held = slot.lock().unwrap_or_else(PoisonError::into_inner);
                        held.is_counting = false;
                        match counted {
                            Ok(counted) => held.counted = Some(counted),
                            Err(error) => tracing::warn!("{field} could not be counted: {error}"),
                        }
                    });
                }
                return Ok(counted.tally);
            }
        }
        let counted = self.counted(field)?;
        let tally = Arc::clone(&counted.tally);
        held.counted = Some(counted);
        Ok(tally)
    }

    fn counted(&self, field: &str) -> Result<Counted, SearchError> {
        let searcher = self.searcher();
        let generation = searcher.generation().generation_id();
        let began = Instant::now();
        let mut values = 0;
        let mut rows: HashMap<Box<[Arc<str>]>, u64> = HashMap::new();
        self.walk(&searcher, field, &|_| true, &Start::From(String::new()), &mut |found| {
            values += found.values();
            let mut groups = found.groups()?;
            if !groups.is_empty() {
                let is_kept = rows.len() < SETS || rows.contains_key(&*groups);
                groups.truncate(if is_kept { groups.len() } else { 1 });
                *rows.entry(groups.into()).or_insert(0) += 1;
            }
            Ok(true)
        })?;
        let tally = Arc::new(Tally { rows: rows.into_iter().collect() });
        Ok(Counted { tally, generation, values, took: began.elapsed(), at: Instant::now() })
    }

    /// Passes on all rows of a list, with the groups that each is in. Reads all of it.
    ///
    /// # Errors
    /// [`SearchError`] if the index cannot be read.
    pub fn each_row(&self, field: &str, mut take: impl FnMut(&str, &[Arc<str>])) -> Result<(), SearchError> {
        self.walk(&self.searcher(), field, &|_| true, &Start::From(String::new()), &mut |found| {
            let groups = found.groups()?;
            if !groups.is_empty() {
                take(&String::from_utf8_lossy(found.row()), &groups);
            }
            Ok(true)
        })
    }
}
