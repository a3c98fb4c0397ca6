//! Placing, changing, moving, deleting and reordering requests, each read, decided and written in two round trips.

mod change;
mod expiry;
mod place;
mod queue_changes;
mod reading;
mod reorder;
mod writing;

use std::sync::{Arc, LazyLock};

use circulation::{
    configuration::Configuration,
    records::{DatedStatus, Request},
    requests::{
        RequestChange, RequestContext,
        representation::{self, RequestRow},
    },
};
use jiff::Timestamp;
use refusals::Refused;
use serde_json::Value;
use store::{Session, collection::Collection};

pub use change::{delete_request, move_request, replace_request};
pub use expiry::expire_requests;
pub use place::{place_request, place_title_request};
pub(crate) use queue_changes::Changes;
pub use reading::{Copies, RequestSubject, read_request};
pub use reorder::{ShownQueue, reorder_queue};

use crate::{Desk, Failed, Operator, at_rest::until_at_rest, collections};
use writing::{stamp, write};

static REQUESTS: LazyLock<Collection> = LazyLock::new(collections::requests);

/// A request change after it was written.
#[derive(Debug)]
pub struct ChangedRequest {
    /// The decided change.
    pub change: RequestChange,
    /// The records read for it.
    pub context: RequestContext,
    /// The configuration used.
    pub configuration: Arc<Configuration>,
    now: Timestamp,
}

/// Reads the records, calls `decide` and writes the result.
async fn change_request(
    desk: &Desk,
    session: &Session,
    subject: RequestSubject,
    operator: Operator,
    now: Timestamp,
    decide: impl Fn(&RequestContext, &Configuration) -> Result<RequestChange, Refused>,
) -> Result<ChangedRequest, Failed> {
    until_at_rest("the queue", || async {
        let (context, configuration) = read_request(desk, session, subject, now).await?;
        let mut change = decide(&context, &configuration)?;
        change.request = kept(change.request)?;
        stamp(&mut change, &context, operator, now);
        write(session, &change, &context, &configuration, operator, now).await?;
        Ok(ChangedRequest { change, context, configuration, now })
    })
    .await
}

/// The record to store, without `metadata`.
fn kept(mut request: Request) -> Result<Request, Failed> {
    request.set_metadata(None);
    let mut record = REQUESTS.schema.accept(request.into_record().into())?;
    if let Some(check) = REQUESTS.check {
        check(&mut record)?;
    }
    Ok(Request::new(record))
}

impl ChangedRequest {
    /// The request as clients see it.
    pub fn representation(&self) -> Value {
        let change = &self.change;
        let mut item = change.item.clone();
        if let Some(item) = &mut item
            && let Some((_, status)) = change.items.iter().find(|(c, _)| c.id == item.id)
        {
            item.status = DatedStatus::since(*status, self.now);
        }
        let due = change.loan.as_ref().and_then(|loan| loan.due_date_text());
        let row = RequestRow {
            request: change.request.clone(),
            version: self.configuration.version,
            item,
            instance: self.context.title.clone(),
            due_date: due.map(str::to_owned),
            requester: self.context.patron().cloned(),
            proxy: self.context.proxy.clone(),
            printer: None,
        };
        representation::request(&row, &self.configuration)
    }
}
