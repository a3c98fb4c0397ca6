//! Templates of messages, declared.

use serde_json::{Map, Value};
use store::collection::{Collection, Fault};

/// Table of the templates.
pub const TEMPLATES: &str = "template";

/// What is kept about messages.
#[must_use]
pub fn collections() -> Vec<Collection> {
    vec![templates()]
}

/// Clients put more into a template than FOLIO's schema names, and get it back; so POST and PUT have handlers of their
/// own.
fn templates() -> Collection {
    Collection::new(
        "/templates",
        "templates",
        TEMPLATES,
        "description, outputFormats*[], templateResolver*, localizedTemplates*:object, name, active:bool, category, scope",
    )
    .folded(&["name", "category"])
    .not_found("Template with id '{id}' not found")
    .checked(check_template)
    .without(&["get", "post", "put", "delete"])
}

/// Only Mustache is known, and every language has a subject and a text.
fn check_template(record: &mut Map<String, Value>) -> Result<(), Fault> {
    let resolver = record.get("templateResolver").and_then(Value::as_str);
    if let Some(resolver) = resolver.filter(|name| *name != "mustache") {
        let text = format!("Template resolver '{resolver}' is not supported");
        return Err(Fault::text(text));
    }
    let languages = record.get("localizedTemplates").and_then(Value::as_object);
    for (language, content) in languages.into_iter().flatten() {
        for part in ["header", "body"] {
            let text = content.get(part).and_then(Value::as_str);
            if text.is_none_or(|text| text.trim().is_empty()) {
                let key = format!("localizedTemplates.{language}.{part}");
                return Err(Fault::of("must not be null", &key, None));
            }
        }
    }
    Ok(())
}
