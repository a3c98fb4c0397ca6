//! What staff must not miss about an item that is lent or comes back. FOLIO's answers do not have it, and its pages read
//! the item before each scan instead.

use serde_json::{Map, Value, json};

use crate::{fees::changes::FeeChanges, records::Item};

/// What was done with the item. FOLIO's name of it is the type of the notes to be read then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// It was lent.
    CheckOut,
    /// It came back.
    CheckIn,
}

impl Done {
    const fn note_type(self) -> &'static str {
        match self {
            Done::CheckOut => "Check out",
            Done::CheckIn => "Check in",
        }
    }
}

/// The item's status before, its notes for what was done, its pieces, and the fees that were charged.
pub fn item_facts(item: &Item, status_before: &str, done: Done, fees: &FeeChanges) -> Value {
    let mut facts = Map::new();
    facts.insert("statusBefore".into(), status_before.into());
    for (member, text) in [
        ("numberOfPieces", &item.number_of_pieces),
        ("descriptionOfPieces", &item.description_of_pieces),
        ("numberOfMissingPieces", &item.number_of_missing_pieces),
        ("missingPieces", &item.missing_pieces),
    ] {
        if let Some(text) = text {
            facts.insert(member.into(), text.clone().into());
        }
    }
    let notes: Vec<&str> = item.notes_for(done.note_type()).collect();
    if !notes.is_empty() {
        facts.insert("notes".into(), json!(notes));
    }
    let charged: Vec<Value> = (fees.charges.iter())
        .map(|charge| json!({"type": charge.account.fee_type(), "amount": format!("{:.2}", charge.account.amount())}))
        .collect();
    if !charged.is_empty() {
        facts.insert("fees".into(), charged.into());
    }
    Value::Object(facts)
}

#[cfg(test)]
mod tests {
    use serde_json::from_value;

    use super::*;

    #[test]
    fn only_the_notes_for_what_was_done_are_told() {
        let item: Item = from_value(json!({
            "id": "3a40852d-49fd-4df2-a1f9-6e2641a6e91f", "_version": 1, "status": {"name": "Missing"},
            "numberOfPieces": "2", "missingPieces": "the map",
            "circulationNotes": [
                {"noteType": "Check in", "note": "Look for the map"},
                {"noteType": "Check out", "note": "Say that it is fragile"},
                {"note": "without a type"},
            ],
        }))
        .expect("an item");
        let told = item_facts(&item, "Missing", Done::CheckIn, &FeeChanges::default());
        let expected = json!({"statusBefore": "Missing", "numberOfPieces": "2", "missingPieces": "the map",
            "notes": ["Look for the map"]});
        assert_eq!(told, expected);
        let told = item_facts(&Item::default(), "Available", Done::CheckOut, &FeeChanges::default());
        assert_eq!(told, json!({"statusBefore": "Available"}));
    }
}
