//! Notes of several parts, indexes, bibliographies (section 6.4).

use serde_json::{Value, json};

use super::ImportError;
use super::build::{Build, Draft, MISSING, NAME, NOTE, object};
use super::tree::{Content, Element, Node};
use crate::export::{INDEX_ITEMS, MULTIPART};

/// A stretch of a note.
enum Part<'e> {
    Text(String),
    List(&'e Element),
}

/// A note taken apart: its parts in order, and the elements in it that are records or notes of their own.
#[derive(Default)]
struct Parts<'e> {
    content: Content,
    parts: Vec<Part<'e>>,
    apart: Vec<&'e Element>,
}

impl<'e> Parts<'e> {
    fn of(element: &'e Element) -> Parts<'e> {
        let mut parts = Parts::default();
        parts.gather(element, true);
        parts.flush();
        parts
    }

    fn gather(&mut self, element: &'e Element, outermost: bool) {
        for node in &element.children {
            let Node::Element(child) = node else {
                self.content.node(node, true);
                continue;
            };
            match child.name() {
                "head" if outermost => {}
                "list" | "chronlist" => {
                    self.flush();
                    self.parts.push(Part::List(child));
                }
                "p" => {
                    self.content.line_break();
                    self.gather(child, false);
                    self.content.line_break();
                }
                name if stands_apart(name) => self.apart.push(child),
                _ => self.content.node(node, true),
            }
        }
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.content).finish();
        if !text.is_empty() {
            self.parts.push(Part::Text(text));
        }
    }
}

/// Whether an element within a note is described by itself.
fn stands_apart(name: &str) -> bool {
    MULTIPART.contains(&name) || matches!(name, "index" | "bibliography" | "controlaccess" | "dao" | "daogrp")
}

