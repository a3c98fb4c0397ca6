//! Documents that any of several queries finds, ranked by the best of them. tantivy's own union ranks whatever a query finds before
//! it knows whether the other conditions hold; with a dozen fields for each word that is most of what a search costs. Here only
//! a document that is found is ranked.

use tantivy::{
    BitSet, COLLECT_BLOCK_BUFFER_LEN, DocId, DocSet, Score, SeekDangerResult, SegmentReader, TERMINATED, TantivyError,
    Term,
    query::{ConstScorer, EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight},
};

use crate::kept::Documents;

/// Where at least one document in so many is found, a set of them is made first: then another condition is a look into the set.
const SPARSE: u32 = 64;

/// The documents of any of these.
#[derive(Debug)]
pub(crate) struct Best(pub(crate) Vec<Box<dyn Query>>);

impl Clone for Best {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|way| way.box_clone()).collect())
    }
}

impl Query for Best {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let ways = self.0.iter().map(|way| way.weight(scoring)).collect::<tantivy::Result<_>>()?;
        Ok(Box::new(BestWeight { ways, is_ranked: scoring.is_scoring_enabled() }))
    }

    fn query_terms<'a>(&'a self, visitor: &mut dyn FnMut(&'a Term, bool)) {
        self.0.iter().for_each(|way| way.query_terms(visitor));
    }
}

struct BestWeight {
    ways: Vec<Box<dyn Weight>>,
    is_ranked: bool,
}

impl BestWeight {
    /// Those that find anything in a segment.
    fn within(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Ways> {
        let mut ways = Vec::new();
        for way in &self.ways {
            let way = way.scorer(reader, boost)?;
            if way.doc() != TERMINATED {
                ways.push(way);
            }
        }
        Ok(Ways(ways))
    }
}

impl Weight for BestWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let mut ways = self.within(reader, boost)?;
        if ways.0.len() <= 1 {
            return Ok(ways.0.pop().unwrap_or_else(|| Box::new(EmptyScorer)));
        }
        if ways.many() < reader.max_doc() / SPARSE {
            return Ok(Box::new(Few { document: ways.first(), ways }));
        }
        let documents = Documents::of([ways.documents(reader.max_doc())].into());
        if !self.is_ranked {
            return Ok(Box::new(ConstScorer::new(documents, 0.0)));
        }
        Ok(Box::new(Many { documents, ways: self.within(reader, boost)? }))
    }

    fn explain(&self, reader: &SegmentReader, document: DocId) -> tantivy::Result<Explanation> {
        let mut found = self.scorer(reader, 1.0)?;
        if found.doc() <= document && found.seek(document) == document {
            return Ok(Explanation::new("the best of several", found.score()));
        }
        Err(TantivyError::InvalidArgument(format!("document {document} is not found")))
    }
}

/// What each of the queries finds.
struct Ways(Vec<Box<dyn Scorer>>);

impl Ways {
    /// About how many documents they find, those that several find counted several times.
    fn many(&self) -> u32 {
        self.0.iter().fold(0, |sum: u32, way| sum.saturating_add(way.size_hint()))
    }

    fn first(&self) -> DocId {
        self.0.iter().map(DocSet::doc).min().unwrap_or(TERMINATED)
    }

    /// All documents, of as many as there are in the segment.
    fn documents(self, most: DocId) -> BitSet {
        let mut documents = BitSet::with_max_value(most);
        let mut some = [0; COLLECT_BLOCK_BUFFER_LEN];
        for mut way in self.0 {
            loop {
                let many = way.fill_buffer(&mut some);
                for document in &some[..many] {
                    documents.insert(*document);
                }
                if many < some.len() {
                    break;
                }
            }
        }
        documents
    }

    fn seek(&mut self, target: DocId) -> DocId {
        let seek = |way: &mut Box<dyn Scorer>| if way.doc() < target { way.seek(target) } else { way.doc() };
        self.0.iter_mut().map(seek).min().unwrap_or(TERMINATED)
    }

    /// How well a document fits, which is not before the one of the last call.
    fn score(&mut self, document: DocId) -> Score {
        let mut best = 0.0;
        for way in &mut self.0 {
            if way.doc() < document {
                way.seek(document);
            }
            if way.doc() == document {
                best = way.score().max(best);
            }
        }
        best
    }
}

