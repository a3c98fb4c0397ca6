//! The texts of a finding aid as paragraphs, lists and pieces of one look.

use crate::{
    block::{BULLET, Block, Face, Span},
    element::{Element, Node},
    numbering::Numbering,
};

/// Elements that stand by themselves, not within a line.
const APART: [&str; 14] = [
    "p",
    "list",
    "chronlist",
    "index",
    "table",
    "blockquote",
    "note",
    "address",
    "dl",
    "legalstatus",
    "bibref",
    "indexentry",
    "chronitem",
    "odd",
];

/// What stands between neighbours in these elements, if nothing else does: exports put nothing there.
const BETWEEN: [(&str, &str); 7] = [
    ("physdesc", "; "),
    ("langmaterial", ", "),
    ("origination", "; "),
    ("namegrp", "; "),
    ("ptrgrp", "; "),
    ("indexentry", ", "),
    ("eventgrp", "\u{2028}"),
];

/// The text of an element in pieces of one look, with single spaces.
pub(crate) fn spans(element: &Element) -> Vec<Span> {
    let mut all = Vec::new();
    add(element, Face::Regular, None, &mut all);
    tidy(all)
}

/// The text of an element with what its empty elements tell, as [`spans`] has it.
pub(crate) fn told(element: &Element) -> String {
    spans(element).into_iter().map(|span| span.text).collect()
}

fn add(parent: &Element, face: Face, link: Option<&str>, all: &mut Vec<Span>) {
    let between = BETWEEN.iter().find(|(name, _)| *name == parent.name).map(|(_, between)| *between);
    let mut follows_element = false;
    for node in &parent.content {
        match node {
            Node::Text(text) if between.is_some() && follows_element && text.trim().is_empty() => {}
            Node::Text(text) => {
                follows_element = false;
                all.push(Span { text: text.clone(), face, link: link.map(str::to_owned) });
            }
            Node::Element(element) if element.name == "lb" => {
                all.push(Span { text: "\u{2028}".to_owned(), face, link: None });
            }
            Node::Element(element) => {
                if let Some(between) = between.filter(|_| std::mem::replace(&mut follows_element, true)) {
                    all.push(Span { text: between.to_owned(), face, link: None });
                }
                let render = element.attribute("render").unwrap_or_default();
                let own = match element.name.as_str() {
                    _ if render.contains("bold") => Face::Bold,
                    _ if render.contains("italic") => Face::Italic,
                    "title" | "emph" if render.is_empty() => Face::Italic,
                    _ => face,
                };
                let own_link = element.attribute("href").filter(|target| is_address(target)).or(link);
                if element.content.is_empty() {
                    let told = element.attribute("title").or(own_link).unwrap_or_default();
                    all.push(Span { text: told.to_owned(), face: own, link: own_link.map(str::to_owned) });
                }
                add(element, own, own_link, all);
                if APART.contains(&element.name.as_str()) {
                    all.push(Span { text: " ".to_owned(), face, link: None });
                }
            }
        }
    }
}

/// Single spaces, none at the ends.
fn tidy(all: Vec<Span>) -> Vec<Span> {
    let mut tidied: Vec<Span> = Vec::new();
    let mut after_space = true;
    for span in all {
        let mut text = String::new();
        for character in span.text.chars() {
            match character {
                '\u{2028}' => {
                    text.push('\n');
                    after_space = true;
                }
                c if c.is_whitespace() && c != '\u{a0}' => {
                    if !after_space {
                        text.push(' ');
                    }
                    after_space = true;
                }
                c => {
                    text.push(c);
                    after_space = false;
                }
            }
        }
        if !text.is_empty() {
            tidied.push(Span { text, ..span });
        }
    }
    if let Some(last) = tidied.last_mut() {
        last.text.truncate(last.text.trim_end().len());
    }
    tidied.retain(|span| !span.text.is_empty());
    tidied
}

/// Adds what is in an element as blocks, without its heading.
pub(crate) fn blocks(element: &Element, indent: u8, out: &mut Vec<Block>) {
    let mut line = Element::default();
    for node in &element.content {
        match node {
            Node::Element(inner) if inner.name == "head" => {}
            Node::Element(inner) if APART.contains(&inner.name.as_str()) || is_note(inner) => {
                paragraph(&std::mem::take(&mut line), indent, out);
                apart(inner, indent, out);
            }
            other => line.content.push(other.clone()),
        }
    }
    paragraph(&line, indent, out);
}

