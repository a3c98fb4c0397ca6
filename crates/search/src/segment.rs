//! Which documents of a segment have a value of a field.

use std::{cell::OnceCell, io, sync::Arc};

use tantivy::{
    DocId, DocSet, InvertedIndexReader, SegmentReader, TERMINATED,
    postings::TermInfo,
    schema::{Field as Column, IndexRecordOption},
};

use crate::{SearchError, fields::ID};

/// A segment with the dictionary of the field.
pub(crate) struct Segment<'a> {
    pub(crate) reader: &'a SegmentReader,
    pub(crate) values: Arc<InvertedIndexReader>,
    /// Its deleted documents, in order.
    deleted: OnceCell<Vec<DocId>>,
}

/// So many documents are looked at one by one.
pub(crate) const FEW: u32 = 128;
/// How many documents are looked at in the time in which one is looked up.
const LOOK_UP: usize = 16;

impl<'a> Segment<'a> {
    pub(crate) fn of(reader: &'a SegmentReader, column: Column) -> tantivy::Result<Self> {
        Ok(Self { reader, values: reader.inverted_index(column)?, deleted: OnceCell::new() })
    }

    /// The documents that have a value.
    pub(crate) fn having(&self, found: &TermInfo) -> io::Result<impl Iterator<Item = DocId>> {
        let alive = self.reader.alive_bitset();
        let mut found = self.values.read_postings_from_terminfo(found, IndexRecordOption::Basic)?;
        let all = std::iter::from_fn(move || {
            let document = found.doc();
            found.advance();
            (document != TERMINATED).then_some(document)
        });
        Ok(all.filter(move |document| alive.is_none_or(|alive| alive.is_alive(*document))))
    }

    /// Whether a document has a value.
    pub(crate) fn has(&self, found: &TermInfo) -> io::Result<bool> {
        Ok(!self.reader.has_deletes() || self.having(found)?.next().is_some())
    }

    /// How many documents have a value. Of few deleted documents it looks up which have it, instead of reading all that do.
    pub(crate) fn alive(&self, found: &TermInfo) -> io::Result<u32> {
        let Some(alive) = self.reader.alive_bitset() else { return Ok(found.doc_freq) };
        if self.reader.num_deleted_docs() as usize * LOOK_UP > found.doc_freq as usize {
            return Ok(self.having(found)?.count() as u32);
        }
        let among = 0..self.reader.max_doc();
        let deleted = self.deleted.get_or_init(|| among.filter(|document| alive.is_deleted(*document)).collect());
        let mut documents = self.values.read_postings_from_terminfo(found, IndexRecordOption::Basic)?;
        let have_it = deleted.iter().filter(|document| {
            if documents.doc() < **document {
                documents.seek(**document);
            }
            documents.doc() == **document
        });
        Ok(found.doc_freq - have_it.count() as u32)
    }

    pub(crate) fn id(&self, document: DocId) -> Result<Option<String>, SearchError> {
        let Some(ids) = self.reader.fast_fields().str(ID)? else { return Ok(None) };
        let Some(value) = ids.term_ords(document).next() else { return Ok(None) };
        let mut id = String::new();
        ids.ord_to_str(value, &mut id)?;
        Ok(Some(id))
    }
}
