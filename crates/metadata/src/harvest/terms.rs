//! Dublin Core, simple and qualified, of resources and archival objects.

use record_xml::{
    Lists,
    json::{list, resolved, text},
    xml::{Attributes, Xml, without_markup},
};
use serde_json::Value;

use super::{agents, collection, extent_text, joined_identifier, notes_of, texts::published_texts};
use crate::notes::{language_notes, languages};

/// Which element holds what.
pub(super) struct Vocabulary {
    root: &'static str,
    attributes: Attributes<'static>,
    prefix: &'static str,
    /// The title of the finding aid.
    alternative: Option<&'static str>,
    copyrighted: &'static str,
    issued: &'static str,
    extent: &'static str,
    /// Types of notes with their elements, in their order.
    notes: &'static [(&'static str, &'static [&'static str])],
    collection: &'static str,
}

pub(super) const SIMPLE: Vocabulary = Vocabulary {
    root: "oai_dc:dc",
    attributes: &[
        ("xmlns:oai_dc", Some("http://www.openarchives.org/OAI/2.0/oai_dc/")),
        ("xmlns:dc", Some("http://purl.org/dc/elements/1.1/")),
        ("xmlns:xsi", Some("http://www.w3.org/2001/XMLSchema-instance")),
        (
            "xsi:schemaLocation",
            Some("http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd"),
        ),
    ],
    prefix: "dc:",
    alternative: None,
    copyrighted: "date",
    issued: "date",
    extent: "format",
    notes: &[
        ("description", &["langmaterial", "bioghist", "scopecontent", "abstract", "odd", "arrangement"]),
        ("relation", &["originalsloc", "altformavail", "separatedmaterial", "relatedmaterial"]),
        ("rights", &["accessrestrict", "userestrict"]),
    ],
    collection: "relation",
};

pub(super) const QUALIFIED: Vocabulary = Vocabulary {
    root: "oai_dcterms:dcterms",
    attributes: &[
        ("xmlns:dcterms", Some("http://purl.org/dc/terms/")),
        ("xmlns:oai_dcterms", Some("http://www.openarchives.org/OAI/2.0/oai_dcterms/")),
        ("xmlns:xsi", Some("http://www.w3.org/2001/XMLSchema-instance")),
        ("xsi:schemaLocation", Some("http://www.openarchives.org/OAI/2.0/oai_dcterms/")),
    ],
    prefix: "dcterms:",
    alternative: Some("alternative"),
    copyrighted: "dateCopyrighted",
    issued: "issued",
    extent: "extent",
    notes: &[
        ("description", &["langmaterial", "bioghist", "scopecontent", "odd", "arrangement"]),
        ("abstract", &["abstract"]),
        ("relation", &["originalsloc", "altformavail", "separatedmaterial", "relatedmaterial"]),
        ("provenance", &["custodhist", "acqinfo"]),
        ("accessRights", &["accessrestrict"]),
        ("rights", &["userestrict"]),
    ],
    collection: "isPartOf",
};

/// A record as one element.
pub(super) fn write(record: &Value, vocabulary: &Vocabulary, lists: &dyn Lists, site: &str) -> String {
    let mut xml = Xml::new();
    xml.open(vocabulary.root, vocabulary.attributes);
    let mut put = |name: &str, content: &str| {
        if !content.is_empty() {
            xml.plain(&format!("{}{name}", vocabulary.prefix), &[], content);
        }
    };
    if let Some(repository) = record.get("repository").and_then(resolved) {
        ["name", "parent_institution_name"]
            .iter()
            .filter_map(|member| text(repository, member))
            .for_each(|name| put("publisher", name));
    }
    put("identifier", &joined_identifier(record));
    put("identifier", record.get("ark_name").and_then(|ark| text(ark, "current")).unwrap_or_default());
    put("identifier", &format!("{site}{}", text(record, "uri").unwrap_or_default()));
    makers(record, &mut put);
    put("title", &without_markup(text(record, "display_string").or(text(record, "title")).unwrap_or_default()));
    if let Some(element) = vocabulary.alternative {
        let of = record.get("resource").and_then(resolved).unwrap_or(record);
        put(element, &without_markup(text(of, "finding_aid_title").unwrap_or_default()));
    }
    for date in list(record, "dates") {
        let element = match text(date, "label") {
            Some("copyright") => vocabulary.copyrighted,
            Some("publication") => vocabulary.issued,
            _ => "date",
        };
        let ends: Vec<&str> = ["begin", "end"].iter().filter_map(|end| text(date, end)).collect();
        put(element, text(date, "expression").unwrap_or(&ends.join(" -- ")));
    }
    list(record, "extents").iter().for_each(|extent| put(vocabulary.extent, &extent_text(extent, lists)));
    of_notes(notes_of(record, &["physdesc", "dimensions"]), vocabulary.extent, &mut put);
    for language in languages(record) {
        ["language", "script"].iter().filter_map(|part| text(language, part)).for_each(|code| put("language", code));
    }
    of_notes(language_notes(record), "language", &mut put);
    for (element, types) in vocabulary.notes {
        of_notes(notes_of(record, types), element, &mut put);
    }
    subjects(record, &mut put);
    of_notes(notes_of(record, &["physfacet"]), "type", &mut put);
    put(vocabulary.collection, &collection(record).unwrap_or_default());
    xml.close(vocabulary.root);
    String::from_utf8(std::mem::take(xml.written())).unwrap_or_default()
}

/// Creators, by what they did.
fn makers(record: &Value, put: &mut impl FnMut(&str, &str)) {
    let creators = || agents(record).filter(|(link, _)| text(link, "role") == Some("creator"));
    for (element, relator) in [("creator", None), ("contributor", Some("ctb")), ("publisher", Some("pbl"))] {
        for (link, title) in creators() {
            let did = text(link, "relator").filter(|did| ["ctb", "pbl"].contains(did));
            if did == relator {
                put(element, title);
            }
        }
    }
}

fn subjects(record: &Value, put: &mut impl FnMut(&str, &str)) {
    for subject in list(record, "subjects").iter().filter_map(resolved) {
        let has = |kind| list(subject, "terms").iter().any(|term| text(term, "term_type") == Some(kind));
        let element = match (has("geographic"), has("genre_form")) {
            (true, _) => "coverage",
            (_, true) => "type",
            _ => "subject",
        };
        put(element, text(subject, "title").unwrap_or_default());
    }
    let about = agents(record).filter(|(link, _)| text(link, "role") == Some("subject"));
    about.for_each(|(_, title)| put("subject", title));
}

fn of_notes<'v>(notes: impl Iterator<Item = &'v Value>, element: &str, put: &mut impl FnMut(&str, &str)) {
    notes.flat_map(published_texts).for_each(|content| put(element, &content));
}
