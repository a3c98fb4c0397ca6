//! The word lists in `data/archives/` from which titles and notes are made.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::{
    dice::Dice,
    words::{WORDS, number, rows},
};

/// A pattern for the titles of components.
pub(super) struct Title {
    level: &'static str,
    weight: u32,
    pattern: &'static str,
}

/// A pattern for notes.
pub(super) struct Note {
    /// Whether it is one of collections, not of components.
    pub of_collection: bool,
    pub kind: &'static str,
    weight: u32,
    pattern: &'static str,
}

static TITLES: LazyLock<Vec<Title>> = LazyLock::new(|| {
    rows(include_str!("../../data/archives/components.tsv"), |row| Title {
        level: row[0],
        weight: number(row[1]),
        pattern: row[2],
    })
});

pub(super) static NOTES: LazyLock<Vec<Note>> = LazyLock::new(|| {
    rows(include_str!("../../data/archives/notes.tsv"), |row| Note {
        of_collection: row[0] == "collection",
        kind: row[1],
        weight: number(row[2]),
        pattern: row[3],
    })
});

/// Genres and forms.
pub(super) static GENRES: LazyLock<Vec<&str>> =
    LazyLock::new(|| rows(include_str!("../../data/archives/genres.tsv"), |row| row[0]));

/// What notes say of a collection.
pub(super) struct Subject {
    /// The person, family or organization whose papers they are.
    pub name: String,
    pub topic: &'static str,
    pub region: &'static str,
    /// The first and the last year.
    pub years: (i16, i16),
}

/// The title of a component.
pub(super) fn title(level: &str, dice: &mut Dice) -> String {
    let weights = TITLES.iter().map(|title| if title.level == level { title.weight } else { 0 });
    let pattern = TITLES[dice.weighted(weights)].pattern;
    let (first, last) = WORDS.person(dice);
    let letter = char::from(b'A' + u8::try_from(dice.between(0, 25)).unwrap_or(0));
    // Only what a title has in place is written: these are made by the million.
    let mut title = pattern.to_owned();
    for (name, value) in [
        ("{person}", format!("{first} {last}")),
        ("{topic}", dice.pick(&WORDS.topics).name("eng").to_owned()),
        ("{region}", (*dice.pick(&WORDS.regions)).to_owned()),
        ("{letter}", letter.to_string()),
        ("{number}", dice.between(1, 40).to_string()),
    ] {
        if title.contains(name) {
            title = title.replace(name, &value);
        }
    }
    title
}

/// The text of a note.
pub(super) fn text(note: &Note, subject: &Subject) -> String {
    let Subject { name, topic, region, years: (begin, end) } = subject;
    note.pattern
        .replace("\\n", "\n")
        .replace("{name}", name)
        .replace("{topic}", topic)
        .replace("{region}", region)
        .replace("{begin}", &begin.to_string())
        .replace("{end}", &end.to_string())
}

/// One of the notes of components.
pub(super) fn note_of_component(dice: &mut Dice) -> &'static Note {
    let weights = NOTES.iter().map(|note| if note.of_collection { 0 } else { note.weight });
    &NOTES[dice.weighted(weights)]
}

/// A published note.
pub(super) fn note_of(kind: &str, text: &str) -> Value {
    match kind {
        "abstract" | "physdesc" => {
            json!({"jsonmodel_type": "note_singlepart", "type": kind, "publish": true, "content": [text]})
        }
        _ => json!({"jsonmodel_type": "note_multipart", "type": kind, "publish": true,
            "subnotes": [{"jsonmodel_type": "note_text", "content": text, "publish": true}]}),
    }
}
