//! Moving records to another repository, and components to another resource (contract 3.1, 3.2).

use serde_json::{Value, json};
use store::{
    Session,
    db::Parameter,
    statements::writes::{TRANSFER_ARCHIVAL, TRANSFER_COMPONENT},
};

use crate::{
    model::Uri,
    records::{self, Author, Place},
    refusal::Refusal,
};

/// Moves a record with all that goes with it to another repository; without an id everything that the repository of `place`
/// has. One round trip, whatever the size.
pub async fn transfer(
    session: &Session,
    place: Place,
    id: Option<i64>,
    to: i64,
    author: &Author,
) -> Result<(), Refusal> {
    let kind = id.map(|_| place.kind);
    if place.repository == Some(to) {
        return Err(Refusal::parameter("target_repo", "The records are in that repository"));
    }
    let parameters: [Parameter<'_>; 6] = [&kind, &id, &place.repository, &to, &author.name, &author.now];
    let answer: Value = session.value(TRANSFER_ARCHIVAL, &parameters).await?;
    if answer["gone"] == true {
        return Err(Refusal::no(place.kind));
    }
    match answer.get("conflicts") {
        Some(conflicts) => Err(Refusal::Conflicts(conflicts.clone())),
        None => Ok(()),
    }
}

/// Moves a component with all below it to the end of another resource of the repository, and writes an event; returns what
/// the client is told. One round trip.
pub async fn transfer_component(
    session: &Session,
    repository: i64,
    component: &str,
    resource: &str,
    author: &Author,
) -> Result<Value, Refusal> {
    let of = |uri: &str, kind: &str| {
        Uri::parse(uri).filter(|found| found.kind.name == kind && found.repository == Some(repository))
    };
    let missing = || Refusal::NotFound("That which does not exist cannot be moved.".to_owned());
    let from = of(component, "archival_object").ok_or_else(missing)?;
    let to = of(resource, "resource").ok_or_else(|| Refusal::MissingReference(resource.to_owned()))?;
    let parameters: [Parameter<'_>; 5] = [&from.id, &to.id, &repository, &author.name, &author.now];
    let answer = records::settled(session, TRANSFER_COMPONENT, &parameters).await?;
    if answer["gone"] == true {
        return Err(missing());
    }
    let answer = records::accepted(answer)?;
    let event = format!("/repositories/{repository}/events/{}", answer["event"]);
    Ok(json!({"component": component, "resource": resource, "event": event}))
}
