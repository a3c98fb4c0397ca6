//! Results of a search for authorities. What lists show of them is in the index; only all of it is read from the database.

use std::collections::{HashMap, HashSet};

use indexing::Shown;
use search::query::Query;
use serde_json::{Value, json};
use store::Session;
use uuid::Uuid;

use super::{answer::Row, source};
use crate::{Catalogue, Failed, Found, Records, Search, options::INSTANCES};

/// The option of instances that has the ids of their authorities.
const LINKED: &str = "authorityId";

impl Catalogue {
    /// Searches for authorities: a page of their headings, each decided one with the number of titles that have it, if that
    /// is wanted. No round trip, or one for results with everything that is searched.
    ///
    /// # Errors
    /// [`Failed`] if the query is refused, or the index or the database cannot be read.
    pub async fn search_authorities(
        &self,
        session: &Session,
        search: &Search,
        with_titles: bool,
    ) -> Result<Found<Value>, Failed> {
        let (asked, reader, is_behind) = self.asked(Records::Authorities, &search.query).await?;
        let request = search.request(asked);
        let hits = self.run(Records::Authorities, reader, move |reader| reader.search(&request)).await?;
        let rows: Vec<Row> = hits.documents.into_iter().map(Row::of).collect();
        let shown = self.show_rows(session, &rows.iter().collect::<Vec<_>>(), search.expand_all, with_titles).await?;
        let body = json!({"totalRecords": hits.total, "authorities": shown.body});
        Ok(Found { body, is_behind: is_behind || shown.is_behind })
    }

    /// Headings as clients see them.
    pub(super) async fn show_rows(
        &self,
        session: &Session,
        rows: &[&Row],
        expand_all: bool,
        with_titles: bool,
    ) -> Result<Found<Vec<Value>>, Failed> {
        let decided = rows.iter().filter(|row| with_titles && row.is_decided()).map(|row| row.id().to_owned());
        let titles = self.titles(decided.collect()).await?;
        let ids: HashSet<Uuid> = rows.iter().filter_map(|row| Uuid::parse_str(row.id()).ok()).collect();
        let read = match expand_all && !ids.is_empty() {
            true => source::records(session, &ids.into_iter().collect::<Vec<_>>()).await?,
            false => Vec::new(),
        };
        let records: HashMap<String, Value> = read.into_iter().map(|(id, record)| (id.to_string(), record)).collect();
        let shown = rows.iter().map(|row| {
            let count = titles.body.get(row.id()).copied().filter(|_| row.is_decided());
            row.shown(&self.tenant, count, records.get(row.id()))
        });
        Ok(Found { body: shown.collect(), is_behind: titles.is_behind })
    }

    /// How many instances have each of some authorities. While the first index of instances is being made, nobody knows.
    async fn titles(&self, ids: HashSet<String>) -> Result<Found<HashMap<String, usize>>, Failed> {
        if ids.is_empty() {
            return Ok(Found { body: HashMap::new(), is_behind: false });
        }
        let (shown, is_behind) = self.index.reader().await;
        let Some(Shown::Complete(reader)) = shown else { return Ok(Found { body: HashMap::new(), is_behind: true }) };
        let counting = move |reader: &search::index::Reader| {
            let linked = INSTANCES.named(LINKED);
            let count = |id: String| {
                let query = Query::Or(linked.iter().map(|option| Query::has(option.name, &*id)).collect());
                let count = reader.count(&query)?;
                Ok((id, count))
            };
            ids.into_iter().map(count).collect()
        };
        Ok(Found { body: self.run(Records::Instances, reader, counting).await?, is_behind })
    }
}
