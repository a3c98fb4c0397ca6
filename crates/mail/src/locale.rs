//! A tenant's date format.

use jiff::tz::TimeZone;
use serde_json::Value;
use templates::Locale;

/// The locale from `/locale` (`locale`, `timezone`); English and UTC if it is missing or wrong.
#[must_use]
pub fn of_tenant(locale: &Value) -> Locale {
    let zone = locale["timezone"].as_str().map(TimeZone::get);
    let zone = zone.and_then(Result::ok).unwrap_or(TimeZone::UTC);
    Locale::new(locale["locale"].as_str().unwrap_or("en-US"), zone)
}
