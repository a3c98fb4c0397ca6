//! EAD3 as EAD 2002 (section 6.6, the other way round): each element that was read is rewritten into what the rest of the
//! import knows. What only EAD3 can say is in attributes whose names begin with `ead3:`, which no file has.

use serde_json::{Value, json};

use super::tree::{Element, Node};

/// The label of a date.
pub(super) const LABEL: &str = "ead3:label";
/// A digital object that stands for the record.
pub(super) const REPRESENTATIVE: &str = "ead3:representative";
/// The type of a digital object.
pub(super) const OBJECT_TYPE: &str = "ead3:type";

/// Elements whose text is in parts, and what stands between the parts.
const IN_PARTS: [(&str, &str); 10] = [
    ("corpname", ", "),
    ("famname", ", "),
    ("name", ", "),
    ("persname", ", "),
    ("function", " -- "),
    ("genreform", " -- "),
    ("geogname", " -- "),
    ("occupation", " -- "),
    ("subject", " -- "),
    ("title", " -- "),
];

/// Names of numerations.
const NUMERATIONS: [(&str, &str); 5] = [
    ("decimal", "arabic"),
    ("lower-alpha", "loweralpha"),
    ("upper-alpha", "upperalpha"),
    ("lower-roman", "lowerroman"),
    ("upper-roman", "upperroman"),
];

/// Attributes of dates that are the same in both.
const OF_DATES: [&str; 4] = ["certainty", "era", "calendar", "audience"];

/// An element of a description as EAD 2002 has it.
pub(super) fn old(element: Element) -> Vec<Element> {
    let nodes = rewritten(element).into_iter();
    nodes
        .filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
        .collect()
}

/// `control` as `eadheader`.
pub(super) fn header(control: &Element) -> Element {
    let mut header = made("eadheader", control.line(), &[], Vec::new());
    let status = control.elements().find(|child| child.attribute("localtype") == Some("findaidstatus"));
    if let Some(status) = status {
        header.tag.attributes.push(("findaidstatus".to_owned(), status.text()));
    }
    if let Some(id) = control.child("recordid") {
        let url = [("url", id.attribute("instanceurl").unwrap_or_default())];
        header.children.push(Node::Element(made("eadid", id.line(), &url, id.children.clone())));
    }
    header.children.extend(control.child("filedesc").cloned().into_iter().flat_map(rewritten));
    let mut profile = made("profiledesc", control.line(), &[], Vec::new());
    if let Some(declared) = control.child("languagedeclaration") {
        let of = |name: &str, key: &str| declared.child(name).and_then(|child| child.attribute(key));
        let codes = [
            ("langcode", of("language", "langcode").unwrap_or_default()),
            ("scriptcode", of("script", "scriptcode").unwrap_or_default()),
        ];
        let language = made("language", declared.line(), &codes, Vec::new());
        let note = declared.child("descriptivenote").cloned().map(Node::Element);
        let children = std::iter::once(Node::Element(language)).chain(note).collect();
        profile.children.push(Node::Element(made("langusage", declared.line(), &[], children)));
    }
    let convention = control.child("conventiondeclaration");
    if let Some(rules) = convention.and_then(|of| of.child("abbr").or_else(|| of.child("citation"))) {
        profile.children.push(Node::Element(made("descrules", rules.line(), &[], rules.children.clone())));
    }
    header.children.push(Node::Element(profile));
    let history = control.child("maintenancehistory").into_iter().flat_map(Element::elements);
    let revised =
        |event: &&Element| event.child("eventtype").and_then(|kind| kind.attribute("value")) == Some("revised");
    let changes = history.filter(revised).map(|event| Node::Element(change(event))).collect();
    header.children.push(Node::Element(made("revisiondesc", control.line(), &[], changes)));
    header
}

/// A revision as a change.
fn change(event: &Element) -> Element {
    let audience = [("audience", event.attribute("audience").unwrap_or_default())];
    let part = |name: &str, old: &str| {
        event.child(name).map(|part| Node::Element(made(old, part.line(), &[], part.children.clone())))
    };
    let children = part("eventdatetime", "date").into_iter().chain(part("eventdescription", "item")).collect();
    made("change", event.line(), &audience, children)
}

