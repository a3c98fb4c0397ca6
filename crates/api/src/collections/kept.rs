//! Answers from the tenant's snapshot: lists and records of near-static collections, without a round trip (decision 37).

use std::{fmt::Write as _, io::Write as _};

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::header;
use store::{
    StoreError,
    collection::Collection,
    query::{self, ListRequest},
    snapshot::{Answer, Reading},
};
use uuid::Uuid;

use crate::{answer::Reply, call::Call, connection::COMPRESS_ABOVE};

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

    /// For an answer of a handler's own, made of near-static records and of what is in `text`.
    pub(crate) fn about(call: &'c Call, collection: &Collection, text: &str) -> Option<Self> {
        let asked = text.len() <= LONGEST && collection.is_near_static();
        asked.then(|| Self::new(call, format!("{}?{text}", collection.path)))
    }

    fn new(call: &'c Call, text: String) -> Self {
        Self { call, text, reading: call.session.snapshot().begin() }
    }

    /// The answer, if it is kept and current.
    pub(crate) fn answer(&self) -> Option<Reply> {
        self.call.session.snapshot().answer(&self.text).map(|answer| shown(self.call, &answer))
    }

    /// Keeps an answer that was read with this stamp after the question was made.
    pub(crate) fn keep(self, stamp: Uuid, answer: &Bytes) {
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

/// A kept answer, packed if the client can unpack it and it is worth it: it is packed once, not for each client.
fn shown(call: &Call, answer: &Answer) -> Reply {
    if answer.body().len() <= COMPRESS_ABOVE.into() || !accepts_gzip(call.header("accept-encoding").unwrap_or_default())
    {
        return Reply::json_text(answer.body().clone());
    }
    let packed = answer.packed(|body| packed(body).unwrap_or_default());
    if packed.is_empty() {
        return Reply::json_text(answer.body().clone());
    }
    let reply = Reply::json_text(packed.clone()).with_header(header::CONTENT_ENCODING, "gzip");
    reply.with_header(header::VARY, "accept-encoding")
}

fn packed(body: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), Compression::default());
    encoder.write_all(body).ok()?;
    encoder.finish().ok().filter(|packed| packed.len() < body.len()).map(Bytes::from)
}

/// Whether a client that sends this `Accept-Encoding` can unpack gzip.
fn accepts_gzip(accepted: &str) -> bool {
    accepted.split(',').map(|coding| coding.split_once(';').unwrap_or((coding, ""))).any(|(name, weight)| {
        let weight = weight.trim().trim_start_matches("q=").parse().unwrap_or(1.0);
        name.trim().eq_ignore_ascii_case("gzip") && weight > 0.0
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn what_is_packed_is_the_answer_and_shorter() {
        let body = r#"{"name": "a service point"}"#.repeat(100);
        let packed = packed(body.as_bytes()).unwrap();
        assert!(packed.len() < body.len() / 4);
        let mut unpacked = String::new();
        GzDecoder::new(&packed[..]).read_to_string(&mut unpacked).unwrap();
        assert_eq!(unpacked, body);
        assert_eq!(super::packed(b"x"), None, "longer than the answer");
    }

    #[test]
    fn a_client_says_what_it_can_unpack() {
        for (accepted, expected) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("deflate, gzip;q=0", false),
            ("gzip; q=0.0", false),
            ("identity", false),
            ("", false),
        ] {
            assert_eq!(accepts_gzip(accepted), expected, "{accepted}");
        }
    }
}
