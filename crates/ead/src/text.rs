//! Text rules of the export (section 6.3): what a record's text becomes inside an element.
//!
//! Every function here returns a fragment that is well-formed where it will stand: a text that is not is escaped.

use std::borrow::Cow;
use std::collections::HashSet;

use quick_xml::Reader;
use quick_xml::escape::{partial_escape, resolve_html5_entity};
use quick_xml::events::{BytesStart, Event};

use crate::{ead3_text, xml};

/// Elements of EAD 2002 that link, whose link attributes belong to XLink.
const LINKING: [&str; 14] = [
    "arc",
    "archref",
    "bibref",
    "extptr",
    "extptrloc",
    "extref",
    "extrefloc",
    "linkgrp",
    "ptr",
    "ptrloc",
    "ref",
    "refloc",
    "resource",
    "title",
];
const LINK_ATTRIBUTES: [&str; 8] = ["actuate", "arcrole", "from", "href", "role", "show", "title", "to"];

/// Blocks that EAD3 has beside paragraphs.
const BLOCKS: [&str; 4] = ["blockquote", "chronlist", "list", "table"];

/// The longest entity name looked for, in bytes with its semicolon.
const MAX_NAME: usize = 40;

/// Prefixes that the root element of an export declares.
const PREFIXES: [&str; 3] = ["xlink:", "xml:", "xsi:"];

/// Where a fragment will stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place<'a> {
    /// The element takes `p`: text is wrapped in paragraphs. Elsewhere paragraphs are unwrapped.
    pub(crate) paragraphs: bool,
    /// Markup becomes what EAD3 has in an element of this name. EAD 2002 (none) has its link attributes in the XLink
    /// namespace.
    pub(crate) ead3: Option<&'a str>,
}

/// The fragment for a text: rules 1 to 5 of section 6.3.
pub(crate) fn fragment<'c>(content: &'c str, place: Place) -> Cow<'c, str> {
    // Nearly every text is as simple as that.
    if !place.paragraphs && is_plain(content) {
        return Cow::Borrowed(content);
    }
    Cow::Owned(rewritten(content, place))
}

/// Whether no rule changes anything in the text: it has no markup, no reference, nothing that XML cannot hold, and no quotation
/// mark that becomes a straight one (those begin with the byte E2).
fn is_plain(content: &str) -> bool {
    content.bytes().all(|byte| match byte {
        b'&' | b'<' | b'>' | 0xE2 | 0xEF => false,
        byte => byte >= b' ' || matches!(byte, b'\n' | b'\t' | b'\r'),
    })
}

fn rewritten(content: &str, place: Place) -> String {
    let content = normal(content);
    if !place.paragraphs {
        let content = without_paragraphs(&content);
        return if has_tags(&content) {
            markup(&content, place).unwrap_or_else(|| escaped(&content))
        } else {
            escaped(&content)
        };
    }
    let content = content.replace("\n\t", "\n\n");
    if content.trim().is_empty() {
        return String::new();
    }
    if !has_tags(&content) {
        return in_paragraphs(&escaped(&content));
    }
    let wrapped = if starts_paragraph(&content) { None } else { markup(&in_blocks(&content, place), place) };
    wrapped.or_else(|| markup(&content, place)).unwrap_or_else(|| in_paragraphs(&escaped(&content)))
}

/// The text as well-formed as one can make it without paragraphs: for what goes in raw (rule 5).
pub(crate) fn raw(content: &str) -> Option<String> {
    let content = normal(content);
    well_formed(&content).then(|| content.into_owned())
}

/// A head that stands at the start of a text, and the rest of the text.
pub(crate) fn split_head(content: &str) -> Option<(&str, &str)> {
    let rest = content.trim_start().strip_prefix("<head")?;
    let (attributes, rest) = rest.split_once('>')?;
    if !(attributes.is_empty() || attributes.starts_with(char::is_whitespace)) || attributes.ends_with('/') {
        return None;
    }
    rest.split_once("</head>")
}

