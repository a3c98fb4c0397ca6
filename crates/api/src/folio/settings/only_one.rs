//! Settings that exist once per tenant: locale and base URL.

use std::sync::Arc;

use serde_json::{Map, Value};
use store::{collection::Collection, record::Schema};
use uuid::Uuid;

use super::refusals::{BASE_URL_MISSING, BASE_URL_WITH_SLASH, LOCALE_INCOMPLETE, NUMBERING_UNKNOWN};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{Question, kept},
    route::{Answer, Routes},
};

const LOCALE: &str = "locale, currency, timezone, numberingSystem";
const BASE_URL: &str = "baseUrl";

pub(super) fn routes(routes: &mut Routes, of_locale: &Arc<Collection>, of_base_url: &Arc<Collection>) {
    let collection = Arc::clone(of_locale);
    routes
        .get("/locale", move |call| only(call, Arc::clone(&collection), store::statements::settings::LOCALE))
        .summary("The tenant's locale")
        .gives("locale*, currency*, timezone*, numberingSystem");
    routes.put("/locale", set_locale).summary("Set the tenant's locale").takes(LOCALE);
    let collection = Arc::clone(of_base_url);
    routes
        .get("/base-url", move |call| only(call, Arc::clone(&collection), store::statements::settings::BASE_URL))
        .summary("Where staff find the application")
        .gives("baseUrl*");
    routes.put("/base-url", set_base_url).summary("Set where staff find the application").takes(BASE_URL);
}

/// The setting, as the statement returns it with the stamp. One round trip, or none.
async fn only(call: Call, collection: Arc<Collection>, sql: &str) -> Answer {
    kept(Question::about(&call, &collection, ""), async || {
        let row = call.session.get(sql, &[]).await?;
        Ok((row.get("stamp"), row.get("setting")))
    })
    .await
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
