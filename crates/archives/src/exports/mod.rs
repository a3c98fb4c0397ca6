//! Records in formats other than EAD: MARCXML, Dublin Core, MODS, METS, EAC-CPF, labels and sheets (contract 3.5, 6.7, 6.8).

mod agents;
mod digital_objects;
mod resources;
mod walk;

pub use agents::{Told, eac, marc_of_agent};
pub use digital_objects::{dublin_core, mets, mods};
use jiff::Timestamp;
pub use resources::{SheetKind, labels, marc_of_resource, sheet};
use serde_json::Value;
use store::Session;

use crate::{
    model::{derive::identifier, lists::starting_label},
    records::{Place, Seen, get},
    refusal::Refusal,
};

/// The labels of value lists that exports show.
pub(crate) struct Labels;

impl record_xml::Lists for Labels {
    fn label<'a>(&'a self, list: &str, value: &str) -> Option<&'a str> {
        starting_label(list, value)
    }
}

/// A record that goes out.
#[derive(Debug, Clone, Copy)]
pub struct Exported {
    pub repository: i64,
    pub id: i64,
    /// What whoever asks may see of it.
    pub seen: Seen,
}

impl Exported {
    /// Where records of a type are that go out with it.
    pub(crate) fn place(self, kind: &'static str) -> Place {
        Place { kind, repository: Some(self.repository) }
    }
}

/// The name under which clients save an export of a record: what identifies it, the time and what it is, as letters, digits,
/// `_` and `.` (contract 3.5). One round trip.
pub async fn file_name(
    session: &Session,
    place: Place,
    id: i64,
    seen: Seen,
    format: &str,
    now: Timestamp,
) -> Result<String, Refusal> {
    let record = get(session, place, id, seen).await?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let of = match place.kind {
        "resource" => record.as_object().map(|record| identifier(record, ".")).unwrap_or_default(),
        "digital_object" => text(&record["digital_object_id"]).unwrap_or_default(),
        _ => {
            let name = &record["display_name"];
            let own = ["primary_name", "family_name"].iter().find_map(|member| text(&name[*member]));
            text(&name["authority_id"]).into_iter().chain(own).collect::<Vec<_>>().join("_")
        }
    };
    Ok(safe_file_name(&format!("{of}_{}__{format}", now.strftime("%Y-%m-%d %H:%M:%S UTC"))))
}

/// White space becomes `_`, and what may not be in the name of a file goes.
fn safe_file_name(name: &str) -> String {
    let words = name.split(|c: char| c.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("_");
    name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe() {
        for (name, wanted) in [
            ("MS 1_2026-01-01 00:00:00 UTC__ead.xml", "MS_1_20260101_000000_UTC__ead.xml"),
            ("../é  x\t_dc.xml", ".._x__dc.xml"),
        ] {
            assert_eq!(safe_file_name(name), wanted);
        }
    }
}
