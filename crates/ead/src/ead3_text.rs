//! Markup of EAD 2002 in texts, as EAD3 wants it (section 6.6).

use quick_xml::Reader;
use quick_xml::escape::{partial_escape, unescape};
use quick_xml::events::{BytesStart, Event};

use crate::identifiers::prefixed;

/// What may stand in a `p` or an `item` of EAD3 (`m.para.content` of its schema).
const IN_PARAGRAPHS: [&str; 22] = [
    "abbr",
    "corpname",
    "date",
    "emph",
    "expan",
    "famname",
    "footnote",
    "foreign",
    "function",
    "genreform",
    "geogname",
    "lb",
    "list",
    "name",
    "num",
    "occupation",
    "persname",
    "ptr",
    "quote",
    "ref",
    "subject",
    "title",
];

/// What may stand in the elements that hold little more than text.
const IN_TEXT: [&str; 7] = ["abbr", "emph", "expan", "foreign", "lb", "ptr", "ref"];

/// The elements that hold the same but for lists (`m.mixed.basic.plus.access`).
const TITLES: [&str; 5] = ["abstract", "archref", "bibref", "physfacet", "unittitle"];

/// The elements that hold little more than text (`m.mixed.basic`).
const TEXTS: [&str; 20] = [
    "addressline",
    "author",
    "container",
    "date",
    "dimensions",
    "edition",
    "emph",
    "eventdescription",
    "head",
    "materialspec",
    "num",
    "physdesc",
    "physloc",
    "publisher",
    "quote",
    "sponsor",
    "subtitle",
    "titleproper",
    "unitdate",
    "unitid",
];

/// Elements whose text is a `part`.
const ACCESS: [&str; 10] =
    ["corpname", "famname", "function", "genreform", "geogname", "name", "occupation", "persname", "subject", "title"];

/// Elements whose `type` has become `localtype`.
const TYPED: [&str; 29] = [
    "abstract",
    "materialspec",
    "accessrestrict",
    "altformavail",
    "archdesc",
    "container",
    "originalsloc",
    "phystech",
    "processinfo",
    "relatedmaterial",
    "separatedmaterial",
    "titleproper",
    "title",
    "unitid",
    "unittitle",
    "userestrict",
    "odd",
    "note",
    "date",
    "name",
    "persname",
    "famname",
    "corpname",
    "subject",
    "occupation",
    "genreform",
    "function",
    "num",
    "physloc",
];

/// Attributes with a list of values, which EAD3 writes small.
const SMALL: [&str; 8] = ["actuate", "align", "audience", "level", "numeration", "render", "show", "valign"];

/// Attributes of links.
const LINKING: [&str; 5] = ["actuate", "arcrole", "href", "show", "xpointer"];

/// Marks that lists may have.
const MARKS: [&str; 5] = ["disc", "circle", "square", "none", "inherit"];

/// Elements without a successor, of which the text stays.
const GONE: [&str; 15] = [
    "arc",
    "bibseries",
    "daogrp",
    "daoloc",
    "descgrp",
    "eventgrp",
    "extptrloc",
    "extrefloc",
    "imprint",
    "linkgrp",
    "note",
    "ptrloc",
    "refloc",
    "resource",
    "subarea",
];

/// Names of numerations.
const NUMERATIONS: [(&str, &str); 5] = [
    ("arabic", "decimal"),
    ("loweralpha", "lower-alpha"),
    ("upperalpha", "upper-alpha"),
    ("lowerroman", "lower-roman"),
    ("upperroman", "upper-roman"),
];

/// The name that EAD3 has for a numeration.
pub(crate) fn numeration(name: &str) -> &str {
    NUMERATIONS.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new)
}

/// An element that is open while a fragment is rewritten.
struct Open {
    /// Its name in EAD3; nothing if only its text is kept.
    name: Option<String>,
    /// A `part` is open in it.
    part: bool,
}

/// A well-formed fragment with its markup as EAD3 has it: no prefixes, `ref` for `extref`, renamed attributes, the
/// text of names in `part`, and no elements where EAD3 has none: their text stays. The fragment will stand in an element
/// called `around`.
pub(crate) fn ead3(fragment: &str, around: &str) -> String {
    let mut out = String::with_capacity(fragment.len() + 32);
    let mut reader = Reader::from_str(fragment);
    reader.config_mut().expand_empty_elements = true;
    let mut open: Vec<Open> = Vec::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => start(&mut out, &mut open, around, &tag),
            Ok(Event::End(_)) => end(&mut out, &mut open),
            Ok(Event::Text(text)) => in_part(&mut out, &mut open, &text),
            Ok(Event::CData(text)) => in_part(&mut out, &mut open, &partial_escape(&*text)),
            Ok(Event::GeneralRef(name)) => in_part(&mut out, &mut open, &format!("&{};", &*name)),
            Ok(Event::Eof) | Err(_) => return out,
            Ok(_) => {}
        }
    }
}