impl Build<'_> {
    pub(super) fn multipart(&mut self, draft: &mut Draft, element: &Element, kind: &str) -> Result<(), ImportError> {
        let line = element.line();
        let published = element.published();
        let parts = Parts::of(element);
        let mut subnotes = Vec::new();
        for part in parts.parts {
            match part {
                Part::Text(text) => {
                    let text = self.limited(draft, line, kind, text, NOTE)?;
                    subnotes.push(json!({"jsonmodel_type": "note_text", "publish": published, "content": text}));
                }
                Part::List(list) => subnotes.extend(self.list(draft, list)?),
            }
        }
        if !subnotes.is_empty() {
            let label = element.child("head").map(Element::formatted);
            self.push_note(
                draft,
                element,
                "note_multipart",
                &[("type", Some(kind.to_owned())), ("label", label)],
                subnotes,
            )?;
        } else if parts.apart.is_empty() {
            self.repair(draft, line, kind, MISSING, "empty note left out")?;
        }
        parts.apart.into_iter().try_for_each(|child| self.describe(draft, child))
    }

    fn push_note(
        &mut self,
        draft: &mut Draft,
        element: &Element,
        model: &str,
        fields: &[(&str, Option<String>)],
        subnotes: Vec<Value>,
    ) -> Result<(), ImportError> {
        let id = element.attribute("id").unwrap_or_default().to_owned();
        let id = self.limited(draft, element.line(), "persistent_id", id, NAME)?;
        let mut note = object(model, fields.iter().cloned().chain([("persistent_id", Some(id))]));
        note["publish"] = element.published().into();
        if model == "note_multipart" {
            note["subnotes"] = subnotes.into();
        } else {
            note["items"] = subnotes.into();
        }
        draft.push("notes", note);
        Ok(())
    }

    /// A list that is not in a note becomes one.
    pub(super) fn loose_list(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        let Some(list) = self.list(draft, element)? else { return Ok(()) };
        self.push_note(draft, element, "note_multipart", &[("type", Some("odd".to_owned()))], vec![list])
    }

    /// A list or chronology as a subnote, nothing if it is empty.
    fn list(&mut self, draft: &Draft, element: &Element) -> Result<Option<Value>, ImportError> {
        let title = element.child("head").map(Element::formatted).unwrap_or_default();
        let title = self.limited(draft, element.line(), "head", title, 16_384)?;
        let kind = element.attribute("type");
        let defined = kind == Some("deflist") || (kind.is_none() && element.child("defitem").is_some());
        let (model, items) = if element.name() == "chronlist" {
            ("note_chronology", self.chronology(draft, element)?)
        } else if defined {
            ("note_definedlist", self.definitions(draft, element)?)
        } else {
            ("note_orderedlist", self.ordered(draft, element)?)
        };
        if items.is_empty() && title.is_empty() {
            return Ok(None);
        }
        let numeration = element.attribute("numeration").filter(|_| model == "note_orderedlist");
        let numeration = self.listed(draft, element, "note_orderedlist_enumeration", numeration)?;
        let mut list = object(model, [("title", Some(title)), ("enumeration", numeration)]);
        list["publish"] = element.published().into();
        list["items"] = items.into();
        Ok(Some(list))
    }

    fn ordered(&mut self, draft: &Draft, element: &Element) -> Result<Vec<Value>, ImportError> {
        let items = element.elements().filter(|child| child.name() == "item" && !child.is_blank());
        items.map(|item| Ok(self.limited(draft, item.line(), "item", item.inner(), NOTE)?.into())).collect()
    }

    fn definitions(&mut self, draft: &Draft, element: &Element) -> Result<Vec<Value>, ImportError> {
        let mut items = Vec::new();
        for entry in element.elements().filter(|child| child.name() == "defitem" && !child.is_blank()) {
            let mut item = json!({});
            for (key, name) in [("label", "label"), ("value", "item")] {
                let mut text = entry.child(name).map(Element::formatted).unwrap_or_default();
                if text.is_empty() {
                    self.repair(draft, entry.line(), name, MISSING, "became `-`")?;
                    text = "-".to_owned();
                }
                item[key] = self.limited(draft, entry.line(), name, text, NOTE)?.into();
            }
            items.push(item);
        }
        Ok(items)
    }

    fn chronology(&mut self, draft: &Draft, element: &Element) -> Result<Vec<Value>, ImportError> {
        let mut items = Vec::new();
        for entry in element.elements().filter(|child| child.name() == "chronitem" && !child.is_blank()) {
            let date = entry.child("date").map(Element::inner).unwrap_or_default();
            let date = self.limited(draft, entry.line(), "date", date, NAME)?;
            let mut item = json!({});
            if !date.is_empty() {
                item["event_date"] = date.into();
            }
            let groups = entry.elements().filter(|child| child.name() == "eventgrp").flat_map(Element::elements);
            let events = groups.chain(entry.elements()).filter(|child| child.name() == "event" && !child.is_blank());
            let events = events.map(|event| self.limited(draft, event.line(), "event", event.formatted(), NOTE));
            item["events"] = json!(events.collect::<Result<Vec<String>, ImportError>>()?);
            items.push(item);
        }
        Ok(items)
    }

    pub(super) fn bibliography(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        let works = element.elements().filter(|child| child.name() == "bibref" && !child.is_blank());
        let items = works.map(|work| Ok(self.limited(draft, work.line(), "bibref", work.inner(), NOTE)?.into()));
        let items = items.collect::<Result<Vec<Value>, ImportError>>()?;
        self.listing(draft, element, "note_bibliography", items)
    }

    pub(super) fn index(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        let mut items = Vec::new();
        for entry in element.elements().filter(|child| child.name() == "indexentry" && !child.is_blank()) {
            self.index_items(draft, entry, &mut items)?;
        }
        self.listing(draft, element, "note_index", items)
    }

    /// The part that indexes and bibliographies share: head, paragraphs, and what is in them by mistake.
    fn listing(
        &mut self,
        draft: &mut Draft,
        element: &Element,
        model: &str,
        items: Vec<Value>,
    ) -> Result<(), ImportError> {
        let mut content = Vec::new();
        for paragraph in element.elements().filter(|child| child.name() == "p" && !child.is_blank()) {
            content.push(self.limited(draft, paragraph.line(), "p", paragraph.formatted(), NOTE)?);
        }
        let label = element.child("head").map(Element::formatted);
        self.push_note(draft, element, model, &[("label", label)], items)?;
        if let Some(note) = draft.record.get_mut("notes").and_then(|notes| notes.as_array_mut()?.last_mut()) {
            note["content"] = json!(content);
        }
        let others = element
            .elements()
            .filter(|child| stands_apart(child.name()) || matches!(child.name(), "list" | "chronlist"));
        others.into_iter().try_for_each(|child| self.describe(draft, child))
    }

    /// The items of an index entry, one for each name, each with the entry's reference.
    fn index_items(&mut self, draft: &Draft, entry: &Element, items: &mut Vec<Value>) -> Result<(), ImportError> {
        let grouped = entry.elements().filter(|child| child.name() == "namegrp").flat_map(Element::elements);
        let kind = |name: &str| INDEX_ITEMS.iter().find(|(_, element)| *element == name).map(|(kind, _)| *kind);
        let names = grouped.chain(entry.elements());
        let names = names.filter_map(|name| Some((kind(name.name())?, name, name.escaped_text())));
        // Markup alone is no name.
        let names: Vec<_> = names.filter(|(_, _, text)| !text.trim().is_empty()).collect();
        let references: Vec<&Element> = entry.elements().filter(|child| child.name() == "ref").collect();
        let shown: Vec<String> =
            references.iter().map(|link| link.escaped_text()).filter(|text| !text.is_empty()).collect();
        let target = references.iter().find_map(|link| link.attribute("target")).map(str::to_owned);
        if names.is_empty() && entry.child("indexentry").is_none() {
            self.repair(draft, entry.line(), "indexentry", MISSING, "entry without a name left out")?;
        }
        for (kind, name, text) in names {
            let value = self.limited(draft, name.line(), name.name(), text, NOTE)?;
            let mut item = object(
                "note_index_item",
                [("value", Some(value)), ("reference_text", Some(shown.join("; "))), ("reference", target.clone())],
            );
            item["type"] = kind.into();
            items.push(item);
        }
        let nested = entry.elements().filter(|child| child.name() == "indexentry" && !child.is_blank());
        for child in nested {
            self.index_items(draft, child, items)?;
        }
        Ok(())
    }
}
