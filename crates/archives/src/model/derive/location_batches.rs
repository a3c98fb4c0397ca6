//! Many locations from one request (contract section 3.4).

use std::iter::successors;

use serde_json::{Map, Value};

use super::super::reading::text;

/// How many indicators one range gives at most.
const MOST: usize = 1000;

/// The locations that a checked `location_batch` stands for: one for each combination of the indicators of its ranges,
/// the last range running fastest. They have yet to be checked as locations.
pub(crate) fn batch_locations(batch: &Map<String, Value>) -> impl Iterator<Item = Map<String, Value>> {
    let ranges: Vec<_> = (1..=3)
        .filter_map(|number| {
            let range = batch.get(&format!("coordinate_{number}_range"))?.as_object()?;
            Some((number, text(range, "label").unwrap_or_default().to_owned(), indicators(range)))
        })
        .collect();
    let mut common = batch.clone();
    common.retain(|name, _| name != "locations" && !name.ends_with("_range"));
    common.insert("jsonmodel_type".to_owned(), Value::from("location"));
    let count = ranges.iter().fold(1_usize, |count, (_, _, indicators)| count.saturating_mul(indicators.len()));
    (0..count).map(move |place| {
        let mut location = common.clone();
        let mut rest = place;
        for (number, label, indicators) in ranges.iter().rev() {
            let indicator = &indicators[rest % indicators.len()];
            rest /= indicators.len();
            location.insert(format!("coordinate_{number}_label"), Value::from(label.as_str()));
            location.insert(format!("coordinate_{number}_indicator"), Value::from(indicator.as_str()));
        }
        location
    })
}

fn indicators(range: &Map<String, Value>) -> Vec<String> {
    let of = |property| text(range, property).unwrap_or_default();
    let steps = steps(of("start"), of("end"));
    steps.into_iter().map(|step| format!("{}{step}{}", of("prefix"), of("suffix"))).collect()
}

/// The texts from one to another, both included: numbers, or letters and digits counted like an odometer.
fn steps(start: &str, end: &str) -> Vec<String> {
    if let (Some(first), Some(last)) = (number(start), number(end)) {
        let width = start.len();
        return (first..=last).take(MOST).map(|number| format!("{number:0width$}")).collect();
    }
    if start > end {
        return Vec::new();
    }
    let next = |text: &String| {
        if text == end { None } else { Some(successor(text)?).filter(|next| next.len() <= end.len()) }
    };
    successors(Some(start.to_owned()), next).take(MOST).collect()
}

fn number(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// The text with its last letter or digit one further, and a carry to the one before: `a9` to `b0`, `Zz` to `AAa`.
fn successor(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let places: Vec<_> = (0..bytes.len()).rev().filter(|place| bytes[*place].is_ascii_alphanumeric()).collect();
    for (turn, place) in places.iter().enumerate() {
        let (wrapped, extra) = match bytes[*place] {
            b'9' => (b'0', b'1'),
            b'z' => (b'a', b'a'),
            b'Z' => (b'A', b'A'),
            other => {
                bytes[*place] = other + 1;
                break;
            }
        };
        bytes[*place] = wrapped;
        if turn + 1 == places.len() {
            bytes.insert(*place, extra);
        }
    }
    if places.is_empty() { None } else { String::from_utf8(bytes).ok() }
}

/// Drops each function of a location that it has already.
pub(crate) fn complete_location(location: &mut Map<String, Value>) {
    if let Some(Value::Array(functions)) = location.get_mut("functions") {
        let mut seen = Vec::new();
        functions.retain(|function| {
            let kind = function.get("location_function_type").cloned();
            let is_new = !seen.contains(&kind);
            seen.push(kind);
            is_new
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        let Value::Object(map) = value else { panic!("an object is needed") };
        map
    }

    #[test]
    fn a_range_counts_numbers_and_letters() {
        let cases: [(&str, &str, &[&str]); 8] = [
            ("9", "11", &["9", "10", "11"]),
            ("08", "10", &["08", "09", "10"]),
            ("a", "c", &["a", "b", "c"]),
            ("y", "ab", &[]),
            ("A8", "B1", &["A8", "A9", "B0", "B1"]),
            ("Zy", "Zz", &["Zy", "Zz"]),
            ("3", "1", &[]),
            ("-", "-", &["-"]),
        ];
        for (start, end, expected) in cases {
            assert_eq!(steps(start, end), expected, "{start}..{end}");
        }
        assert_eq!(steps("1", "5000").len(), MOST);
        assert_eq!(successor("Zz").as_deref(), Some("AAa"));
        assert_eq!(successor("a-9").as_deref(), Some("b-0"));
    }

    #[test]
    fn a_batch_gives_every_combination() {
        let batch = map(json!({
            "jsonmodel_type": "location_batch", "building": "Main", "locations": [],
            "coordinate_1_range": {"label": "Row", "start": "1", "end": "2", "prefix": "R"},
            "coordinate_3_range": {"label": "Shelf", "start": "a", "end": "b"},
        }));
        let locations: Vec<_> = batch_locations(&batch).collect();
        let places: Vec<_> = locations
            .iter()
            .map(|location| (text(location, "coordinate_1_indicator"), text(location, "coordinate_3_indicator")))
            .collect();
        let expected = [("R1", "a"), ("R1", "b"), ("R2", "a"), ("R2", "b")];
        assert_eq!(places, expected.map(|(row, shelf)| (Some(row), Some(shelf))));
        let first = json!({
            "jsonmodel_type": "location", "building": "Main", "coordinate_1_label": "Row", "coordinate_1_indicator": "R1",
            "coordinate_3_label": "Shelf", "coordinate_3_indicator": "a",
        });
        assert_eq!(Value::Object(locations[0].clone()), first);
    }

    #[test]
    fn a_batch_with_an_empty_range_is_empty() {
        let batch = map(json!({"coordinate_1_range": {"label": "Row", "start": "2", "end": "1"}}));
        assert_eq!(batch_locations(&batch).count(), 0);
    }

    #[test]
    fn a_function_is_there_once() {
        let function = |kind: &str| json!({"location_function_type": kind});
        let mut location = map(json!({"functions": [function("av"), function("arrivals"), function("av")]}));
        complete_location(&mut location);
        assert_eq!(location["functions"], json!([function("av"), function("arrivals")]));
    }
}
