//! How FOLIO's modules refuse a request before they validate a record: path ids, `limit` and `offset`, malformed JSON,
//! `Content-Type` and `Accept`. Most modules use the RAML module builder; Spring modules, mod-calendar and mod-settings
//! have their own formats (decision 27).

pub(crate) mod calendar;
mod media;
mod reading;
pub(crate) mod settings;
pub(crate) mod spring;

use std::fmt::Display;

use http::{Method, StatusCode};
use store::record;
use uuid::Uuid;

pub(crate) use media::check as check_media;

use crate::{
    answer::{ErrorEntry, Problem},
    call::Call,
};

/// The RAML module builder's response to a malformed id (docs/folio/conventions.md#ids).
pub(crate) const INVALID_UUID: &str = "Invalid UUID format of id, should be xxxxxxxx-xxxx-Mxxx-Nxxx-xxxxxxxxxxxx \
    where M is 1-5 and N is 8, 9, a, b, A or B and x is 0-9, a-f or A-F.";

/// A module's error format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// RAML module builder: text, and refusals of media types.
    Builder,
    /// Hand-written modules such as mod-circulation: the builder's texts, and JSON whatever its declared type.
    Plain,
    /// mod-notes and mod-tags: one error of type -1.
    Spring,
    /// mod-password-validator: Spring's default responses.
    Bare,
    Calendar,
    /// mod-settings: the texts of Vert.x, which validates against the OpenAPI document.
    Settings,
}

impl Manner {
    /// The format of a module, or of the gateway's own routes for `None`.
    pub(crate) fn of(module: Option<&str>) -> Self {
        match module {
            Some("mod-notes" | "mod-tags") => Self::Spring,
            Some("mod-password-validator") => Self::Bare,
            Some("mod-calendar") => Self::Calendar,
            Some("mod-settings") => Self::Settings,
            Some(
                "mod-audit"
                | "mod-circulation-storage"
                | "mod-configuration"
                | "mod-courses"
                | "mod-email"
                | "mod-event-config"
                | "mod-feesfines"
                | "mod-inventory-storage"
                | "mod-login"
                | "mod-notify"
                | "mod-patron-blocks"
                | "mod-permissions"
                | "mod-pubsub"
                | "mod-sender"
                | "mod-source-record-storage"
                | "mod-template-engine"
                | "mod-user-import"
                | "mod-users"
                | "mod-users-bl",
            ) => Self::Builder,
            _ => Self::Plain,
        }
    }

    fn of_call(call: &Call) -> Self {
        Self::of(call.route.module)
    }
}

/// Parses a path parameter as a UUID, or refuses it as the module does.
pub(crate) fn id(call: &Call, name: &str) -> Result<Uuid, Problem> {
    let text = call.param(name);
    let is_one = match call.route.module {
        Some("mod-tags") => record::is_versioned_uuid(text),
        _ => record::is_uuid(text),
    };
    match Uuid::parse_str(text) {
        Ok(id) if is_one => Ok(id),
        _ => Err(no_id(call, name, text)),
    }
}

fn no_id(call: &Call, name: &str, text: &str) -> Problem {
    match Manner::of_call(call) {
        Manner::Spring => spring::no_id(call, name, text),
        Manner::Bare => spring::bare(call, StatusCode::BAD_REQUEST, &spring::no_uuid(name, text)),
        Manner::Calendar => calendar::no_id(call, name, text),
        Manner::Settings => settings::no_id(name),
        Manner::Builder if call.route.path == PATTERNED => Problem::bad_request(format!(
            "'departmentId' parameter is incorrect. parameter value {{{text}}} is not valid: must match \"{}\"",
            record::VERSIONED_UUID_PATTERN
        )),
        Manner::Builder | Manner::Plain if call.route.method == Method::GET => Problem::not_found(INVALID_UUID),
        Manner::Builder => match validated_table(call) {
            Some(table) => {
                let key = format!("{table}.id");
                Problem::unprocessable(&[ErrorEntry::rmb(INVALID_UUID, &key, text)])
            }
            None => Problem::bad_request(INVALID_UUID),
        },
        Manner::Plain => Problem::bad_request(INVALID_UUID),
    }
}

/// The one route whose RAML says what its id looks like: the builder checks it as a parameter, whatever the method.
const PATTERNED: &str = "/departments/{id}";

