//! Settings of which a tenant has one each: locale and base URL.

use serde_json::{Map, Value, json};
use store::record::Schema;
use uuid::Uuid;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const LOCALE: &str = "locale, currency, timezone, numberingSystem";
const BASE_URL: &str = "baseUrl";
/// FOLIO's base URL before anybody sets one.
const DEFAULT_BASE_URL: &str = "http://localhost:3000";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get("/locale", locale)
        .summary("The tenant's locale")
        .gives(LOCALE);
    routes
        .put("/locale", set_locale)
        .summary("Set the tenant's locale")
        .takes(LOCALE);
    routes
        .get("/base-url", base_url)
        .summary("Where staff find the application")
        .gives(BASE_URL);
    routes
        .put("/base-url", set_base_url)
        .summary("Set where staff find the application")
        .takes(BASE_URL);
}

async fn locale(call: Call) -> Answer {
    let row = call
        .session
        .get(store::statements::settings::LOCALE, &[])
        .await?;
    Ok(Reply::json_text(row.get::<_, String>(0)))
}

async fn set_locale(call: Call) -> Answer {
    let record = accepted(&call, LOCALE)?;
    let blank = |name: &str| {
        record
            .get(name)
            .and_then(Value::as_str)
            .is_none_or(|text| text.trim().is_empty())
    };
    if let Some(missing) = ["locale", "timezone", "currency"]
        .into_iter()
        .find(|name| blank(name))
    {
        return Err(Problem::bad_request(format!("{missing} missing")));
    }
    let system = record.get("numberingSystem").and_then(Value::as_str);
    if !matches!(system, None | Some("latn" | "arab")) {
        return Err(Problem::bad_request(
            "numberingSystem must be latn or arab, or not defined",
        ));
    }
    save(&call, store::statements::settings::SAVE_LOCALE, record).await
}

async fn base_url(call: Call) -> Answer {
    let row = call
        .session
        .find(store::statements::settings::BASE_URL, &[])
        .await?;
    let url = row.map_or_else(|| DEFAULT_BASE_URL.to_owned(), |row| row.get(0));
    Ok(Reply::json(&json!({"baseUrl": url})))
}

async fn set_base_url(call: Call) -> Answer {
    let record = accepted(&call, BASE_URL)?;
    match record.get("baseUrl").and_then(Value::as_str) {
        None => Err(Problem::bad_request("baseUrl is missing")),
        Some(url) if url.trim().is_empty() => Err(Problem::bad_request("baseUrl is missing")),
        Some(url) if url.ends_with('/') => {
            Err(Problem::bad_request("baseUrl must not end with a slash"))
        }
        Some(_) => save(&call, store::statements::settings::SAVE_BASE_URL, record).await,
    }
}

fn accepted(call: &Call, members: &str) -> Result<Map<String, Value>, Problem> {
    let schema = Schema::declare(members);
    let known = schema.without_unknown(call.json()?);
    let accepted = schema.accept(known);
    accepted.map_err(|rejection| super::entries::as_text(call, rejection))
}

/// The only record of a table has the nil id.
async fn save(call: &Call, sql: &str, record: Map<String, Value>) -> Answer {
    call.session
        .execute(sql, &[&Uuid::nil(), &Value::Object(record)])
        .await?;
    Ok(Reply::no_content())
}
