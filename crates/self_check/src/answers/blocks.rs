//! A card is blocked at a terminal (01), and may be used again (25).

use http::Method;
use serde_json::{Value, json};
use sip2::{Part, field};

use super::patrons::{bare, described};
use crate::{
    patron::{Account, Password},
    transaction::{Answered, Transaction},
    words::Text,
};

/// Blocks that terminals have set are known by this code.
const CODE: &str = "SELF-CHECK";
const BLOCKED: &str = "Card blocked at a self-check";

/// Blocks a patron from everything, by hand. Three round trips.
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

/// Lifts the blocks that terminals have set; those of the staff stay.
pub async fn enable(transaction: &Transaction<'_>) -> Answered {
    let account = Account::named(transaction, None).await?;
    let password = account.password(transaction, true).await;
    let password = password.map_err(|error| transaction.failed(error))?;
    if password == Password::Wrong {
        let text = transaction.words().say(Text::WrongPassword);
        return Ok(bare(transaction, password).with_each(field::SCREEN_MESSAGE, [text]));
    }
    let query = format!(
        "/manualblocks?limit=1000&query=userId%3D%3D{}%20and%20code%3D%3D{CODE}",
        account.patron.id
    );
    let blocks = transaction.send(Method::GET, &query, &Value::Null).await;
    let blocks = blocks.map_err(|problem| transaction.problem(problem))?;
    for block in blocks["manualblocks"].as_array().into_iter().flatten() {
        let path = format!("/manualblocks/{}", block["id"].as_str().unwrap_or_default());
        let lifted = transaction.send(Method::DELETE, &path, &Value::Null).await;
        lifted.map_err(|problem| transaction.problem(problem))?;
    }
    about(transaction, password).await
}

/// The patron's status as it is now, and what came of the password.
async fn about(transaction: &Transaction<'_>, password: Password) -> Answered {
    let account = Account::named(transaction, None).await?;
    Ok(described(transaction, &account, password))
}
