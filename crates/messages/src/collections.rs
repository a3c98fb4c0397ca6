//! Declared collections: message templates, e-mails and the mail server's configuration.

use refusals::Refused;
use serde_json::{Map, Value};
use store::collection::Collection;

use crate::refusal::{CONTENT_MISSING, CONTENT_NOT_VALID, RESOLVER_UNKNOWN, SECOND_CONFIGURATION};

pub const TEMPLATES: &str = "template";

/// Table of the e-mails, waiting and sent.
pub const EMAILS: &str = "email_statistics";

pub const SMTP_CONFIGURATIONS: &str = "smtp_configuration";

/// The collections of messages.
pub fn collections() -> Vec<Collection> {
    vec![templates(), emails(), smtp_configurations()]
}

/// Clients add members that FOLIO's schema does not name and expect them back, so POST and PUT have their own handlers.
fn templates() -> Collection {
    Collection::new(
        "/templates",
        "templates",
        TEMPLATES,
        "description, outputFormats*[]=[], templateResolver*, localizedTemplates*:object, name, active:bool, category, scope",
    )
    .folded(&["name", "category"])
    .not_found("Template with id '{id}' not found")
    .checked(check_template)
    .without_routes()
}

/// Every language must have a subject and a text, and the resolver must be Mustache; FOLIO's schema is checked first.
fn check_template(record: &mut Map<String, Value>) -> Result<(), Refused> {
    let languages = record.get("localizedTemplates").and_then(Value::as_object);
    for (language, content) in languages.into_iter().flatten() {
        for (part, pattern) in [("header", r"\S+.*"), ("body", r"(?s)\S+.*")] {
            let text = content.get(part).and_then(Value::as_str);
            let wording = match text {
                Some(text) if begins(text) && (part == "body" || is_one_line(text)) => continue,
                Some(_) => CONTENT_NOT_VALID,
                None => CONTENT_MISSING,
            };
            let member = format!("localizedTemplates.additionalProperties[{language}].{part}");
            let refusal = wording.with("pattern", pattern);
            return Err(refusal.about(member, text.unwrap_or("null")).into());
        }
    }
    let resolver = record.get("templateResolver").and_then(Value::as_str);
    match resolver.filter(|name| *name != "mustache") {
        Some(resolver) => Err(RESOLVER_UNKNOWN.with("resolver", resolver).into()),
        None => Ok(()),
    }
}

fn begins(text: &str) -> bool {
    text.starts_with(|first: char| !matches!(first, ' ' | '\t'..='\r'))
}

/// Whether the text has no line end, as the schema's `.` requires.
fn is_one_line(text: &str) -> bool {
    !text.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'])
}

/// Written by every sender; the column `next_attempt` makes the table a queue
/// (`store/sql/replaceable/tables/messages.sql`).
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
    .without_routes()
}

/// Shown to clients in place of the mail server's password.
pub const HIDDEN: &str = "********";

/// A tenant has one. The password can be written but not read (FOLIO shows it to users who may read the rest).
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
    .constraint("smtp_configuration_only_one", SECOND_CONFIGURATION)
}
