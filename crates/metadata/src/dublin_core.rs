//! Dublin Core of digital objects and their components (contract 6.8).

use record_xml::{
    json::{list, resolved, text},
    xml::{Attributes, Xml},
};
use serde_json::Value;

use crate::{
    dates::date_text,
    notes::{language_notes, languages, whole_text},
};

/// Which notes become which element.
const NOTES: [(&str, &[&str]); 4] = [
    ("rights", &["accessrestrict", "userestrict"]),
    ("format", &["dimensions", "physdesc"]),
    ("source", &["originalsloc"]),
    ("relation", &["relatedmaterial"]),
];

/// A digital object as a Dublin Core document. The record needs its repository, agents and subjects resolved; `site` is
/// where the API is, before the record's address.
pub fn dublin_core(record: &Value, site: &str) -> String {
    let mut xml = Xml::document();
    write(&mut xml, "", record, site);
    xml.finish()
}

/// The same within another document, its elements with this prefix.
pub(crate) fn write(xml: &mut Xml, prefix: &str, record: &Value, site: &str) {
    let root = format!("{prefix}dc");
    let namespace = Some("http://purl.org/dc/elements/1.1/");
    let attributes: Attributes = &[
        ("xmlns", namespace.filter(|_| prefix.is_empty())),
        ("xmlns:dcterms", Some("http://purl.org/dc/terms/")),
        ("xmlns:xlink", Some("http://www.w3.org/1999/xlink")),
        ("xmlns:xsi", Some("http://www.w3.org/2001/XMLSchema-instance")),
        (
            "xsi:schemaLocation",
            Some(
                "http://purl.org/dc/elements/1.1/ https://dublincore.org/schemas/xmls/qdc/2006/01/06/dc.xsd \
                 http://purl.org/dc/terms/ https://dublincore.org/schemas/xmls/qdc/2006/01/06/dcterms.xsd",
            ),
        ),
    ];
    xml.open(&root, attributes);
    let mut put = |name: &str, content: &str| {
        if !content.is_empty() {
            xml.plain(&format!("{prefix}{name}"), &[], content);
        }
    };
    put("title", text(record, "title").or(text(record, "display_string")).unwrap_or_default());
    put("identifier", &format!("{site}{}", text(record, "uri").unwrap_or_default()));
    sort_names(record, "creator").for_each(|name| put("creator", name));
    for language in languages(record) {
        ["language", "script"].iter().filter_map(|part| text(language, part)).for_each(|code| put("language", code));
    }
    language_notes(record).for_each(|note| put("language", &whole_text(note)));
    sort_names(record, "subject").for_each(|name| put("subject", name));
    for subject in list(record, "subjects").iter().filter_map(resolved) {
        let terms: Vec<&str> = list(subject, "terms").iter().filter_map(|term| text(term, "term")).collect();
        put("subject", &terms.join("--"));
    }
    list(record, "dates").iter().filter_map(date_text).for_each(|date| put("date", &date));
    of_types(record, &["bioghist", "prefercite"]).for_each(|content| put("description", &content));
    if let Some(repository) = record.get("repository").and_then(resolved) {
        let name = text(repository, "name").unwrap_or_default();
        let address = text(repository, "url").map(|url| format!(" ({url})")).unwrap_or_default();
        put("description", &format!("Digital object made available by {name}{address}"));
    }
    for (element, types) in NOTES {
        of_types(record, types).for_each(|content| put(element, &content));
    }
    put("type", text(record, "digital_object_type").unwrap_or_default());
    xml.close(&root);
}

fn sort_names<'v>(record: &'v Value, role: &'static str) -> impl Iterator<Item = &'v str> {
    let links = list(record, "linked_agents").iter().filter(move |link| text(link, "role") == Some(role));
    links.filter_map(resolved).flat_map(|agent| list(agent, "names")).filter_map(|name| text(name, "sort_name"))
}

fn of_types(record: &Value, types: &'static [&'static str]) -> impl Iterator<Item = String> {
    let fits = move |note: &&Value| text(note, "type").is_some_and(|kind| types.contains(&kind));
    list(record, "notes").iter().filter(fits).map(whole_text)
}
