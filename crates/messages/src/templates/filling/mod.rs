//! Fills a template's subject and text, and makes the images that the text shows.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    barcode, dates,
    locale::Locale,
    mustache::{Fault, Template},
};

/// A filled template.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filled {
    /// The subject.
    pub header: String,
    /// The text.
    pub body: String,
    /// The images that the text refers to.
    pub attachments: Vec<Attachment>,
}

/// A bar code's image, which the text refers to as `cid:barcode_…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// `barcode_…`; the Content-ID is the same in angle brackets.
    pub name: String,
    /// PNG in Base64.
    pub data: String,
}

/// Fills the subject and text of a template with a context (mod-template-engine, `/template-request`).
pub fn fill(header: &str, body: &str, mut context: Value, locale: &Locale) -> Result<Filled, Fault> {
    dates::write_dates(&mut context, locale);
    let mut images = Images::default();
    images.enter(&mut context, "", &[header, body]);
    let fill = |text: &str| Template::parse(&images.unescaped(text))?.render(&context);
    Ok(Filled { header: fill(header)?, body: fill(body)?, attachments: images.attachments() })
}

/// The bar codes in a template.
#[derive(Default)]
struct Images {
    /// The text of each bar code, by image name.
    codes: BTreeMap<String, String>,
    /// Tokens that stand for images.
    tokens: Vec<String>,
}

impl Images {
    /// Gives each bar code that a template shows as `{{….barcodeImage}}` or `{{…HridImage}}` its image. `path` leads to
    /// the object inside the innermost list.
    fn enter(&mut self, context: &mut Value, path: &str, templates: &[&str]) {
        match context {
            Value::Array(elements) => {
                for element in elements {
                    self.enter(element, "", templates);
                }
            }
            Value::Object(members) => {
                let mut shown = Vec::new();
                for (name, value) in members.iter_mut() {
                    let inner = match path {
                        "" => name.clone(),
                        path => format!("{path}.{name}"),
                    };
                    match value {
                        Value::String(code) => {
                            let image = self.image_of(&inner, code, templates);
                            shown.extend(image.map(|image| (format!("{name}Image"), image)));
                        }
                        other => self.enter(other, &inner, templates),
                    }
                }
                members.extend(shown);
            }
            _ => {}
        }
    }

    fn image_of(&mut self, path: &str, code: &str, templates: &[&str]) -> Option<Value> {
        let is_code = path.ends_with(".barcode") || path.ends_with("Hrid");
        let token = format!("{path}Image");
        let wanted = format!("{{{{{token}}}}}");
        let shown = is_code && !code.trim().is_empty() && templates.iter().any(|text| text.contains(&wanted));
        if !shown {
            return None;
        }
        let name = format!("barcode_{code}");
        let image = format!("<img src='cid:{name}' alt='{name}'>");
        self.codes.insert(name, code.to_owned());
        if !self.tokens.contains(&token) {
            self.tokens.push(token);
        }
        Some(image.into())
    }

    /// The template with its image tokens as unescaped HTML.
    fn unescaped(&self, template: &str) -> String {
        self.tokens.iter().fold(template.to_owned(), |text, token| {
            text.replace(&format!("{{{{{token}}}}}"), &format!("{{{{{{{token}}}}}}}"))
        })
    }

    fn attachments(self) -> Vec<Attachment> {
        let codes = self.codes.into_iter();
        codes
            .filter_map(|(name, code)| {
                let data = barcode::image(&code)?;
                Some(Attachment { name, data })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
