//! Records that others refer to, as answers show them, kept for the answers that follow: the same repositories, agents, subjects
//! and containers are in most of them.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use lru::LruCache;
use search::records::Place;

use super::records::Record;

/// Bytes of the JSON of the records that are kept for a tenant; in memory they take about four times as much.
const MEMORY: usize = 4 << 20;
/// What an entry takes besides.
const ENTRY: usize = 200;

/// The records that are kept for a tenant. Nothing has to be forgotten: a record that changes gets another place in the index.
pub struct Referred(Mutex<Kept>);

struct Kept {
    records: LruCache<Place, (Arc<Record>, usize)>,
    bytes: usize,
}

impl Default for Referred {
    fn default() -> Self {
        Self(Mutex::new(Kept { records: LruCache::unbounded(), bytes: 0 }))
    }
}

impl Referred {
    pub(super) fn get(&self, place: Place) -> Option<Arc<Record>> {
        self.kept().records.get(&place).map(|(record, _)| Arc::clone(record))
    }

    /// Keeps a record whose JSON has so many bytes.
    pub(super) fn put(&self, place: Place, bytes: usize, record: &Arc<Record>) {
        let mut kept = self.kept();
        let bytes = ENTRY + bytes;
        kept.bytes += bytes;
        if let Some((_, before)) = kept.records.put(place, (Arc::clone(record), bytes)) {
            kept.bytes -= before;
        }
        while kept.bytes > MEMORY
            && let Some((_, (_, bytes))) = kept.records.pop_lru()
        {
            kept.bytes -= bytes;
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Referred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept();
        f.debug_struct("Referred").field("records", &kept.records.len()).field("bytes", &kept.bytes).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::iter::zip;

    use search::{document::Document, fields::Fields, index::Writer};
    use serde_json::{Value, json};

    use super::*;

    /// Places in an index that has so many records.
    fn places(many: usize) -> Vec<Place> {
        let folder = tempfile::tempdir().expect("a folder");
        let fields = Arc::new(Fields::with_records([("id", search::fields::Kind::Exact)]));
        let mut writer = Writer::open(folder.path(), fields).expect("an index");
        let ids: Vec<String> = (0..many).map(|id| id.to_string()).collect();
        for id in &ids {
            let shown = json!({"id": id}).as_object().cloned().expect("an object").into();
            let document = Document { id: id.clone(), source: id.clone(), shown, hidden: Default::default() };
            writer.add(&document).expect("a document");
        }
        writer.commit("1").expect("a commit");
        let records = writer.reader().records("id").expect("records");
        ids.iter().map(|id| records.find(id).expect("a search").expect("there").place).collect()
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let (referred, places) = (Referred::default(), places(20));
        let record = |id: usize| Record::of(json!({"uri": id.to_string()})).expect("a record").1;
        for (id, place) in places.iter().enumerate() {
            referred.put(*place, MEMORY / 4, &record(id));
            referred.put(*place, MEMORY / 4, &record(id));
        }
        assert!(referred.kept().bytes <= MEMORY);
        let kept: Vec<Option<Value>> =
            places.iter().map(|place| referred.get(*place).map(|record| record.value["uri"].clone())).collect();
        for (id, kept) in zip(0.., kept) {
            assert_eq!(kept, (id > 16).then(|| id.to_string().into()), "{id}");
        }
    }
}
