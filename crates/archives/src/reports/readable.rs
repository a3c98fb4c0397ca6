//! Rows as people read them: values of lists by their labels, and what belongs together in one text.

use serde_json::{Map, Value};

use crate::model::lists::starting_label;

/// Columns whose values are of lists, with the lists; also in the lists of a row.
pub(crate) type Labels = &'static [(&'static str, &'static str)];

/// Members that make one text: what a container is, and what it is called.
const CONTAINERS: [(&str, &str, &str); 3] = [
    ("indicator", "type", "container"),
    ("indicator_2", "type_2", "container_2"),
    ("indicator_3", "type_3", "container_3"),
];

fn text(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

/// A number of an extent: with two decimals, if it is one.
pub(crate) fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

/// A list of values by their labels.
fn labelled(list: &str, values: &str) -> String {
    let labels = values.split(", ").map(|value| starting_label(list, value).unwrap_or(value));
    labels.collect::<Vec<_>>().join(", ")
}

/// Makes a row readable, with the lists in it: extents, containers and dates are one text each; columns that a row has of its own
/// (`_columns`) are at its end.
pub(crate) fn readable(row: Map<String, Value>, labels: Labels) -> Map<String, Value> {
    let of_list = |(name, value): (String, Value)| {
        let value = match (value, labels.iter().find(|(column, _)| *column == name)) {
            (Value::String(text), Some((_, list))) => labelled(list, &text).into(),
            (Value::Array(items), _) if name != "_columns" => items
                .into_iter()
                .map(|item| match item {
                    Value::Object(members) => Value::Object(readable(members, labels)),
                    other => other,
                })
                .collect(),
            (other, _) => other,
        };
        (name, value)
    };
    let row: Map<String, Value> = row.into_iter().map(of_list).collect();
    let mut shown = Map::new();
    for (name, value) in &row {
        if let Some((_, kind, container)) = CONTAINERS.iter().find(|(indicator, ..)| indicator == name) {
            let whole = format!("{} {}", text(row.get(*kind)), text(Some(value)));
            let whole = Some(whole.trim().to_owned()).filter(|whole| !whole.is_empty());
            shown.insert((*container).to_owned(), whole.map_or(Value::Null, Value::from));
        } else if name == "_date" {
            let parts = [text(row.get("_label")), text(Some(value))];
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            shown.insert(name.clone(), parts.join(": ").into());
        } else if !is_part_of_another(name, &row) {
            shown.insert(name.clone(), value.clone());
        }
    }
    if let Some(extent) = row.get("extent_number") {
        let number_text = extent.as_str().unwrap_or("0");
        let many = number(number_text).map_or_else(|| number_text.to_owned(), |number| format!("{number:.2}"));
        let extent = format!("{many} {}", text(row.get("extent_type")));
        shown.insert("extent".to_owned(), extent.trim_end().into());
    }
    for column in row.get("_columns").and_then(Value::as_array).into_iter().flatten() {
        shown.insert(text(Some(&column[0])).to_owned(), column[1].clone());
    }
    shown
}

fn is_part_of_another(name: &str, row: &Map<String, Value>) -> bool {
    match name {
        "extent_number" | "_extent" | "_columns" => true,
        "extent_type" => row.contains_key("extent_number"),
        "_label" => row.contains_key("_date"),
        _ => CONTAINERS.iter().any(|(indicator, kind, _)| *kind == name && row.contains_key(*indicator)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const LABELS: Labels = &[
        ("acquisition_type", "accession_acquisition_type"),
        ("extent_type", "extent_extent_type"),
        ("type", "container_type"),
        ("_label", "date_label"),
    ];

    fn of(row: &Value) -> Value {
        Value::Object(readable(row.as_object().cloned().expect("an object"), LABELS))
    }

    #[test]
    fn values_have_labels_and_extents_are_one_text() {
        let row =
            json!({"acquisition_type": "gift", "extent_number": "3.5", "extent_type": "linear_feet, reels", "x": null});
        assert_eq!(of(&row), json!({"acquisition_type": "Gift", "x": null, "extent": "3.50 Linear Feet, Reels"}));
        assert_eq!(of(&json!({"extent_number": null, "extent_type": null})), json!({"extent": "0.00"}));
        assert_eq!(of(&json!({"extent_number": "many", "extent_type": "reels"})), json!({"extent": "many Reels"}));
    }

    #[test]
    fn containers_and_dates_are_one_text_also_in_lists() {
        let row = json!({"list": [{"type": "box", "indicator": "1", "name": "x",
            "instances": [{"type_2": null, "indicator_2": null}]}],
            "dates": [{"_label": "creation", "_date": "1900"}], "type": "kept", "_extent": "3"});
        let expected = json!({"list": [{"container": "Box 1", "name": "x", "instances": [{"container_2": null}]}],
            "dates": [{"_date": "Creation: 1900"}], "type": "kept"});
        assert_eq!(of(&row), expected);
    }

    #[test]
    fn a_row_may_have_columns_of_its_own() {
        let row = json!({"id": 1, "_columns": [["tape", "Yes"], ["glass", ""]]});
        assert_eq!(of(&row), json!({"id": 1, "tape": "Yes", "glass": ""}));
    }
}
