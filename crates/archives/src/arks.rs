//! ARKs that an administrator gives to records (contract 3.5: `ark_name`).

use serde_json::{Map, Value, json};
use store::{Session, statements::writes::SET_ARCHIVAL_ARK};

use crate::{
    records::{Place, arks, written},
    refusal::Refusal,
};

/// What every ARK has.
const BEGINS: &str = "ark:/";
/// The number of authorities for tests, which ARKs of a new ArchivesSpace have.
const OWN: &str = "ark:/99999/";
/// How many characters an ARK has at most.
const LONGEST: usize = 1000;

/// Gives a record the ARKs of a checked `ark_name`, in place of those that it has. One round trip.
///
/// # Errors
/// Not found, something is no ARK, another record has one of them.
pub async fn set(
    session: &Session,
    place: Place,
    id: i64,
    given: &Map<String, Value>,
    now: jiff::Timestamp,
) -> Result<(), Refusal> {
    let ark = name(given)?;
    let keys = json!(arks(&Map::from_iter([("ark_name".to_owned(), ark.clone())])));
    let answer = session.value(SET_ARCHIVAL_ARK, &[&place.kind, &id, &place.repository, &ark, &keys, &now]).await;
    written(answer, place.kind)?;
    Ok(())
}

/// The ARKs as a record shows them. A current one that is not of the own kind is external.
fn name(given: &Map<String, Value>) -> Result<Value, Refusal> {
    let wrong = |text: &str| Refusal::Taken(Map::from_iter([("ark".to_owned(), json!([text]))]));
    let is_external = given.get("current_is_external") == Some(&Value::Bool(true));
    let previous = given.get("previous").cloned().unwrap_or_else(|| json!([]));
    let current = given.get("current").and_then(Value::as_str);
    let texts = previous.as_array().into_iter().flatten().filter_map(Value::as_str);
    if texts.clone().chain(current).any(|text| text.chars().count() > LONGEST) {
        return Err(wrong("ark_too_long"));
    }
    if texts.clone().any(|text| !text.contains(BEGINS)) {
        return Err(wrong("ark_format_error"));
    }
    let mut ark = json!({"previous": previous});
    if let Some(current) = current {
        ark["current"] = current.into();
        ark["current_is_external"] = (is_external || !current.contains(OWN)).into();
    }
    Ok(ark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(given: Value) -> Result<Value, u16> {
        let refused = |refusal: Refusal| refusal.answer().map_or(500, |(status, _)| status);
        name(given.as_object().expect("an object")).map_err(refused)
    }

    #[test]
    fn a_foreign_ark_is_external() {
        let own = json!({"current": "http://localhost:3001/ark:/99999/7"});
        assert_eq!(of(own).map(|ark| ark["current_is_external"].clone()), Ok(json!(false)));
        let foreign = json!({"current": "http://n2t.net/ark:/1/7", "previous": ["ark:/99999/1"]});
        let expected =
            json!({"current": "http://n2t.net/ark:/1/7", "current_is_external": true, "previous": ["ark:/99999/1"]});
        assert_eq!(of(foreign), Ok(expected));
        assert_eq!(of(json!({})), Ok(json!({"previous": []})));
        assert_eq!(of(json!({"previous": ["7"]})), Err(400));
        assert_eq!(of(json!({"current": "x".repeat(1001)})), Err(400));
    }
}
