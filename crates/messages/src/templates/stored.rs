//! Filling a stored template for one language and one format (mod-template-engine, `/template-request`).

use refusals::Refusal;
use serde_json::{Value, json};
use store::{Session, StoreError};
use uuid::Uuid;

use super::{Attachment, Filled, Locale};
use crate::refusal::{FORMAT_UNKNOWN, LANGUAGE_UNKNOWN, NOT_RENDERED};

/// Fills a template's record with a context.
///
/// # Errors
/// The template has no such format or language, or a mistake.
pub fn fill(
    template: &Value,
    language: &str,
    format: &str,
    context: Value,
    locale: &Locale,
) -> Result<Filled, Refusal> {
    let formats = template["outputFormats"].as_array();
    if !formats.is_some_and(|formats| formats.iter().any(|known| known == format)) {
        return Err(FORMAT_UNKNOWN.with("format", format));
    }
    let content = template["localizedTemplates"].get(language);
    let content = content.ok_or_else(|| LANGUAGE_UNKNOWN.with("language", language))?;
    let text = |part: &str| content[part].as_str().unwrap_or_default();
    rendered(text("header"), text("body"), context, locale)
}

/// Fills texts with a context.
///
/// # Errors
/// The texts have a mistake.
pub fn rendered(header: &str, body: &str, context: Value, locale: &Locale) -> Result<Filled, Refusal> {
    super::fill(header, body, context, locale).map_err(|fault| NOT_RENDERED.with("fault", fault.to_string()))
}

/// Images in FOLIO's form.
pub fn attachments(images: &[Attachment]) -> Value {
    let shown = images.iter().map(|image| {
        json!({
            "contentType": "image/png", "name": image.name, "data": image.data, "disposition": "inline",
            "contentId": format!("<{}>", image.name),
        })
    });
    shown.collect()
}

/// The template with that id, if it exists, and the tenant's locale. One round trip.
pub async fn read(session: &Session, id: Option<Uuid>) -> Result<(Option<Value>, Locale), StoreError> {
    let sql = store::statements::messages::TEMPLATE;
    let row = session.get(sql, &[&id]).await?;
    Ok((row.try_get("template")?, Locale::of_tenant(&row.try_get("locale")?)))
}

/// Deletes a template unless a notice policy uses it. Returns whether it is used, and whether it existed. One round
/// trip.
pub async fn delete(session: &Session, id: Uuid) -> Result<(bool, bool), StoreError> {
    let sql = store::statements::messages::DELETE_TEMPLATE;
    let row = session.get(sql, &[&id, &id.to_string()]).await?;
    Ok((row.try_get("used")?, row.try_get("deleted")?))
}
