//! What the server adds to a record before it is stored.

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use rand::Rng;
use serde_json::{Map, Value, json};

use crate::model::{
    StartingLists,
    derive::{
        accession_display_string, agent_title, archival_object_display_string, complete_agent, complete_location,
        container_profile_display_string, digital_object_component_display_string, display_name, fill_persistent_ids,
        fill_ref_id, fill_slug, location_profile_display_string, location_title, repository_display_string,
        subject_title,
    },
    record_type, set_defaults, set_unsaid,
};

/// Fills in what a record of the type gets from the server: identifiers that the client left out, whether its parts are
/// published, and texts made of other members. `before` is the stored record that it replaces.
pub(super) fn fill(kind: &str, record: &mut Map<String, Value>, before: Option<&Map<String, Value>>) {
    let Some(of) = record_type(kind) else { return };
    fill_persistent_ids(of, record, &mut random_id);
    record.insert("jsonmodel_type".to_owned(), kind.into());
    complete_parts(record);
    record.remove("jsonmodel_type");
    keep_management(record, before);
    keep_arks(record, before);
    fill_slug(kind, record, before);
    let shown = match kind {
        "accession" => Some(accession_display_string(record)),
        "archival_object" => {
            // The identifier of a component never changes.
            if let Some(ref_id) = before.and_then(|before| before.get("ref_id")) {
                record.insert("ref_id".to_owned(), ref_id.clone());
            }
            fill_ref_id(record, &random_id());
            Some(archival_object_display_string(record))
        }
        "repository" => {
            // Clients only read it.
            for name in ["agent_representation", "position"] {
                if let Some(value) = before.and_then(|before| before.get(name)) {
                    record.insert(name.to_owned(), value.clone());
                }
            }
            Some(repository_display_string(record))
        }
        "agent_person" | "agent_family" | "agent_corporate_entity" | "agent_software" => {
            fill_agent(kind, record);
            None
        }
        "assessment" => {
            complete_assessment(record);
            None
        }
        "event" => {
            if let Some(moment) = record.get("timestamp").and_then(Value::as_str).and_then(moment) {
                record.insert("timestamp".to_owned(), moment.into());
            }
            None
        }
        "classification" => {
            record.insert("publish".to_owned(), true.into());
            None
        }
        "classification_term" => {
            record.insert("publish".to_owned(), true.into());
            record.get("title").and_then(Value::as_str).map(str::to_owned)
        }
        "subject" => {
            record.insert("publish".to_owned(), true.into());
            record.insert("title".to_owned(), subject_title(record, &|_| None).into());
            None
        }
        "vocabulary" => {
            record.insert("terms".to_owned(), json!([]));
            None
        }
        "container_profile" => Some(container_profile_display_string(record)),
        "digital_object_component" => Some(digital_object_component_display_string(record)),
        "location" => {
            complete_location(record);
            let title = location_title(record);
            record.insert("title".to_owned(), title.into());
            None
        }
        "location_profile" => Some(location_profile_display_string(record, &StartingLists)),
        _ => None,
    };
    if let Some(shown) = shown {
        record.insert("display_string".to_owned(), shown.into());
    }
}

