//! Merging records into one of their kind (contract 3.2, 3.3).

use serde_json::{Map, Value, json};
use store::{
    Session,
    statements::{
        archives::READ_RECORDS,
        writes::{MERGE_ARCHIVAL, MERGE_ARCHIVAL_INTO},
    },
};

use crate::{
    model::Uri,
    records::{self, Author, Replacement},
    refusal::Refusal,
};

/// What a merge request names.
#[derive(Debug)]
pub struct Merge {
    pub destination: Uri,
    /// At least one; the destination among them is left out.
    pub candidates: Vec<Uri>,
}

impl Merge {
    /// Reads a checked request for records that `fits` accepts; other ones are refused with the message.
    pub fn read(request: &Map<String, Value>, fits: impl Fn(&Uri) -> bool, message: &str) -> Result<Self, Refusal> {
        let wrong = || Refusal::parameter("merge_request", message);
        let uri = |of: &Value| of["ref"].as_str().and_then(Uri::parse).filter(&fits).ok_or_else(wrong);
        let destination = uri(request.get("merge_destination").unwrap_or(&Value::Null))?;
        let candidates = request.get("merge_candidates").and_then(Value::as_array).into_iter().flatten();
        Ok(Self { destination, candidates: candidates.map(uri).collect::<Result<_, _>>()? })
    }

    /// The answer to a merge.
    pub fn answer(&self, selections: Value) -> Value {
        let deleted: Vec<String> = self.candidates.iter().map(Uri::to_string).collect();
        json!({"status": "Merged", "id": self.destination.id, "selections": selections,
            "merge_destination_uri": self.destination.to_string(), "deleted_uris": deleted})
    }

    /// The records of the merge as they are, the destination first. One round trip.
    pub async fn records(&self, session: &Session) -> Result<Vec<Value>, Refusal> {
        let all: Vec<&Uri> = std::iter::once(&self.destination).chain(&self.candidates).collect();
        let kinds: Vec<&str> = all.iter().map(|uri| uri.kind.name.as_str()).collect();
        let ids: Vec<i64> = all.iter().map(|uri| uri.id).collect();
        let found: Vec<Value> = session.values(READ_RECORDS, &[&kinds, &ids]).await?;
        let missing = all.iter().find(|uri| {
            let uri = uri.to_string();
            !found.iter().any(|record| record["uri"] == uri.as_str())
        });
        match missing {
            Some(uri) => Err(Refusal::no(&uri.kind.name)),
            None => Ok(found),
        }
    }

    /// Merges the candidates into the destination; returns its version. One round trip.
    pub async fn run(&self, session: &Session, author: &Author) -> Result<i64, Refusal> {
        self.run_with(session, None, author).await
    }

