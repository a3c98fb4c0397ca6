//! What identifies a collection or a component, and the headings by which it is found.

use crate::{
    block::{Block, Face, Span},
    element::Element,
    texts,
};

/// What members and notes are called, if the finding aid does not say it.
const NAMES: [(&str, &str); 46] = [
    ("repository", "Repository"),
    ("origination", "Creator"),
    ("unittitle", "Title"),
    ("unitid", "Identifier"),
    ("unitdate", "Date"),
    ("physdesc", "Extent"),
    ("langmaterial", "Language"),
    ("abstract", "Abstract"),
    ("physloc", "Location"),
    ("materialspec", "Material"),
    ("container", "Container"),
    ("dao", "Digital object"),
    ("daogrp", "Digital object"),
    ("note", "Note"),
    ("accessrestrict", "Access"),
    ("accruals", "Accruals"),
    ("acqinfo", "Acquisition"),
    ("altformavail", "Copies"),
    ("appraisal", "Appraisal"),
    ("arrangement", "Arrangement"),
    ("bibliography", "Bibliography"),
    ("bioghist", "Biography or history"),
    ("custodhist", "Custodial history"),
    ("fileplan", "File plan"),
    ("index", "Index"),
    ("odd", "Note"),
    ("originalsloc", "Originals"),
    ("otherfindaid", "Other finding aids"),
    ("phystech", "Physical condition"),
    ("prefercite", "Preferred citation"),
    ("processinfo", "Processing"),
    ("relatedmaterial", "Related materials"),
    ("scopecontent", "Scope and contents"),
    ("separatedmaterial", "Separated materials"),
    ("userestrict", "Use"),
    ("controlaccess", "Controlled access headings"),
    ("persname", "People"),
    ("famname", "Families"),
    ("corpname", "Organizations"),
    ("name", "Names"),
    ("subject", "Subjects"),
    ("geogname", "Places"),
    ("genreform", "Genres and forms"),
    ("function", "Functions"),
    ("occupation", "Occupations"),
    ("title", "Titles"),
];
/// Levels of components that are in the contents.
const SERIES: [&str; 9] =
    ["class", "collection", "fonds", "recordgrp", "series", "subfonds", "subgrp", "subseries", "otherlevel-series"];
/// A title in the contents has no more characters.
const LONGEST: usize = 300;

/// What an element is called.
pub(crate) fn name(element: &Element) -> String {
    let own = element.child("head").map(Element::text).or_else(|| element.attribute("label").map(str::to_owned));
    own.filter(|own| !own.is_empty()).unwrap_or_else(|| named(&element.name).to_owned())
}

fn named(element: &str) -> &'static str {
    NAMES.iter().find(|(of, _)| *of == element).map_or("Note", |(_, name)| name)
}

/// What identifies the collection, a line for each member.
pub(crate) fn collection(did: &Element, out: &mut Vec<Block>) {
    for member in did.elements().filter(|member| member.name != "head") {
        member_as_pair(member, 0, out);
    }
}

fn member_as_pair(member: &Element, indent: u8, out: &mut Vec<Block>) {
    let spans = match member.name.as_str() {
        "container" => vec![Span::plain(container(member))],
        "daogrp" => link(member.child("daoloc").unwrap_or(member), member),
        "dao" => link(member, member),
        "unitid" => linked(member),
        _ => texts::spans(member),
    };
    if !spans.is_empty() {
        out.push(Block::Pair { label: name(member), spans, indent });
    }
}

/// An identifier; that of the record on the web leads there.
fn linked(member: &Element) -> Vec<Span> {
    let mut spans = texts::spans(member);
    for span in &mut spans {
        if span.text.starts_with("http://") || span.text.starts_with("https://") {
            span.link = Some(span.text.clone());
        }
    }
    spans
}

