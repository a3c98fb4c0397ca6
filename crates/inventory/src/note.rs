//! The length limit of notes on instances, holdings and items (docs/folio/inventory.md#length-of-notes).

use serde_json::{Map, Value};
use store::collection::Fault;

/// The most characters a note may have.
pub const MAX_NOTE_CHARACTERS: usize = 32_000;

const TOO_LONG: &str = "A note has exceeded the 32,000 character limit.";

/// Checks the texts of `notes[].note` and of `administrativeNotes[]`; the first too long one is reported.
pub fn check_lengths<'a>(
    notes: impl IntoIterator<Item = &'a str>,
    administrative_notes: impl IntoIterator<Item = &'a str>,
) -> Result<(), Fault> {
    refuse_too_long("notes", notes)?;
    refuse_too_long("administrativeNotes", administrative_notes)
}

/// Checks the notes of an instance, holdings record or item.
pub fn check_record(record: &Map<String, Value>) -> Result<(), Fault> {
    let list = |member: &str| {
        record
            .get(member)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    let notes = list("notes").filter_map(|note| note.get("note")?.as_str());
    check_lengths(notes, list("administrativeNotes").filter_map(Value::as_str))
}

fn refuse_too_long<'a>(
    key: &'static str,
    texts: impl IntoIterator<Item = &'a str>,
) -> Result<(), Fault> {
    match texts.into_iter().find(|text| is_too_long(text)) {
        Some(text) => Err(Fault::of(TOO_LONG, key, Some(text))),
        None => Ok(()),
    }
}

fn is_too_long(text: &str) -> bool {
    // Counting characters is slow and most notes are short: bytes bound characters from above.
    text.len() > MAX_NOTE_CHARACTERS && text.chars().count() > MAX_NOTE_CHARACTERS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_counts_characters_not_bytes() {
        let longest = "ü".repeat(MAX_NOTE_CHARACTERS);
        let longer = format!("{longest}x");
        assert_eq!(
            check_lengths([longest.as_str()], [longest.as_str()]),
            Ok(())
        );
        assert_eq!(
            check_lengths([longer.as_str()], []).unwrap_err().parameters[0].0,
            "notes"
        );
        let fault = check_lengths([], ["short", longer.as_str()]).unwrap_err();
        assert_eq!(
            (fault.parameters[0].0.as_str(), fault.message.as_str()),
            ("administrativeNotes", TOO_LONG)
        );
    }
}
