//! A collection: the resource with the accessions that it came in, and what became of them.

use serde_json::{Value, json};

use super::{
    components::Writer,
    in_repository,
    shared::{Shared, year},
    words::{NOTES, Subject, note_of, text},
};
use crate::{dice::Dice, library::Library, words::WORDS};

/// Of a thousand collections, how many are not published.
const UNPUBLISHED: u32 = 50;

/// Whose papers a collection has.
struct Creator {
    address: String,
    name: String,
    /// `Ada Lovelace papers`.
    title: String,
    kind: &'static str,
    years: (i16, i16),
}

impl Library {
    /// The records of collection `number`, counted from 0, with so many components.
    ///
    /// # Errors
    /// That of `take`, which gets each record.
    pub fn collection<E>(
        &self,
        number: u32,
        components: u32,
        take: &mut dyn FnMut(Value) -> Result<(), E>,
    ) -> Result<(), E> {
        let shared = Shared::of(self);
        let mut dice = self.dice("collection", number.into());
        let creator = self.creator(number, shared);
        let accessions = dice.between(1, 3);
        for accession in 0..accessions {
            let [record, event] = self.accession(number, accession, &creator, shared);
            take(record)?;
            take(event)?;
        }
        let subject = Subject {
            name: creator.name.clone(),
            topic: dice.pick(&WORDS.topics).name("eng"),
            region: dice.pick::<&str>(&WORDS.regions),
            years: creator.years,
        };
        take(resource(number, components, accessions, &creator, &subject, shared, &mut dice))?;
        Writer::new(self, number, subject, shared, take).write(components)
    }

    /// One in ten collections is of a family, one of an organization, the others of people.
    fn creator(&self, number: u32, shared: Shared) -> Creator {
        match number % 10 {
            3 => {
                let family = number / 10;
                let name = format!("{} family", self.family_name(family));
                let title = format!("{name} papers");
                Creator { address: shared.family(family), name, title, kind: "papers", years: (1840, 1960) }
            }
            7 => {
                let organization = number / 10;
                let name = self.organization_name(organization);
                let title = format!("{name} records");
                let address = shared.organization(organization);
                Creator { address, name, title, kind: "records", years: (1890, 1985) }
            }
            _ => {
                let ((first, last), (born, died)) = self.whose(number);
                let name = format!("{first} {last}");
                let title = format!("{name} papers");
                let years = (year(born, 18), died);
                Creator { address: shared.person(number), name, title, kind: "papers", years }
            }
        }
    }

    /// An accession, and the event of its arrival.
    fn accession(&self, collection: u32, number: u32, creator: &Creator, shared: Shared) -> [Value; 2] {
        let mut dice = self.dice("accession", u64::from(collection) << 8 | u64::from(number));
        let address = in_repository("accessions", format_args!("{collection}-{number}"));
        let (feet, kind) = (dice.between(1, 40), dice.pick(&["gift", "purchase", "deposit", "transfer"]));
        let arrived = format!("{}-{:02}-{:02}", 1995 + number * 8, dice.between(1, 12), dice.between(1, 28));
        let record = json!({"jsonmodel_type": "accession", "uri": address, "id_0": arrived[..4], "id_1": format!("{:04}", collection + 1),
            "id_2": number.to_string(), "title": format!("{}, part {}", creator.title, number + 1), "accession_date": arrived,
            "acquisition_type": kind, "resource_type": creator.kind, "publish": false,
            "content_description": "Papers in boxes as they came, with some photographs.",
            "extents": [{"jsonmodel_type": "extent", "portion": "whole", "number": feet.to_string(), "extent_type": "linear_feet"}],
            "linked_agents": [{"ref": creator.address, "role": "creator"}, {"ref": shared.any_person(&mut dice), "role": "source"}]});
        let event = json!({"jsonmodel_type": "event", "uri": in_repository("events", format_args!("{collection}-{number}")),
            "event_type": "accession", "date": {"jsonmodel_type": "date", "date_type": "single", "label": "event", "begin": arrived},
            "outcome": "pass", "linked_agents": [{"ref": shared.any_person(&mut dice), "role": "implementer"}],
            "linked_records": [{"ref": address, "role": "source"}]});
        [record, event]
    }
}

fn resource(
    number: u32,
    components: u32,
    accessions: u32,
    creator: &Creator,
    subject: &Subject,
    shared: Shared,
    dice: &mut Dice,
) -> Value {
    let accessions = (0..accessions)
        .map(|accession| json!({"ref": in_repository("accessions", format_args!("{number}-{accession}"))}));
    let accessions: Vec<Value> = accessions.collect();
    let mut subjects: Vec<String> = (0..dice.between(3, 6)).map(|_| shared.any_subject(dice)).collect();
    subjects.sort();
    subjects.dedup();
    let subjects: Vec<Value> = subjects.into_iter().map(|subject| json!({"ref": subject})).collect();
    let (begin, end) = creator.years;
    let (begin, end) = (begin.to_string(), end.to_string());
    // A box holds about a third of a foot.
    let feet = (components / 25).max(1);
    let status = dice.pick(&["completed", "completed", "in_progress", "under_revision"]);
    let notes = NOTES.iter().filter(|note| note.of_collection).map(|note| note_of(note.kind, &text(note, subject)));
    let notes: Vec<Value> = notes.collect();
    json!({"jsonmodel_type": "resource", "uri": in_repository("resources", number), "title": creator.title,
        "id_0": "MS", "id_1": format!("{:04}", number + 1), "level": "collection", "resource_type": creator.kind,
        "publish": !dice.per_mille(UNPUBLISHED), "restrictions": false, "ead_id": format!("ms{:04}", number + 1),
        "finding_aid_title": format!("A Guide to the {}", creator.title), "finding_aid_language": "eng",
        "finding_aid_script": "Latn", "finding_aid_status": status, "finding_aid_description_rules": "dacs",
        "finding_aid_author": "Staff of Special Collections", "finding_aid_date": "2019",
        "lang_materials": [{"jsonmodel_type": "lang_material", "language_and_script":
            {"jsonmodel_type": "language_and_script", "language": "eng", "script": "Latn"}}],
        "extents": [{"jsonmodel_type": "extent", "portion": "whole", "number": feet.to_string(), "extent_type": "linear_feet"}],
        "dates": [{"jsonmodel_type": "date", "date_type": "inclusive", "label": "creation", "begin": begin, "end": end,
            "expression": format!("{begin}-{end}")}],
        "linked_agents": [{"ref": creator.address, "role": "creator"}, {"ref": shared.person(number + 1), "role": "subject"}],
        "subjects": subjects, "classifications": [{"ref": shared.any_class(dice)}], "related_accessions": accessions,
        "revision_statements": [{"jsonmodel_type": "revision_statement", "date": "2021", "description": "Folders were numbered again."}],
        "collection_management": {"jsonmodel_type": "collection_management", "processing_status": "completed",
            "processing_priority": dice.pick(&["high", "medium", "low"])},
        "notes": notes})
}
