//! Which documents of a segment have a value of a field.

use std::{cell::OnceCell, io, sync::Arc};

use tantivy::{
    DocId, DocSet, InvertedIndexReader, SegmentReader, TERMINATED,
    postings::{SegmentPostings, TermInfo},
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

    /// Whether a document has a value.
    pub(crate) fn has(&self, found: &TermInfo) -> io::Result<bool> {
        let Some(alive) = self.reader.alive_bitset() else { return Ok(true) };
        let mut found = self.documents(found)?;
        while found.doc() != TERMINATED {
            if alive.is_alive(found.doc()) {
                return Ok(true);
            }
            found.advance();
        }
        Ok(false)
    }

    /// Passes on the documents that have a value.
    pub(crate) fn each(&self, found: &TermInfo, mut take: impl FnMut(DocId)) -> io::Result<()> {
        let alive = self.reader.alive_bitset();
        let mut found = self.documents(found)?;
        while found.doc() != TERMINATED {
            if alive.is_none_or(|alive| alive.is_alive(found.doc())) {
                take(found.doc());
            }
            found.advance();
        }
        Ok(())
    }

    /// How many documents have a value. Of few deleted documents it looks up which have it, instead of reading all that do.
    pub(crate) fn alive(&self, found: &TermInfo) -> io::Result<u32> {
        let Some(alive) = self.reader.alive_bitset() else { return Ok(found.doc_freq) };
        let among = 0..self.reader.max_doc();
        let deleted = self.deleted.get_or_init(|| among.filter(|document| alive.is_deleted(*document)).collect());
        let mut count = 0;
        if deleted.len() * LOOK_UP > found.doc_freq as usize {
            self.each(found, |_| count += 1)?;
            return Ok(count);
        }
        let mut documents = self.documents(found)?;
        for document in deleted {
            if documents.doc() < *document {
                documents.seek(*document);
            }
            count += u32::from(documents.doc() == *document);
        }
        Ok(found.doc_freq - count)
    }

    pub(crate) fn id(&self, document: DocId) -> Result<Option<String>, SearchError> {
        let Some(ids) = self.reader.fast_fields().str(ID)? else { return Ok(None) };
        let Some(value) = ids.term_ords(document).next() else { return Ok(None) };
        let mut id = String::new();
        ids.ord_to_str(value, &mut id)?;
        Ok(Some(id))
    }

    fn documents(&self, found: &TermInfo) -> io::Result<SegmentPostings> {
        self.values.read_postings_from_terminfo(found, IndexRecordOption::Basic)
    }
}
