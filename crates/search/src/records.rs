//! The records that documents are of, as they were when they were indexed: kept beside the documents, so that an answer shows them
//! without the database.

use tantivy::{
    DocAddress, DocId, DocSet, Searcher, TERMINATED, TantivyDocument, Term,
    index::SegmentId,
    schema::{Field as Column, IndexRecordOption, Value as _},
};

use crate::{SearchError, index::Reader};

/// Where a record is. Another one is never there: what changes gets another place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    segment: SegmentId,
    document: DocId,
}

/// A record that was found.
#[derive(Debug)]
pub struct Found {
    pub place: Place,
    at: DocAddress,
}

/// Reads the records of an index.
pub struct Records {
    searcher: Searcher,
    /// What records are looked up by.
    key: Column,
    record: Column,
}

impl Reader {
    /// Reads its records by a field with whole values; `None`: it keeps no records, or has no such field.
    pub fn records(&self, key: &str) -> Option<Records> {
        let (kind, key) = self.fields().searched(key)?;
        Some(Records { searcher: self.searcher(), key, record: self.fields().record.filter(|_| kind.is_whole())? })
    }
}

impl Records {
    /// The record whose document has this value.
    ///
    /// # Errors
    /// [`SearchError`] if the index cannot be read.
    pub fn find(&self, value: &str) -> Result<Option<Found>, SearchError> {
        let term = Term::from_field_text(self.key, value);
        for (ordinal, segment) in self.searcher.segment_readers().iter().enumerate() {
            let dictionary = segment.inverted_index(self.key)?;
            let Some(mut found) = dictionary.read_postings(&term, IndexRecordOption::Basic)? else { continue };
            while found.doc() != TERMINATED {
                let document = found.doc();
                if !segment.is_deleted(document) {
                    let place = Place { segment: segment.segment_id(), document };
                    return Ok(Some(Found { place, at: DocAddress::new(ordinal as u32, document) }));
                }
                found.advance();
            }
        }
        Ok(None)
    }

    /// A record as JSON; empty for a document without one.
    ///
    /// # Errors
    /// [`SearchError`] if the index cannot be read.
    pub fn read(&self, found: &Found) -> Result<String, SearchError> {
        let document: TantivyDocument = self.searcher.doc(found.at)?;
        Ok(document.get_first(self.record).and_then(|value| value.as_str()).unwrap_or_default().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::{
        document::{Document, Shown, Values},
        fields::{Fields, Kind},
        index::Writer,
    };

    const KEYS: [(&str, Kind); 2] = [("key", Kind::Exact), ("title", Kind::Text)];

    #[test]
    fn records_are_found_until_they_change() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut writer = Writer::open(folder.path(), Arc::new(Fields::with_records(KEYS))).expect("an index");
        let mut save = |source: &str, record: &str| {
            writer.delete(source);
            let members = |key: &str| json!({"key": key}).as_object().cloned().expect("an object");
            let shown = Shown::MembersOf(members(source), record.to_owned());
            let hidden = Values::default;
            let of_record = Document { id: source.to_owned(), source: source.to_owned(), shown, hidden: hidden() };
            let beside = format!("{source}#beside");
            let shown = Shown::Members(members(&beside));
            let other = Document { id: beside, source: source.to_owned(), shown, hidden: hidden() };
            [other, of_record].iter().for_each(|document| writer.add(document).expect("a document"));
            writer.commit(record).expect("a commit");
            writer.reader()
        };
        let read = |reader: &Reader, key: &str| {
            let records = reader.records("key").expect("records");
            records.find(key).expect("a search").map(|found| (found.place, records.read(&found).expect("a record")))
        };
        save("/a/1", r#"{"a":1}"#);
        let reader = save("/a/2", r#"{"a":2}"#);
        let (first, text) = read(&reader, "/a/1").expect("there");
        assert_eq!(text, r#"{"a":1}"#);
        assert_eq!(read(&reader, "/a/2#beside").map(|(_, text)| text), Some(String::new()), "it keeps none");
        assert_eq!(read(&reader, "/a/3"), None);
        let (second, _) = read(&reader, "/a/2").expect("there");
        let reader = save("/a/1", r#"{"a":"1"}"#);
        let (place, text) = read(&reader, "/a/1").expect("there");
        assert!(place != first && text == r#"{"a":"1"}"#, "{text}");
        assert_eq!(read(&reader, "/a/2").expect("there").0, second, "where it was");
        assert!(reader.records("title").is_none() && reader.records("none").is_none());
    }

    #[test]
    fn an_index_made_without_records_has_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let older = Writer::open(folder.path(), Arc::new(Fields::declare(KEYS))).expect("an index");
        assert!(older.reader().records("key").is_none() && !older.is_older());
        older.close().expect("closed");
        let reader = Writer::open(folder.path(), Arc::new(Fields::with_records(KEYS))).expect("an index");
        assert!(reader.reader().records("key").is_none() && reader.is_older());
    }
}
