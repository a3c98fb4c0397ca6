//! The word lists in `data/` from which titles, names and addresses are made.

use std::sync::LazyLock;

use crate::dice::Dice;

/// A field of study with its classification.
#[derive(Debug)]
pub(crate) struct Topic {
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
    /// Its name in a language (MARC code), in English if the list has none.
    pub fn name(&self, language: &str) -> &'static str {
        match language {
            "ger" => self.german,
            "fre" => self.french,
            "spa" => self.spanish,
            _ => self.english,
        }
    }
}

/// A pattern for the titles of a kind.
#[derive(Debug)]
pub(crate) struct TitlePattern {
    /// `book`, `serial`, `film` or `music`.
    pub kind: &'static str,
    /// MARC language code.
    pub language: &'static str,
    /// How often it is used.
    pub weight: u32,
    /// The title with its placeholders.
    pub pattern: &'static str,
}

#[derive(Debug)]
pub struct Publisher {
    /// `print`, `film` or `music`.
    pub kind: &'static str,
    pub name: &'static str,
    pub place: &'static str,
    /// The first seven digits of its ISBNs.
    pub isbn_prefix: &'static str,
}

#[derive(Debug)]
pub struct Street {
    pub name: &'static str,
    pub city: &'static str,
    pub region: &'static str,
    pub postal_code: &'static str,
}

/// All word lists.
#[derive(Debug)]
pub struct Words {
    pub topics: Vec<Topic>,
    pub titles: Vec<TitlePattern>,
    /// Parts of the world, in the form that follows "in".
    pub regions: Vec<&'static str>,
    pub publishers: Vec<Publisher>,
    pub first_names: Vec<&'static str>,
    pub last_names: Vec<&'static str>,
    pub streets: Vec<Street>,
}

impl Words {
    /// A first and a last name.
    pub fn person(&self, dice: &mut Dice) -> (&'static str, &'static str) {
        (*dice.pick(&self.first_names), *dice.pick(&self.last_names))
    }
}

/// The word lists.
pub(crate) static WORDS: LazyLock<Words> = LazyLock::new(|| Words {
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

/// The rows of a list. The lists are part of the program, so a mistake in one is a defect, and panics.
pub(crate) fn rows<T>(text: &'static str, read: impl Fn(&[&'static str]) -> T) -> Vec<T> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| read(&line.split('\t').collect::<Vec<_>>())).collect()
}

pub(crate) fn number(text: &str) -> u32 {
    text.parse().unwrap_or_else(|_| panic!("{text} in a word list is no number"))
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
    TitlePattern { kind: row[0], language: row[1], weight: number(row[2]), pattern: row[3] }
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
