//! Results of a search, filled from the database.

use search::{hits::Request, index::Reader};
use serde::Serialize;
use serde_json::Value;
use store::{Session, db::JsonText, statements::catalogue::BRIEF_TITLES};
use uuid::Uuid;

use crate::{Catalogue, Failed, Records, answer, brief::Brief, meaning::Asked, source};

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
    /// Searches for instances: a page of results, printed. One round trip, none without results.
    ///
    /// # Errors
    /// [`Failed`] if the query is refused, or the index or the database cannot be read.
    pub async fn search(&self, session: &Session, search: &Search) -> Result<Found<String>, Failed> {
        let (asked, reader, is_behind) = self.asked(Records::Instances, &search.query).await?;
        let request = search.request(asked);
        let hits = self.run(Records::Instances, reader, move |reader| reader.search(&request)).await?;
        let ids = hits.documents.iter().filter_map(|document| Uuid::parse_str(document.get("id")?.as_str()?).ok());
        let ids: Vec<Uuid> = ids.collect();
        let body = match search.expand_all {
            _ if ids.is_empty() => page::<Value>(hits.total, &[]),
            true => {
                let titles = source::titles(session, &ids).await?;
                let shown = titles.into_iter().map(|title| answer::full(title, &self.tenant));
                page(hits.total, &shown.collect::<Vec<_>>())
            }
            false => {
                let rows = session.query(BRIEF_TITLES, &[&ids]).await?;
                let texts = rows.iter().map(|row| row.get::<_, JsonText<'_>>("title").0);
                let shown: Result<Vec<_>, _> = texts.map(|text| Brief::read(text, &self.tenant)).collect();
                shown.and_then(|shown| page(hits.total, &shown))
            }
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
