//! What collections share: agents, subjects, places, profiles, classifications. Imported before them, with their numbers as
//! temporary addresses.

use serde_json::{Value, json};

use super::{in_repository, words::GENRES};
use crate::{dice::Dice, library::Library, words::WORDS};

const VOCABULARY: &str = "/vocabularies/1";
/// Kinds of containers: name, then height, width and depth in inches.
const PROFILES: [(&str, [&str; 3]); 5] = [
    ("Document box, letter", ["10.25", "12.25", "5"]),
    ("Document box, half", ["10.25", "12.25", "2.5"]),
    ("Record carton", ["10", "12", "15"]),
    ("Flat box", ["3", "18", "14"]),
    ("Card file box", ["5", "7", "12"]),
];
/// Floors, aisles of a floor and shelves of an aisle in the stacks.
const STACKS: [u32; 3] = [2, 6, 10];
/// Classes of collections.
const CLASSES: [&str; 5] =
    ["Personal papers", "Family papers", "Records of organizations", "University archives", "Literary manuscripts"];
/// Who is beside the people whose papers are kept.
const OTHERS: u32 = 20;

/// Addresses of what collections share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shared {
    people: u32,
    families: u32,
    organizations: u32,
}

impl Shared {
    pub(super) fn of(library: &Library) -> Self {
        let resources = library.plan.resources;
        Self { people: resources + OTHERS, families: resources / 10 + 2, organizations: resources / 10 + 3 }
    }

    pub(super) fn person(self, number: u32) -> String {
        format!("/agents/people/import_{}", number % self.people)
    }

    pub(super) fn any_person(self, dice: &mut Dice) -> String {
        self.person(dice.between(0, self.people - 1))
    }

    pub(super) fn family(self, number: u32) -> String {
        format!("/agents/families/import_{}", number % self.families)
    }

    pub(super) fn organization(self, number: u32) -> String {
        format!("/agents/corporate_entities/import_{}", number % self.organizations)
    }

    pub(super) fn any_subject(self, dice: &mut Dice) -> String {
        let all = WORDS.topics.len() + WORDS.regions.len() + GENRES.len();
        format!("/subjects/import_{}", dice.place(all))
    }

    pub(super) fn any_profile(self, dice: &mut Dice) -> String {
        format!("/container_profiles/import_{}", dice.place(PROFILES.len()))
    }

    pub(super) fn any_location(self, dice: &mut Dice) -> String {
        format!("/locations/import_{}", dice.between(0, STACKS.iter().product::<u32>() - 1))
    }

    pub(super) fn any_class(self, dice: &mut Dice) -> String {
        in_repository("classification_terms", dice.place(CLASSES.len()))
    }
}

impl Library {
    /// The records that collections share, in an order in which they can be read.
    pub fn shared_archives(&self) -> Vec<Value> {
        let shared = Shared::of(self);
        let people = (0..shared.people).map(|number| self.person(number));
        let families = (0..shared.families).map(|number| self.family(number));
        let organizations = (0..shared.organizations).map(|number| self.organization(number));
        let mut all: Vec<Value> = people.chain(families).chain(organizations).collect();
        all.extend(subjects());
        all.extend(places());
        all.extend(classes());
        all
    }

    /// First and last name of a person with papers, and the years of birth and death.
    pub(super) fn whose(&self, number: u32) -> ((&'static str, &'static str), (i16, i16)) {
        let mut dice = self.dice("archival person", number.into());
        let born = year(1790, dice.between(0, 160));
        (WORDS.person(&mut dice), (born, year(born, dice.between(45, 92))))
    }

    fn person(&self, number: u32) -> Value {
        let ((first, last), (born, died)) = self.whose(number);
        let mut dice = self.dice("archival person's work", number.into());
        let topic = dice.pick(&WORDS.topics).name("eng");
        let name = json!({"jsonmodel_type": "name_person", "primary_name": last, "rest_of_name": first,
            "dates": format!("{born}-{died}"), "name_order": "inverted", "source": "local", "rules": "dacs",
            "authorized": true, "is_display_name": true, "sort_name_auto_generate": true});
        let life = format!("{first} {last} was born in {born} and worked on {topic}.");
        json!({"jsonmodel_type": "agent_person", "uri": format!("/agents/people/import_{number}"), "publish": true,
            "names": [name], "notes": [{"jsonmodel_type": "note_bioghist", "publish": true,
                "subnotes": [{"jsonmodel_type": "note_text", "content": life, "publish": true}]}]})
    }

