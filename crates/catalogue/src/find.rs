//! Results of a search.

use search::{hits::Request, index::Reader};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::Session;
use uuid::Uuid;

use crate::{
    Catalogue, Failed, Records,
    answer::{self, Expanded},
    brief::Brief,
    meaning::Asked,
    source,
    title::Title,
};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// In CQL.
    pub query: String,
    pub limit: usize,
    pub offset: usize,
    /// Whether results have all that is searched, not only what lists show.
    pub expand_all: bool,
}

impl Search {
    /// What the index is asked for the page.
    pub(crate) fn request(&self, asked: Asked) -> Request {
        Request {
            query: asked.query(),
            sort: asked.sort,
            offset: self.offset,
            limit: self.limit,
            facets: Vec::new(),
            least: 1,
            most: 0,
        }
    }
}

/// What is kept of each document.
#[derive(Deserialize)]
struct Named {
    id: Uuid,
}

/// An answer.
#[derive(Debug)]
pub struct Found<T> {
    pub body: T,
    /// Whether something that was saved before may be missing.
    pub is_behind: bool,
}

pub(crate) fn broken(error: &dyn std::fmt::Display) -> Failed {
    Failed::Broken(error.to_string())
}

fn page<T: Serialize>(total: usize, instances: &[T]) -> serde_json::Result<String> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Page<'a, T> {
        total_records: usize,
        instances: &'a [T],
    }
    serde_json::to_string(&Page { total_records: total, instances })
}

impl Catalogue {
    /// Searches for instances: a page of results, printed. One round trip for results with all that is searched, and as long as
    /// the index is not up to date; otherwise none.
    ///
    /// # Errors
    /// [`Failed`] if the query is refused, or the index or the database cannot be read.
    pub async fn search(&self, session: &Session, search: &Search) -> Result<Found<String>, Failed> {
        let (asked, reader, is_behind) = self.asked(Records::Instances, &search.query).await?;
        let request = search.request(asked);
        // What an index of an earlier version has kept may be something else.
        let body = if search.expand_all || is_behind {
            let hits = self.run(Records::Instances, reader, move |reader| reader.search_as::<Named>(&request)).await?;
            let ids: Vec<Uuid> = hits.documents.iter().map(|named| named.id).collect();
            let titles = if ids.is_empty() { Vec::new() } else { source::titles(session, &ids).await? };
            if search.expand_all {
                let shown = titles.into_iter().map(|title| answer::full(title, &self.tenant));
                page(hits.total, &shown.collect::<Vec<_>>())
            } else {
                let titles: Vec<Title<'_>> = titles.iter().map(Expanded::title).collect();
                page(hits.total, &titles.iter().map(|title| Brief::of(title, &self.tenant)).collect::<Vec<_>>())
            }
        } else {
            let read = move |reader: &Reader| reader.search_as::<Box<RawValue>>(&request);
            let hits = self.run(Records::Instances, reader, read).await?;
            page(hits.total, &hits.documents)
        };
        Ok(Found { body: body.map_err(|error| broken(&error))?, is_behind })
    }

    /// Reads the index where it keeps nobody up; only some searches run at once.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        of: Records,
        reader: Reader,
        work: impl FnOnce(&Reader) -> Result<T, search::SearchError> + Send + 'static,
    ) -> Result<T, Failed> {
        self.index_of(of).run(move || work(&reader)).await.map_err(|error| broken(&error))
    }
}
