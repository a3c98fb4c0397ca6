//! The values of a field in all documents found, one after the other.

use tantivy::{DocSet, TERMINATED, query::EnableScoring, schema::IndexRecordOption, termdict::TermMerger};

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
        let query = query.compile(self.fields(), &self.terms)?;
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

    /// Passes on each value of a field with whole values once, in order, if any document found has it, until it is told to
    /// stop. Takes memory of one bit for each document.
    ///
    /// # Errors
    /// [`SearchError`] if the index cannot be read.
    pub fn each_once(
        &self,
        query: &Query,
        field: &str,
        mut take: impl FnMut(String) -> bool,
    ) -> Result<(), SearchError> {
        let searcher = self.searcher();
        let Some((kind, column)) = self.fields().get(field).filter(|(kind, _)| kind.is_whole()) else { return Ok(()) };
        let query = query.compile(self.fields(), &self.terms)?;
        let weight = query.weight(EnableScoring::disabled_from_searcher(&searcher))?;
        let (mut found, mut values) = (Vec::new(), Vec::new());
        for segment in searcher.segment_readers() {
            let alive = segment.alive_bitset();
            let mut of_segment = vec![0_u64; segment.max_doc() as usize / 64 + 1];
            let mut documents = weight.scorer(segment, 1.0)?;
            let mut document = documents.doc();
            while document != TERMINATED {
                if alive.is_none_or(|alive| alive.is_alive(document)) {
                    of_segment[document as usize / 64] |= 1 << (document % 64);
                }
                document = documents.advance();
            }
            found.push(of_segment);
            values.push(segment.inverted_index(column)?);
        }
        let streams = values.iter().map(|values| values.terms().stream()).collect::<std::io::Result<_>>()?;
        let mut merged = TermMerger::new(streams);
        while merged.advance() {
            let mut is_found = false;
            for (segment, term) in merged.current_segment_ords_and_term_infos() {
                let mut documents = values[segment].read_postings_from_terminfo(&term, IndexRecordOption::Basic)?;
                while !is_found && documents.doc() != TERMINATED {
                    let document = documents.doc();
                    is_found = found[segment][document as usize / 64] & (1 << (document % 64)) != 0;
                    documents.advance();
                }
            }
            if is_found && !take(kind.decode(&String::from_utf8_lossy(merged.key()))) {
                break;
            }
        }
        Ok(())
    }

    /// How many documents there are.
    ///
    /// # Errors
    /// [`SearchError`] if the index cannot be read.
    pub fn count(&self, query: &Query) -> Result<usize, SearchError> {
        let query = query.compile(self.fields(), &self.terms)?;
        Ok(query.count(&self.searcher())?)
    }
}
