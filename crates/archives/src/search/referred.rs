//! Records that others refer to, as answers show them, kept for the answers that follow (decision 89). The same repositories,
//! agents, subjects and containers are in most answers, and what follows for a container from the records in it takes the
//! database longer than all else in an answer.

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use lru::LruCache;
use serde_json::Value;

use super::document::{CONTAINER, referred};
use crate::model::Uri;

/// Types that are kept. What the others show can change without a change that the index is told of, like their place in a tree.
const KEPT: [&str; 10] = [
    "agent_corporate_entity",
    "agent_family",
    "agent_person",
    "agent_software",
    "container_profile",
    "location",
    "location_profile",
    "repository",
    "subject",
    CONTAINER,
];
/// Where a container is that circulates: the desk changes that without a change of the archives.
const CIRCULATES: &str = "circulation";
/// A record is read again after that long. Restrictions in force change with the day, and while the index cannot be kept up to date
/// nobody tells what has changed.
const LIFE: Duration = Duration::from_secs(60);
/// Bytes of the JSON of the records that are kept for a tenant; in memory they take about four times as much.
const MEMORY: usize = 4 << 20;
/// What an entry takes besides.
const ENTRY: usize = 200;

/// A record that others refer to.
#[derive(Debug)]
pub(super) struct Record {
    pub value: Value,
    /// The contacts of an agent, apart: only some references show them.
    pub contacts: Option<Value>,
}

/// A type and an id.
type Key = (&'static str, i64);

/// The records that are kept for a tenant.
#[derive(Default)]
pub struct Referred(Mutex<Kept>);

/// A moment between two changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment(u64);

struct Kept {
    records: LruCache<Key, Entry>,
    bytes: usize,
    /// Counts the times at which something had changed.
    changes: u64,
}

struct Entry {
    uri: String,
    record: Arc<Record>,
    bytes: usize,
    read: Instant,
}

impl Default for Kept {
    fn default() -> Self {
        Self { records: LruCache::unbounded(), bytes: 0, changes: 0 }
    }
}

impl Kept {
    fn get(&mut self, key: Key) -> Option<(String, Arc<Record>)> {
        let entry = self.records.get(&key)?;
        if entry.read.elapsed() < LIFE {
            return Some((entry.uri.clone(), Arc::clone(&entry.record)));
        }
        self.forget(key);
        None
    }

    fn put(&mut self, key: Key, uri: &str, record: &Arc<Record>) {
        self.forget(key);
        let bytes = ENTRY + record.value.to_string().len();
        self.bytes += bytes;
        let entry = Entry { uri: uri.to_owned(), record: Arc::clone(record), bytes, read: Instant::now() };
        self.records.put(key, entry);
        while self.bytes > MEMORY
            && let Some((_, entry)) = self.records.pop_lru()
        {
            self.bytes -= entry.bytes;
        }
    }

    fn forget(&mut self, key: Key) {
        if let Some(entry) = self.records.pop(&key) {
            self.bytes -= entry.bytes;
        }
    }
}

impl Referred {
    /// To be asked before records are read that are to be kept.
    pub(super) fn now(&self) -> Moment {
        Moment(self.kept().changes)
    }

    /// The records of these addresses that are kept, and the kept ones that they refer to.
    pub(super) fn known(&self, mut wanted: BTreeSet<String>) -> HashMap<String, Arc<Record>> {
        let mut kept = self.kept();
        let mut found = HashMap::new();
        while let Some(uri) = wanted.pop_first() {
            if !found.contains_key(&uri)
                && let Some((uri, record)) = key(&uri).and_then(|key| kept.get(key))
            {
                referred(&record.value, &mut wanted);
                found.insert(uri, record);
            }
        }
        found
    }

    /// Keeps records that were read since a moment, unless something has changed meanwhile: they can be from before that.
    pub(super) fn keep<'r>(&self, since: Moment, read: impl IntoIterator<Item = (&'r String, &'r Arc<Record>)>) {
        let mut kept = self.kept();
        if Moment(kept.changes) == since {
            for (uri, record) in read {
                if let Some(key) = key(uri).filter(|_| record.value.get(CIRCULATES).is_none()) {
                    kept.put(key, uri, record);
                }
            }
        }
    }

    /// Forgets records that may have changed.
    pub(super) fn forget(&self, changed: &[(String, i64)]) {
        if changed.is_empty() {
            return;
        }
        let mut kept = self.kept();
        kept.changes += 1;
        for (kind, id) in changed {
            if let Some(kind) = KEPT.iter().find(|of| *of == kind) {
                kept.forget((kind, *id));
            }
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

/// The key of a record with this address, if it is of a type that is kept.
fn key(uri: &str) -> Option<Key> {
    let uri = Uri::parse(uri)?;
    let kind = KEPT.iter().find(|kind| **kind == uri.kind.name)?;
    Some((kind, uri.id))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record(value: Value) -> Arc<Record> {
        Arc::new(Record { value, contacts: None })
    }

    fn wanted(uris: &[&str]) -> BTreeSet<String> {
        uris.iter().map(|uri| (*uri).to_owned()).collect()
    }

    fn known(referred: &Referred, uris: &[&str]) -> Vec<String> {
        let mut found: Vec<String> = referred.known(wanted(uris)).into_keys().collect();
        found.sort();
        found
    }

    #[test]
    fn records_are_kept_until_they_may_have_changed() {
        let referred = Referred::default();
        let (container, profile) = ("/repositories/2/top_containers/1".to_owned(), "/container_profiles/3".to_owned());
        let box_1 =
            record(json!({"uri": container, "container_profile": {"ref": profile}, "series": [{"ref": container}]}));
        let of_profile = record(json!({"uri": profile}));
        let component = "/repositories/2/archival_objects/1".to_owned();
        let circulating = ("/repositories/2/top_containers/9".to_owned(), record(json!({"circulation": {}})));
        let all =
            [(&container, &box_1), (&profile, &of_profile), (&component, &box_1), (&circulating.0, &circulating.1)];

        let before = referred.now();
        referred.keep(before, all);
        let asked = [container.as_str(), &component, &circulating.0, "/x", "/agents/people/1"];
        assert_eq!(known(&referred, &asked), [profile.clone(), container.clone()], "and what it refers to");

        referred.forget(&[]);
        assert_eq!(referred.now(), before);
        referred.forget(&[("resource".to_owned(), 1), (CONTAINER.to_owned(), 1)]);
        assert_eq!(known(&referred, &asked), Vec::<String>::new());
        referred.keep(before, all);
        assert_eq!(known(&referred, &asked), Vec::<String>::new(), "what was read before a change may lack it");
        assert_eq!(known(&referred, &[&profile]), [profile.as_str()]);

        referred.keep(referred.now(), all);
        referred.kept().records.iter_mut().for_each(|(_, entry)| entry.read -= LIFE);
        assert_eq!(known(&referred, &asked), Vec::<String>::new());
        let kept = referred.kept();
        assert_eq!(kept.bytes, kept.records.iter().map(|(_, entry)| entry.bytes).sum::<usize>());
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let referred = Referred::default();
        let long = record(json!({"note": "x".repeat(MEMORY / 4)}));
        for id in 1..=20 {
            let uri = format!("/subjects/{id}");
            referred.keep(referred.now(), [(&uri, &long)]);
        }
        let kept = referred.kept();
        assert_eq!(kept.records.iter().map(|(key, _)| key.1).collect::<Vec<_>>(), [20, 19, 18]);
        assert!(kept.bytes <= MEMORY, "{}", kept.bytes);
    }
}