/// Whether an element is a note within a note: it has a heading of its own.
fn is_note(element: &Element) -> bool {
    element.child("head").is_some() || element.child("p").is_some()
}

fn paragraph(element: &Element, indent: u8, out: &mut Vec<Block>) {
    let spans = spans(element);
    if !spans.is_empty() {
        out.push(Block::Paragraph { spans, indent });
    }
}

fn apart(element: &Element, indent: u8, out: &mut Vec<Block>) {
    if let (Some(head), true) = (element.child("head"), element.name != "table") {
        out.push(Block::Paragraph { spans: vec![Span::bold(head.text())], indent });
    }
    match element.name.as_str() {
        "p" | "bibref" | "legalstatus" => inline_or_lists(element, indent, out),
        "list" => {
            let numbering = (element.attribute("type") == Some("ordered"))
                .then(|| Numbering::named(element.attribute("numeration").unwrap_or_default()));
            let mut number = 0;
            for item in element.elements().filter(|inner| inner.name != "head") {
                match item.name.as_str() {
                    "defitem" => pair(item.child("label"), item.child("item"), indent, out),
                    "listhead" => {}
                    _ => {
                        number += 1;
                        let mark = numbering.map_or_else(|| BULLET.to_owned(), |of| format!("{}.", of.number(number)));
                        listed(item, mark, indent, out);
                    }
                }
            }
        }
        "chronlist" => {
            for item in element.elements().filter(|inner| inner.name == "chronitem") {
                let events = item.child("eventgrp").or_else(|| item.child("event"));
                pair(item.child("date"), events, indent, out);
            }
        }
        "index" => blocks(element, indent, out),
        "indexentry" => out.push(Block::Item { mark: BULLET.to_owned(), spans: spans(element), indent }),
        "table" => {
            let mut rows = Vec::new();
            rows_of(element, &mut rows);
            for row in rows {
                let cells: Vec<String> = row.elements().map(Element::text).filter(|text| !text.is_empty()).collect();
                out.push(Block::Paragraph { spans: vec![Span::plain(cells.join(" | "))], indent });
            }
        }
        "address" => {
            let lines: Vec<String> = element.elements().map(told).collect();
            out.push(Block::Paragraph { spans: vec![Span::plain(lines.join("\n"))], indent });
        }
        _ => blocks(element, indent + 1, out),
    }
}

/// A paragraph may have lists in it.
fn inline_or_lists(element: &Element, indent: u8, out: &mut Vec<Block>) {
    if element.elements().any(|inner| ["list", "chronlist", "table"].contains(&inner.name.as_str())) {
        blocks(element, indent, out);
    } else {
        paragraph(element, indent, out);
    }
}

/// An entry of a list, with the lists in it below.
fn listed(item: &Element, mark: String, indent: u8, out: &mut Vec<Block>) {
    let is_list = |node: &Node| matches!(node, Node::Element(inner) if inner.name == "list");
    let (lists, line): (Vec<Node>, Vec<Node>) = item.content.iter().cloned().partition(is_list);
    let spans = spans(&Element::of(line));
    if !spans.is_empty() {
        out.push(Block::Item { mark, spans, indent });
    }
    for list in lists {
        if let Node::Element(list) = list {
            apart(&list, indent + 1, out);
        }
    }
}

fn pair(label: Option<&Element>, told: Option<&Element>, indent: u8, out: &mut Vec<Block>) {
    let spans = told.map(spans).unwrap_or_default();
    out.push(Block::Pair { label: label.map(Element::text).unwrap_or_default(), spans, indent });
}

fn rows_of<'e>(element: &'e Element, rows: &mut Vec<&'e Element>) {
    for inner in element.elements() {
        if inner.name == "row" { rows.push(inner) } else { rows_of(inner, rows) }
    }
}

/// Whether a link leads to a place on the web or to a person; others, such as scripts, are not followed from paper.
pub(crate) fn is_address(target: &str) -> bool {
    let scheme = target.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    scheme.is_some_and(|scheme| ["http", "https", "ftp", "mailto"].contains(&scheme.as_str()))
        && !target.contains(|c: char| c.is_control() || c.is_whitespace())
}
