//! Where libraries keep settings: circulation settings, and the older configuration entries.

use serde_json::Value;

/// The value of a circulation setting.
pub(super) fn setting<'r>(records: &'r Value, name: &str) -> Option<&'r Value> {
    let settings = records["circulationSettings"].as_array()?;
    let found = settings.iter().find(|setting| setting["name"] == name)?;
    Some(&found["value"])
}

/// The value of a configuration entry, which is JSON stored as text.
pub(super) fn entry(records: &Value, name: &str) -> Value {
    let entries = records["configurationEntries"].as_array();
    let mut entries = entries.into_iter().flatten();
    entries
        .find(|entry| entry["configName"] == name)
        .and_then(|entry| serde_json::from_str(entry["value"].as_str()?).ok())
        .unwrap_or_default()
}
