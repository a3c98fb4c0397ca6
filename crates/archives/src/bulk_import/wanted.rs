//! What a spreadsheet names of the library, and what of it exists.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::parts;
use crate::sheets::{Line, Table};

/// Types of agents: in field codes, of records, and in addresses.
pub(crate) const AGENTS: [(&str, &str, &str); 3] = [
    ("people", "agent_person", "/agents/people"),
    ("corporate_entities", "agent_corporate_entity", "/agents/corporate_entities"),
    ("families", "agent_family", "/agents/families"),
];

/// What is to be looked up.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Types and ids of agents and subjects.
    pub authorities: BTreeSet<(&'static str, i64)>,
    /// Types and titles of agents and subjects.
    pub titles: BTreeSet<(&'static str, String)>,
    pub barcodes: BTreeSet<String>,
    pub digital_object_ids: BTreeSet<String>,
    /// Of components.
    pub ref_ids: BTreeSet<String>,
    /// Of components.
    pub ids: BTreeSet<i64>,
    pub accessions: BTreeSet<i64>,
    /// Whether containers of the resource are looked for by type and indicator.
    pub containers: bool,
}

/// What of it exists.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Titles of agents and subjects by type and id.
    pub authorities: HashMap<(String, i64), String>,
    /// Agents and subjects by type and title.
    pub titles: HashMap<(String, String), Vec<Titled>>,
    /// Containers of the resource by type and indicator.
    pub containers: HashMap<(String, String), Vec<Held>>,
    /// Addresses of containers by barcode.
    pub barcodes: HashMap<String, String>,
    pub digital_object_ids: HashSet<String>,
    /// Components by `ref_id`, with their addresses.
    pub ref_ids: HashMap<String, Vec<Component>>,
    pub components: HashMap<i64, Component>,
    pub accessions: HashSet<i64>,
}

/// An agent or subject with a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Titled {
    pub id: i64,
    /// Of a subject.
    pub source: Option<String>,
    /// Of a subject's first term.
    pub term_type: Option<String>,
}

/// A container of the resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Held {
    pub uri: String,
    pub has_barcode: bool,
}

/// A component of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Component {
    pub id: i64,
    /// The resource.
    pub root: i64,
    pub display: String,
    pub ref_id: String,
}

/// The id in an address, or the id itself.
pub(crate) fn id_of(text: &str) -> Option<i64> {
    text.rsplit('/').next()?.parse().ok()
}

impl Wanted {
    /// What a sheet of components, or of digital objects, names.
    pub(crate) fn of(table: &Table) -> Self {
        let mut wanted = Self::default();
        table.lines().for_each(|line| wanted.line(&line));
        wanted
    }

    fn line(&mut self, line: &Line<'_>) {
        for (plural, kind, _) in AGENTS {
            for number in 1.. {
                let id = line.get(&format!("{plural}_agent_record_id_{number}"));
                let header = line.get(&format!("{plural}_agent_header_{number}"));
                if id.is_none() && header.is_none() {
                    break;
                }
                self.authorities.extend(id.and_then(id_of).map(|id| (kind, id)));
                self.titles.extend(header.map(|header| (kind, header.to_owned())));
            }
        }
        for number in 1..=10 {
            let id = line.get(&format!("subject_{number}_record_id")).and_then(id_of);
            self.authorities.extend(id.map(|id| ("subject", id)));
            self.titles.extend(line.text(&format!("subject_{number}_term")).map(|term| ("subject", term)));
        }
        for suffix in parts::container_groups(line) {
            self.containers = true;
            self.barcodes.extend(line.numbered("barcode", &suffix).map(str::to_owned));
        }
        self.digital_object_ids.extend(line.text("digital_object_id"));
        self.ref_ids.extend(line.text("ref_id"));
        self.ref_ids.extend(line.text("ao_ref_id"));
        self.ids.extend(line.get("ao_uri").and_then(id_of));
        for (code, _) in line.table.codes_after("accession_uri_") {
            self.accessions.extend(line.get(code).and_then(id_of));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheets::{Format, rows};

    #[test]
    fn a_sheet_names_records_of_the_library() {
        let csv = "field code,ref_id,people_agent_record_id_1,people_agent_header_1,people_agent_header_2,subject_1_term,\
                   type_1,barcode,digital_object_id,accession_uri_1\n\
                   ,r1,7,,\"Smith, J\",Letters,Box,b1,d1,/repositories/2/accessions/4\n,,,,,,,,,12\n";
        let sheet = rows(csv.into(), Format::Csv, None).expect("rows");
        let wanted = Wanted::of(&Table::with_codes(sheet, "field code").expect("a table"));
        assert_eq!(wanted.authorities, BTreeSet::from([("agent_person", 7)]));
        let titles = [("agent_person", "Smith, J".to_owned()), ("subject", "Letters".to_owned())];
        assert_eq!(wanted.titles, BTreeSet::from(titles));
        assert_eq!(wanted.accessions, BTreeSet::from([4, 12]));
        assert!(wanted.containers && wanted.barcodes.contains("b1") && wanted.ref_ids.contains("r1"));
        assert!(wanted.digital_object_ids.contains("d1"));
    }
}
