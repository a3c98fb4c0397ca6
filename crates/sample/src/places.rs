//! The location of a title.

use crate::{
    dice::Dice,
    library::Library,
    work::{Kind, Work},
};

/// A location of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// Main Library.
    Main,
    /// Second floor of the Main Library.
    SecondFloor,
    /// Popular reading, by Dewey numbers.
    Popular,
    /// Older titles.
    Annex,
    /// Recorded music.
    Discs,
    /// Online only.
    Online,
    /// Course reserves.
    Reserves,
    /// Films.
    Media,
    /// For use in the reading room.
    RareBooks,
    /// Science Library.
    Science,
    /// Law Library.
    Law,
}

const NAMES: [(Place, &str, &str); 11] = [
    (Place::Main, "locations/Main Library", "Circ Desk 1"),
    (Place::SecondFloor, "locations/SECOND FLOOR", "Circ Desk 1"),
    (Place::Popular, "locations/Popular Reading Collection", "Circ Desk 1"),
    (Place::Annex, "locations/Annex", "Circ Desk 1"),
    (Place::Discs, "locations/ORWIG ETHNO CD", "Circ Desk 1"),
    (Place::Online, "locations/Online", "Online"),
    (Place::Reserves, "locations/Main Library, Course Reserves", "Circ Desk 2"),
    (Place::Media, "locations/Main Library, Media", "Circ Desk 1"),
    (Place::RareBooks, "locations/Main Library, Rare Books", "Circ Desk 2"),
    (Place::Science, "locations/Science Library, Stacks", "Science Library Desk"),
    (Place::Law, "locations/Law Library, Stacks", "Law Library Desk"),
];

impl Place {
    /// The location of a title's first copies.
    pub(crate) fn of(work: &Work, dice: &mut Dice) -> Place {
        match work.kind {
            Kind::Ebook => Place::Online,
            Kind::Film => Place::Media,
            Kind::Disc => Place::Discs,
            Kind::Serial if dice.per_mille(300) => Place::Annex,
            _ => Place::of_book(work, dice),
        }
    }

    fn of_book(work: &Work, dice: &mut Dice) -> Place {
        let class = work.topic.class.as_bytes()[0];
        match class {
            _ if work.year < 1900 => Place::RareBooks,
            b'K' => Place::Law,
            b'Q' | b'R' | b'S' | b'T' => Place::Science,
            _ if work.kind == Kind::Book && work.topic.class == "PR" && dice.per_mille(500) => Place::Popular,
            _ if work.year < 1960 && dice.per_mille(600) => Place::Annex,
            b'M' | b'N' | b'P' => Place::SecondFloor,
            _ => Place::Main,
        }
    }

    /// The location of further copies, if they are kept apart.
    pub(crate) fn elsewhere(first: Place, dice: &mut Dice) -> Option<Place> {
        let others = match first {
            Place::RareBooks => return None,
            Place::Main => [Place::Reserves, Place::Annex, Place::Popular],
            Place::Science | Place::Law => [Place::Reserves, Place::Main, Place::Annex],
            _ => [Place::Reserves, Place::Main, Place::Main],
        };
        Some(*dice.pick(&others)).filter(|place| *place != first)
    }

    fn row(self) -> &'static (Place, &'static str, &'static str) {
        let found = NAMES.iter().find(|(place, ..)| *place == self);
        found.unwrap_or(&NAMES[0])
    }
}

impl Library {
    /// The id of a location.
    pub(crate) fn location(&self, place: Place) -> &str {
        self.reference.id(place.row().1)
    }

    /// The id of a location's primary service point.
    pub(crate) fn desk(&self, place: Place) -> &str {
        let name = format!("service-points/{}", place.row().2);
        self.reference.id(&name)
    }
}