fn start(out: &mut String, open: &mut Vec<Open>, outside: &str, tag: &BytesStart) {
    let name: &str = tag.local_name().into_inner();
    let name = match name {
        "extref" => "ref",
        "extptr" => "ptr",
        name => name,
    };
    let around = open.iter().rev().find_map(|around| around.name.as_deref()).unwrap_or(outside);
    let fits = match around {
        "p" | "item" => IN_PARAGRAPHS.contains(&name),
        element if TITLES.contains(&element) => IN_PARAGRAPHS.contains(&name) && name != "list",
        element if ACCESS.contains(&element) => name == "part" || IN_TEXT.contains(&name),
        element => !TEXTS.contains(&element) || IN_TEXT.contains(&name),
    };
    if !fits || GONE.contains(&name) {
        open.push(Open { name: None, part: false });
        return;
    }
    if name != "part" {
        open_part(out, open);
    }
    out.push('<');
    out.push_str(name);
    for attribute in tag.attributes().flatten() {
        let key: &str = attribute.key.0;
        let value = unescape(&attribute.value).unwrap_or_default();
        if let Some((key, value)) = converted(name, key, &value) {
            out.push_str(&format!(" {key}=\"{}\"", quick_xml::escape::escape(value)));
        }
    }
    out.push('>');
    open.push(Open { name: Some(name.to_owned()), part: false });
}

/// An attribute as EAD3 has it, if it has it.
fn converted(element: &str, key: &str, value: &str) -> Option<(String, String)> {
    let key = key.split_once(':').map_or(key, |(prefix, local)| if prefix == "xml" { key } else { local });
    let list_type = match value {
        "marked" => Some("unordered"),
        "deflist" | "ordered" => Some(value),
        _ => None,
    };
    let key = match (element, key) {
        ("list", "type") => return list_type.map(|kind| ("listtype".to_owned(), kind.to_owned())),
        ("list", "numeration") => return Some((key.to_owned(), numeration(value).to_owned())),
        ("list", "mark") if !MARKS.contains(&value) => return None,
        ("ref" | "ptr", "type") => return None,
        // Identifiers are written with it, too.
        ("ref" | "ptr", "target") => return Some((key.to_owned(), prefixed(value))),
        ("ref" | "ptr", "title") => "linktitle",
        ("ref" | "ptr", "role") => "linkrole",
        (name, "role") if ACCESS.contains(&name) => "relator",
        // Names and titles lead nowhere.
        (name, key) if ACCESS.contains(&name) && LINKING.contains(&key) => return None,
        ("language", "scriptcode") => "script",
        (_, "authfilenumber") => "identifier",
        (name, "type") if TYPED.contains(&name) => "localtype",
        (_, key) => key,
    };
    let value = if SMALL.contains(&key) { value.to_lowercase() } else { value.to_owned() };
    Some((key.to_owned(), value))
}

fn open_part(out: &mut String, open: &mut [Open]) {
    if let Some(around) = open.iter_mut().rev().find(|around| around.name.is_some())
        && !around.part
        && around.name.as_deref().is_some_and(|name| ACCESS.contains(&name))
    {
        out.push_str("<part>");
        around.part = true;
    }
}

fn in_part(out: &mut String, open: &mut [Open], text: &str) {
    if !text.trim().is_empty() {
        open_part(out, open);
    }
    out.push_str(text);
}

fn end(out: &mut String, open: &mut Vec<Open>) {
    let Some(Open { name: Some(name), part }) = open.pop() else { return };
    if part {
        out.push_str("</part>");
    } else if ACCESS.contains(&name.as_str()) && !out.ends_with("</part>") {
        out.push_str("<part></part>");
    }
    out.push_str(&format!("</{name}>"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_converted() {
        for (old, new) in [
            ("plain &amp; simple", "plain &amp; simple"),
            (
                "<extref xlink:type=\"simple\" xlink:href=\"u&amp;v\" xlink:show=\"NEW\" xlink:title=\"t\">x</extref>",
                "<ref href=\"u&amp;v\" show=\"new\" linktitle=\"t\">x</ref>",
            ),
            (
                "<persname role=\"aut\" authfilenumber=\"n\">X <emph>Y</emph></persname>",
                "<persname relator=\"aut\" identifier=\"n\"><part>X <emph>Y</emph></part></persname>",
            ),
            (
                "<title xlink:href=\"u\" xlink:show=\"new\" render=\"italic\">T</title>",
                "<title render=\"italic\"><part>T</part></title>",
            ),
            ("<title><part>kept</part></title>", "<title><part>kept</part></title>"),
            (
                "<list type=\"marked\" numeration=\"loweralpha\"><item>x</item></list>",
                "<list listtype=\"unordered\" numeration=\"lower-alpha\"><item>x</item></list>",
            ),
            ("<list type=\"simple\"/>", "<list></list>"),
            ("<p>a <blockquote>b</blockquote> c</p>", "<p>a b c</p>"),
            ("<p>a <table><tgroup>b</tgroup></table></p>", "<p>a b</p>"),
            ("<ref target=\"c1\">x</ref>", "<ref target=\"aspace_c1\">x</ref>"),
            (
                "<list><item>a <bibref>b</bibref></item></list><unittitle>c <publisher>d</publisher></unittitle>",
                "<list><item>a b</item></list><unittitle>c d</unittitle>",
            ),
            ("<title/>", "<title><part></part></title>"),
            ("<corpname>A <subarea>B</subarea></corpname>", "<corpname><part>A B</part></corpname>"),
            ("<repository><subarea>B</subarea></repository>", "<repository>B</repository>"),
            ("<emph>a <persname>b</persname></emph>", "<emph>a b</emph>"),
            ("<date type=\"x\">1</date>", "<date localtype=\"x\">1</date>"),
            ("a<lb/>b", "a<lb></lb>b"),
            ("<![CDATA[a & b]]>", "a &amp; b"),
        ] {
            assert_eq!(ead3(old, "odd"), new, "{old}");
        }
    }
}
