//! `/circulation/rules` and `/circulation-rules-storage`: reads and replaces the text of the circulation rules
//! (docs/folio/circulation-rules.md#reading-and-replacing).

use std::sync::Arc;

use circulation::rules::{self, RulesError};
use http::StatusCode;
use serde_json::{Value, json};
use store::collection::Collection;

use super::refusals::{MISSING, RULES_WITH_NUL};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{Question, kept},
    route::{Answer, Form, Routes},
};

const MEMBERS: &str = "id:uuid, rulesAsText*, metadata~:Metadata";

pub(super) fn routes(routes: &mut Routes, rules: &Arc<Collection>) {
    let collection = Arc::clone(rules);
    routes
        .get("/circulation/rules", move |call| read(call, Arc::clone(&collection)))
        .summary("Read the circulation rules")
        .gives(MEMBERS);
    routes
        .put("/circulation/rules", replace)
        .summary("Replace the circulation rules")
        .refuses_as(422, Form::Rules)
        .refuses(&[422])
        .takes(MEMBERS);
    let path = "/circulation-rules-storage";
    let collection = Arc::clone(rules);
    routes
        .get(path, move |call| read(call, Arc::clone(&collection)))
        .summary("Read the stored circulation rules")
        .gives(MEMBERS);
    routes.put(path, store_unchecked).summary("Store circulation rules as they are").refuses(&[422]).takes(MEMBERS);
}

/// One round trip, or none.
async fn read(call: Call, collection: Arc<Collection>) -> Answer {
    kept(Question::about(&call, &collection, ""), async || {
        let (stamp, rules) = store::circulation::rules(&call.session).await?;
        Ok((stamp, rules.unwrap_or_else(|| json!({"rulesAsText": ""}).to_string())))
    })
    .await
}

async fn replace(call: Call) -> Answer {
    let text = rules_text(&call).map_err(undecodable)?;
    let policies = store::circulation::policy_ids(&call.session).await?;
    rules::parse_checking(&text, &|kind, name| policies.contains(&(kind.letter(), name.id()))).map_err(refused)?;
    store::circulation::save_rules(&call.session, &text, &call.metadata()).await?;
    Ok(Reply::no_content())
}

async fn store_unchecked(call: Call) -> Answer {
    let text = rules_text(&call)?;
    store::circulation::save_rules(&call.session, &text, &call.metadata()).await?;
    Ok(Reply::no_content())
}

fn rules_text(call: &Call) -> Result<String, Problem> {
    match call.json()?.get("rulesAsText") {
        Some(Value::String(text)) if text.contains('\0') => Err(RULES_WITH_NUL.into()),
        Some(Value::String(text)) => Ok(text.clone()),
        _ => Err(MISSING.about("rulesAsText", "null").into()),
    }
}

/// A body that is not JSON gets the circulation rules' error shape, without a position.
fn undecodable(problem: Problem) -> Problem {
    match problem {
        Problem::Text(StatusCode::BAD_REQUEST, message) => {
            Problem::Pretty(StatusCode::UNPROCESSABLE_ENTITY, json!({"message": message}))
        }
        other => other,
    }
}

/// Circulation rules have their own error shape.
fn refused(error: RulesError) -> Problem {
    let body = json!({"message": error.message, "line": error.line, "column": error.column});
    Problem::Pretty(StatusCode::UNPROCESSABLE_ENTITY, body)
}
