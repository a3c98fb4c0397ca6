//! What a request is decided by, read in one round trip.

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    dates::stored,
    records::Loan,
    requests::{FoundRequester, RequestContext, place::PlaceCommand},
};
use jiff::Timestamp;
use serde_json::{Map, Value};
use store::{Session, StoreError, statements::circulation::READ_REQUEST};
use uuid::Uuid;

use crate::{Columns, Desk};

/// Which request is made or changed: the ids that it and its neighbours are read by. What is not named is that of
/// the stored request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestSubject {
    /// The stored request, when there is one.
    pub request: Option<Uuid>,
    /// The item.
    pub item: Option<Uuid>,
    /// The title.
    pub title: Option<Uuid>,
    /// Who asks.
    pub requester: Option<Uuid>,
    /// Who acts for them.
    pub proxy: Option<Uuid>,
    /// When any copy of the title is looked at.
    pub copies: Copies,
}

/// When the copies of a title are read with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Copies {
    /// Never: one item is in question.
    #[default]
    Never,
    /// In any case.
    Always,
    /// For a request that is not stored yet.
    ForNewRequest,
    /// For a stored request that is for its title.
    ForStoredTitleRequest,
}

impl Copies {
    /// As `read_request.sql` knows it.
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
    /// A stored request.
    pub fn stored(request: Uuid) -> RequestSubject {
        RequestSubject {
            request: Some(request),
            ..RequestSubject::default()
        }
    }

    /// A request as a client wrote it; `stored` when it replaces another version.
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

/// Everything that a request is decided by. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn read_request(
    desk: &Desk,
    session: &Session,
    subject: RequestSubject,
    now: Timestamp,
) -> Result<(RequestContext, Arc<Configuration>), StoreError> {
    let RequestSubject {
        request,
        item,
        title,
        requester,
        proxy,
        copies,
    } = subject;
    let (now, copies) = (stored(now).to_string(), copies.name());
    let parameters: [store::db::Parameter<'_>; 7] =
        [&request, &item, &title, &requester, &proxy, &now, &copies];
    let row = session.get(READ_REQUEST, &parameters).await?;
    let configuration = desk.configuration(session, row.column(0)?).await?;
    let requester = match row.record(7)? {
        None => None,
        Some(patron) => Some(FoundRequester {
            patron,
            manual_blocks: row.record(8)?.unwrap_or_default(),
            standing: row.record(9)?.unwrap_or_default(),
        }),
    };
    let context = RequestContext {
        existing: row.record(1)?,
        item: row.record(2)?,
        item_title: row.column(3)?,
        source: row.record(4)?,
        title: row.record(5)?,
        loan: row.record::<Map<String, Value>>(6)?.map(Loan::new),
        requester,
        proxy: row.record(10)?,
        proxy_relationships: row.record(11)?.unwrap_or_default(),
        requests: row.record(12)?.unwrap_or_default(),
        copies: row.record(13)?.unwrap_or_default(),
        own_loan: row.record::<Map<String, Value>>(14)?.map(Loan::new),
        borrower: row.record(17)?,
        has_holdings: row.column(18)?,
        queue_of: (row.column(15)?, row.column(16)?),
    };
    Ok((context, configuration))
}
