//! The columns of a sheet of components.

use crate::model::lists::starting_label;

/// What a cell holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell {
    Text,
    /// A value of a list, as `Label [value]`.
    Listed(&'static str),
    /// `true` or `false`.
    Flag,
}

/// What a column is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// The component itself.
    Component,
    /// A part of a list: `dates`, `extents`.
    Part(&'static str),
    /// An instance in a container.
    Instance,
    /// An instance that is a digital object.
    Digital,
    Accession,
    Language,
    LanguageNote,
    /// A note of the type. It has subnotes, or it has not.
    Note(&'static str),
}

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Column {
    pub about: About,
    /// Which one of several, from 0.
    pub index: usize,
    pub member: &'static str,
    pub cell: Cell,
    /// What people read.
    label: &'static str,
    /// How wide it is shown; 0 for the usual width.
    pub width: u8,
    /// Whether people cannot change it.
    pub locked: bool,
}

type Members = &'static [(&'static str, Cell, &'static str, u8)];

const COMPONENT: Members = &[
    ("id", Cell::Text, "Id", 0),
    ("lock_version", Cell::Text, "Version", 0),
    ("title", Cell::Text, "Title", 30),
    ("level", Cell::Listed("archival_record_level"), "Level of Description", 15),
    ("ref_id", Cell::Text, "Ref ID", 15),
    ("component_id", Cell::Text, "Component Unique Identifier", 15),
    ("repository_processing_note", Cell::Text, "Repository Processing Note", 30),
    ("publish", Cell::Flag, "Publish?", 0),
];
const DATE: Members = &[
    ("label", Cell::Listed("date_label"), "Label", 0),
    ("expression", Cell::Text, "Expression", 15),
    ("begin", Cell::Text, "Begin", 10),
    ("end", Cell::Text, "End", 10),
    ("certainty", Cell::Listed("date_certainty"), "Certainty", 0),
];
const EXTENT: Members = &[
    ("portion", Cell::Listed("extent_portion"), "Portion", 15),
    ("number", Cell::Text, "Number", 15),
    ("extent_type", Cell::Listed("extent_extent_type"), "Type", 15),
    ("container_summary", Cell::Text, "Container Summary", 20),
    ("physical_details", Cell::Text, "Physical Details", 20),
    ("dimensions", Cell::Text, "Dimensions", 15),
];
const INSTANCE: Members = &[
    ("instance_type", Cell::Listed("instance_instance_type"), "Type", 0),
    ("top_container_type", Cell::Listed("container_type"), "Top Container Type", 0),
    ("top_container_indicator", Cell::Text, "Top Container Indicator", 0),
    ("top_container_barcode", Cell::Text, "Top Container Barcode", 0),
    ("sub_container_type_2", Cell::Listed("container_type"), "Child Type", 0),
    ("sub_container_indicator_2", Cell::Text, "Child Indicator", 0),
    ("sub_container_barcode_2", Cell::Text, "Child Container Barcode", 0),
    ("sub_container_type_3", Cell::Listed("container_type"), "Grandchild Type", 0),
    ("sub_container_indicator_3", Cell::Text, "Grandchild Indicator", 0),
];
const DIGITAL: Members = &[
    ("digital_object_id", Cell::Text, "Identifier", 0),
    ("digital_object_title", Cell::Text, "Title", 0),
    ("digital_object_publish", Cell::Flag, "Publish?", 0),
    ("file_version_file_uri", Cell::Text, "File URI", 0),
    ("file_version_caption", Cell::Text, "File Caption", 0),
    ("file_version_publish", Cell::Flag, "File Publish?", 0),
];
const ACCESSION: Members = &[
    ("id_0", Cell::Text, "ID Part 1", 0),
    ("id_1", Cell::Text, "ID Part 2", 0),
    ("id_2", Cell::Text, "ID Part 3", 0),
    ("id_3", Cell::Text, "ID Part 4", 0),
];
const LANGUAGE: Members = &[
    ("language", Cell::Listed("language_iso639_2"), "Language", 0),
    ("script", Cell::Listed("script_iso15924"), "Script", 0),
];
const LANGUAGE_NOTE: Members = &[("content", Cell::Text, "Content", 30)];
const NOTE: Members = &[("content", Cell::Text, "Content", 30), ("label", Cell::Text, "Label", 0)];
const RESTRICTION: Members = &[
    ("begin", Cell::Text, "Begin", 10),
    ("end", Cell::Text, "End", 10),
    ("local_access_restriction_type", Cell::Listed("restriction_type"), "Type", 15),
];

/// Types of notes with subnotes that sheets have.
const MULTIPART: [&str; 11] = [
    "accessrestrict",
    "scopecontent",
    "bioghist",
    "accruals",
    "dimensions",
    "altformavail",
    "odd",
    "phystech",
    "processinfo",
    "relatedmaterial",
    "separatedmaterial",
];
/// Those without.
const SINGLEPART: [&str; 2] = ["abstract", "physdesc"];

/// All types of notes that sheets have, in the order of their columns.
pub(crate) fn note_types() -> impl Iterator<Item = &'static str> {
    MULTIPART.into_iter().chain(SINGLEPART)
}

