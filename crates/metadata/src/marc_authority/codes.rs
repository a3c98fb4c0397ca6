//! The leader and the coded field 008 of an authority record.

use record_xml::json::{list, text};
use serde_json::Value;

use crate::dates::moment;

/// What stands for a code that is not known.
const NOT_CODED: char = '|';

type Codes = &'static [(&'static str, char)];

const STATUS: Codes = &[
    ("new", 'n'),
    ("upgraded", 'a'),
    ("revised_corrected", 'c'),
    ("deleted", 'd'),
    ("cancelled_obsolete", 'o'),
    ("deleted_split", 's'),
    ("deleted_replaced", 'x'),
];
const ROMANIZATION: Codes = &[
    ("int_std", 'a'),
    ("nat_std", 'b'),
    ("nl_assoc_std", 'c'),
    ("nl_bib_agency_std", 'd'),
    ("local_standard", 'e'),
    ("unknown_standard", 'f'),
    ("conv_rom_cat_agency", 'g'),
    ("not_applicable", 'n'),
];
const LANGUAGE: Codes = &[("eng", 'e'), ("fre", 'f')];
const GOVERNMENT_AGENCY: Codes = &[
    ("ngo", ' '),
    ("sac", 'a'),
    ("multilocal", 'c'),
    ("fed", 'f'),
    ("int_gov", 'i'),
    ("local", 'l'),
    ("multistate", 'm'),
    ("undetermined", 'o'),
    ("provincial", 's'),
    ("unknown", 'u'),
    ("other", 'z'),
];
const REFERENCE_EVALUATION: Codes = &[("tr_consistent", 'a'), ("tr_inconsistent", 'b'), ("not_applicable", 'n')];
const NAME_TYPE: Codes = &[("differentiated", 'a'), ("undifferentiated", 'b'), ("not_applicable", 'n')];
const LEVEL_OF_DETAIL: Codes = &[
    ("fully_established", 'a'),
    ("memorandum", 'b'),
    ("provisional", 'c'),
    ("preliminary", 'd'),
    ("not_applicable", 'n'),
];
const MODIFIED: Codes = &[("not_modified", ' '), ("shortened", 's'), ("missing_characters", 'x')];
const CATALOGING_SOURCE: Codes = &[("nat_bib_agency", ' '), ("ccp", 'c'), ("other", 'd'), ("unknown", 'u')];

fn code(control: &Value, member: &str, codes: Codes) -> Option<char> {
    let value = text(control, member)?;
    codes.iter().find(|(of, _)| *of == value).map(|(_, code)| *code)
}

fn control(agent: &Value) -> &Value {
    list(agent, "agent_record_controls").first().unwrap_or(&Value::Null)
}

/// The leader: the status of the record and whether it is established.
pub(super) fn leader(agent: &Value) -> String {
    let control = control(agent);
    let status = code(control, "maintenance_status", STATUS).unwrap_or('n');
    let level = if text(control, "level_of_detail") == Some("fully_established") { 'n' } else { 'o' };
    format!("00000{status}z  a2200000{level}i 4500")
}

/// Field 008: when the record was made, and the codes of the record control.
pub(super) fn control_field(agent: &Value) -> String {
    let mut events = list(agent, "agent_maintenance_histories").iter();
    let made = events.find(|event| text(event, "maintenance_event_type") == Some("created"));
    let made = made.and_then(|event| text(event, "event_date")).and_then(moment);
    let made = made.map_or_else(|| "000000".to_owned(), |made| made.strftime("%y%m%d").to_string());
    let control = control(agent);
    let of = |member: &str, codes: Codes| code(control, member, codes).unwrap_or(NOT_CODED);
    let (romanization, language) = (of("romanization", ROMANIZATION), of("language", LANGUAGE));
    let agency = of("government_agency_type", GOVERNMENT_AGENCY);
    let evaluation = of("reference_evaluation", REFERENCE_EVALUATION);
    let (name_type, level) = (of("name_type", NAME_TYPE), of("level_of_detail", LEVEL_OF_DETAIL));
    let (modified, source) = (of("modified_record", MODIFIED), of("cataloging_source", CATALOGING_SOURCE));
    let head = format!("{made}n{romanization}{language}aznnnaabn");
    format!("{head:28}{agency}{evaluation} a{name_type}{level}    {modified}{source}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn codes_stay_in_their_places() {
        let full = json!({"agent_record_controls": [{"maintenance_status": "upgraded", "romanization": "int_std",
                "language": "eng", "government_agency_type": "fed", "reference_evaluation": "tr_consistent",
                "name_type": "differentiated", "level_of_detail": "fully_established",
                "modified_record": "not_modified", "cataloging_source": "ccp"}],
            "agent_maintenance_histories": [
                {"maintenance_event_type": "revised", "event_date": "2024-01-01"},
                {"maintenance_event_type": "created", "event_date": "2020-11-24 00:00:00 UTC"}]});
        for (agent, leader_of, field) in [
            (json!({}), "00000nz  a2200000oi 4500", "000000n||aznnnaabn          || a||    ||"),
            (full, "00000az  a2200000ni 4500", "201124naeaznnnaabn          fa aaa     c"),
        ] {
            assert_eq!(leader(&agent), leader_of);
            assert_eq!(control_field(&agent), field);
            assert_eq!(control_field(&agent).len(), 40);
        }
    }
}
