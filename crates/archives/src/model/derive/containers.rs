//! Texts of containers and places (contract section 4.4).

use serde_json::{Map, Value};

use super::super::lists::Labels;
use super::super::reading::text;

/// A series that a container holds a part of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesPart {
    /// What [`series_level`] says.
    pub level: String,
    /// Its `component_id`.
    pub component_id: String,
}

/// What the texts of a container are made of, besides the container.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContainerParts {
    /// The series it holds parts of.
    pub series: Vec<SeriesPart>,
    /// The name of its container profile.
    pub profile: Option<String>,
    /// The title of its first location.
    pub location: Option<String>,
    /// The identifier of the first collection it belongs to, joined by `--`, and its title.
    pub collection: Option<(String, Option<String>)>,
}

/// Whether a top-level archival object is one of the series that its containers name.
pub(crate) fn is_series(record: &Map<String, Value>) -> bool {
    let other = text(record, "other_level").map(str::to_lowercase);
    let level = text(record, "level");
    record.contains_key("component_id")
        && (level == Some("series") || (level == Some("otherlevel") && other.as_deref() == Some("accession")))
}

/// The level of a series as its containers name it: the other level, or the label of its level.
pub(crate) fn series_level(record: &Map<String, Value>, labels: &dyn Labels) -> String {
    let other = text(record, "other_level").map(str::to_owned);
    other.unwrap_or_else(|| labels.label_or_value("archival_record_level", text(record, "level").unwrap_or_default()))
}

/// The `display_string` of a top container, such as `Box 1: Series I [Barcode: x]`. Without a type it starts with a
/// space.
pub(crate) fn top_container_display_string(container: &Map<String, Value>, parts: &ContainerParts) -> String {
    let indicator = format!("{}:", text(container, "indicator").unwrap_or_default());
    let words = [Some(capitalised(container)), Some(indicator), series(parts), barcode(container)];
    let whole = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
    whole.strip_suffix(':').unwrap_or(&whole).to_owned()
}

/// The `long_display_string` of a top container.
pub(crate) fn top_container_long_display_string(container: &Map<String, Value>, parts: &ContainerParts) -> String {
    let indicator = text(container, "indicator").unwrap_or_default().to_owned();
    let words = [Some(capitalised(container)), Some(indicator), barcode(container)];
    let own = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let collection = parts.collection.as_ref().map(|(identifier, title)| match title {
        Some(title) => format!("{identifier}, {title}"),
        None => identifier.clone(),
    });
    let all = [Some(own), parts.profile.clone(), parts.location.clone(), collection, series(parts)];
    all.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn capitalised(container: &Map<String, Value>) -> String {
    let mut letters = text(container, "type").unwrap_or_default().chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + &letters.as_str().to_lowercase()
}

fn barcode(container: &Map<String, Value>) -> Option<String> {
    text(container, "barcode").map(|barcode| format!("[Barcode: {barcode}]"))
}

fn series(parts: &ContainerParts) -> Option<String> {
    let named: Vec<_> = parts.series.iter().map(|each| format!("{} {}", each.level, each.component_id)).collect();
    if named.is_empty() { None } else { Some(named.join("; ")) }
}

/// The `display_string` of a container within a top container, such as `Box: 1, Folder: 2`. ArchivesSpace's public
/// pages write it so; its API leaves it out.
pub(crate) fn sub_container_display_string(
    container: &Map<String, Value>,
    top: &Map<String, Value>,
    labels: &dyn Labels,
) -> String {
    let kind = |kind: &str| labels.label_or_value("container_type", kind);
    let level = |number: u8| {
        let (of, indicator) = (format!("type_{number}"), format!("indicator_{number}"));
        Some(format!("{}: {}", kind(text(container, &of)?), text(container, &indicator)?))
    };
    let first = text(top, "type").map_or_else(|| "Container".to_owned(), kind);
    let first = format!("{first}: {}", text(top, "indicator").unwrap_or_default());
    [Some(first), level(2), level(3)].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

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
    fn a_top_container_is_shown_with_what_is_known() {
        let one = || SeriesPart { level: "Series".to_owned(), component_id: "I".to_owned() };
        let two = || SeriesPart { level: "Accession".to_owned(), component_id: "7".to_owned() };
        let parts = |series: Vec<SeriesPart>| ContainerParts { series, ..ContainerParts::default() };
        let cases = [
            (json!({"type": "box", "indicator": "1", "barcode": "x"}), vec![one()], "Box 1: Series I [Barcode: x]"),
            (json!({"type": "box", "indicator": "1"}), vec![one(), two()], "Box 1: Series I; Accession 7"),
            (json!({"type": "box", "indicator": "1", "barcode": "x"}), vec![], "Box 1: [Barcode: x]"),
            (json!({"type": "box", "indicator": "1"}), vec![], "Box 1"),
            (json!({"indicator": "1"}), vec![], " 1"),
        ];
        for (container, series, expected) in cases {
            assert_eq!(top_container_display_string(&map(container), &parts(series)), expected);
        }
    }

    #[test]
    fn the_long_text_of_a_top_container_names_its_place() {
        let parts = ContainerParts {
            series: vec![SeriesPart { level: "Series".to_owned(), component_id: "I".to_owned() }],
            profile: Some("Flat box".to_owned()),
            location: Some("Main [x]".to_owned()),
            collection: Some(("MS--1".to_owned(), Some("Papers".to_owned()))),
        };
        let container = map(json!({"type": "box", "indicator": "1", "barcode": "x"}));
        let whole = "Box 1 [Barcode: x], Flat box, Main [x], MS--1, Papers, Series I";
        assert_eq!(top_container_long_display_string(&container, &parts), whole);
        assert_eq!(top_container_long_display_string(&container, &ContainerParts::default()), "Box 1 [Barcode: x]");
    }

    #[test]
    fn series_are_known_by_their_level() {
        let cases = [
            (json!({"level": "series", "component_id": "I"}), true, "Series"),
            (json!({"level": "otherlevel", "other_level": "Accession", "component_id": "I"}), true, "Accession"),
            (json!({"level": "series"}), false, "Series"),
            (json!({"level": "file", "component_id": "I"}), false, "File"),
        ];
        for (record, series, level) in cases {
            let record = map(record);
            assert_eq!((is_series(&record), series_level(&record, &StartingLists).as_str()), (series, level));
        }
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
        let sub = map(json!({"type_2": "folder", "indicator_2": "2", "type_3": "object"}));
        let top = map(json!({"type": "box", "indicator": "1"}));
        assert_eq!(sub_container_display_string(&sub, &top, &StartingLists), "Box: 1, Folder: 2");
        assert_eq!(
            sub_container_display_string(&Map::new(), &map(json!({"indicator": "1"})), &StartingLists),
            "Container: 1"
        );
    }
}
