//! Filling a stored template for one language and one format (mod-template-engine, `/template-request`).

use serde_json::{Value, json};
use store::{Session, StoreError};

use uuid::Uuid;

use super::{Attachment, Fault, Filled, Locale};

/// Why a stored template cannot be used, in FOLIO's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotFilled {
    /// It does not have this format.
    Format(String),
    /// It does not have this language.
    Language(String),
    /// Its text has a mistake.
    Broken(Fault),
}

impl std::fmt::Display for NotFilled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotFilled::Format(format) => {
                write!(f, "Requested template does not support '{format}' output format")
            }
            NotFilled::Language(language) => write!(
                f,
                "Requested template does not have localized template for language '{language}'"
            ),
            NotFilled::Broken(fault) => write!(f, "Template could not be rendered: {fault}"),
        }
    }
}

/// Fills a template's record with a context.
pub fn fill(
    template: &Value,
    language: &str,
    format: &str,
    context: Value,
    locale: &Locale,
) -> Result<Filled, NotFilled> {
    let formats = template["outputFormats"].as_array();
    if !formats.is_some_and(|formats| formats.iter().any(|known| known == format)) {
        return Err(NotFilled::Format(format.to_owned()));
    }
    let content = template["localizedTemplates"].get(language);
    let content = content.ok_or_else(|| NotFilled::Language(language.to_owned()))?;
    let text = |part: &str| content[part].as_str().unwrap_or_default();
    super::fill(text("header"), text("body"), context, locale).map_err(NotFilled::Broken)
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
pub async fn read(
    session: &Session,
    id: Option<Uuid>,
) -> Result<(Option<Value>, Locale), StoreError> {
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
