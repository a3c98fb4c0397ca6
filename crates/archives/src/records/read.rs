//! Reading records: one, or a list in its three forms (contract 2, "Listing").

use jiff::Timestamp;
use serde_json::{Value, json};
use store::{
    Session,
    archives::{Sort, chosen, ids, listing},
    statements::archives::READ_RECORD,
};

use super::Place;
use crate::refusal::Refusal;

/// Whether suppressed records are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    All,
    Unsuppressed,
}

impl Seen {
    /// Whether suppressed records are among what is shown.
    pub fn all(self) -> bool {
        self == Self::All
    }
}

/// What a list is asked for.
#[derive(Debug, Clone)]
pub enum Listing {
    /// One page, counted from 1.
    Page(Page),
    /// Those of these records.
    Ids(Vec<i64>, Sort),
    /// The ids of all records.
    AllIds(Sort),
}

/// A page of a list.
#[derive(Debug, Clone)]
pub struct Page {
    /// From 1.
    pub number: i64,
    /// How many records it has at most.
    pub size: i64,
    pub sort: Sort,
}

impl Page {
    /// The page as clients get it.
    pub(crate) fn answer(&self, total: i64, records: Value) -> Value {
        let last = if self.size == 0 { 1 } else { (total + self.size - 1) / self.size };
        json!({"first_page": 1, "last_page": last.max(1), "this_page": self.number, "total": total, "results": records})
    }
}

/// A record as a GET returns it. One round trip.
pub async fn get(session: &Session, place: Place, id: i64, seen: Seen) -> Result<Value, Refusal> {
    let all = seen.all();
    let found = session.find_value(READ_RECORD, &[&place.kind, &id, &place.repository, &all]).await?;
    found.ok_or_else(|| Refusal::no(place.kind))
}

/// A list of records changed since a moment, in the form it is asked for. One round trip.
pub async fn list(
    session: &Session,
    place: Place,
    listing_of: &Listing,
    since: Timestamp,
    seen: Seen,
) -> Result<Value, Refusal> {
    let Place { kind, repository } = place;
    let all = seen.all();
    match listing_of {
        Listing::AllIds(sort) => {
            let sql = ids(*sort, repository.is_some());
            let all_ids: Vec<i64> = session.values(&sql, &[&kind, &repository, &since, &all]).await?;
            Ok(json!(all_ids))
        }
        Listing::Ids(ids, sort) => {
            let sql = chosen(*sort, repository.is_some());
            Ok(session.value(&sql, &[&kind, &repository, &since, &all, ids]).await?)
        }
        Listing::Page(page) => {
            let skipped = (page.number.max(1) - 1).saturating_mul(page.size);
            let sql = listing(page.sort, repository.is_some());
            let row = session.get(&sql, &[&kind, &repository, &since, &all, &skipped, &page.size]).await?;
            let (total, records): (i64, Value) = (row.get("total"), row.get("records"));
            Ok(page.answer(total, records))
        }
    }
}
