//! Settings that exist once per tenant: locale and base URL.

use serde_json::{Map, Value, json};
use store::record::Schema;
use uuid::Uuid;

use super::refusals::{BASE_URL_MISSING, BASE_URL_WITH_SLASH, LOCALE_INCOMPLETE, NUMBERING_UNKNOWN};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const LOCALE: &str = "locale, currency, timezone, numberingSystem";
const BASE_URL: &str = "baseUrl";
/// FOLIO's default base URL.
const DEFAULT_BASE_URL: &str = "http://localhost:3000";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get("/locale", locale)
        .summary("The tenant's locale")
        .gives("locale*, currency*, timezone*, numberingSystem");
    routes.put("/locale", set_locale).summary("Set the tenant's locale").takes(LOCALE);
    routes.get("/base-url", base_url).summary("Where staff find the application").gives("baseUrl*");
    routes.put("/base-url", set_base_url).summary("Set where staff find the application").takes(BASE_URL);
}

async fn locale(call: Call) -> Answer {
    let sql = store::statements::settings::LOCALE;
    let locale: String = call.session.value(sql, &[]).await?;
    Ok(Reply::json_text(locale))
}

async fn set_locale(call: Call) -> Answer {
    let record = accepted(&call, LOCALE)?;
    let blank = |name: &str| record.get(name).and_then(Value::as_str).is_none_or(|text| text.trim().is_empty());
    if let Some(missing) = ["locale", "timezone", "currency"].into_iter().find(|name| blank(name)) {
        return Err(LOCALE_INCOMPLETE.with("name", missing).into());
    }
    let system = record.get("numberingSystem").and_then(Value::as_str);
    if !matches!(system, None | Some("latn" | "arab")) {
        return Err(NUMBERING_UNKNOWN.into());
    }
    save(&call, store::statements::settings::SAVE_LOCALE, record).await
}

async fn base_url(call: Call) -> Answer {
    let sql = store::statements::settings::BASE_URL;
    let url: Option<String> = call.session.find_value(sql, &[]).await?;
    let url = url.unwrap_or_else(|| DEFAULT_BASE_URL.to_owned());
    Ok(Reply::json(&json!({"baseUrl": url})))
}

async fn set_base_url(call: Call) -> Answer {
    let record = accepted(&call, BASE_URL)?;
    match record.get("baseUrl").and_then(Value::as_str) {
        None => Err(BASE_URL_MISSING.into()),
        Some(url) if url.trim().is_empty() => Err(BASE_URL_MISSING.into()),
        Some(url) if url.ends_with('/') => Err(BASE_URL_WITH_SLASH.into()),
        Some(_) => save(&call, store::statements::settings::SAVE_BASE_URL, record).await,
    }
}

fn accepted(call: &Call, members: &str) -> Result<Map<String, Value>, Problem> {
    let schema = Schema::declare(members);
    let known = schema.without_unknown(call.json()?);
    let accepted = schema.accept(known);
    accepted.map_err(|rejection| super::entries::as_text(call, rejection))
}

/// Saves the only record of a table, which has the nil id.
async fn save(call: &Call, sql: &str, record: Map<String, Value>) -> Answer {
    call.session.execute(sql, &[&Uuid::nil(), &Value::Object(record)]).await?;
    Ok(Reply::no_content())
}