/// Few documents: each of the queries is asked for the next one.
struct Few {
    document: DocId,
    ways: Ways,
}

impl DocSet for Few {
    fn advance(&mut self) -> DocId {
        if self.document != TERMINATED {
            self.document = self.ways.seek(self.document + 1);
        }
        self.document
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if target > self.document {
            self.document = self.ways.seek(target);
        }
        self.document
    }

    fn doc(&self) -> DocId {
        self.document
    }

    fn size_hint(&self) -> u32 {
        self.ways.many()
    }
}

impl Scorer for Few {
    fn score(&mut self) -> Score {
        self.ways.score(self.document)
    }
}

/// Many documents: a set of them.
struct Many {
    documents: Documents,
    ways: Ways,
}

impl DocSet for Many {
    fn advance(&mut self) -> DocId {
        self.documents.advance()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        self.documents.seek(target)
    }

    fn seek_danger(&mut self, target: DocId) -> SeekDangerResult {
        self.documents.seek_danger(target)
    }

    fn doc(&self) -> DocId {
        self.documents.doc()
    }

    fn size_hint(&self) -> u32 {
        self.documents.size_hint()
    }
}

impl Scorer for Many {
    fn score(&mut self) -> Score {
        self.ways.score(self.documents.doc())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tantivy::{
        DocAddress, Index, IndexWriter, TantivyDocument,
        collector::TopDocs,
        query::{BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, Occur, PhraseQuery, TermQuery},
        schema::{Field, IndexRecordOption, Schema, TEXT},
    };

    use super::*;

    /// Documents with two texts each; one in ten is of other words than the rest, so that there are rare ones.
    fn texts() -> impl Strategy<Value = Vec<(String, String)>> {
        let text = || prop_oneof![9 => "([ab] ){0,4}", 1 => "([cde] ){0,4}"];
        prop::collection::vec((text(), text()), 0..300)
    }

    fn found(index: &Index, query: &dyn Query) -> Vec<(Score, DocAddress)> {
        let searcher = index.reader().expect("an index").searcher();
        searcher.search(query, &TopDocs::with_limit(1_000).order_by_score()).expect("an answer")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn documents_and_ranks_are_those_of_a_plain_union(texts in texts(), words in ("[a-e]", "[a-e]", "[a-e]")) {
            let mut schema = Schema::builder();
            let fields = [schema.add_text_field("one", TEXT), schema.add_text_field("other", TEXT)];
            let index = Index::create_in_ram(schema.build());
            let mut writer: IndexWriter = index.writer_with_num_threads(1, 15_000_000).expect("a writer");
            for (one, other) in texts {
                let mut document = TantivyDocument::new();
                document.add_text(fields[0], one);
                document.add_text(fields[1], other);
                writer.add_document(document).expect("a document");
            }
            writer.commit().expect("a commit");

            let term = |field: Field, word: &str| Term::from_field_text(field, word);
            let ways = |word: &str| -> Vec<Box<dyn Query>> {
                let phrase = PhraseQuery::new(vec![term(fields[0], word), term(fields[0], &words.2)]);
                let has = |field| Box::new(TermQuery::new(term(field, word), IndexRecordOption::WithFreqs));
                vec![Box::new(BoostQuery::new(has(fields[0]), 3.0)), has(fields[1]), Box::new(phrase)]
            };
            type Union = fn(Vec<Box<dyn Query>>) -> Box<dyn Query>;
            let ours: Union = |ways| Box::new(Best(ways));
            let plain: Union = |ways| Box::new(DisjunctionMaxQuery::new(ways));
            let alone = |union: Union| union(ways(&words.0));
            let both = |union: Union| BooleanQuery::intersection(vec![union(ways(&words.0)), union(ways(&words.1))]);
            let preferred = |union: Union| {
                let steps = vec![(Occur::Must, union(ways(&words.0))), (Occur::Should, union(ways(&words.1)))];
                BooleanQuery::new(steps)
            };
            prop_assert_eq!(found(&index, &*alone(ours)), found(&index, &*alone(plain)));
            prop_assert_eq!(found(&index, &both(ours)), found(&index, &both(plain)));
            prop_assert_eq!(found(&index, &preferred(ours)), found(&index, &preferred(plain)));

            let unranked = |union: Union| found(&index, &ConstScoreQuery::new(alone(union), 1.0));
            prop_assert_eq!(unranked(ours), unranked(plain));
        }
    }
}
