//! Documents that are excluded. tantivy asks them for documents before the one that they are at, which its phrases do not
//! expect; here they are asked only for those from there on.

use tantivy::{
    DocId, DocSet, Score, SegmentReader, TantivyError,
    query::{EnableScoring, Explanation, Query, Scorer, Weight},
};

/// Excludes what a query finds.
#[derive(Debug)]
pub(crate) struct Excluded(pub(crate) Box<dyn Query>);

struct ExcludedWeight(Box<dyn Weight>);

/// Without an own way to look for a document, it is only moved forward.
struct ExcludedScorer(Box<dyn Scorer>);

impl Clone for Excluded {
    fn clone(&self) -> Self {
        Self(self.0.box_clone())
    }
}

impl Query for Excluded {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(ExcludedWeight(self.0.weight(scoring)?)))
    }
}

impl Weight for ExcludedWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        Ok(Box::new(ExcludedScorer(self.0.scorer(reader, boost)?)))
    }

    fn explain(&self, _: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        Err(TantivyError::InvalidArgument(format!("document {doc} is excluded")))
    }
}

impl DocSet for ExcludedScorer {
    fn advance(&mut self) -> DocId {
        self.0.advance()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        self.0.seek(target)
    }

    fn doc(&self) -> DocId {
        self.0.doc()
    }

    fn size_hint(&self) -> u32 {
        self.0.size_hint()
    }
}

impl Scorer for ExcludedScorer {
    fn score(&mut self) -> Score {
        self.0.score()
    }
}
