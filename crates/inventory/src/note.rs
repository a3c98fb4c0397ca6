//! Limits the length of notes on instances, holdings and items (docs/folio/inventory.md#length-of-notes).

use refusals::Refused;
use serde_json::{Map, Value};

use crate::refusal::NOTE_TOO_LONG;

/// In characters.
pub(crate) const MAX_NOTE_CHARACTERS: usize = 32_000;

/// Checks the texts of `notes[].note` and `administrativeNotes[]`; reports the first one that is too long.
pub(crate) fn check_lengths<'a>(
    notes: impl IntoIterator<Item = &'a str>,
    administrative_notes: impl IntoIterator<Item = &'a str>,
) -> Result<(), Refused> {
    refuse_too_long("notes", notes)?;
    refuse_too_long("administrativeNotes", administrative_notes)
}

pub(crate) fn check_record(record: &Map<String, Value>) -> Result<(), Refused> {
    let list = |member: &str| record.get(member).and_then(Value::as_array).into_iter().flatten();
    let notes = list("notes").filter_map(|note| note.get("note")?.as_str());
    check_lengths(notes, list("administrativeNotes").filter_map(Value::as_str))
}

fn refuse_too_long<'a>(key: &'static str, texts: impl IntoIterator<Item = &'a str>) -> Result<(), Refused> {
    match texts.into_iter().find(|text| is_too_long(text)) {
        Some(text) => Err(NOTE_TOO_LONG.about(key, text).into()),
        None => Ok(()),
    }
}

fn is_too_long(text: &str) -> bool {
    // Counting characters is slow and most notes are short: a text never has more characters than bytes.
    text.len() > MAX_NOTE_CHARACTERS && text.chars().count() > MAX_NOTE_CHARACTERS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_counts_characters_not_bytes() {
        let longest = "ü".repeat(MAX_NOTE_CHARACTERS);
        let longer = format!("{longest}x");
        assert_eq!(check_lengths([longest.as_str()], [longest.as_str()]), Ok(()));
        let refused = check_lengths([longer.as_str()], []).unwrap_err();
        assert_eq!(refused.entries()[0].parameters[0].0, "notes");
        let refused = check_lengths([], ["short", longer.as_str()]).unwrap_err();
        let entry = &refused.entries()[0];
        assert_eq!(entry.parameters[0].0, "administrativeNotes");
        assert_eq!(entry.message, NOTE_TOO_LONG.text);
    }
}
