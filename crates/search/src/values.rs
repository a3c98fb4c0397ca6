//! The values of a field in all documents found, one after the other.

use tantivy::{DocSet, TERMINATED, query::EnableScoring};

use crate::{
    SearchError,
    fields::{ID, Kind},
    index::Reader,
    query::Query,
};

impl Reader {
    /// Passes on the values of a field that can be counted, or the ids, of all documents found, until it is told to stop.
    /// Takes no memory for them.
    ///
    /// # Errors
    /// [`SearchError`] if the index cannot be read.
    pub fn each(
        &self,
        query: &Query,
        field: Option<&str>,
        mut take: impl FnMut(String) -> bool,
    ) -> Result<(), SearchError> {
        let searcher = self.searcher();
        let kind = match field {
            None => Kind::Exact,
            Some(field) => match self.fields().kind(field).filter(|kind| kind.is_counted()) {
                Some(kind) => kind,
                None => return Ok(()),
            },
        };
        let query = query.compile(self.fields())?;
        let weight = query.weight(EnableScoring::disabled_from_searcher(&searcher))?;
        for segment in searcher.segment_readers() {
            let Some(column) = segment.fast_fields().str(field.unwrap_or(ID))? else { continue };
            let alive = segment.alive_bitset();
            let mut found = weight.scorer(segment, 1.0)?;
            let mut document = found.doc();
            while document != TERMINATED {
                if alive.is_none_or(|alive| alive.is_alive(document)) {
                    for value in column.term_ords(document) {
                        let mut text = String::new();
                        if column.ord_to_str(value, &mut text).unwrap_or(false) && !take(kind.decode(&text)) {
                            return Ok(());
                        }
                    }
                }
                document = found.advance();
            }
        }
        Ok(())
    }

    /// How many documents there are.
    ///
    /// # Errors
    /// [`SearchError`] if the index cannot be read.
    pub fn count(&self, query: &Query) -> Result<usize, SearchError> {
        let query = query.compile(self.fields())?;
        Ok(query.count(&self.searcher())?)
    }
}