/// A digital object: what it is called, leading to where it is.
fn link(place: &Element, of: &Element) -> Vec<Span> {
    let target = place.attribute("href").unwrap_or_default();
    let told = of.find("daodesc").map(Element::text).filter(|text| !text.is_empty());
    let told = told.or_else(|| of.attribute("title").map(str::to_owned)).unwrap_or_else(|| target.to_owned());
    let link = Some(target.to_owned()).filter(|target| texts::is_address(target));
    vec![Span { text: told, face: Face::Regular, link }].into_iter().filter(|span| !span.text.is_empty()).collect()
}

/// A component: its title and dates, its containers, and what else identifies it below.
pub(crate) fn component(of: &Element, depth: u8, did: &Element, out: &mut Vec<Block>) {
    let level = of.attribute("level").unwrap_or_default();
    let is_series = SERIES.contains(&level);
    let mut spans = did.child("unittitle").map(texts::spans).unwrap_or_default();
    let is_own = |one: &&Element| one.name == "unitdate";
    let inner = did.child("unittitle").into_iter().flat_map(Element::elements).any(|one| one.name == "unitdate");
    let dates: Vec<String> = did.elements().filter(is_own).map(Element::text).filter(|text| !text.is_empty()).collect();
    if !dates.is_empty() && !inner {
        let comma = if spans.is_empty() { "" } else { ", " };
        spans.push(Span::plain(format!("{comma}{}", dates.join(", "))));
    }
    let is_local = |one: &&Element| one.name == "unitid" && one.attribute("type").is_none();
    if let Some(id) = did.elements().find(is_local).map(Element::text).filter(|id| !id.is_empty()) {
        spans.insert(0, Span::plain(format!("{id}  ")));
    }
    if spans.is_empty() {
        spans.push(Span::plain("[untitled]"));
    }
    if is_series {
        spans.iter_mut().filter(|span| span.face == Face::Regular).for_each(|span| span.face = Face::Bold);
    }
    let told: String = spans.iter().map(|span| span.text.as_str()).collect();
    let in_contents = (is_series && depth <= 3).then(|| told.chars().take(LONGEST).collect());
    out.push(Block::Component { depth, spans, containers: containers(did), in_contents });
    let is_shown = |one: &&Element| match one.name.as_str() {
        "unittitle" | "unitdate" | "container" | "head" => false,
        "unitid" => one.attribute("type").is_some(),
        _ => true,
    };
    for member in did.elements().filter(is_shown) {
        member_as_pair(member, depth.min(10), out);
    }
}

/// `Box 1, Folder 2`, and after a semicolon the next: a container without a parent begins one.
fn containers(did: &Element) -> String {
    let mut all: Vec<String> = Vec::new();
    for one in did.elements().filter(|one| one.name == "container") {
        match all.last_mut() {
            Some(last) if one.attribute("parent").is_some() => {
                last.push_str(", ");
                last.push_str(&container(one));
            }
            _ => all.push(container(one)),
        }
    }
    all.join("; ")
}

fn container(one: &Element) -> String {
    let kind = one.attribute("type").unwrap_or_default();
    let mut letters = kind.chars();
    let kind: String = letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
    format!("{kind} {}", one.text()).trim().to_owned()
}

/// The headings by which something is found, by kind.
pub(crate) fn headings(element: &Element, indent: u8, out: &mut Vec<Block>) {
    let mut kinds: Vec<(&str, Vec<String>)> = Vec::new();
    collect(element, &mut kinds);
    for (kind, all) in kinds {
        out.push(Block::Pair { label: named(kind).to_owned(), spans: vec![Span::plain(all.join("\n"))], indent });
    }
}

fn collect<'e>(element: &'e Element, kinds: &mut Vec<(&'e str, Vec<String>)>) {
    for heading in element.elements().filter(|inner| inner.name != "head") {
        if ["controlaccess", "list", "item", "p"].contains(&heading.name.as_str()) {
            collect(heading, kinds);
            continue;
        }
        match kinds.iter_mut().find(|(kind, _)| *kind == heading.name) {
            Some((_, all)) => all.push(heading.text()),
            None => kinds.push((&heading.name, vec![heading.text()])),
        }
    }
}
