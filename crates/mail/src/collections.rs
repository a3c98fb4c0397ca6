//! Templates of messages, e-mails and the way out, declared.

use serde_json::{Map, Value};
use store::collection::{Collection, Fault};

/// Table of the templates.
pub const TEMPLATES: &str = "template";

/// Table of the e-mails: what was, or is to be, sent to whom.
pub const EMAILS: &str = "email_statistics";

/// Table of the configuration of the mail server.
pub const SMTP_CONFIGURATIONS: &str = "smtp_configuration";

/// What is kept about messages.
#[must_use]
pub fn collections() -> Vec<Collection> {
    vec![templates(), emails(), smtp_configurations()]
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

/// Every language has a subject and a text, and only Mustache is known: FOLIO's schema is looked at first.
fn check_template(record: &mut Map<String, Value>) -> Result<(), Fault> {
    let languages = record.get("localizedTemplates").and_then(Value::as_object);
    for (language, content) in languages.into_iter().flatten() {
        for (part, pattern) in [("header", r"\S+.*"), ("body", r"(?s)\S+.*")] {
            let text = content.get(part).and_then(Value::as_str);
            let message = match text {
                Some(text) if begins(text) && (part == "body" || is_one_line(text)) => continue,
                Some(_) => format!("must match \"{pattern}\""),
                None => "must not be null".to_owned(),
            };
            let key = format!("localizedTemplates.additionalProperties[{language}].{part}");
            return Err(Fault::of(message, &key, Some(text.unwrap_or("null"))));
        }
    }
    let resolver = record.get("templateResolver").and_then(Value::as_str);
    match resolver.filter(|name| *name != "mustache") {
        Some(resolver) => Err(Fault::text(format!(
            "Template resolver '{resolver}' is not supported"
        ))),
        None => Ok(()),
    }
}

fn begins(text: &str) -> bool {
    text.starts_with(|first: char| !matches!(first, ' ' | '\t'..='\r'))
}

/// What `.` stands for ends with a line.
fn is_one_line(text: &str) -> bool {
    !text.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'])
}

/// Written by whoever sends something; `next_attempt` beside the record makes of it a queue (`emails.sql`).
fn emails() -> Collection {
    Collection::new(
        "/email",
        "emailEntity",
        EMAILS,
        "notificationId*, from, to*, bcc, header*, outputFormat, body*,
         attachments[{contentType, name, description, data, disposition, contentId}],
         status:(DELIVERED|FAILURE|PROCESSING)=DELIVERED, shouldRetry:bool=false, attemptCount:int=0, message,
         date:datetime, ...",
    )
    .folded(&["status", "notificationId", "to", "date"])
    .without(&["list", "get", "post", "put", "delete"])
}

/// What clients see in place of the mail server's password.
pub const HIDDEN: &str = "********";

/// A tenant has one. Its password is written and never shown (FOLIO shows it to whoever may read the rest).
fn smtp_configurations() -> Collection {
    Collection::new(
        "/smtp-configuration",
        "smtpConfigurations",
        SMTP_CONFIGURATIONS,
        "host*, port*:int, username*, password*, ssl:bool, trustAll:bool,
         loginOption:(DISABLED|NONE|REQUIRED|XOAUTH2), startTlsOptions:(DISABLED|OPTIONAL|REQUIRED),
         expirationHours:int, authMethods, from, identities[{address*, name}], emailHeaders[{name*, value*}],
         idleTimeout:int, connectTimeout:int",
    )
    .represented("(r.doc || '{\"password\": \"********\"}')")
    .unsearchable(&["password"])
    .without(&["put"])
    .constraint(
        "smtp_configuration_only_one",
        "(1) value already exists in table smtp_configuration: 1",
        "(1)",
    )
}