/// Rules 1 and 2, and no character that XML cannot hold.
fn normal(content: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '&' | '\u{201C}' | '\u{201D}' | '\u{2018}' | '\u{2019}') || !xml::allowed(c);
    let mut out = if content.contains(special) { Cow::Owned(straight(content)) } else { Cow::Borrowed(content) };
    if out.contains("br>") {
        out = Cow::Owned(out.replace("<br>", "<br/>").replace("</br>", ""));
    }
    out
}

fn straight(content: &str) -> String {
    let mut out = String::with_capacity(content.len() + 16);
    let mut chars = content.chars();
    while let Some(c) = chars.next() {
        match c {
            '\u{201C}' | '\u{201D}' => out.push('"'),
            '\u{2018}' | '\u{2019}' => out.push('\''),
            '&' => {
                let after = chars.as_str();
                let name = after.bytes().take(MAX_NAME).position(|b| b == b';').and_then(|end| after.get(..end));
                match name.map(|name| (name, named(name))) {
                    Some((name, _)) if known(name) => out.push('&'),
                    Some((name, Some(meant))) => {
                        out.push_str(&partial_escape(meant));
                        chars = after[name.len() + 1..].chars();
                    }
                    _ => out.push_str("&amp;"),
                }
            }
            c if xml::allowed(c) => out.push(c),
            _ => {}
        }
    }
    out
}

/// The character of `#233` or `#xE9`, if XML may hold it.
pub(crate) fn numbered(name: &str) -> Option<char> {
    let digits = name.strip_prefix('#')?;
    let code = match digits.strip_prefix('x') {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => u32::from_str_radix(hex, 16).ok()?,
        None if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok()?,
        _ => return None,
    };
    char::from_u32(code).filter(|c| xml::allowed(*c))
}

/// The text of an entity that XML, HTML or the ISO sets of the EAD DTD name.
pub(crate) fn named(name: &str) -> Option<&'static str> {
    resolve_html5_entity(name)
}

/// Whether the text looks like markup at all.
pub(crate) fn has_tags(content: &str) -> bool {
    content.split_once('<').is_some_and(|(_, rest)| rest.split_once('>').is_some_and(|(name, _)| !name.is_empty()))
}

fn starts_paragraph(content: &str) -> bool {
    let rest = content.trim_start().strip_prefix("<p");
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace() || c == '/' || c == '>'))
}

/// The blocks between blank lines, each a paragraph.
fn in_paragraphs(content: &str) -> String {
    let blocks = content.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
    blocks.fold(String::with_capacity(content.len() + 7), |out, block| out + "<p>" + block + "</p>")
}

/// As [`in_paragraphs`], but EAD3 has no tables and the like in paragraphs, so they stay outside.
fn in_blocks(content: &str, place: Place) -> String {
    if place.ead3.is_none() {
        return in_paragraphs(content);
    }
    let blocks = content.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
    blocks.fold(String::with_capacity(content.len() + 7), |out, block| {
        let name = block.strip_prefix('<').unwrap_or_default().split([' ', '>', '/']).next().unwrap_or_default();
        let apart = BLOCKS.contains(&name) && block.ends_with(&format!("</{name}>"));
        if apart { out + block } else { out + "<p>" + block + "</p>" }
    })
}

