//! Placing a request (docs/folio/requests.md).

use circulation::requests::{
    by_instance::{self, TitleCommand},
    place::{self, PlaceCommand},
};
use jiff::Timestamp;
use store::Session;

use super::{ChangedRequest, Copies, RequestSubject, change_request};
use crate::{Desk, Failed, Operator};

/// Places an item-level or title-level request. Two round trips.
pub async fn place_request(
    desk: &Desk,
    session: &Session,
    command: &PlaceCommand,
    operator: Operator,
    now: Timestamp,
) -> Result<ChangedRequest, Failed> {
    let subject = RequestSubject::written(command, None);
    change_request(desk, session, subject, operator, now, |context, configuration| {
        place::decide(context, configuration, command, now)
    })
    .await
}

/// Places a request for the most suitable item of a title. Two round trips.
pub async fn place_title_request(
    desk: &Desk,
    session: &Session,
    command: &TitleCommand,
    operator: Operator,
    now: Timestamp,
) -> Result<ChangedRequest, Failed> {
    let subject = RequestSubject {
        title: Some(command.instance_id),
        requester: Some(command.requester_id),
        proxy: command.proxy_user_id,
        copies: Copies::Always,
        ..RequestSubject::default()
    };
    change_request(desk, session, subject, operator, now, |context, configuration| {
        by_instance::decide(context, configuration, command, now)
    })
    .await
}