    /// A family's name.
    pub(super) fn family_name(&self, number: u32) -> &'static str {
        self.dice("archival family", number.into()).pick::<&str>(&WORDS.last_names)
    }

    fn family(&self, number: u32) -> Value {
        let name = json!({"jsonmodel_type": "name_family", "family_name": self.family_name(number),
            "qualifier": format!("family {}", number + 1), "source": "local", "rules": "dacs", "authorized": true,
            "is_display_name": true, "sort_name_auto_generate": true});
        json!({"jsonmodel_type": "agent_family", "uri": format!("/agents/families/import_{number}"), "publish": true,
            "names": [name]})
    }

    /// An organization's name.
    pub(super) fn organization_name(&self, number: u32) -> String {
        let mut dice = self.dice("archival organization", number.into());
        let form = dice.pick(&["Society", "Association", "Institute", "Club", "Committee"]);
        let topic = dice.pick(&WORDS.topics).name("eng");
        format!("{form} for {topic}, No. {}", number + 1)
    }

    fn organization(&self, number: u32) -> Value {
        let name = json!({"jsonmodel_type": "name_corporate_entity", "primary_name": self.organization_name(number),
            "source": "local", "rules": "dacs", "authorized": true, "is_display_name": true,
            "sort_name_auto_generate": true});
        json!({"jsonmodel_type": "agent_corporate_entity", "publish": true, "names": [name],
            "uri": format!("/agents/corporate_entities/import_{number}")})
    }
}

/// A later year.
pub(super) fn year(from: i16, after: u32) -> i16 {
    from.saturating_add(i16::try_from(after).unwrap_or(0))
}

fn subjects() -> impl Iterator<Item = Value> {
    let topics = WORDS.topics.iter().map(|topic| (topic.subject, "topical", "lcsh"));
    let regions = WORDS.regions.iter().map(|region| (*region, "geographic", "tgn"));
    let genres = GENRES.iter().map(|genre| (*genre, "genre_form", "aat"));
    topics.chain(regions).chain(genres).enumerate().map(|(number, (heading, kind, source))| {
        let parts = heading.split("--").enumerate();
        let terms = parts.map(|(place, part)| {
            let kind = if place == 0 { kind } else { "topical" };
            json!({"jsonmodel_type": "term", "term": part, "term_type": kind, "vocabulary": VOCABULARY})
        });
        let terms: Vec<Value> = terms.collect();
        json!({"jsonmodel_type": "subject", "uri": format!("/subjects/import_{number}"), "source": source,
            "vocabulary": VOCABULARY, "terms": terms})
    })
}

fn places() -> impl Iterator<Item = Value> {
    let profiles = PROFILES.iter().enumerate().map(|(number, (name, [height, width, depth]))| {
        json!({"jsonmodel_type": "container_profile", "uri": format!("/container_profiles/import_{number}"),
            "name": name, "dimension_units": "inches", "extent_dimension": "width", "height": height, "width": width,
            "depth": depth})
    });
    let shelf = json!({"jsonmodel_type": "location_profile", "uri": "/location_profiles/import_0", "name": "Shelf, 36 inches",
        "dimension_units": "inches", "height": "12", "width": "36", "depth": "18"});
    let [floors, aisles, shelves] = STACKS;
    let locations = (0..floors * aisles * shelves).map(move |number| {
        let (floor, aisle, shelf) =
            (number / (aisles * shelves) + 1, number / shelves % aisles + 1, number % shelves + 1);
        json!({"jsonmodel_type": "location", "uri": format!("/locations/import_{number}"), "building": "Main Library",
            "floor": floor.to_string(), "room": "Stacks", "coordinate_1_label": "Aisle",
            "coordinate_1_indicator": aisle.to_string(), "coordinate_2_label": "Shelf",
            "coordinate_2_indicator": shelf.to_string(), "location_profile": {"ref": "/location_profiles/import_0"}})
    });
    profiles.chain([shelf]).chain(locations)
}

fn classes() -> impl Iterator<Item = Value> {
    let whole = in_repository("classifications", 0);
    let top =
        json!({"jsonmodel_type": "classification", "uri": whole, "identifier": "C", "title": "Classes of collections"});
    let terms = CLASSES.iter().enumerate().map(move |(number, title)| {
        json!({"jsonmodel_type": "classification_term", "uri": in_repository("classification_terms", number),
            "identifier": (number + 1).to_string(), "title": title, "classification": {"ref": whole},
            "position": number})
    });
    [top].into_iter().chain(terms)
}
