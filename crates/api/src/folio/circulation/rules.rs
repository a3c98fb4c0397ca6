//! `/circulation/rules` and `/circulation-rules-storage`: reading and replacing the rules' text
//! (docs/folio/circulation-rules.md#reading-and-replacing).

use circulation::rules::{self, RulesError};
use http::StatusCode;
use serde_json::{Value, json};
use store::lending;

use crate::{
    answer::{ErrorItem, Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const MEMBERS: &str = "id:uuid, rulesAsText*, metadata~:object";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get("/circulation/rules", read)
        .summary("Read the circulation rules")
        .gives(MEMBERS);
    routes
        .put("/circulation/rules", replace)
        .summary("Replace the circulation rules")
        .takes(MEMBERS);
    let path = "/circulation-rules-storage";
    routes
        .get(path, read)
        .summary("Read the stored circulation rules")
        .gives(MEMBERS);
    routes
        .put(path, store_unchecked)
        .summary("Store circulation rules as they are")
        .takes(MEMBERS);
}

async fn read(call: Call) -> Answer {
    let rules = lending::rules(&call.session).await?;
    Ok(Reply::json_text(
        rules.unwrap_or_else(|| json!({"rulesAsText": ""}).to_string()),
    ))
}

async fn replace(call: Call) -> Answer {
    let text = rules_text(&call).map_err(undecodable)?;
    let policies = lending::policy_ids(&call.session).await?;
    rules::parse_checking(&text, &|kind, name| {
        policies.contains(&(kind.letter(), name.id()))
    })
    .map_err(refused)?;
    lending::save_rules(&call.session, &text, &call.metadata()).await?;
    Ok(Reply::no_content())
}

async fn store_unchecked(call: Call) -> Answer {
    let text = rules_text(&call)?;
    lending::save_rules(&call.session, &text, &call.metadata()).await?;
    Ok(Reply::no_content())
}

fn rules_text(call: &Call) -> Result<String, Problem> {
    match call.json()?.get("rulesAsText") {
        Some(Value::String(text)) if text.contains('\0') => Err(Problem::bad_request(
            "Json content error: rulesAsText contains a NUL character",
        )),
        Some(Value::String(text)) => Ok(text.clone()),
        _ => {
            let message = "must not be null";
            Err(Problem::unprocessable(&[ErrorItem::rmb(
                message,
                "rulesAsText",
                "null",
            )]))
        }
    }
}

/// What is no JSON has the error shape of rules, without a place in them.
fn undecodable(problem: Problem) -> Problem {
    match problem {
        Problem::Text(StatusCode::BAD_REQUEST, message) => Problem::Pretty(
            StatusCode::UNPROCESSABLE_ENTITY,
            json!({"message": message}),
        ),
        other => other,
    }
}

/// The rules have an error shape of their own.
fn refused(error: RulesError) -> Problem {
    let body = json!({"message": error.message, "line": error.line, "column": error.column});
    Problem::Pretty(StatusCode::UNPROCESSABLE_ENTITY, body)
}
