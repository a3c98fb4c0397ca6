//! A sheet of components for staff to change.

use std::collections::HashMap;

use rust_xlsxwriter::{DataValidation, Format, FormatPattern, Workbook, Worksheet, XlsxError};
use serde_json::Value;

use super::{
    SHEET,
    columns::{ALWAYS, About, Cell, Column, columns, is_multipart, note_types},
};
use crate::model::ValueLists;

/// How many parts of each kind a sheet has room for.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Dates, extents and instances at least.
    pub least: usize,
    /// How many more than the component with most of them has.
    pub extra: usize,
    /// Notes of each type at least.
    pub notes: usize,
}

/// A component with what its cells show.
#[derive(Debug)]
pub(crate) struct Component {
    pub id: i64,
    pub version: i64,
    /// As it is stored.
    pub doc: Value,
    /// Its containers, digital objects and accessions by address.
    pub named: HashMap<String, Value>,
}

fn items<'a>(record: &'a Value, member: &str) -> Vec<&'a Value> {
    record[member].as_array().into_iter().flatten().collect()
}

impl Component {
    fn digital(&self) -> Vec<&Value> {
        items(&self.doc, "instances").into_iter().filter(|one| one["instance_type"] == "digital_object").collect()
    }

    fn held(&self) -> Vec<&Value> {
        items(&self.doc, "instances").into_iter().filter(|one| one["instance_type"] != "digital_object").collect()
    }

    fn languages(&self) -> Vec<&Value> {
        let both = items(&self.doc, "lang_materials").into_iter().map(|material| &material["language_and_script"]);
        both.filter(|both| both.is_object()).collect()
    }

    fn language_notes(&self) -> Vec<&Value> {
        items(&self.doc, "lang_materials").into_iter().flat_map(|material| items(material, "notes")).collect()
    }

    fn notes(&self, kind: &str) -> Vec<&Value> {
        let model = if is_multipart(kind) { "note_multipart" } else { "note_singlepart" };
        let fits = |note: &&Value| note["jsonmodel_type"] == model && note["type"] == kind;
        items(&self.doc, "notes").into_iter().filter(fits).collect()
    }

    /// What there is of a kind.
    fn all(&self, about: About) -> Vec<&Value> {
        match about {
            About::Component => vec![&self.doc],
            About::Part(list) => items(&self.doc, list),
            About::Instance => self.held(),
            About::Digital => self.digital(),
            About::Accession => items(&self.doc, "accession_links"),
            About::Language => self.languages(),
            About::LanguageNote => self.language_notes(),
            About::Note(kind) => self.notes(kind),
        }
    }

    /// What a cell shows.
    fn shown(&self, column: &Column) -> Option<String> {
        let own = |value: i64| Some(value.to_string());
        match (column.about, column.member) {
            (About::Component, "id") => return own(self.id),
            (About::Component, "lock_version") => return own(self.version),
            _ => {}
        }
        let all = self.all(column.about);
        let part = *all.get(column.index)?;
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => None,
        };
        let member = column.member;
        let value = match column.about {
            About::Instance => match member.strip_prefix("top_container_") {
                Some(member) => {
                    let uri = part["sub_container"]["top_container"]["ref"].as_str()?;
                    text(&self.named.get(uri)?[member])
                }
                None => match member.strip_prefix("sub_container_") {
                    Some(member) => text(&part["sub_container"][member]),
                    None => text(&part[member]),
                },
            },
            About::Digital => {
                let object = self.named.get(part["digital_object"]["ref"].as_str()?)?;
                match member.strip_prefix("file_version_") {
                    Some(member) => text(&object["file_versions"][0][member]),
                    None if member == "digital_object_id" => text(&object[member]),
                    None => text(&object[member.trim_start_matches("digital_object_")]),
                }
            }
            About::Accession => text(&self.named.get(part["ref"].as_str()?)?[member]),
            About::LanguageNote => text(&part["content"][0]),
            About::Note(kind) => match member {
                "content" if is_multipart(kind) => {
                    let texts = items(part, "subnotes");
                    text(&texts.into_iter().find(|subnote| subnote["jsonmodel_type"] == "note_text")?["content"])
                }
                "content" => text(&part["content"][0]),
                "label" => text(&part["label"]),
                "local_access_restriction_type" => text(&part["rights_restriction"][member][0]),
                member => text(&part["rights_restriction"][member]),
            },
            _ => text(&part[member]),
        };
        let value = if column.cell == Cell::Flag { value.or_else(|| Some("false".to_owned())) } else { value };
        value.map(|value| column.shown(&value))
    }
}

