//! Replacing, deleting and moving stored requests (docs/folio/requests.md).

use circulation::requests::{
    change::{self, MoveCommand},
    place::PlaceCommand,
};
use jiff::Timestamp;
use store::Session;
use uuid::Uuid;

use super::{ChangedRequest, RequestSubject, change_request};
use crate::{Desk, Failed, Operator};

/// Replaces a request, or places it if it does not exist yet. Two round trips.
pub async fn replace_request(
    desk: &Desk,
    session: &Session,
    (request, command): (Uuid, &PlaceCommand),
    operator: Operator,
    now: Timestamp,
) -> Result<ChangedRequest, Failed> {
    let subject = RequestSubject::written(command, Some(request));
    change_request(desk, session, subject, operator, now, |context, configuration| {
        change::replace(context, configuration, command, now)
    })
    .await
}

/// Deletes a request; the others in its queue move up. Two round trips.
pub async fn delete_request(
    desk: &Desk,
    session: &Session,
    request: Uuid,
    operator: Operator,
    now: Timestamp,
) -> Result<ChangedRequest, Failed> {
    let subject = RequestSubject::stored(request);
    change_request(desk, session, subject, operator, now, change::delete).await
}

/// Moves a request to another item of its title. Two round trips.
pub async fn move_request(
    desk: &Desk,
    session: &Session,
    (request, command): (Uuid, &MoveCommand),
    operator: Operator,
    now: Timestamp,
) -> Result<ChangedRequest, Failed> {
    let subject = RequestSubject { item: command.destination, ..RequestSubject::stored(request) };
    change_request(desk, session, subject, operator, now, |context, configuration| {
        change::relocate(context, configuration, command, now)
    })
    .await
}