/// A moment in universal time, to the second, as ArchivesSpace tells it; without a zone it is in universal time already.
fn moment(text: &str) -> Option<String> {
    let zoned = || text.parse::<Timestamp>().ok();
    let plain = || text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
    zoned().or_else(plain).map(|moment| moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

/// How a record's processing is managed has an address of its own, which stays while the record has it.
fn keep_management(record: &mut Map<String, Value>, before: Option<&Map<String, Value>>) {
    let Some(Value::Object(management)) = record.get_mut("collection_management") else { return };
    management.remove("uri");
    if let Some(uri) = before.and_then(|before| before.get("collection_management")?.get("uri")) {
        management.insert("uri".to_owned(), uri.clone());
    }
}

/// ARKs are given with a route of their own; an update of the record does not change them.
fn keep_arks(record: &mut Map<String, Value>, before: Option<&Map<String, Value>>) {
    if let Some(ark) = before.and_then(|before| before.get("ark_name")) {
        record.insert("ark_name".to_owned(), ark.clone());
    }
}

/// Leaves out the attributes that say nothing, and what clients only read of them; writes an amount of money as whole, or with
/// two decimals.
fn complete_assessment(assessment: &mut Map<String, Value>) {
    for list in ["formats", "conservation_issues", "ratings"] {
        let Some(Value::Array(attributes)) = assessment.get_mut(list) else { continue };
        attributes.retain(|one| !one["value"].is_null() || !one["note"].is_null());
        for attribute in attributes.iter_mut().filter_map(Value::as_object_mut) {
            attribute.retain(|name, _| ["definition_id", "value", "note", "jsonmodel_type"].contains(&name.as_str()));
        }
    }
    if let Some(amount) = assessment.get("monetary_value").and_then(Value::as_str) {
        let (whole, cents) = amount.split_once('.').unwrap_or((amount, ""));
        let cents = format!("{cents:0<2}");
        let written = if cents == "00" { whole.to_owned() } else { format!("{whole}.{cents}") };
        assessment.insert("monetary_value".to_owned(), written.into());
    }
}

fn fill_agent(kind: &str, agent: &mut Map<String, Value>) {
    // Agents that the server makes have all lists, too.
    set_defaults(kind, agent);
    complete_agent(agent, &StartingLists);
    let (title, shown) = (agent_title(agent).map(Value::from), display_name(agent).cloned().map(Value::Object));
    for (name, value) in [("title", title), ("display_name", shown), ("agent_type", Some(kind.into()))] {
        if let Some(value) = value {
            agent.insert(name.to_owned(), value);
        }
    }
}

/// A part that does not say so is not published; a statement of rights has an identifier.
fn complete_parts(part: &mut Map<String, Value>) {
    set_unsaid(part, false);
    complete_rights(part);
}

fn complete_rights(part: &mut Map<String, Value>) {
    let of = part.get("jsonmodel_type").and_then(Value::as_str).and_then(record_type);
    if of.is_some_and(|of| of.name == "rights_statement") && !part.contains_key("identifier") {
        part.insert("identifier".to_owned(), random_id().into());
    }
    for member in part.values_mut() {
        match member {
            Value::Object(part) => complete_rights(part),
            Value::Array(parts) => {
                for part in parts.iter_mut().filter_map(Value::as_object_mut) {
                    complete_rights(part);
                }
            }
            _ => {}
        }
    }
}

/// 32 hexadecimal digits.
fn random_id() -> String {
    format!("{:032x}", rand::rng().random::<u128>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_say_whether_they_are_published() {
        let record = json!({"title": "Letters", "level": "file",
            "notes": [{"jsonmodel_type": "note_multipart", "type": "scopecontent", "publish": true,
                       "subnotes": [{"jsonmodel_type": "note_text", "content": "x"}]}],
            "dates": [{"jsonmodel_type": "date", "begin": "1900"}]});
        let mut record = record.as_object().cloned().expect("an object");
        fill("archival_object", &mut record, None);
        let record = Value::Object(record);
        assert_eq!((&record["publish"], &record["notes"][0]["publish"]), (&json!(false), &json!(true)));
        assert_eq!(record["notes"][0]["subnotes"][0]["publish"], false);
        assert_eq!(record["dates"][0].get("publish"), None);
        assert_eq!(record["notes"][0]["persistent_id"].as_str().map(str::len), Some(32));
        assert_eq!(record.get("jsonmodel_type"), None);
    }

    #[test]
    fn money_has_two_decimals_or_none() {
        for (sent, written) in [("500", "500"), ("500.0", "500"), ("500.4", "500.40"), ("0.25", "0.25")] {
            let mut record = Map::from_iter([("monetary_value".to_owned(), json!(sent))]);
            complete_assessment(&mut record);
            assert_eq!(record["monetary_value"], written);
        }
    }

    #[test]
    fn a_component_keeps_its_identifier() {
        let before = json!({"ref_id": "first"});
        let mut record = json!({"title": "x", "ref_id": "second"}).as_object().cloned().expect("an object");
        fill("archival_object", &mut record, before.as_object());
        assert_eq!(record["ref_id"], "first");
        fill("archival_object", &mut record, None);
        assert_eq!(record["ref_id"], "first");
        record.remove("ref_id");
        fill("archival_object", &mut record, None);
        assert_eq!(record["ref_id"].as_str().map(str::len), Some(32));
    }
}
