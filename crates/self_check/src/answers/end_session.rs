//! Ends a patron's session (35), which releases the notices collected for it.

use http::Method;
use serde_json::json;
use sip2::Part;

use crate::{
    patron::{Account, verify_patron},
    transaction::{Answered, Transaction},
};

const END: &str = "/circulation/end-patron-action-session";

/// Two round trips.
pub async fn answer(transaction: &Transaction<'_>) -> Answered {
    verify_patron(transaction).await?;
    let account = Account::named(transaction, None).await?;
    let of = |action: &str| json!({"patronId": account.patron.id, "actionType": action});
    let body = json!({"endSessions": [of("Check-out"), of("Check-in")]});
    let ended = transaction.send(Method::POST, END, &body).await;
    ended.map_err(|problem| transaction.problem(problem))?;
    Ok(transaction.begin().with_flag(Part::SessionEnded, true))
}