/// The text without paragraph tags.
pub(crate) fn without_paragraphs(content: &str) -> Cow<'_, str> {
    if !content.contains("<p") && !content.contains("</p>") {
        return Cow::Borrowed(content);
    }
    let mut out = String::with_capacity(content.len());
    let mut rest = content;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find('>').map_or(rest.len(), |end| end + 1);
        let tag = &rest[..end];
        if !(tag == "</p>" || starts_paragraph(tag)) {
            out.push_str(tag);
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Normal text whose tags become text.
fn escaped(content: &str) -> String {
    content.replace('<', "&lt;").replace('>', "&gt;")
}

/// Normal text that keeps its tags, if it can; link attributes get their prefix.
fn markup(content: &str, place: Place) -> Option<String> {
    if let Some(around) = place.ead3 {
        return well_formed(content).then(|| ead3_text::ead3(content, around));
    }
    let linked = with_xlink(content);
    if well_formed(&linked) {
        return Some(linked.into_owned());
    }
    well_formed(content).then(|| content.to_owned())
}

/// Rule 4: the attributes of linking elements gain the prefix `xlink:`.
fn with_xlink(content: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut rest = content;
    let mut changed = false;
    while let Some(at) = rest.find('<') {
        let (before, tag_on) = rest.split_at(at);
        out.push_str(before);
        let end = tag_on.find('>').map_or(tag_on.len(), |end| end + 1);
        let name = tag_on[1..end].split(|c: char| c.is_whitespace() || c == '>' || c == '/').next().unwrap_or_default();
        if LINKING.contains(&name) {
            let tag = LINK_ATTRIBUTES.iter().fold(tag_on[..end].to_owned(), |tag, attribute| {
                tag.replace(&format!(" {attribute}="), &format!(" xlink:{attribute}="))
            });
            changed |= tag.len() != end;
            out.push_str(&tag);
        } else {
            out.push_str(&tag_on[..end]);
        }
        rest = &tag_on[end..];
    }
    out.push_str(rest);
    if changed { Cow::Owned(out) } else { Cow::Borrowed(content) }
}

/// Whether the fragment can stand in an export: balanced, its entities and prefixes known, no attribute twice.
pub(crate) fn well_formed(fragment: &str) -> bool {
    let mut reader = Reader::from_str(fragment);
    let config = reader.config_mut();
    config.check_end_names = true;
    config.check_comments = true;
    let mut open = 0_i32;
    loop {
        let fine = match reader.read_event() {
            Ok(Event::Start(tag)) => {
                open += 1;
                sound(&tag)
            }
            Ok(Event::Empty(tag)) => sound(&tag),
            Ok(Event::End(_)) => {
                open -= 1;
                true
            }
            Ok(Event::Text(text)) => !text.contains("]]>") && text.chars().all(xml::allowed),
            Ok(Event::GeneralRef(name)) => known(&name),
            Ok(Event::CData(_) | Event::Comment(_)) => true,
            Ok(Event::Eof) => return open == 0,
            Ok(Event::Decl(_) | Event::PI(_) | Event::DocType(_)) | Err(_) => false,
        };
        if !fine {
            return false;
        }
    }
}

fn known(reference: &str) -> bool {
    matches!(reference, "amp" | "lt" | "gt" | "quot" | "apos") || numbered(reference).is_some()
}

/// Whether a tag's name and attributes are as XML wants them.
fn sound(tag: &BytesStart) -> bool {
    let name = tag.name();
    let name: &str = name.as_ref();
    if !is_name(name) || name.contains(':') {
        return false;
    }
    let mut seen = HashSet::new();
    tag.attributes().all(|attribute| {
        let Ok(attribute) = attribute else { return false };
        let key = attribute.key.0;
        let bare = PREFIXES.iter().find_map(|prefix| key.strip_prefix(prefix)).unwrap_or(key);
        let value: &str = &attribute.value;
        let references = value.split('&').skip(1).all(|rest| rest.split_once(';').is_some_and(|(name, _)| known(name)));
        is_name(bare)
            && !bare.contains(':')
            && key != "xmlns"
            && !value.contains('<')
            && references
            && seen.insert(key.to_owned())
    })
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Place<'static> = Place { paragraphs: false, ead3: None };
    const NOTE: Place<'static> = Place { paragraphs: true, ead3: None };

    #[test]
    fn text_becomes_a_fragment_by_the_rules() {
        for (place, content, wanted) in [
            (PLAIN, "“Dear” ‘Sir’", "\"Dear\" 'Sir'"),
            (PLAIN, "one<br>two", "one<br/>two"),
            (
                PLAIN,
                "Smith & Sons &amp; Co &#233; &eacute; &nosuch;",
                "Smith &amp; Sons &amp; Co &#233; é &amp;nosuch;",
            ),
            (PLAIN, "<p>first</p><p/>", "first"),
            (PLAIN, "a < b > c", "a &lt; b &gt; c"),
            (PLAIN, "<emph>open", "&lt;emph&gt;open"),
            (PLAIN, "<emph render=\"italic\">x</emph>", "<emph render=\"italic\">x</emph>"),
            (
                PLAIN,
                "<extref href=\"u\" show=\"new\">x</extref>",
                "<extref xlink:href=\"u\" xlink:show=\"new\">x</extref>",
            ),
            (PLAIN, "<extref xlink:href=\"u\">x</extref>", "<extref xlink:href=\"u\">x</extref>"),
            (PLAIN, "<persname role=\"aut\">x</persname>", "<persname role=\"aut\">x</persname>"),
            (PLAIN, "<ns2:emph>x</ns2:emph>", "&lt;ns2:emph&gt;x&lt;/ns2:emph&gt;"),
            (PLAIN, "bell\u{7} and \u{1F4DC}", "bell and \u{1F4DC}"),
            (PLAIN, "end ]]> of", "end ]]&gt; of"),
            (PLAIN, "Größe 1\n\t\u{2014} \u{FFFF}2", "Größe 1\n\t\u{2014} 2"),
            (NOTE, "one", "<p>one</p>"),
            (NOTE, "one\n\ntwo\n\n\n\nthree\n", "<p>one</p><p>two</p><p>three</p>"),
            (NOTE, "<p>kept</p>", "<p>kept</p>"),
            (NOTE, " <p id=\"a\">kept</p>", " <p id=\"a\">kept</p>"),
            (NOTE, "<pre>not a paragraph</pre>", "<p><pre>not a paragraph</pre></p>"),
            (NOTE, "<table>a\n\nb</table>", "<table>a\n\nb</table>"),
            (NOTE, "<p>open", "<p>&lt;p&gt;open</p>"),
            (NOTE, "a <b c", "<p>a &lt;b c</p>"),
            (NOTE, "  ", ""),
        ] {
            assert_eq!(fragment(content, place), wanted, "{content:?}");
        }
    }

    #[test]
    fn fragments_are_proved() {
        for (content, wanted) in [
            ("", true),
            ("plain", true),
            ("<a><b/></a>", true),
            ("<a></b>", false),
            ("</a>", false),
            ("<a b=\"1\" b=\"2\"/>", false),
            ("<a b=1/>", false),
            ("<a b=\"&nbsp;\"/>", false),
            ("<a b=\"x<y\"/>", false),
            ("<a xmlns=\"urn:x\"/>", false),
            ("<a q:b=\"1\"/>", false),
            ("<1/>", false),
            ("< a>", false),
            ("&nbsp;", false),
            ("&#0;", false),
            ("&#xE9;", true),
            ("<!-- a -- b -->", false),
            ("<![CDATA[x]]>", true),
            ("<?php x ?>", false),
            ("<!DOCTYPE x>", false),
            ("a & b", false),
        ] {
            assert_eq!(well_formed(content), wanted, "{content:?}");
        }
    }

    #[test]
    fn a_head_is_taken_off() {
        assert_eq!(split_head("<head>Scope</head><p>x</p>"), Some(("Scope", "<p>x</p>")));
        assert_eq!(split_head(" <head id=\"a\">Scope</head>x"), Some(("Scope", "x")));
        assert_eq!(split_head("<header>Scope</header>"), None);
        assert_eq!(split_head("<head/>x"), None);
        assert_eq!(split_head("x <head>Scope</head>"), None);
    }
}