/// Whether notes of the type have subnotes.
pub(crate) fn is_multipart(kind: &str) -> bool {
    MULTIPART.contains(&kind)
}

/// Columns that every sheet has.
pub(crate) const ALWAYS: [&str; 3] = ["id", "lock_version", "title"];

fn members(about: About) -> impl Iterator<Item = &'static (&'static str, Cell, &'static str, u8)> {
    let (all, more): (Members, Members) = match about {
        About::Component => (COMPONENT, &[]),
        About::Part("dates") => (DATE, &[]),
        About::Part(_) => (EXTENT, &[]),
        About::Instance => (INSTANCE, &[]),
        About::Digital => (DIGITAL, &[]),
        About::Accession => (ACCESSION, &[]),
        About::Language => (LANGUAGE, &[]),
        About::LanguageNote => (LANGUAGE_NOTE, &[]),
        About::Note("accessrestrict") => (NOTE, RESTRICTION),
        About::Note(_) => (NOTE, &[]),
    };
    all.iter().chain(more)
}

/// The columns about one of several things.
pub(crate) fn columns(about: About, index: usize) -> impl Iterator<Item = Column> {
    members(about).map(move |(member, cell, label, width)| {
        let locked = about == About::Component && ["id", "lock_version", "ref_id"].contains(member);
        Column { about, index, member, cell: *cell, label, width: *width, locked }
    })
}

/// Things that paths name.
const NAMES: [(&str, About, &str); 7] = [
    ("dates", About::Part("dates"), "Date"),
    ("extents", About::Part("extents"), "Extent"),
    ("instances", About::Instance, "Instance"),
    ("digital_object", About::Digital, "Digital Object"),
    ("related_accessions", About::Accession, "Related Accession"),
    ("language_and_script", About::Language, "Language and Script"),
    ("note_langmaterial", About::LanguageNote, "Language Note"),
];

