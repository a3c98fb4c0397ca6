//! `/template-request`: fills templates (mod-template-engine).

use messages::{
    refusal::TEMPLATE_UNKNOWN,
    templates::{Filled, stored},
};
use serde_json::{Value, json};
use store::record::{Schema, print_instant};

use uuid::Uuid;

use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

const REQUEST: &str = "templateId*, lang*, outputFormat*, context:object";
const PREVIEW: &str = "header, body, context:object";
const RESULT: &str = "templateId, result{header, body, attachments[{contentType*, name*, data*, disposition*, contentId*}]}, meta{size:int, dateCreate, lang, outputFormat}";

pub(super) fn routes(routes: &mut Routes) {
    routes.post("/template-request", fill).summary("Fill a template").refuses(&[422]).takes(REQUEST).gives(RESULT);
    routes
        .post("/template-request/preview", preview)
        .summary("Fill a template that is not stored")
        .refuses(&[422])
        .takes(PREVIEW)
        .gives("header, body");
}

/// POST. One round trip.
async fn fill(call: Call) -> Answer {
    let mut request = Schema::declare(REQUEST).accept(call.json()?)?;
    let context = request.remove("context").unwrap_or_else(|| json!({}));
    let text = |name: &str| request[name].as_str().unwrap_or_default();
    let (id, language, format) = (text("templateId"), text("lang"), text("outputFormat"));
    let (stored, locale) = stored::read(&call.session, Uuid::try_parse(id).ok()).await?;
    let stored = stored.ok_or_else(|| TEMPLATE_UNKNOWN.with("id", id))?;
    let filled = stored::fill(&stored, language, format, context, &locale)?;
    Ok(Reply::json(&json!({
        "templateId": id,
        "result": result(&filled),
        "meta": {
            "size": filled.body.encode_utf16().count(),
            "dateCreate": print_instant(call.now),
            "lang": language,
            "outputFormat": format,
        },
    })))
}

fn result(filled: &Filled) -> Value {
    json!({
        "header": filled.header,
        "body": filled.body,
        "attachments": stored::attachments(&filled.attachments),
    })
}

/// POST. One round trip.
async fn preview(call: Call) -> Answer {
    let mut request = Schema::declare(PREVIEW).accept(call.json()?)?;
    let context = request.remove("context").unwrap_or_else(|| json!({}));
    let text = |name: &str| request.get(name).and_then(Value::as_str).unwrap_or_default();
    let (_, locale) = stored::read(&call.session, None).await?;
    let filled = stored::rendered(text("header"), text("body"), context, &locale)?;
    Ok(Reply::json(&json!({"header": filled.header, "body": filled.body})))
}
