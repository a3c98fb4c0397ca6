//! Labels to print: a row for each container of each series.

use std::collections::HashSet;

use record_xml::json::{identifier_parts, list, resolved, text};
use serde_json::Value;

use super::add_row;

const COLUMNS: [&str; 11] = [
    "Repository Name",
    "Resource Title",
    "Resource Identifier",
    "Series Archival Object Title",
    "Archival Object Title",
    "Container Profile",
    "Top Container",
    "Top Container Barcode",
    "SubContainer 1",
    "SubContainer 2",
    "Current Location",
];

/// The table of labels while it is written. Memory grows with the number of containers.
pub struct Labels {
    text: Vec<u8>,
    /// Repository, title and identifier of the resource.
    resource: [String; 3],
    /// The series that are open, with their depths.
    series: Vec<(u32, String)>,
    /// The containers that have a row, by series.
    done: HashSet<(String, String)>,
}

impl Labels {
    /// Begins with a resource, its repository resolved.
    pub fn begin(resource: &Value) -> Self {
        let repository = resource.get("repository").and_then(resolved).and_then(|repository| text(repository, "name"));
        let title = text(resource, "title").unwrap_or_default();
        let resource =
            [repository.unwrap_or("Unknown").to_owned(), title.to_owned(), identifier_parts(resource).join("-")];
        let mut labels = Self { text: Vec::new(), resource, series: Vec::new(), done: HashSet::new() };
        add_row(&mut labels.text, b'\t', COLUMNS);
        labels
    }

    /// Adds the containers of an archival object, with their profiles and locations resolved. Objects come depth-first;
    /// `depth` is 1 right below the resource.
    pub fn component(&mut self, record: &Value, depth: u32) {
        self.series.retain(|(of, _)| *of < depth);
        let title = text(record, "display_string").or(text(record, "title")).unwrap_or_default();
        if text(record, "level") == Some("series") {
            self.series.push((depth, title.to_owned()));
        }
        let series = self.series.last().map(|(_, title)| title.clone()).unwrap_or_default();
        for held in list(record, "instances").iter().filter_map(|instance| instance.get("sub_container")) {
            let Some(link) = held.get("top_container") else { continue };
            let address = text(link, "ref").unwrap_or_default();
            if !self.done.insert((series.clone(), address.to_owned())) {
                continue;
            }
            let top = resolved(link).unwrap_or(&Value::Null);
            let profile = top.get("container_profile").and_then(resolved);
            let profile = profile.and_then(|profile| text(profile, "display_string").or(text(profile, "name")));
            let is_current = |place: &&Value| text(place, "status") == Some("current");
            let place = list(top, "container_locations").iter().find(is_current).and_then(resolved);
            let of = |member| text(top, member).unwrap_or_default();
            let container = format!("{}: {}", of("type"), of("indicator"));
            let (second, third) = (inner(held, "2"), inner(held, "3"));
            let row = self.resource.iter().map(String::as_str).chain([
                series.as_str(),
                title,
                profile.unwrap_or_default(),
                &container,
                of("barcode"),
                &second,
                &third,
                place.and_then(|place| text(place, "title")).unwrap_or_default(),
            ]);
            add_row(&mut self.text, b'\t', row);
        }
    }

    /// What was written and not yet taken.
    pub fn written(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }
}

/// Type and indicator of what is inside the container: `folder:71`.
fn inner(held: &Value, level: &str) -> String {
    let parts = ["type_", "indicator_"].map(|part| text(held, &format!("{part}{level}")));
    parts.into_iter().flatten().collect::<Vec<_>>().join(":")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_container_has_one_row_in_each_series() {
        let resource =
            json!({"title": "Papers", "id_0": "MS", "id_1": "1", "repository": {"_resolved": {"name": "R"}}});
        let holding = |title: &str, level: &str| {
            json!({"display_string": title, "level": level, "instances": [
                {"sub_container": {"type_2": "folder", "indicator_2": "71", "top_container": {"ref": "/c/1",
                    "_resolved": {"type": "box", "indicator": "9", "barcode": "b", "container_locations": [
                        {"status": "previous", "_resolved": {"title": "old"}},
                        {"status": "current", "_resolved": {"title": "Room 1"}}]}}}}]})
        };
        let mut labels = Labels::begin(&resource);
        for (title, level, depth) in [
            ("A", "series", 1),
            ("A1", "file", 2),
            ("B", "series", 1),
            ("B1", "file", 2),
            ("C", "file", 1),
            ("D", "file", 1),
        ] {
            labels.component(&holding(title, level), depth);
        }
        let text = String::from_utf8(labels.written().clone()).expect("text");
        let rows: Vec<&str> = text.lines().collect();
        let row =
            |series: &str, title: &str| format!("R\tPapers\tMS-1\t{series}\t{title}\t\tbox: 9\tb\tfolder:71\t\tRoom 1");
        assert_eq!(rows, [COLUMNS.join("\t"), row("A", "A"), row("B", "B"), row("", "C")]);
    }
}
