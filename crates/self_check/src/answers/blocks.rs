//! Blocks a patron's card at a terminal (01) and lifts that block (25).

use http::Method;
use serde_json::{Value, json};
use sip2::{Part, field};

use super::patrons::{bare, described};
use crate::{
    patron::{Account, Password},
    transaction::{Answered, Transaction},
    words::Text,
};

/// The code that marks blocks set by terminals.
const CODE: &str = "SELF-CHECK";
const BLOCKED: &str = "Card blocked at a self-check";

/// Adds a manual block on everything. Three round trips.
pub async fn block(transaction: &Transaction<'_>) -> Answered {
    let account = Account::named(transaction, None).await?;
    let mut body = json!({"type": "Manual", "desc": BLOCKED, "code": CODE, "userId": account.patron.id,
        "borrowing": true, "renewals": true, "requests": true});
    let mut information = Vec::new();
    if transaction.request.flag(Part::CardRetained) {
        information.push("The terminal has kept the card.");
    }
    information.extend(transaction.request.field(field::BLOCKED_CARD_MESSAGE));
    if !information.is_empty() {
        body["staffInformation"] = information.join(" ").into();
    }
    let blocked = transaction.send(Method::POST, "/manualblocks", &body).await;
    blocked.map_err(|problem| transaction.problem(problem))?;
    about(transaction, Password::NotAsked).await
}

/// Removes the blocks that terminals have set; blocks by staff stay.
pub async fn enable(transaction: &Transaction<'_>) -> Answered {
    let account = Account::named(transaction, None).await?;
    let password = account.password(transaction, true).await;
    let password = password.map_err(|error| transaction.failed(error))?;
    if password == Password::Wrong {
        let text = transaction.words().say(Text::WrongPassword);
        return Ok(bare(transaction, password).with_each(field::SCREEN_MESSAGE, [text]));
    }
    let query = format!("/manualblocks?limit=1000&query=userId%3D%3D{}%20and%20code%3D%3D{CODE}", account.patron.id);
    let blocks = transaction.send(Method::GET, &query, &Value::Null).await;
    let blocks = blocks.map_err(|problem| transaction.problem(problem))?;
    for block in blocks["manualblocks"].as_array().into_iter().flatten() {
        let path = format!("/manualblocks/{}", block["id"].as_str().unwrap_or_default());
        let lifted = transaction.send(Method::DELETE, &path, &Value::Null).await;
        lifted.map_err(|problem| transaction.problem(problem))?;
    }
    about(transaction, password).await
}

/// The patron's status after the change.
async fn about(transaction: &Transaction<'_>, password: Password) -> Answered {
    let account = Account::named(transaction, None).await?;
    Ok(described(transaction, &account, password))
}
