//! Requests whose time has run out, and those that are to forget who asked (folio-circulation §8.7, §1.1).

use ::circulation::{dates::stored, refusal::Told};
use store::lending;
use uuid::Uuid;

use super::told::refused;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/scheduled-request-expiration", expire)
        .summary("Close the requests whose time has run out")
        .of_module("mod-circulation-storage")
        .needs(&[]);
    routes
        .post("/request-anonymization/{requestId}", anonymize)
        .summary("Take the people out of a closed request");
}

/// POST. Two round trips, and one more for every five hundred titles of expired requests.
async fn expire(call: Call) -> Answer {
    let configuration = call.tenant.desk.current(&call.session).await?;
    let (at, titles) = (
        stored(call.now).to_string(),
        configuration.title_level_requests,
    );
    let closed = lending::expire_requests(&call.session, &at, titles).await?;
    if closed > 0 {
        tracing::info!(closed, "requests have expired");
    }
    Ok(Reply::no_content())
}

/// POST. One round trip.
async fn anonymize(call: Call) -> Answer {
    let text = call.param("requestId");
    let refuse = |message: &str| refused([Told::new(message).about("requestId", Some(text))]);
    let id = Uuid::try_parse(text).map_err(|_| refuse("invalidRequestId"))?;
    let at = stored(call.now).to_string();
    let status = lending::anonymize_request(&call.session, id, &at).await?;
    let Some(status) = status else {
        let text = format!("requests record with ID \"{id}\" cannot be found");
        return Err(Problem::not_found(text));
    };
    // FOLIO leaves this one open status out of those it knows.
    match status.as_str() {
        status if status.starts_with("Closed") => Ok(Reply::pretty(
            &serde_json::json!({"requestId": text, "anonymized": true}),
        )),
        "Open - Awaiting delivery" => Err(refuse("requestNotEligibleForAnonymization")),
        _ => Err(refuse("requestNotClosed")),
    }
}
