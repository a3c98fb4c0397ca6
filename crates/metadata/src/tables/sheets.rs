//! Sheets with a row for each archival object of a resource, which are filled in and imported again.

use record_xml::json::{identifier_parts, text};
use serde_json::Value;

use super::add_row;

/// What the columns of the sheet of containers hold: code, title and the type of record.
const CONTAINERS: [(&str, &str, &str); 17] = [
    ("archival_object_id", "Archival Object ID", "Archival Object"),
    ("ref_id", "Ref ID", "Archival Object"),
    ("component_id", "Component ID", "Archival Object"),
    ("archival_object_title", "Title", "Archival Object"),
    ("resource_title", "Resource Title", "Resource"),
    ("ead_id", "EAD ID", "Resource"),
    ("identifier", "Identifier", "Resource"),
    ("instance_type", "Instance Type", "Instance"),
    (
        "top_container_id",
        "Top Container ID (existing top container, leave blank if creating new container)",
        "Container",
    ),
    ("top_container_type", "Top Container Type", "Top Container"),
    ("top_container_indicator", "Top Container Indicator", "Top Container"),
    ("top_container_barcode", "Top container barcode", "Top Container"),
    ("container_profile_id", "Container Profile ID", "Top Container"),
    ("child_type", "Child Type", "Sub Container"),
    ("child_indicator", "Child Indicator", "Sub Container"),
    ("child_barcode", "Child Barcode", "Sub Container"),
    ("location_id", "Location ID", "Location"),
];

/// Codes and titles of the columns of the sheet of digital objects, which its import knows.
const DIGITAL_OBJECTS: &str = include_str!("../../data/digital_object_sheet.tsv");

/// A sheet while it is written.
pub struct Sheet {
    text: Vec<u8>,
    columns: Vec<(&'static str, Cells)>,
}

/// What the cells of a column hold.
enum Cells {
    /// The same in all rows; empty if the client fills them in.
    Fixed(String),
    /// The member of the archival object that has the column's code.
    OfObject,
}

impl Sheet {
    /// Begins the sheet that gives archival objects containers.
    pub fn of_containers(resource: &Value) -> Self {
        let fixed = |code: &str| match code {
            "archival_object_id" | "ref_id" | "component_id" | "archival_object_title" => Cells::OfObject,
            "resource_title" => Cells::Fixed(text(resource, "title").unwrap_or_default().to_owned()),
            "ead_id" => Cells::Fixed(text(resource, "ead_id").unwrap_or_default().to_owned()),
            "identifier" => Cells::Fixed(identifier_parts(resource).join(" ")),
            _ => Cells::Fixed(String::new()),
        };
        let columns = CONTAINERS.iter().map(|(code, ..)| (*code, fixed(code))).collect();
        let mut sheet = Self { text: Vec::new(), columns };
        sheet.head("Archival Object Top Container Generation Template");
        let named = |first, cell: fn(&(&'static str, &'static str, &'static str)) -> &'static str| {
            [first].into_iter().chain(CONTAINERS.iter().map(cell))
        };
        add_row(&mut sheet.text, b',', named("Maps to ASpace Type", |column| column.2));
        let codes = "ArchivesSpace field code (please don't edit this row)";
        add_row(&mut sheet.text, b',', named(codes, |column| column.0));
        add_row(&mut sheet.text, b',', named("Field Name", |column| column.1));
        sheet
    }

    /// Begins the sheet that gives archival objects digital objects.
    pub fn of_digital_objects(resource: &Value) -> Self {
        let named: Vec<(&str, &str)> = DIGITAL_OBJECTS.lines().filter_map(|line| line.split_once('\t')).collect();
        let address = text(resource, "uri").unwrap_or_default();
        let fixed = |code: &str| match code {
            "ao_uri" => Cells::OfObject,
            "res_uri" => Cells::Fixed(address.to_owned()),
            _ => Cells::Fixed(String::new()),
        };
        let columns = named.iter().map(|(code, _)| (*code, fixed(code))).collect();
        let mut sheet = Self { text: Vec::new(), columns };
        sheet.head("Archival Object Digital Object Generation Template Prefilled");
        let codes = "ArchivesSpace digital object import field codes (please don't edit this row)";
        add_row(&mut sheet.text, b',', [codes].into_iter().chain(named.iter().map(|(code, _)| *code)));
        add_row(&mut sheet.text, b',', ["Field Name"].into_iter().chain(named.iter().map(|(_, title)| *title)));
        sheet
    }

    /// What the sheet is, in a row as long as the others.
    fn head(&mut self, description: &str) {
        let empty = std::iter::repeat_n("", self.columns.len() - 1);
        add_row(&mut self.text, b',', [description].into_iter().chain(empty));
    }

    /// Adds an archival object by its members `archival_object_id`, `ref_id`, `component_id`, `archival_object_title` and
    /// `ao_uri`.
    pub fn row(&mut self, object: &Value) {
        let cell = |(code, cells): &(&'static str, Cells)| match (cells, object.get(code)) {
            (Cells::Fixed(text), _) => text.clone(),
            (Cells::OfObject, Some(Value::String(text))) => text.clone(),
            (Cells::OfObject, Some(Value::Number(number))) => number.to_string(),
            (Cells::OfObject, _) => String::new(),
        };
        let cells: Vec<String> = self.columns.iter().map(cell).collect();
        add_row(&mut self.text, b',', [""].into_iter().chain(cells.iter().map(String::as_str)));
    }

    /// What was written and not yet taken.
    pub fn written(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }
}
