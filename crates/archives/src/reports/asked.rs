//! What a client asks of a report, in the parameters of its job.

use serde_json::{Value, json};

/// The days that a report is about, without them.
pub(crate) type Period = (Option<String>, Option<String>);

/// Where the locations of a report are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Where {
    Building(String),
    /// Those that have something of this repository.
    Repository(i64),
    /// One, or all between two: their addresses.
    Between(String, Option<String>),
}

/// A text or a number as text, if it says something.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Whether a switch is on, however clients write that.
pub(crate) fn is_on(value: &Value) -> bool {
    *value == true || text(value).is_some_and(|text| ["true", "1", "on"].contains(&text.as_str()))
}

fn day(value: &Value) -> Option<String> {
    text(value).map(|day| day.chars().take(10).collect())
}

/// The days of a report that always has some; `today` stands for those that the client does not say.
pub(crate) fn period(parameters: &Value, today: &str) -> Period {
    let day = |name: &str| Some(day(&parameters[name]).unwrap_or_else(|| today.to_owned()));
    (day("from"), day("to"))
}

/// The days of a report that has some if the client wants it.
///
/// # Errors
/// The client wants it, and does not say which.
pub(crate) fn scope(parameters: &Value) -> Result<Period, String> {
    if !is_on(&parameters["scope_by_date"]) {
        return Ok((None, None));
    }
    match (day(&parameters["from"]), day(&parameters["to"])) {
        (Some(from), Some(to)) => Ok((Some(from), Some(to))),
        _ => Err("Date range not specified.".to_owned()),
    }
}

/// A rating, by its number, and the values of it that a report is about: the parameters `value_1`, `value_2` that are on.
///
/// # Errors
/// One of them is missing.
pub(crate) fn rating(parameters: &Value) -> Result<(i64, Vec<String>), String> {
    let rating = text(&parameters["rating"]).and_then(|rating| rating.parse().ok());
    let on = parameters.as_object().into_iter().flatten().filter(|(_, value)| is_on(value));
    let values =
        on.filter_map(|(name, _)| name.strip_prefix("value_")?.parse::<u32>().ok().map(|value| value.to_string()));
    let values: Vec<String> = values.collect();
    let rating = rating.filter(|_| !values.is_empty());
    Ok((rating.ok_or("Need a rating and at least one value of interest")?, values))
}

/// The repository of an address.
fn repository(uri: &str) -> Option<i64> {
    uri.trim_end_matches('/').strip_prefix("/repositories/")?.parse().ok()
}

/// Where the locations of a report are.
///
/// # Errors
/// The client does not say it.
pub(crate) fn places(parameters: &Value) -> Result<Where, String> {
    if let Some(building) = text(&parameters["building"]) {
        return Ok(Where::Building(building));
    }
    if let Some(uri) = text(&parameters["repository_uri"]) {
        return repository(&uri).map(Where::Repository).ok_or_else(|| format!("No repository: {uri}"));
    }
    let first = text(&parameters["location_start"]["ref"]).ok_or("The locations of interest are missing")?;
    Ok(Where::Between(first, text(&parameters["location_end"]["ref"])))
}

/// What locations between two have: [{member, low, high}] by the most specific difference between them. As in ArchivesSpace
/// indicators are compared as texts, and there are no locations if the two have nothing in common that could be compared.
pub(crate) fn between(first: &Value, last: &Value) -> Value {
    const NOTHING: &str = "none";
    let mut members: Vec<String> = ["building", "floor", "room", "area"].map(str::to_owned).into();
    for number in 1..=3 {
        let label = format!("coordinate_{number}_label");
        if first[&label].is_null() || first[&label] != last[&label] {
            break;
        }
        members.push(format!("coordinate_{number}_indicator"));
    }
    let mut wanted = Vec::new();
    for member in &members {
        match (text(&first[member]), text(&last[member])) {
            (Some(one), Some(other)) if one == other => {
                wanted.push(json!({"member": member, "low": one, "high": other}))
            }
            (Some(one), Some(other)) => {
                let (low, high) = if one <= other { (one, other) } else { (other, one) };
                wanted.push(json!({"member": member, "low": low, "high": high}));
                break;
            }
            (None, None) => {}
            _ => break,
        }
    }
    if wanted.is_empty() {
        wanted.push(json!({"member": NOTHING, "low": "", "high": ""}));
    }
    Value::Array(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_needed_only_if_they_are_asked_for() {
        assert_eq!(scope(&json!({"from": "2020-01-01"})), Ok((None, None)));
        let days = json!({"scope_by_date": "1", "from": "2020-01-01", "to": "2021-01-01T00:00:00Z"});
        assert_eq!(scope(&days), Ok((Some("2020-01-01".to_owned()), Some("2021-01-01".to_owned()))));
        assert!(scope(&json!({"scope_by_date": true, "from": "2020-01-01", "to": ""})).is_err());
        assert_eq!(period(&json!({"from": ""}), "2026-01-01").0.as_deref(), Some("2026-01-01"));
    }

    #[test]
    fn a_rating_has_values() {
        let asked = json!({"rating": "3", "value_1": "on", "value_2": "off", "value_5": true, "value_x": "on"});
        assert_eq!(rating(&asked), Ok((3, vec!["1".to_owned(), "5".to_owned()])));
        assert!(rating(&json!({"rating": "3"})).is_err() && rating(&json!({"value_1": "on"})).is_err());
    }

    #[test]
    fn locations_are_in_a_building_of_a_repository_or_between_others() {
        assert_eq!(places(&json!({"building": "Main", "repository_uri": ""})), Ok(Where::Building("Main".to_owned())));
        assert_eq!(places(&json!({"repository_uri": "/repositories/3"})), Ok(Where::Repository(3)));
        let two = json!({"location_start": {"ref": "/locations/1"}, "location_end": {"ref": "/locations/2"}});
        assert_eq!(places(&two), Ok(Where::Between("/locations/1".to_owned(), Some("/locations/2".to_owned()))));
        assert!(places(&json!({})).is_err());
    }

    #[test]
    fn the_most_specific_difference_is_a_range() {
        let place = |room: &str, row: &str| json!({"building": "Main", "room": room, "coordinate_1_label": "Row", "coordinate_1_indicator": row});
        let (one, two) = (place("7", "B"), place("7", "A"));
        let equal = |member: &str, text: &str| json!({"member": member, "low": text, "high": text});
        let rows = json!({"member": "coordinate_1_indicator", "low": "A", "high": "B"});
        assert_eq!(between(&one, &two), json!([equal("building", "Main"), equal("room", "7"), rows]));
        let rooms = json!({"member": "room", "low": "7", "high": "8"});
        assert_eq!(between(&place("8", "A"), &one), json!([equal("building", "Main"), rooms]));
        let nothing = between(&json!({"building": "Main"}), &json!({"room": "1"}));
        assert_eq!(nothing[0]["member"], "none");
    }
}