/// The rights that `control` declares, as records.
pub(super) fn rights(control: &Element) -> Vec<Value> {
    let declarations = control.elements().filter(|child| child.name() == "rightsdeclaration");
    let declared = declarations.map(|of| {
        let mut rights = json!({"jsonmodel_type": "metadata_rights_declaration"});
        let citation = of.child("citation");
        let link = |key: &str| citation.and_then(|citation| citation.attribute(key)).map(str::to_owned);
        let fields = [
            ("license", of.child("abbr").map(Element::text)),
            ("descriptive_note", of.child("descriptivenote").map(Element::formatted)),
            ("file_uri", link("href")),
            ("xlink_arcrole_attribute", link("arcrole")),
            ("xlink_role_attribute", link("linkrole")),
        ];
        for (key, value) in fields {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                rights[key] = value.into();
            }
        }
        rights
    });
    declared.collect()
}

fn made(name: &str, line: u64, attributes: &[(&str, &str)], children: Vec<Node>) -> Element {
    let mut element = Element { children, ..Element::default() };
    name.clone_into(&mut element.tag.name);
    element.tag.line = line;
    let filled = attributes.iter().filter(|(_, value)| !value.is_empty());
    element.tag.attributes = filled.map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    element
}

/// What stands for an element of EAD3.
fn rewritten(mut element: Element) -> Vec<Node> {
    match element.name() {
        // Relations say nothing that records have a place for.
        "relations" | "relation" | "geographiccoordinates" => return Vec::new(),
        "part" | "physdescset" => return all(element.children),
        "did" => {
            element.children = did(element.children);
            return vec![Node::Element(element)];
        }
        "physdescstructured" => return vec![Node::Element(extent(&element, &[]))],
        "unitdatestructured" => return dates(&element, None).into_iter().map(Node::Element).collect(),
        "langmaterial" => return languages(element),
        "dao" => return vec![Node::Element(dao(element, "dao"))],
        "daoset" => return vec![Node::Element(set(element))],
        "chronitem" => element.children = chronology(element.children),
        name => {
            if let Some((_, between)) = IN_PARTS.iter().find(|(of, _)| *of == name) {
                element.children = in_parts(element.children, between);
            }
        }
    }
    rename(&mut element);
    element.children = all(std::mem::take(&mut element.children));
    vec![Node::Element(element)]
}

fn all(nodes: Vec<Node>) -> Vec<Node> {
    let one = |node| match node {
        Node::Element(element) => rewritten(element),
        text @ Node::Text(_) => vec![text],
    };
    nodes.into_iter().flat_map(one).collect()
}

/// Names of elements and attributes.
fn rename(element: &mut Element) {
    let linked = element.attribute("href").is_some();
    let old = match element.name() {
        "ref" if linked => "extref",
        "ptr" if linked => "extptr",
        "didnote" | "controlnote" => "note",
        "chronitemset" => "eventgrp",
        name => name,
    }
    .to_owned();
    let is_link = matches!(old.as_str(), "extref" | "extptr");
    let barcode = element.attribute("containerid").map(str::to_owned).filter(|_| old == "container");
    for (key, value) in &mut element.tag.attributes {
        let renamed = match (old.as_str(), key.as_str()) {
            ("list", "listtype") => {
                if value == "unordered" {
                    "marked".clone_into(value);
                }
                "type"
            }
            ("list", "numeration") => {
                let known = NUMERATIONS.iter().find(|(new, _)| *new == value.as_str());
                known.map_or(value.as_str(), |(_, name)| name).to_owned().clone_into(value);
                "numeration"
            }
            ("container", "label") => {
                if let Some(barcode) = &barcode {
                    value.push_str(&format!(" [{barcode}]"));
                }
                "label"
            }
            (_, "href") if is_link => "xlink:href",
            (_, "show") if is_link => "xlink:show",
            (_, "actuate") if is_link => "xlink:actuate",
            (_, "linktitle") if is_link => "xlink:title",
            (_, "linkrole") if is_link => "xlink:role",
            (_, "arcrole") if is_link => "xlink:arcrole",
            (_, "localtype") => "type",
            (_, "unitdatetype") => "type",
            (_, "datechar") => LABEL,
            (_, "identifier") => "authfilenumber",
            (_, "relator") => "role",
            (_, other) => other,
        };
        *key = renamed.to_owned();
    }
    if let Some(barcode) = barcode.filter(|_| element.attribute("label").is_none()) {
        element.tag.attributes.push(("label".to_owned(), format!("mixed_materials [{barcode}]")));
    }
    element.tag.name = old;
}