/// The columns of a sheet of these components with the chosen groups.
pub(crate) fn chosen(components: &[Component], room: Room, groups: &[String]) -> Vec<Column> {
    let is_chosen = |name: &str| ALWAYS.contains(&name) || groups.iter().any(|group| group == name);
    let most = |about: About| components.iter().map(|one| one.all(about).len()).max().unwrap_or_default();
    let with_room = |about: About| room.least.max(most(about) + room.extra);
    let mut all: Vec<Column> = columns(About::Component, 0).filter(|column| is_chosen(column.member)).collect();
    let mut add = |group: &str, about: About, many: usize| {
        if is_chosen(group) {
            all.extend((0..many).flat_map(|index| columns(about, index)));
        }
    };
    add("langmaterial", About::Language, most(About::Language).max(1));
    add("langmaterial", About::LanguageNote, most(About::LanguageNote).max(1));
    add("date", About::Part("dates"), with_room(About::Part("dates")));
    add("extent", About::Part("extents"), with_room(About::Part("extents")));
    add("instance", About::Instance, with_room(About::Instance));
    add("digital_object", About::Digital, with_room(About::Digital));
    add("related_accession", About::Accession, most(About::Accession).max(1));
    for kind in note_types() {
        let about = About::Note(kind);
        add(&format!("note_{kind}"), about, most(about).max(room.notes));
    }
    all
}

/// Writes the sheet: what people read of the columns, their paths, and a row for each component.
///
/// # Errors
/// There are too many rows or columns for a workbook, or a text is too long for a cell.
pub(crate) fn workbook(
    components: &[Component],
    columns: &[Column],
    lists: &dyn ValueLists,
) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let locked = Format::new().set_locked().set_font_color("808080").set_font_size(8);
    let free = Format::new().set_unlocked().set_num_format("@");
    let header = Format::new().set_locked().set_bold().set_font_size(12).set_pattern(FormatPattern::None);
    let sheet = workbook.add_worksheet();
    sheet.set_name(SHEET)?.set_freeze_panes(1, 3)?.protect();
    for (place, column) in (0..).zip(columns) {
        sheet.write_with_format(0, place, column.header(), &header)?;
        sheet.write_with_format(1, place, column.path(), &locked)?;
        if column.width > 0 {
            sheet.set_column_width(place, f64::from(column.width))?;
        }
    }
    for (row, component) in (2..).zip(components) {
        sheet.set_row_format(row, &free)?;
        for (place, column) in (0..).zip(columns) {
            let format = if column.locked { &locked } else { &free };
            match component.shown(column) {
                Some(text) => sheet.write_with_format(row, place, text, format)?,
                None if column.locked => sheet.write_blank(row, place, format)?,
                None => continue,
            };
        }
    }
    let last = u32::try_from(components.len() + 1).unwrap_or(u32::MAX);
    for (place, column) in (0..).zip(columns) {
        let many = values(column, lists).len();
        if many > 0 {
            let from = rust_xlsxwriter::utility::column_number_to_name(place);
            let source = format!("=Enums!${from}$2:${from}${}", many + 1);
            let choice = DataValidation::new().allow_list_formula(source.as_str().into());
            sheet.add_data_validation(2, place, last.max(2), place, &choice)?;
        }
    }
    let enums = workbook.add_worksheet();
    enums.set_name("Enums")?.protect();
    write_values(enums, columns, lists)?;
    workbook.save_to_buffer()
}

/// The values of each column that has a list.
fn write_values(sheet: &mut Worksheet, columns: &[Column], lists: &dyn ValueLists) -> Result<(), XlsxError> {
    for (place, column) in (0..).zip(columns) {
        let name = match column.cell {
            Cell::Text => continue,
            Cell::Flag => "boolean",
            Cell::Listed(list) => list,
        };
        sheet.write(0, place, name)?;
        for (row, value) in (1..).zip(values(column, lists)) {
            sheet.write(row, place, value)?;
        }
    }
    Ok(())
}

fn values(column: &Column, lists: &dyn ValueLists) -> Vec<String> {
    match column.cell {
        Cell::Text => Vec::new(),
        Cell::Flag => vec!["true".to_owned(), "false".to_owned()],
        Cell::Listed(list) => {
            let all = lists.values(list).into_iter();
            let all = all.filter(|value| column.member != "instance_type" || value != "digital_object");
            let mut shown: Vec<String> = all.map(|value| column.shown(&value)).collect();
            shown.sort_by_key(|text| text.to_lowercase());
            shown
        }
    }
}
