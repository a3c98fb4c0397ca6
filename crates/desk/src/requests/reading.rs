//! Reads the records for a decision about a request in one round trip.

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    dates::stored,
    requests::{FoundRequester, RequestContext, place::PlaceCommand},
};
use jiff::Timestamp;
use store::{Session, StoreError, statements::circulation::READ_REQUEST};
use uuid::Uuid;

use crate::{Columns, Desk};

/// The IDs to read when a request is created or changed. Missing ones come from the stored request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestSubject {
    /// The stored request; absent for a new one.
    pub request: Option<Uuid>,
    /// ID of the item.
    pub item: Option<Uuid>,
    /// ID of the instance.
    pub title: Option<Uuid>,
    /// ID of the requester.
    pub requester: Option<Uuid>,
    /// ID of the proxy.
    pub proxy: Option<Uuid>,
    /// When to read the copies of the instance.
    pub copies: Copies,
}

/// When to read the copies of an instance with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Copies {
    /// Never: the request is for one item.
    #[default]
    Never,
    /// Always.
    Always,
    /// If the request is not stored yet.
    ForNewRequest,
    /// If the stored request is title-level.
    ForStoredTitleRequest,
}

impl Copies {
    /// The name in `read_request.sql`.
    fn name(self) -> &'static str {
        match self {
            Copies::Never => "never",
            Copies::Always => "always",
            Copies::ForNewRequest => "new",
            Copies::ForStoredTitleRequest => "stored title",
        }
    }
}

impl RequestSubject {
    /// The IDs for a stored request.
    pub fn stored(request: Uuid) -> RequestSubject {
        RequestSubject { request: Some(request), ..RequestSubject::default() }
    }

    /// The IDs for a request sent by a client; `stored` is set if it replaces another version.
    pub fn written(command: &PlaceCommand, stored: Option<Uuid>) -> RequestSubject {
        RequestSubject {
            request: stored,
            item: command.item_id,
            title: command.instance_id,
            requester: command.requester_id,
            proxy: command.proxy_user_id,
            copies: match command.is_title_level() {
                true => Copies::ForNewRequest,
                false => Copies::Never,
            },
        }
    }
}

/// Reads all records for a decision about a request. One round trip.
pub async fn read_request(
    desk: &Desk,
    session: &Session,
    subject: RequestSubject,
    now: Timestamp,
) -> Result<(RequestContext, Arc<Configuration>), StoreError> {
    let RequestSubject { request, item, title, requester, proxy, copies } = subject;
    let (now, copies) = (stored(now).to_string(), copies.name());
    let parameters: [store::db::Parameter<'_>; 7] =
        [&request, &item, &title, &requester, &proxy, &now, &copies];
    let row = session.get(READ_REQUEST, &parameters).await?;
    let configuration = desk.configuration(session, row.column("configuration_version")?).await?;
    let requester = match row.record("requester")? {
        None => None,
        Some(patron) => Some(FoundRequester {
            patron,
            manual_blocks: row.record("manual_blocks")?.unwrap_or_default(),
            standing: row.record("standing")?.unwrap_or_default(),
        }),
    };
    let context = RequestContext {
        existing: row.record("existing")?,
        item: row.record("item")?,
        item_title: row.column("item_title")?,
        source: row.record("source")?,
        title: row.record("title")?,
        loan: row.record("loan")?,
        requester,
        proxy: row.record("proxy")?,
        proxy_relationships: row.record("proxy_relationships")?.unwrap_or_default(),
        requests: row.record("requests")?.unwrap_or_default(),
        copies: row.record("copies")?.unwrap_or_default(),
        own_loan: row.record("own_loan")?,
        borrower: row.record("borrower")?,
        has_holdings: row.column("has_holdings")?,
        queue_of: (row.column("queue_of_item")?, row.column("queue_of_title")?),
    };
    Ok((context, configuration))
}