/// The parts of a name or term as one text.
fn in_parts(children: Vec<Node>, between: &str) -> Vec<Node> {
    let is_part = |node: &Node| matches!(node, Node::Element(element) if element.name() == "part");
    if !children.iter().any(is_part) {
        return children;
    }
    let mut whole = Vec::new();
    for node in children.into_iter().filter(is_part) {
        if !whole.is_empty() {
            whole.push(Node::Text(between.to_owned()));
        }
        whole.push(node);
    }
    whole
}

/// What is in a `did`: structured extents and dates with what is said of them beside.
fn did(children: Vec<Node>) -> Vec<Node> {
    let elements = children.into_iter().filter_map(|node| match node {
        Node::Element(element) => Some(element),
        Node::Text(_) => None,
    });
    let mut elements: std::collections::VecDeque<Element> = elements.collect();
    let said_first = said_before(elements.make_contiguous());
    let is_summary =
        |element: &Element| element.name() == "physdesc" && element.attribute("localtype") == Some("container_summary");
    let mut done = Vec::new();
    while let Some(element) = elements.pop_front() {
        let next = elements.front();
        match element.name() {
            "physdescstructured" => {
                let mut summaries = Vec::new();
                while let Some(summary) = elements.pop_front_if(|next| is_summary(next)) {
                    summaries.push(summary);
                }
                done.push(Node::Element(extent(&element, &summaries)));
            }
            "physdesc" => {
                // A note: its text.
                let text = vec![Node::Text(element.text())];
                let mut note = Element { children: text, ..element };
                rename(&mut note);
                note.tag.attributes.retain(|(key, _)| key != "type");
                done.push(Node::Element(note));
            }
            "unitdate" if said_first && next.is_some_and(|next| next.name() == "unitdatestructured") => {
                let structured = elements.pop_front().unwrap_or_default();
                done.extend(dates(&structured, Some(&element)).into_iter().map(Node::Element));
            }
            "unitdatestructured" => {
                let said = next.filter(|next| !said_first && next.name() == "unitdate" && is_same(&element, next));
                let said = said.is_some().then(|| elements.pop_front()).flatten();
                done.extend(dates(&element, said.as_ref()).into_iter().map(Node::Element));
            }
            _ => done.extend(rewritten(element)),
        }
    }
    done
}

/// Whether each structured date follows the same date in words, as files made by hand have it. Exports have the words behind
/// it, and say of both what date it is.
fn said_before(elements: &[Element]) -> bool {
    let dates: Vec<&Element> = elements.iter().filter(|element| element.name().starts_with("unitdate")).collect();
    let is_pair = |pair: &[&Element]| match pair {
        [said, structured] => {
            said.name() == "unitdate"
                && structured.name() == "unitdatestructured"
                && structured.attribute("datechar").is_none()
                && is_same(structured, said)
        }
        _ => false,
    };
    !dates.is_empty() && dates.chunks(2).all(is_pair)
}

/// Whether two elements are about the same date.
fn is_same(one: &Element, other: &Element) -> bool {
    let keys = OF_DATES.iter().chain(&["datechar", "unitdatetype"]);
    other.attribute("normal").is_none() && keys.into_iter().all(|key| one.attribute(key) == other.attribute(key))
}

