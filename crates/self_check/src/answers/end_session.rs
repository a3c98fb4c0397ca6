//! A patron has finished (35): notices that were collected for the visit may go out.

use http::Method;
use serde_json::json;
use sip2::Part;

use crate::{
    patron::{Account, refuse_strangers},
    transaction::{Answered, Transaction},
};

const END: &str = "/circulation/end-patron-action-session";

/// Ends what the patron did at the terminal. Two round trips.
pub async fn answer(transaction: &Transaction<'_>) -> Answered {
    refuse_strangers(transaction).await?;
    let account = Account::named(transaction, None).await?;
    let of = |action: &str| json!({"patronId": account.patron.id, "actionType": action});
    let body = json!({"endSessions": [of("Check-out"), of("Check-in")]});
    let ended = transaction.send(Method::POST, END, &body).await;
    ended.map_err(|problem| transaction.problem(problem))?;
    Ok(transaction.begin().with_flag(Part::SessionEnded, true))
}
