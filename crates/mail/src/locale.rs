//! How a tenant writes dates.

use jiff::tz::TimeZone;
use serde_json::Value;
use templates::Locale;

/// The locale that `/locale` gives (`locale`, `timezone`); English and UTC where it is silent or wrong.
#[must_use]
pub fn of_tenant(locale: &Value) -> Locale {
    let zone = locale["timezone"].as_str().map(TimeZone::get);
    let zone = zone.and_then(Result::ok).unwrap_or(TimeZone::UTC);
    Locale::new(locale["locale"].as_str().unwrap_or("en-US"), zone)
}
