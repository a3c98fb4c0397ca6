//! The components of a collection in the order of its tree, with the boxes and digital objects that they are in.

use serde_json::{Value, json};

use super::{
    in_repository,
    shared::{Shared, year},
    words::{Subject, note_of, note_of_component, text, title},
};
use crate::{dice::Dice, library::Library};

/// A collection with fewer components has no series.
const SERIES_FROM: u32 = 30;
/// At most so many series; the first has a quarter of all components.
const MOST_SERIES: u32 = 8;
/// A series with more components has subseries …
const SUBSERIES_FROM: u32 = 300;
/// … each with about so many.
const SUBSERIES: u32 = 200;
/// Of a thousand files, how many have their items listed.
const ITEMIZED: u32 = 150;
/// Of a thousand components, how many are not published.
const UNPUBLISHED: u32 = 20;
/// One file in this many was digitized.
const DIGITIZED: u32 = 80;

/// Writes the components of one collection.
pub(super) struct Writer<'a, E> {
    library: &'a Library,
    collection: u32,
    resource: String,
    subject: Subject,
    shared: Shared,
    take: &'a mut dyn FnMut(Value) -> Result<(), E>,
    /// How many components were written.
    written: u32,
    files: u32,
    boxes: u32,
    /// Files that still fit in the last box, and those in it.
    room: u32,
    folder: u32,
}

impl<'a, E> Writer<'a, E> {
    pub(super) fn new(
        library: &'a Library,
        collection: u32,
        subject: Subject,
        shared: Shared,
        take: &'a mut dyn FnMut(Value) -> Result<(), E>,
    ) -> Self {
        let resource = in_repository("resources", collection);
        let (written, files, boxes, room, folder) = (0, 0, 0, 0, 0);
        Self { library, collection, resource, subject, shared, take, written, files, boxes, room, folder }
    }

    /// Writes so many components.
    pub(super) fn write(&mut self, components: u32) -> Result<(), E> {
        if components < SERIES_FROM {
            return self.files(components, None);
        }
        let series = (components / SERIES_FROM).clamp(2, MOST_SERIES);
        let first = components / 4;
        let mut left = components - first;
        self.series(first)?;
        for one in 1..series {
            let size = left / (series - one);
            left -= size;
            self.series(size)?;
        }
        Ok(())
    }

    /// A series with so many components, itself among them.
    fn series(&mut self, components: u32) -> Result<(), E> {
        let series = self.component("series", None)?;
        let mut left = components - 1;
        if components <= SUBSERIES_FROM {
            return self.files(left, Some(&series));
        }
        let mut parts = left.div_ceil(SUBSERIES);
        while parts > 0 {
            let size = left / parts;
            (left, parts) = (left - size, parts - 1);
            let part = self.component("subseries", Some(&series))?;
            self.files(size - 1, Some(&part))?;
        }
        Ok(())
    }

    /// Files below a component, some with items below them, so many in all.
    fn files(&mut self, components: u32, parent: Option<&str>) -> Result<(), E> {
        let mut left = components;
        while left > 0 {
            let mut dice = self.dice("file");
            let file = self.component("file", parent)?;
            left -= 1;
            if dice.per_mille(ITEMIZED) {
                let items = dice.between(2, 12).min(left);
                for _ in 0..items {
                    self.component("item", Some(&file))?;
                }
                left -= items;
            }
        }
        Ok(())
    }

    /// Chance for the component that is written next.
    fn dice(&self, of: &str) -> Dice {
        self.library.dice(of, u64::from(self.collection) << 32 | u64::from(self.written))
    }

    /// A component; returns its address.
    fn component(&mut self, level: &str, parent: Option<&str>) -> Result<String, E> {
        let mut dice = self.dice("component");
        let number = u64::from(self.collection) << 32 | u64::from(self.written);
        let address = in_repository("archival_objects", number);
        let mut record = json!({"jsonmodel_type": "archival_object", "uri": address, "level": level,
            "title": title(level, &mut dice), "publish": !dice.per_mille(UNPUBLISHED),
            "ref_id": self.library.id("component", number).simple().to_string(), "resource": {"ref": self.resource},
            "dates": [self.date(level, &mut dice)]});
        if let Some(parent) = parent {
            record["parent"] = json!({"ref": parent});
        }
        if level == "series" || dice.per_mille(120) {
            let note = note_of_component(&mut dice);
            record["notes"] = json!([note_of(note.kind, &text(note, &self.subject))]);
        }
        if dice.per_mille(100) {
            record["subjects"] = json!([{"ref": self.shared.any_subject(&mut dice)}]);
        }
        if dice.per_mille(60) {
            record["linked_agents"] = json!([{"ref": self.shared.any_person(&mut dice), "role": "subject"}]);
        }
        if dice.per_mille(50) {
            record["extents"] = json!([{"jsonmodel_type": "extent", "portion": "whole",
                "number": dice.between(1, 5).to_string(), "extent_type": dice.pick(&["volumes", "sheets", "photographic_prints"])}]);
        }
        if level == "file" {
            record["instances"] = self.instances(&mut dice)?;
        }
        self.written += 1;
        (self.take)(record)?;
        Ok(address)
    }