/// An extent with what it is contained in.
fn extent(structured: &Element, summaries: &[Element]) -> Element {
    let text = |name: &str| structured.child(name).map(Element::text).unwrap_or_default();
    let line = structured.line();
    let of = |name: &str, text: String| Node::Element(made(name, line, &[], vec![Node::Text(text)]));
    let mut children = vec![of("extent", format!("{} {}", text("quantity"), text("unittype")))];
    children.extend(summaries.iter().map(|summary| of("extent", summary.text())));
    let further = structured.elements().filter(|child| matches!(child.name(), "physfacet" | "dimensions"));
    children.extend(further.cloned().flat_map(rewritten));
    let portion = structured.attribute("coverage").unwrap_or("whole");
    let audience = structured.attribute("audience").unwrap_or_default();
    made("physdesc", line, &[("altrender", portion), ("audience", audience)], children)
}

/// The dates of a structured date, and how they are said.
fn dates(structured: &Element, said: Option<&Element>) -> Vec<Element> {
    let sets = structured.elements().flat_map(|child| {
        let inner: Vec<&Element> = if child.name() == "dateset" { child.elements().collect() } else { vec![child] };
        inner
    });
    let known = sets.filter(|date| matches!(date.name(), "datesingle" | "daterange"));
    let mut made: Vec<Element> = known.map(|date| date_of(structured, date, said)).collect();
    if let (true, Some(said)) = (made.is_empty(), said) {
        made.extend(old(said.clone()));
    }
    made
}

fn date_of(structured: &Element, date: &Element, said: Option<&Element>) -> Element {
    let of = |date: &Element| {
        let text = date.text();
        date.attribute("standarddate").map_or(text, str::to_owned)
    };
    let is_single = date.name() == "datesingle";
    let kind = structured.attribute("unitdatetype").filter(|kind| !is_single || *kind == "bulk");
    let kind = kind.unwrap_or(if is_single { "single" } else { "inclusive" });
    let (normal, mut words) = if is_single {
        let day = of(date);
        let words = if date.text() == day { Vec::new() } else { date.children.clone() };
        // A single date that is said beside has an end, which is the same.
        (if said.is_some() { format!("{day}/{day}") } else { day }, words)
    } else {
        let part = |name: &str| date.child(name).map(of).unwrap_or_default();
        (format!("{}/{}", part("fromdate"), part("todate")), Vec::new())
    };
    if let Some(said) = said {
        words.clone_from(&said.children);
    }
    let mut attributes = vec![("normal", normal.trim_end_matches('/')), ("type", kind)];
    attributes.extend(OF_DATES.iter().filter_map(|key| Some((*key, structured.attribute(key)?))));
    attributes.extend(structured.attribute("datechar").map(|label| (LABEL, label)));
    made("unitdate", structured.line(), &attributes, all(words))
}

/// Languages, and each note on them as an element of its own.
fn languages(element: Element) -> Vec<Node> {
    let line = element.line();
    let (mut coded, mut notes) = (Vec::new(), Vec::new());
    for child in element.elements() {
        let (language, script) = match child.name() {
            "languageset" => (child.child("language"), child.child("script")),
            "language" => (Some(child), None),
            _ => (None, None),
        };
        if let Some(language) = language {
            let code = language.attribute("langcode").unwrap_or_default();
            let script = script.and_then(|script| script.attribute("scriptcode"));
            let script = script.or(language.attribute("scriptcode")).unwrap_or_default();
            if code.is_empty() {
                notes.push(language.children.clone());
            } else {
                let codes = [("langcode", code), ("scriptcode", script)];
                coded.push(Node::Element(made("language", language.line(), &codes, Vec::new())));
            }
        }
        let sets = child.elements().filter(|inner| child.name() == "languageset" && inner.name() == "descriptivenote");
        let own = Some(child).filter(|child| child.name() == "descriptivenote");
        notes.extend(sets.chain(own).map(|note| note.children.clone()));
    }
    let keep = |children: Vec<Node>| {
        let mut kept = Element { children, ..Element::default() };
        kept.tag = element.tag.clone();
        kept.tag.line = line;
        rename(&mut kept);
        Node::Element(kept)
    };
    let coded = Some(coded).filter(|coded| !coded.is_empty());
    coded.into_iter().chain(notes.into_iter().map(all)).map(keep).collect()
}

