//! Texts of containers and places (contract section 4.4).

use serde_json::{Map, Value};

use super::super::lists::Labels;
use super::super::reading::text;

/// The `display_string` of a container profile, such as `Box [5d, 10h, 12w inches] extent measured by width`.
pub(crate) fn container_profile_display_string(profile: &Map<String, Value>) -> String {
    let of = |property| text(profile, property).unwrap_or_default();
    format!(
        "{} [{}d, {}h, {}w {}] extent measured by {}",
        of("name"),
        of("depth"),
        of("height"),
        of("width"),
        of("dimension_units"),
        of("extent_dimension")
    )
}

/// The `display_string` of a location profile: its name, and its measures if it has all of them.
pub(crate) fn location_profile_display_string(profile: &Map<String, Value>, labels: &dyn Labels) -> String {
    let name = text(profile, "name").unwrap_or_default();
    match (text(profile, "depth"), text(profile, "height"), text(profile, "width")) {
        (Some(depth), Some(height), Some(width)) => {
            let units = text(profile, "dimension_units").and_then(|units| labels.label("dimension_units", units));
            format!("{name} [{depth}d, {height}h, {width}w {}]", units.unwrap_or_default())
        }
        _ => name.to_owned(),
    }
}

/// The `title` of a location, such as `Main, 2, Stacks [Row: 1, Shelf: 2]`.
pub(crate) fn location_title(location: &Map<String, Value>) -> String {
    let of = |property: &str| text(location, property);
    let place: Vec<_> = ["building", "floor", "room", "area"].iter().filter_map(|property| of(property)).collect();
    let known = ["barcode", "classification"].iter().filter_map(|property| of(property).map(str::to_owned));
    let coordinates = (1..=3).filter_map(|number| {
        let label = of(&format!("coordinate_{number}_label"))?;
        Some(format!("{label}: {}", of(&format!("coordinate_{number}_indicator")).unwrap_or_default()))
    });
    format!("{} [{}]", place.join(", "), known.chain(coordinates).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::lists::StartingLists;
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        let Value::Object(map) = value else { panic!("an object is needed") };
        map
    }

    #[test]
    fn places_and_profiles_are_shown() {
        let location = map(json!({
            "building": "Main", "floor": "2", "area": "East", "barcode": "b", "coordinate_1_label": "Row",
            "coordinate_1_indicator": "1", "coordinate_3_label": "Shelf", "coordinate_3_indicator": "2",
        }));
        assert_eq!(location_title(&location), "Main, 2, East [b, Row: 1, Shelf: 2]");
        let profile = map(json!({
            "name": "Box", "depth": "5", "height": "10", "width": "12", "dimension_units": "inches",
            "extent_dimension": "width",
        }));
        assert_eq!(container_profile_display_string(&profile), "Box [5d, 10h, 12w inches] extent measured by width");
        assert_eq!(location_profile_display_string(&profile, &StartingLists), "Box [5d, 10h, 12w Inches]");
        assert_eq!(location_profile_display_string(&map(json!({"name": "Bay", "depth": "5"})), &StartingLists), "Bay");
    }
}
