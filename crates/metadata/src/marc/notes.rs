//! Notes: fields 351 to 584.

use record_xml::json::{list, text};
use serde_json::Value;

use super::{Marc, Record, is_published};
use crate::notes::{contents, language_notes, published_text};

/// For a type of note: the words before its text, the tag, the first indicator (none: 1 if the note is published, else 0)
/// and the subfield.
const NOTES: [(&str, &str, &str, Option<char>, char); 27] = [
    ("abstract", "", "520", Some('3'), 'a'),
    ("accessrestrict", "", "506", Some(' '), 'a'),
    ("accruals", "", "584", Some(' '), 'a'),
    ("acqinfo", "", "541", None, 'a'),
    ("altformavail", "", "535", Some('2'), 'a'),
    ("appraisal", "", "583", None, 'a'),
    ("arrangement", "", "351", Some(' '), 'a'),
    ("bioghist", "", "545", Some(' '), 'a'),
    ("custodhist", "", "561", None, 'a'),
    ("dimensions", "Dimensions: ", "500", Some(' '), 'a'),
    ("fileplan", "", "351", Some(' '), 'a'),
    ("langmaterial", "", "546", Some(' '), 'a'),
    ("legalstatus", "", "540", Some(' '), 'a'),
    ("materialspec", "Material Specific Details: ", "500", Some(' '), 'a'),
    ("odd", "", "500", Some(' '), 'a'),
    ("originalsloc", "", "535", Some('1'), 'a'),
    ("otherfindaid", "", "555", Some('0'), 'a'),
    ("physdesc", "Physical Description note: ", "500", Some(' '), 'a'),
    ("physfacet", "Physical Facet: ", "500", Some(' '), 'a'),
    ("physloc", "Location of resource: ", "500", Some(' '), 'a'),
    ("phystech", "Physical Characteristics / Technical Requirements: ", "500", Some(' '), 'a'),
    ("prefercite", "", "524", Some(' '), 'a'),
    ("processinfo", "Processing Information: ", "500", Some(' '), 'a'),
    ("relatedmaterial", "", "544", Some(' '), 'd'),
    ("scopecontent", "", "520", Some('2'), 'a'),
    ("separatedmaterial", "Materials Separated from the Resource: ", "500", Some(' '), 'a'),
    ("userestrict", "", "540", Some(' '), 'a'),
];

/// A field for each note that may be seen, ending like a sentence.
pub(super) fn notes(made: &mut Record, record: &Value, options: Marc) {
    let all = language_notes(record).chain(list(record, "notes"));
    for note in all.filter(|note| options.include_unpublished || is_published(note)) {
        if text(note, "jsonmodel_type") == Some("note_bibliography") {
            let items = list(note, "items").iter().filter_map(Value::as_str);
            for content in contents(note).into_iter().chain(items) {
                made.add("581", [' ', ' '], [('a', Some(content))]);
            }
            continue;
        }
        let Some((_, words, tag, first, code)) =
            text(note, "type").and_then(|kind| NOTES.iter().find(|(of, ..)| *of == kind))
        else {
            continue;
        };
        let content = published_text(note, options.include_unpublished);
        if content.is_empty() {
            continue;
        }
        let end = if content.ends_with(['.', '!', '?']) { "" } else { "." };
        let first = first.unwrap_or(if is_published(note) { '1' } else { '0' });
        made.add(tag, [first, ' '], [(*code, Some(format!("{words}{content}{end}").as_str()))]);
    }
}