/// A digital object of one file, or a file of one.
fn dao(element: Element, name: &str) -> Element {
    let of = |key: &str| element.attribute(key).unwrap_or_default().to_owned();
    let role = of("linkrole");
    let is_representative = role.ends_with("representative");
    let used = if is_representative || !of("localtype").is_empty() { of("localtype") } else { role };
    let mut attributes = vec![
        ("xlink:href", of("href")),
        ("xlink:title", of("linktitle")),
        ("xlink:role", used),
        ("xlink:show", spelled(&of("show"))),
        ("xlink:actuate", spelled(&of("actuate"))),
        ("audience", of("audience")),
    ];
    if of("daotype") == "otherdaotype" {
        attributes.push((OBJECT_TYPE, of("otherdaotype")));
    }
    if is_representative {
        attributes.push((REPRESENTATIVE, "true".to_owned()));
    }
    let attributes: Vec<(&str, &str)> = attributes.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let notes = element.elements().filter(|child| child.name() == "descriptivenote");
    let notes = notes.map(|note| Node::Element(made("daodesc", note.line(), &[], all(note.children.clone()))));
    made(name, element.line(), &attributes, notes.collect())
}

/// Values of links as EAD 2002 writes them.
fn spelled(value: &str) -> String {
    match value {
        "onload" => "onLoad",
        "onrequest" => "onRequest",
        other => other,
    }
    .to_owned()
}

/// A digital object of several files: what is said of its first file is said of it.
fn set(element: Element) -> Element {
    let line = element.line();
    let representative = element.attribute("linkrole") == Some("representative");
    let files = element.elements().filter(|child| child.name() == "dao").cloned().collect::<Vec<_>>();
    let mut group = files.first().map_or_else(Element::default, |first| dao(first.clone(), "daogrp"));
    group.tag.name = "daogrp".to_owned();
    group.tag.line = line;
    group.tag.attributes.retain(|(key, _)| matches!(key.as_str(), "xlink:title" | OBJECT_TYPE));
    if representative {
        group.tag.attributes.push((REPRESENTATIVE.to_owned(), "true".to_owned()));
    }
    for (number, file) in files.into_iter().enumerate() {
        let mut location = dao(file, "daoloc");
        let label = number.to_string();
        let shown: Vec<(String, String)> = location
            .tag
            .attributes
            .iter()
            .filter(|(key, _)| matches!(key.as_str(), "xlink:show" | "xlink:actuate"))
            .cloned()
            .collect();
        location.tag.attributes.retain(|(key, _)| key != "xlink:title");
        location.tag.attributes.push(("xlink:label".to_owned(), label.clone()));
        let mut arc = made("arc", line, &[("xlink:to", &label)], Vec::new());
        arc.tag.attributes.extend(shown);
        location.children.clear();
        group.children.extend([Node::Element(location), Node::Element(arc)]);
    }
    group
}

/// Dates and events of a chronology.
fn chronology(children: Vec<Node>) -> Vec<Node> {
    let one = |node| match node {
        Node::Element(element) if matches!(element.name(), "datesingle" | "daterange" | "dateset") => {
            let text = match element.name() {
                "daterange" => {
                    let part = |name: &str| element.child(name).map(Element::text).unwrap_or_default();
                    format!("{}-{}", part("fromdate"), part("todate"))
                }
                "dateset" => element.elements().map(Element::text).collect::<Vec<_>>().join(", "),
                _ => element.text(),
            };
            Node::Element(made("date", element.line(), &[], vec![Node::Text(text)]))
        }
        node => node,
    };
    children.into_iter().map(one).collect()
}