    /// The same, and replaces the destination, whatever its version, if there is a replacement: both or nothing.
    pub async fn run_with(
        &self,
        session: &Session,
        replacement: Option<Replacement<'_>>,
        author: &Author,
    ) -> Result<i64, Refusal> {
        let kinds: Vec<&str> = self.candidates.iter().map(|uri| uri.kind.name.as_str()).collect();
        let ids: Vec<i64> = self.candidates.iter().map(|uri| uri.id).collect();
        let Uri { kind, id, repository } = &self.destination;
        let (name, now) = (&author.name, &author.now);
        let answer: Value = match replacement {
            None => session.value(MERGE_ARCHIVAL, &[&kind.name, id, &kinds, &ids, repository, name, now]).await?,
            Some(new) => {
                let new = new.entry()?;
                let parameters: [store::db::Parameter<'_>; 8] =
                    [&kind.name, id, &kinds, &ids, repository, &new, name, now];
                session.value(MERGE_ARCHIVAL_INTO, &parameters).await?
            }
        };
        if let Some(kind) = answer["gone"].as_str() {
            return Err(Refusal::no(kind));
        }
        if answer["unsupported"] == true {
            let text = "An agent to be merged is related to other agents, which software cannot be";
            return Err(Refusal::BadRequest(text.to_owned()));
        }
        if let Some(held) = answer["held"].as_str() {
            return Err(records::held_agent(held));
        }
        records::changed(Ok(answer), &kind.name)
    }
}

/// The parts of the first candidate that go to the destination: `names.0.primary_name.1` is the primary name of the
/// candidate's second name for the first of the destination, and `append` or `replace` stand for whole parts.
pub fn selected(selections: &Value) -> Vec<(String, usize, String, usize)> {
    let mut found = Vec::new();
    for (part, entries) in selections.as_object().into_iter().flatten() {
        let whole = std::slice::from_ref(entries);
        let entries = entries.as_array().map_or(whole, Vec::as_slice);
        for (place, entry) in entries.iter().enumerate() {
            let position = match &entry["position"] {
                Value::String(text) => text.parse().unwrap_or_default(),
                other => other.as_u64().unwrap_or_default() as usize,
            };
            for (field, chosen) in entry.as_object().into_iter().flatten() {
                if chosen == "REPLACE" {
                    found.push((part.clone(), place, field.clone(), position));
                }
            }
        }
    }
    found
}

/// The destination with the chosen parts of a candidate. A choice of what is not there is refused.
pub fn combined(
    mut destination: Value,
    candidate: &Value,
    chosen: &[(String, usize, String, usize)],
) -> Result<Value, Refusal> {
    for (part, place, field, position) in chosen {
        let wrong =
            || Refusal::parameter("selections", format!("There is no {part}/{place} with {field} of {position}"));
        // Notes are chosen by their own place.
        let from = if part == "notes" { place } else { position };
        let given = candidate[part].get(*from).ok_or_else(wrong)?;
        let list = destination[part].as_array_mut().ok_or_else(wrong)?;
        match field.as_str() {
            "append" => list.push(marked(part, given, None)),
            "replace" if part == "notes" => list.push(given.clone()),
            "replace" => {
                let before = list.get_mut(*place).ok_or_else(wrong)?;
                *before = marked(part, given, Some(before));
            }
            _ => {
                let before = list.get_mut(*place).ok_or_else(wrong)?;
                before[field] = given[field].clone();
            }
        }
    }
    Ok(destination)
}

/// A part of a candidate with the marks that its place in the destination has: which name is shown, which identifier is the
/// first.
fn marked(part: &str, given: &Value, before: Option<&Value>) -> Value {
    let marks: &[&str] = match part {
        "names" => &["authorized", "is_display_name"],
        "agent_record_identifiers" => &["primary_identifier"],
        _ => &[],
    };
    let mut given = given.clone();
    for mark in marks {
        given[*mark] = before.map_or(json!(false), |before| before[*mark].clone());
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_selected_is_read_by_its_place() {
        let selections = json!({"names": [{"primary_name": "REPLACE", "position": "1"}, {"append": "KEEP"}],
            "agent_record_identifiers": [{"append": "REPLACE", "position": 2}]});
        let mut found = selected(&selections);
        found.sort_unstable();
        assert_eq!(
            found,
            [
                ("agent_record_identifiers".to_owned(), 0, "append".to_owned(), 2),
                ("names".to_owned(), 0, "primary_name".to_owned(), 1)
            ]
        );
        assert_eq!(selected(&Value::Null), []);
    }

    #[test]
    fn chosen_parts_come_from_the_candidate() {
        let name =
            |text: &str, shown: bool| json!({"primary_name": text, "authorized": shown, "is_display_name": shown});
        let destination = json!({"names": [name("A", true)], "notes": []});
        let candidate = json!({"names": [name("B", true), name("C", false)], "notes": [{"label": "n"}]});
        let choice = |part: &str, field: &str, position| (part.to_owned(), 0, field.to_owned(), position);
        let combine = |chosen| combined(destination.clone(), &candidate, &[chosen]);
        let result = combine(choice("names", "primary_name", 1)).expect("a record");
        assert_eq!(result["names"], json!([name("C", true)]));
        let result = combine(choice("names", "append", 0)).expect("a record");
        assert_eq!(result["names"], json!([name("A", true), name("B", false)]));
        let result = combine(choice("names", "replace", 1)).expect("a record");
        assert_eq!(result["names"], json!([name("C", true)]));
        let result = combine(choice("notes", "append", 0)).expect("a record");
        assert_eq!(result["notes"], json!([{"label": "n"}]));
        assert!(combine(choice("names", "replace", 7)).is_err());
        assert!(combine(choice("agent_contacts", "append", 0)).is_err());
    }
}