    fn date(&self, level: &str, dice: &mut Dice) -> Value {
        let (begin, end) = self.subject.years;
        let whole = u32::from(begin.abs_diff(end));
        if level == "item" {
            let day = format!(
                "{}-{:02}-{:02}",
                year(begin, dice.between(0, whole)),
                dice.between(1, 12),
                dice.between(1, 28)
            );
            return json!({"jsonmodel_type": "date", "date_type": "single", "label": "creation", "begin": day});
        }
        let from = dice.between(0, whole);
        let most = if level == "file" { 5 } else { whole };
        let (from, until) = (year(begin, from), year(begin, (from + dice.between(0, most)).min(whole)));
        json!({"jsonmodel_type": "date", "date_type": "inclusive", "label": "creation", "begin": from.to_string(),
            "end": until.to_string(), "expression": format!("{from}-{until}")})
    }

    /// The folder of a file in its box, and for a few files pictures of it.
    fn instances(&mut self, dice: &mut Dice) -> Result<Value, E> {
        if self.room == 0 {
            self.begin_box()?;
        }
        self.room -= 1;
        self.folder += 1;
        let container = json!({"jsonmodel_type": "sub_container", "top_container": {"ref": self.box_address()},
            "type_2": "folder", "indicator_2": self.folder.to_string()});
        let mut instances =
            vec![json!({"jsonmodel_type": "instance", "instance_type": "mixed_materials", "sub_container": container})];
        if self.files.is_multiple_of(DIGITIZED) {
            let address = self.digital_object(dice)?;
            instances.push(json!({"jsonmodel_type": "instance", "instance_type": "digital_object",
                "digital_object": {"ref": address}}));
        }
        self.files += 1;
        Ok(Value::Array(instances))
    }

    fn box_address(&self) -> String {
        in_repository("top_containers", format_args!("{}-{}", self.collection, self.boxes))
    }

    fn begin_box(&mut self) -> Result<(), E> {
        self.boxes += 1;
        let number = u64::from(self.collection) << 32 | u64::from(self.boxes);
        let mut dice = self.library.dice("box", number);
        self.room = dice.between(12, 25);
        self.folder = 0;
        let place = json!({"jsonmodel_type": "container_location", "status": "current", "start_date": "2019-03-01",
            "ref": self.shared.any_location(&mut dice)});
        let record = json!({"jsonmodel_type": "top_container", "uri": self.box_address(), "type": "box",
            "indicator": self.boxes.to_string(), "barcode": format!("B{:05}{:07}", self.collection + 1, self.boxes),
            "container_profile": {"ref": self.shared.any_profile(&mut dice)}, "container_locations": [place]});
        (self.take)(record)
    }

    /// Pictures of a file, some of them page by page; returns the address.
    fn digital_object(&mut self, dice: &mut Dice) -> Result<String, E> {
        let name = format!("{}-{}", self.collection, self.files);
        let address = in_repository("digital_objects", &name);
        let picture = |page: u32| {
            json!({"jsonmodel_type": "file_version", "publish": true, "use_statement": "image-service",
                "file_uri": format!("https://digital.example.org/{name}/{page}.jpg")})
        };
        (self.take)(
            json!({"jsonmodel_type": "digital_object", "uri": address, "digital_object_id": format!("do-{name}"),
            "title": format!("Pictures of {}", title("file", dice)), "publish": true, "digital_object_type": "still_image",
            "file_versions": [picture(0)]}),
        )?;
        if dice.per_mille(400) {
            for page in 1..=dice.between(2, 8) {
                (self.take)(json!({"jsonmodel_type": "digital_object_component", "publish": true,
                    "uri": in_repository("digital_object_components", format_args!("{name}-{page}")),
                    "label": format!("Page {page}"), "title": format!("Page {page}"),
                    "digital_object": {"ref": address}, "file_versions": [picture(page)]}))?;
            }
        }
        Ok(address)
    }
}
