//! A title before it becomes an instance: kind, subject, language, author, publisher and year.

use crate::{
    dice::Dice,
    library::Library,
    words::{Publisher, Topic, WORDS},
};

/// Kinds of titles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Printed book.
    Book,
    /// Book on the net.
    Ebook,
    /// Film on DVD.
    Film,
    /// Recorded music.
    Disc,
    /// Journal.
    Serial,
    /// Sheet music.
    Score,
}

/// Kinds, each with its share of a thousand titles.
const KINDS: [(Kind, u32); 6] =
    [(Kind::Book, 800), (Kind::Ebook, 60), (Kind::Film, 45), (Kind::Disc, 35), (Kind::Serial, 40), (Kind::Score, 20)];

impl Kind {
    /// Name of the material type of its items in FOLIO's reference data.
    pub fn material(self) -> &'static str {
        match self {
            Kind::Book | Kind::Score => "book",
            Kind::Ebook => "electronic resource",
            Kind::Film => "dvd",
            Kind::Disc => "sound recording",
            Kind::Serial => "text",
        }
    }

    pub(super) fn holdings_type(self) -> &'static str {
        match self {
            Kind::Ebook => "holdings-types/Electronic",
            Kind::Serial => "holdings-types/Serial",
            Kind::Book | Kind::Score => "holdings-types/Monograph",
            Kind::Film | Kind::Disc => "holdings-types/Physical",
        }
    }

    pub(super) fn instance_type(self) -> &'static str {
        match self {
            Kind::Book | Kind::Ebook | Kind::Serial => "instance-types/text",
            Kind::Film => "instance-types/two-dimensional moving image",
            Kind::Disc => "instance-types/performed music",
            Kind::Score => "instance-types/notated music",
        }
    }

    pub(super) fn format(self) -> &'static str {
        match self {
            Kind::Book | Kind::Serial | Kind::Score => "instance-formats/unmediated -- volume",
            Kind::Ebook => "instance-formats/computer -- online resource",
            Kind::Film => "instance-formats/video -- videodisc",
            Kind::Disc => "instance-formats/audio -- audio disc",
        }
    }

    /// The kind of title patterns that it uses.
    pub(super) fn titles(self) -> &'static str {
        match self {
            Kind::Book | Kind::Ebook => "book",
            Kind::Film => "film",
            Kind::Disc | Kind::Score => "music",
            Kind::Serial => "serial",
        }
    }

    /// The role of its first contributor.
    pub(super) fn role(self) -> (&'static str, &'static str) {
        match self {
            Kind::Book | Kind::Ebook => ("contributor-types/Author", "Author"),
            Kind::Film => ("contributor-types/Director", "Director"),
            Kind::Disc | Kind::Score => ("contributor-types/Composer", "Composer"),
            Kind::Serial => ("contributor-types/Editor", "Editor"),
        }
    }
}

/// A title before it becomes an instance.
#[derive(Debug)]
pub struct Work {
    /// Its number, from 0.
    pub number: u64,
    pub kind: Kind,
    pub topic: &'static Topic,
    pub title: String,
    /// MARC language code.
    pub language: &'static str,
    /// First and last name of the author, director, composer or editor.
    pub author: (&'static str, &'static str),
    pub publisher: &'static Publisher,
    /// Year of publication; for a journal, of its first issue.
    pub year: i16,
    /// Whether it is in high demand.
    pub popular: bool,
}

impl Library {
    pub(super) fn work(&self, number: u64) -> Work {
        let mut dice = self.dice("work", number);
        let kind = KINDS[dice.weighted(KINDS.iter().map(|(_, weight)| *weight))].0;
        let topic = topic(kind, &mut dice);
        let year = self.year(kind, &mut dice);
        let (language, title) = title(kind, topic, year, &mut dice);
        Work {
            number,
            kind,
            topic,
            title,
            language,
            author: WORDS.person(&mut dice),
            publisher: publisher(kind, &mut dice),
            year,
            popular: dice.per_mille(80),
        }
    }

    /// Most of a library's titles are from the last decades.
    fn year(&self, kind: Kind, dice: &mut Dice) -> i16 {
        let this_year = self.plan.today().year();
        let age = match kind {
            Kind::Film | Kind::Disc | Kind::Ebook => dice.between(0, 25),
            Kind::Serial => dice.between(15, 110),
            _ if dice.per_mille(10) => dice.between(130, 300),
            _ => dice.between(0, 110).min(dice.between(0, 110)),
        };
        this_year - i16::try_from(age).unwrap_or(0)
    }
}

impl Work {
    /// Demand for further copies, relative to the other titles of the shelf.
    pub(super) fn demand(&self) -> u32 {
        match self.kind {
            Kind::Ebook => 0,
            Kind::Serial => 120,
            _ if self.popular => 60,
            _ => 8,
        }
    }

    /// The author's name as a heading.
    pub(super) fn heading(&self) -> String {
        format!("{}, {}", self.author.1, self.author.0)
    }
}

fn topic(kind: Kind, dice: &mut Dice) -> &'static Topic {
    let wanted = match kind {
        Kind::Film => "Motion pictures",
        Kind::Disc | Kind::Score => "Music--History and criticism",
        _ => return dice.pick(&WORDS.topics),
    };
    let found = WORDS.topics.iter().find(|topic| topic.subject == wanted);
    found.unwrap_or(&WORDS.topics[0])
}

fn publisher(kind: Kind, dice: &mut Dice) -> &'static Publisher {
    let wanted = match kind {
        Kind::Film => "film",
        Kind::Disc => "music",
        _ => "print",
    };
    let weights = WORDS.publishers.iter().map(|publisher| u32::from(publisher.kind == wanted));
    &WORDS.publishers[dice.weighted(weights)]
}

const KEYS: [&str; 8] =
    ["C major", "D minor", "E-flat major", "F major", "G minor", "A major", "B-flat major", "C minor"];

fn title(kind: Kind, topic: &Topic, year: i16, dice: &mut Dice) -> (&'static str, String) {
    let weight = |title: &crate::words::TitlePattern| {
        if title.kind == kind.titles() { title.weight } else { 0 }
    };
    let pattern = &WORDS.titles[dice.weighted(WORDS.titles.iter().map(weight))];
    let earlier = i32::from(year) - i32::try_from(dice.between(5, 300)).unwrap_or(0);
    let later = earlier + i32::try_from(dice.between(3, 90)).unwrap_or(0);
    // A film is about the world, wherever it is shelved.
    let named = if kind == Kind::Film { dice.pick(&WORDS.topics) } else { topic };
    let title = pattern
        .pattern
        .replace("{topic}", named.name(pattern.language))
        .replace("{region}", dice.pick::<&str>(&WORDS.regions))
        .replace("{year}", &earlier.to_string())
        .replace("{later}", &later.min(i32::from(year)).to_string())
        .replace("{number}", &dice.between(1, 9).to_string())
        .replace("{key}", dice.pick::<&str>(&KEYS));
    (pattern.language, title)
}
