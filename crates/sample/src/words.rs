//! What titles, names and addresses are made of: the word lists in `data/`.

use std::sync::LazyLock;

use crate::dice::Dice;

/// A field of study with its place on the shelves.
#[derive(Debug)]
pub struct Topic {
    /// Letters of its Library of Congress class.
    pub class: &'static str,
    /// Lowest and highest number in the class.
    pub numbers: (u32, u32),
    /// Its Dewey number, three digits.
    pub dewey: &'static str,
    /// Subject heading.
    pub subject: &'static str,
    english: &'static str,
    german: &'static str,
    french: &'static str,
    spanish: &'static str,
}

impl Topic {
    /// Its name in a language (MARC code), English where the list has none.
    #[must_use]
    pub fn name(&self, language: &str) -> &'static str {
        match language {
            "ger" => self.german,
            "fre" => self.french,
            "spa" => self.spanish,
            _ => self.english,
        }
    }
}

/// How titles of a kind are made.
#[derive(Debug)]
pub struct TitlePattern {
    /// `book`, `serial`, `film` or `music`.
    pub kind: &'static str,
    /// MARC language code.
    pub language: &'static str,
    /// How often it is used.
    pub weight: u32,
    /// The title with its gaps.
    pub pattern: &'static str,
}

/// Who publishes.
#[derive(Debug)]
pub struct Publisher {
    /// Of what: `print`, `film` or `music`.
    pub kind: &'static str,
    /// Name.
    pub name: &'static str,
    /// City.
    pub place: &'static str,
    /// The first seven digits of its ISBNs.
    pub isbn_prefix: &'static str,
}

/// A street with its city.
#[derive(Debug)]
pub struct Street {
    /// Name of the street.
    pub name: &'static str,
    /// City.
    pub city: &'static str,
    /// State.
    pub region: &'static str,
    /// Postal code.
    pub postal_code: &'static str,
}

/// All word lists.
#[derive(Debug)]
pub struct Words {
    /// Fields of study.
    pub topics: Vec<Topic>,
    /// Title patterns.
    pub titles: Vec<TitlePattern>,
    /// Parts of the world, as they stand after "in".
    pub regions: Vec<&'static str>,
    /// Publishers.
    pub publishers: Vec<Publisher>,
    /// First names.
    pub first_names: Vec<&'static str>,
    /// Last names.
    pub last_names: Vec<&'static str>,
    /// Streets.
    pub streets: Vec<Street>,
}

impl Words {
    /// A first and a last name.
    pub fn person(&self, dice: &mut Dice) -> (&'static str, &'static str) {
        (*dice.pick(&self.first_names), *dice.pick(&self.last_names))
    }
}

/// The word lists.
pub static WORDS: LazyLock<Words> = LazyLock::new(|| Words {
    topics: rows(include_str!("../data/topics.tsv"), topic),
    titles: rows(include_str!("../data/titles.tsv"), title),
    regions: rows(include_str!("../data/regions.tsv"), |row| row[0]),
    publishers: rows(include_str!("../data/publishers.tsv"), |row| Publisher {
        kind: row[0],
        name: row[1],
        place: row[2],
        isbn_prefix: row[3],
    }),
    first_names: rows(include_str!("../data/first_names.tsv"), |row| row[0]),
    last_names: rows(include_str!("../data/last_names.tsv"), |row| row[0]),
    streets: rows(include_str!("../data/streets.tsv"), |row| Street {
        name: row[0],
        city: row[1],
        region: row[2],
        postal_code: row[3],
    }),
});

/// The lists are part of the program: a mistake in one is a mistake of the program, and panics.
fn rows<T>(text: &'static str, read: impl Fn(&[&'static str]) -> T) -> Vec<T> {
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| read(&line.split('\t').collect::<Vec<_>>()))
        .collect()
}

fn number(text: &str) -> u32 {
    text.parse()
        .unwrap_or_else(|_| panic!("{text} in a word list is no number"))
}

fn topic(row: &[&'static str]) -> Topic {
    Topic {
        class: row[0],
        numbers: (number(row[1]), number(row[2])),
        dewey: row[3],
        subject: row[4],
        english: row[5],
        german: row[6],
        french: row[7],
        spanish: row[8],
    }
}

fn title(row: &[&'static str]) -> TitlePattern {
    TitlePattern {
        kind: row[0],
        language: row[1],
        weight: number(row[2]),
        pattern: row[3],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sound() {
        let words = &*WORDS;
        for topic in &words.topics {
            assert!(topic.class.chars().all(|c| c.is_ascii_uppercase()));
            assert!(topic.numbers.0 <= topic.numbers.1, "{}", topic.english);
            assert!(topic.dewey.len() == 3 && number(topic.dewey) < 1000);
        }
        for publisher in &words.publishers {
            assert!(publisher.isbn_prefix.len() == 7 && publisher.isbn_prefix.starts_with("978"));
        }
        for kind in ["book", "serial", "film", "music"] {
            assert!(words.titles.iter().any(|title| title.kind == kind));
        }
        assert!(words.first_names.len() > 50 && words.last_names.len() > 50);
        assert!(words.streets.len() > 5 && words.regions.len() > 20);
    }
}