/// Collections whose PUT declares 422. For a malformed id, the builder then answers in that shape and names the table.
const VALIDATED: [&str; 18] = [
    "/actual-cost-record-storage/actual-cost-records",
    "/circulation-settings-storage/circulation-settings",
    "/coursereserves/copyrightstatuses",
    "/coursereserves/courselistings/{listing}/courses",
    "/coursereserves/courselistings/{listing}/reserves",
    "/coursereserves/coursetypes",
    "/coursereserves/departments",
    "/coursereserves/processingstatuses",
    "/coursereserves/reserves",
    "/coursereserves/roles",
    "/coursereserves/terms",
    "/patron-action-session-storage/patron-action-sessions",
    "/patron-block-conditions",
    "/patron-block-limits",
    "/preceding-succeeding-titles",
    "/request-preference-storage/request-preference",
    "/scheduled-notice-storage/scheduled-notices",
    "/tlr-feature-toggle-job-storage/tlr-feature-toggle-jobs",
];

fn validated_table(call: &Call) -> Option<&'static str> {
    let path = call.route.path.strip_suffix("/{id}")?;
    if call.route.method != Method::PUT || !VALIDATED.contains(&path) {
        return None;
    }
    // What is below a listing is kept with all others of its kind.
    let path = path.replace("/courselistings/{listing}", "");
    let mut collections = call.app.collections.iter();
    collections.find(|collection| collection.path == path).map(|collection| collection.table)
}

/// The prefix of the builder's messages about a body.
const BUILDERS: &str = "Json content error: ";

const MOST: i64 = i32::MAX as i64;

/// A number in the query string, from 0 (Spring modules: `limit` from 1) to 2147483647. Otherwise the module's refusal.
pub(crate) fn number(call: &Call, name: &str, default: i64) -> Result<i64, Problem> {
    let Some(text) = call.query.get(name).filter(|text| !text.is_empty()) else {
        return Ok(default);
    };
    let manner = Manner::of_call(call);
    let least = i64::from(manner == Manner::Spring && name == "limit");
    let Some(number) = text.parse().ok().filter(|number| *number <= MOST) else {
        return Err(no_number(call, name, text));
    };
    if number >= least {
        return Ok(number);
    }
    Err(match manner {
        Manner::Spring => spring::below(call, name, least),
        Manner::Bare => {
            let detail = format!("{name} must be greater than or equal to 0");
            spring::bare(call, StatusCode::BAD_REQUEST, &detail)
        }
        Manner::Calendar => calendar::invalid(&format!("{name} must be greater than or equal to 0"), call.now),
        Manner::Settings => settings::below(name),
        Manner::Builder | Manner::Plain => Problem::bad_request(format!(
            "'{name}' parameter is incorrect. parameter value {{{number}}} is not valid: \
             must be greater than or equal to 0"
        )),
    })
}

fn no_number(call: &Call, name: &str, text: &str) -> Problem {
    match Manner::of_call(call) {
        Manner::Spring => spring::refused(&spring::no_number(name, text)),
        Manner::Bare => spring::bare(call, StatusCode::BAD_REQUEST, &spring::no_number(name, text)),
        Manner::Calendar => calendar::invalid(&spring::no_number(name, text), call.now),
        Manner::Settings => settings::no_number(name, text),
        Manner::Builder | Manner::Plain => Problem::bad_request(format!(
            "'{name}' parameter is incorrect. parameter value {{{text}}} is not valid: \
             must be a number from 0 to 2147483647"
        )),
    }
}

/// The refusal of a body that cannot be parsed.
pub(crate) fn unreadable(call: &Call, fault: &dyn Display) -> Problem {
    let fault = fault.to_string();
    let fault = fault.trim_start_matches(BUILDERS);
    let parsing = || match call.body.is_empty() {
        // Spring names its Java method here; Carrel names the route.
        true => {
            format!("Required request body is missing: {} {}", call.route.method, call.route.path)
        }
        false => format!("JSON parse error: {fault}"),
    };
    match Manner::of_call(call) {
        Manner::Spring => spring::refused(&parsing()),
        Manner::Bare => spring::bare(call, StatusCode::BAD_REQUEST, &parsing()),
        Manner::Calendar => calendar::invalid(&parsing(), call.now),
        Manner::Settings => settings::unreadable(fault),
        Manner::Builder | Manner::Plain => Problem::bad_request(format!("{BUILDERS}{fault}")),
    }
}
