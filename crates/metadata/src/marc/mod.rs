//! MARCXML: bibliographic records of resources and their components (contract 6.7).

mod countries;
mod description;
mod names;
mod notes;

use record_xml::{
    Lists,
    json::{is, resolved, text},
    xml::Xml,
};
use serde_json::Value;

use crate::publishing::hide_below_unpublished;

/// What a MARCXML record shows.
#[derive(Clone, Copy)]
pub struct Marc<'a> {
    /// Unpublished notes and agents too.
    pub include_unpublished: bool,
    /// Labels of value lists.
    pub lists: &'a dyn Lists,
}

/// A resource or an archival object as MARCXML, within a collection. The record needs its repository, agents and subjects
/// resolved.
pub fn marc(mut record: Value, options: Marc) -> String {
    hide_below_unpublished(&mut record);
    let mut made = Record { leader: description::leader(&record), controls: Vec::new(), fields: Vec::new() };
    made.controls.push(("008", description::control_field(&record)));
    description::describe(&mut made, &record, options);
    made.fields.sort_by_key(|field| field.tag);
    made.document()
}

/// A subfield: its code and text.
pub(crate) type Subfield = (char, String);

/// A data field.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) tag: &'static str,
    pub(crate) indicators: [char; 2],
    pub(crate) subfields: Vec<Subfield>,
}

/// A record that is being made.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) leader: String,
    pub(crate) controls: Vec<(&'static str, String)>,
    pub(crate) fields: Vec<Field>,
}

impl Record {
    /// Adds a field of the subfields that have a text, unless none has.
    pub(crate) fn add<'t>(
        &mut self,
        tag: &'static str,
        indicators: [char; 2],
        subfields: impl IntoIterator<Item = (char, Option<&'t str>)>,
    ) {
        let given = subfields.into_iter().filter_map(|(code, text)| Some((code, text?.to_owned()))).collect();
        self.add_all(tag, indicators, given);
    }

    /// Adds a field, unless it has no text.
    pub(crate) fn add_all(&mut self, tag: &'static str, indicators: [char; 2], mut subfields: Vec<Subfield>) {
        subfields.retain(|(_, text)| !text.is_empty());
        if !subfields.is_empty() {
            self.fields.push(Field { tag, indicators, subfields });
        }
    }

    /// The record alone in a collection. Markup in texts becomes a space.
    pub(crate) fn document(&self) -> String {
        let mut xml = Xml::document();
        let attributes = [
            ("xmlns", Some("http://www.loc.gov/MARC21/slim")),
            ("xmlns:marc", Some("http://www.loc.gov/MARC21/slim")),
            ("xmlns:xsi", Some("http://www.w3.org/2001/XMLSchema-instance")),
            (
                "xsi:schemaLocation",
                Some("http://www.loc.gov/MARC21/slim https://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd"),
            ),
        ];
        xml.open("collection", &attributes);
        xml.open("record", &[]);
        xml.plain("leader", &[], &self.leader);
        for (tag, text) in &self.controls {
            xml.plain("controlfield", &[("tag", Some(tag))], text);
        }
        for field in &self.fields {
            let [first, second] = field.indicators.map(|indicator| indicator.to_string());
            let attributes = [("tag", Some(field.tag)), ("ind1", Some(first.as_str())), ("ind2", Some(&second))];
            xml.open("datafield", &attributes);
            for (code, text) in &field.subfields {
                xml.plain("subfield", &[("code", Some(&code.to_string()))], &without_tags(text));
            }
            xml.close("datafield");
        }
        xml.close("record");
        xml.close("collection");
        xml.finish()
    }
}

/// The text with a space for each tag.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        match tag.split_once('>') {
            Some((_, after)) => {
                out.push(' ');
                rest = after;
            }
            None => {
                out.push('<');
                rest = tag;
            }
        }
    }
    out + rest
}

/// The second indicator for the source of a heading, and its `$2` where the indicator does not tell it.
fn source_indicator(source: Option<&str>) -> char {
    match source {
        Some("naf" | "lcsh" | "lcnaf") => '0',
        Some("lcshac") => '1',
        Some("mesh") => '2',
        Some("nal") => '3',
        None => '4',
        Some("cash") => '5',
        Some("rvm") => '6',
        Some(_) => '7',
    }
}

/// The record behind a link, if readers may see it.
fn shown<'v>(link: &'v Value, options: Marc) -> Option<&'v Value> {
    resolved(link).filter(|record| options.include_unpublished || is_published(record))
}

/// The subfield of a term that narrows a heading.
fn subdivision(term: &Value) -> Option<char> {
    match text(term, "term_type")? {
        "uniform_title" => Some('t'),
        "genre_form" | "style_period" => Some('v'),
        "topical" | "cultural_context" => Some('x'),
        "temporal" => Some('y'),
        "geographic" => Some('z'),
        _ => None,
    }
}

/// Whether the record says that it is published.
fn is_published(part: &Value) -> bool {
    is(part, "publish", true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_become_spaces() {
        for (text, wanted) in
            [("Foo <emph render='bold'>BAR</emph> Jones", "Foo  BAR  Jones"), ("a < b", "a < b"), ("plain", "plain")]
        {
            assert_eq!(without_tags(text), wanted);
        }
    }
}