impl Column {
    /// The column with this path.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn at(path: &str) -> Result<Self, String> {
        let none = || format!("Column definition not found for {path}");
        let parts: Vec<&str> = path.split('/').collect();
        let (about, index, member) = match parts.as_slice() {
            [member] => (About::Component, 0, *member),
            ["note", kind, index, member] => {
                let kind = note_types().find(|of| of == kind).ok_or_else(none)?;
                (About::Note(kind), index.parse().map_err(|_| none())?, *member)
            }
            [name, index, member] => {
                let (_, about, _) = NAMES.iter().find(|(of, ..)| of == name).ok_or_else(none)?;
                (*about, index.parse().map_err(|_| none())?, *member)
            }
            _ => return Err(none()),
        };
        columns(about, index).find(|column| column.member == member).ok_or_else(none)
    }

    /// Its path, in the second row of a sheet.
    pub(crate) fn path(&self) -> String {
        let Self { about, index, member, .. } = self;
        match about {
            About::Component => (*member).to_owned(),
            About::Note(kind) => format!("note/{kind}/{index}/{member}"),
            other => format!("{}/{index}/{member}", name(*other).0),
        }
    }

    /// What people read, in the first row of a sheet.
    pub(crate) fn header(&self) -> String {
        let Self { about, index, label, .. } = self;
        let number = index + 1;
        match about {
            About::Component => (*label).to_owned(),
            About::Note(kind) => {
                let list = if is_multipart(kind) { "note_multipart_type" } else { "note_singlepart_type" };
                format!("Note {} - {number} - {label}", starting_label(list, kind).unwrap_or(kind))
            }
            About::LanguageNote => format!("Language Note - {number} - {label}"),
            other => format!("{} {number} - {label}", name(*other).1),
        }
    }

    /// What a cell of the column means; none for an empty one.
    ///
    /// # Errors
    /// It names no value of the list.
    pub(crate) fn value(&self, cell: Option<&str>) -> Result<Option<String>, String> {
        let Some(cell) = cell else { return Ok(None) };
        match self.cell {
            Cell::Text => Ok(Some(cell.to_owned())),
            Cell::Flag => Ok(Some((cell == "true").to_string())),
            Cell::Listed(_) => {
                let value = cell.strip_suffix(']').and_then(|cell| cell.split_once('['));
                let none = || format!("Could not parse enumeration value from: {cell}");
                value.map(|(_, value)| Some(value.to_owned())).ok_or_else(none)
            }
        }
    }

    /// What a cell of the column shows for a value.
    pub(crate) fn shown(&self, value: &str) -> String {
        match self.cell {
            Cell::Listed(list) => format!("{} [{value}]", starting_label(list, value).unwrap_or(value)),
            _ => value.to_owned(),
        }
    }
}

fn name(about: About) -> (&'static str, &'static str) {
    NAMES.iter().find(|(_, of, _)| *of == about).map_or(("", ""), |(path, _, people)| (*path, *people))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_is_found_by_its_path() {
        let notes = note_types().map(About::Note);
        let all = NAMES.iter().map(|(_, about, _)| *about).chain(notes).chain([About::Component]);
        let mut count = 0;
        for about in all {
            let index = if about == About::Component { 0 } else { 3 };
            for column in columns(about, index) {
                assert_eq!(Column::at(&column.path()), Ok(column), "{}", column.path());
                count += 1;
            }
        }
        assert_eq!(count, 8 + 5 + 6 + 9 + 6 + 4 + 2 + 1 + 13 * 2 + 3);
        for path in ["nonsense", "dates/x/label", "note/nonsense/0/content", "dates/0/nonsense", "a/b/c/d/e", ""] {
            assert!(Column::at(path).is_err(), "{path}");
        }
    }

    #[test]
    fn cells_hold_values_with_their_labels() {
        let column = Column::at("extents/0/extent_type").expect("a column");
        assert_eq!(column.shown("linear_feet"), "Linear Feet [linear_feet]");
        assert_eq!(column.value(Some("Linear Feet [linear_feet]")), Ok(Some("linear_feet".to_owned())));
        assert_eq!(
            column.value(Some("linear_feet")),
            Err("Could not parse enumeration value from: linear_feet".to_owned())
        );
        assert_eq!(column.header(), "Extent 1 - Type");
        let column = Column::at("publish").expect("a column");
        assert_eq!((column.value(Some("true")), column.value(None)), (Ok(Some("true".to_owned())), Ok(None)));
        assert_eq!(Column::at("note/odd/1/label").expect("a column").header(), "Note General - 2 - Label");
    }
}
