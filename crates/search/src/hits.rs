//! Answers: the documents found, in an order, one page of them.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tantivy::{DocAddress, schema::Value as _};

pub use crate::ranking::{By, Sort};
use crate::{
    SearchError,
    collecting::{Collected, Collecting},
    facets::Counting,
    index::Reader,
    query::Query,
    ranking::Ranking,
};

/// What is asked of an index.
#[derive(Debug, Clone)]
pub struct Request {
    pub query: Query,
    /// Empty: by relevance. Documents that are equal are in the order of their ids, or the index's by relevance.
    pub sort: Vec<Sort>,
    /// How many documents to skip.
    pub offset: usize,
    /// How many documents to return at most.
    pub limit: usize,
    /// Fields with whole values to count.
    pub facets: Vec<String>,
    /// Values that fewer documents have are left out.
    pub least: u64,
    /// How many values of a field to return at most.
    pub most: usize,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Hits<T = Map<String, Value>> {
    pub total: usize,
    /// What is returned of the documents.
    pub documents: Vec<T>,
    /// Fields in the order asked for, with their most frequent values.
    pub facets: Vec<(String, Vec<(String, u64)>)>,
}

impl Reader {
    /// Answers a request.
    ///
    /// # Errors
    /// [`SearchError`] if the index cannot be read.
    pub fn search(&self, request: &Request) -> Result<Hits, SearchError> {
        self.search_as(request)
    }

    /// Answers a request. What is returned of documents is read as the type says.
    ///
    /// # Errors
    /// [`SearchError`] if the index cannot be read, or what it returns is of another type.
    pub fn search_as<T: DeserializeOwned>(&self, request: &Request) -> Result<Hits<T>, SearchError> {
        let searcher = self.searcher();
        let fields = self.fields();
        let query = request.query.compile(fields, &self.terms)?;
        let counting = |field: &String| {
            let kind = fields.kind(field).filter(|kind| kind.is_counted())?;
            Some(Counting { field: field.clone(), kind, vocabulary: self.columns.vocabulary(field) })
        };
        let wanted = request.offset.saturating_add(request.limit);
        let page = (request.limit > 0).then(|| Ranking::of(fields, &request.sort, wanted));
        let counting: Vec<Option<Counting>> = request.facets.iter().map(counting).collect();
        let collecting = Collecting { columns: &self.columns, page, facets: &counting };
        let Collected { total, page, facets } = searcher.search(&*query, &collecting)?;
        let most_frequent = |(counting, counted): (&Option<Counting>, _)| {
            counting.as_ref().map_or_else(Vec::new, |of| of.most_frequent(counted, request.least, request.most))
        };
        let facets = request.facets.iter().cloned().zip(counting.iter().zip(facets).map(most_frequent)).collect();
        let documents = page.into_iter().skip(request.offset).map(|found| self.stored(&searcher, found.at));
        Ok(Hits { total, documents: documents.collect::<Result<_, _>>()?, facets })
    }

    /// The first documents that a query finds, in an order.
    pub(crate) fn sorted(
        &self,
        searcher: &tantivy::Searcher,
        query: &dyn tantivy::query::Query,
        sort: &[Sort],
        at_most: usize,
    ) -> Result<Vec<Map<String, Value>>, SearchError> {
        let page = Some(Ranking::of(self.fields(), sort, at_most));
        let found = searcher.search(query, &Collecting { columns: &self.columns, page, facets: &[] })?;
        found.page.into_iter().map(|found| self.stored(searcher, found.at)).collect()
    }

    fn stored<T: DeserializeOwned>(&self, searcher: &tantivy::Searcher, at: DocAddress) -> Result<T, SearchError> {
        let document: tantivy::TantivyDocument = searcher.doc(at)?;
        let text = document.get_first(self.fields().stored).and_then(|value| value.as_str()).unwrap_or_default();
        serde_json::from_str(text).map_err(|error| SearchError::Unusable(error.to_string()))
    }
}
