//! Answers from the tenant's snapshot: lists and records of near-static collections, without a round trip (decision 37).

use std::fmt::Write as _;

use bytes::Bytes;
use http::header;
use store::{
    StoreError,
    collection::Collection,
    query::{self, ListRequest},
    snapshot::{Answer, Reading},
};
use uuid::Uuid;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    connection::COMPRESS_ABOVE,
    packing::{Effort, accepts_gzip, packed},
    route,
};

/// Longer queries are not asked twice.
const LONGEST: usize = 2_000;
/// Clients ask for all of a collection with limits of up to 10,000. Near-static collections are small, so such a page is
/// read at once like a smaller one.
const LARGEST_PAGE: i64 = 10_000;

/// A question that the snapshot may answer. Nothing of the caller is in it: whether the caller may ask has been decided.
pub(crate) struct Question<'c> {
    call: &'c Call,
    text: String,
    reading: Reading,
}

impl<'c> Question<'c> {
    /// For a page, if the records are near-static.
    pub(super) fn about_page(call: &'c Call, collection: &Collection, request: &ListRequest<'_>) -> Option<Self> {
        let ListRequest { cql, limit, offset, totals } = *request;
        if !collection.is_near_static() || limit > LARGEST_PAGE || cql.map_or(0, str::len) > LONGEST {
            return None;
        }
        let mut text = format!("{}?{limit}&{offset}&{}", collection.path, totals == "none");
        if let Some(cql) = cql {
            // An empty query is not the same as none.
            let _ = write!(text, "&{cql}");
        }
        Some(Self::new(call, text))
    }

    /// For a record, if it is near-static.
    pub(super) fn about_record(call: &'c Call, collection: &Collection, id: Uuid) -> Option<Self> {
        collection.is_near_static().then(|| Self::new(call, format!("{}/{id}", collection.path)))
    }

    /// For an answer of a handler's own, made of near-static records and of what is in `text`. [`kept`] answers it.
    pub(crate) fn about(call: &'c Call, collection: &Collection, text: &str) -> Option<Self> {
        let asked = text.len() <= LONGEST && collection.is_near_static();
        asked.then(|| Self::new(call, format!("{}?{text}", collection.path)))
    }

    fn new(call: &'c Call, text: String) -> Self {
        Self { call, text, reading: call.session.snapshot().begin() }
    }

    /// The answer, if it is kept and current.
    pub(super) fn answer(&self) -> Option<Reply> {
        self.call.session.snapshot().answer(&self.text).map(|answer| shown(self.call, &answer))
    }

    /// Keeps an answer that was read with this stamp after the question was made.
    pub(super) fn keep(self, stamp: Uuid, answer: &Bytes) {
        self.call.session.snapshot().keep(self.reading, stamp, &self.text, answer);
    }

    /// The record, from the snapshot or the database.
    pub async fn record(self, collection: &Collection, id: Uuid) -> Result<Option<Reply>, StoreError> {
        if let Some(kept) = self.answer() {
            return Ok(Some(kept));
        }
        let found = query::stamped(&self.call.session, collection, id).await?;
        Ok(found.map(|(stamp, record)| {
            let record = Bytes::from(record);
            self.keep(stamp, &record);
            Reply::json_text(record)
        }))
    }
}

/// A handler's own answer: from the snapshot, or from `read`, which returns it with the stamp that the same statement read.
/// It is kept if there is a question.
pub(crate) async fn kept<F>(question: Option<Question<'_>>, read: F) -> route::Answer
where
    F: AsyncFnOnce() -> Result<(Uuid, String), Problem>,
{
    if let Some(kept) = question.as_ref().and_then(Question::answer) {
        return Ok(kept);
    }
    let (stamp, answer) = read().await?;
    let answer = Bytes::from(answer);
    if let Some(question) = question {
        question.keep(stamp, &answer);
    }
    Ok(Reply::json_text(answer))
}

/// A kept answer, packed if the client can unpack it and it is worth it: it is packed once, not for each client.
fn shown(call: &Call, answer: &Answer) -> Reply {
    if answer.body().len() <= COMPRESS_ABOVE.into() || !accepts_gzip(call.header("accept-encoding").unwrap_or_default())
    {
        return Reply::json_text(answer.body().clone());
    }
    let packed = answer.packed(|body| packed(body, Effort::Usual).unwrap_or_default());
    if packed.is_empty() {
        return Reply::json_text(answer.body().clone());
    }
    let reply = Reply::json_text(packed.clone()).with_header(header::CONTENT_ENCODING, "gzip");
    reply.with_header(header::VARY, "accept-encoding")
}
