//! Records under construction: what all parts of a description need.

use std::collections::{HashMap, VecDeque};

use serde_json::{Map, Value, json};

use super::source::Tag;
use super::tree::Element;
use super::{ImportError, Item, Mode, Options, Repair};
use crate::export::MULTIPART;

/// Longest texts of records (section 4), in characters.
pub(super) const NOTE: usize = 65_000;
pub(super) const NAME: usize = 255;
const ID_0: usize = 50;
const RESOURCE_TITLE: usize = 16_384;
const COMPONENT_TITLE: usize = 8_192;

pub(super) const MISSING: &str = "Property is required but was missing";

/// The fixed list `archival_record_level`.
const LEVELS: [&str; 11] = [
    "class",
    "collection",
    "file",
    "fonds",
    "item",
    "otherlevel",
    "recordgrp",
    "series",
    "subfonds",
    "subgrp",
    "subseries",
];

/// A resource or component whose description is being read.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) record: Map<String, Value>,
    pub(super) line: u64,
    /// It was given out.
    pub(super) given: bool,
    /// It was described further since.
    changed: bool,
    /// Components seen below it, so far.
    children: u64,
    /// The ids of container elements, each with its place among the instances.
    pub(super) containers: Vec<(Option<String>, usize)>,
}

impl Draft {
    pub(super) fn is_resource(&self) -> bool {
        !self.record.contains_key("resource")
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.record.get(key)?.as_str()
    }

    pub(super) fn identifier(&self) -> Option<&str> {
        ["id_0", "component_id", "ref_id", "title"].iter().find_map(|key| self.text(key))
    }

    pub(super) fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.record.insert(key.to_owned(), value.into());
        self.changed = true;
    }

    /// Adds to an array; gives back the place in it.
    pub(super) fn push(&mut self, key: &str, value: Value) -> usize {
        self.changed = true;
        let array = self.record.entry(key).or_insert_with(|| json!([]));
        let Value::Array(array) = array else { return 0 };
        array.push(value);
        array.len() - 1
    }

    fn lacks(&self, key: &str) -> bool {
        self.record.get(key).and_then(Value::as_array).is_none_or(Vec::is_empty)
    }
}

/// Turns elements into records and puts them in order of giving out.
pub(super) struct Build<'a> {
    pub(super) options: Options<'a>,
    pub(super) queue: VecDeque<Item>,
    /// URIs of agents, subjects and containers by what makes them the same.
    seen: HashMap<String, String>,
    /// The resource was given out for good.
    pub(super) finished: bool,
}

impl<'a> Build<'a> {
    pub(super) fn new(options: Options<'a>) -> Build<'a> {
        Build { options, queue: VecDeque::new(), seen: HashMap::new(), finished: false }
    }

    pub(super) fn repaired(&mut self, repair: Repair) {
        self.queue.push_back(Item::Repair(repair));
    }

    /// Something breaks a rule: the end of a strict import, and for a tolerant one to be put right as `action` says.
    pub(super) fn repair(
        &mut self,
        draft: &Draft,
        line: u64,
        element: &str,
        problem: impl Into<String>,
        action: &str,
    ) -> Result<(), ImportError> {
        let identifier = draft.identifier().map(str::to_owned);
        let (element, problem) = (element.to_owned(), problem.into());
        if self.options.mode == Mode::Strict {
            return Err(ImportError { line, identifier, element, reason: problem });
        }
        self.repaired(Repair { line, identifier, element, problem, action: action.to_owned() });
        Ok(())
    }

    /// The text, if it is not too long; cut by a tolerant import.
    pub(super) fn limited(
        &mut self,
        draft: &Draft,
        line: u64,
        element: &str,
        text: String,
        most: usize,
    ) -> Result<String, ImportError> {
        // Bytes are at least as many as characters, so most texts need no counting.
        let Some((end, _)) = (text.len() > most).then(|| text.char_indices().nth(most)).flatten() else {
            return Ok(text);
        };
        self.repair(draft, line, element, format!("Must be {most} characters or fewer"), "cut")?;
        Ok(text[..end].trim_end().to_owned())
    }

    /// The value of a fixed list, left out by a tolerant import if the list does not have it.
    pub(super) fn listed(
        &mut self,
        draft: &Draft,
        element: &Element,
        list: &str,
        value: Option<&str>,
    ) -> Result<Option<String>, ImportError> {
        let Some(value) = value else { return Ok(None) };
        if self.options.lists.allows(list, value) {
            return Ok(Some(value.to_owned()));
        }
        self.repair(draft, element.line(), element.name(), format!("Invalid value '{value}' of {list}"), "left out")?;
        Ok(None)
    }

    /// The value that has this label, else the text as a value of its own.
    pub(super) fn value(&self, list: &str, text: &str) -> String {
        self.options.lists.value(list, text).unwrap_or(text).to_owned()
    }

    fn uri(&mut self, path: &str) -> String {
        format!("{path}/import_{}", (self.options.ids)())
    }

    fn repository_uri(&mut self, kind: &str) -> String {
        self.uri(&format!("/repositories/{}/{kind}", self.options.repository))
    }

    pub(super) fn give_other(&mut self, record: Value, line: u64) {
        self.queue.push_back(Item::Record { record, line });
    }

    /// The URI of a record that is shared within the file: the same one for the same `key`, given out the first time.
    pub(super) fn shared(&mut self, key: String, path: &str, mut record: Value, line: u64) -> String {
        if let Some(uri) = self.seen.get(&key) {
            return uri.clone();
        }
        let local = path.starts_with('/');
        let uri = if local { self.uri(path) } else { self.repository_uri(path) };
        record["uri"] = uri.clone().into();
        self.give_other(record, line);
        self.seen.insert(key, uri.clone());
        uri
    }

    /// As [`Build::shared`], for a record that is never the same as another.
    pub(super) fn own(&mut self, path: &str, mut record: Value, line: u64) -> String {
        let uri = self.repository_uri(path);
        record["uri"] = uri.clone().into();
        self.give_other(record, line);
        uri
    }

    pub(super) fn resource(&mut self, ead: &Tag) -> Draft {
        let mut draft = Draft { line: ead.line, ..Draft::default() };
        draft.set("jsonmodel_type", "resource");
        draft.set("uri", self.repository_uri("resources"));
        draft.set("publish", attribute(ead, "audience") != Some("internal"));
        draft.set("finding_aid_language", "und");
        draft.set("finding_aid_script", "Zyyy");
        draft
    }

    pub(super) fn archdesc(&mut self, draft: &mut Draft, tag: &Tag) -> Result<(), ImportError> {
        draft.line = tag.line;
        if attribute(tag, "audience") == Some("internal") {
            draft.set("publish", false);
        }
        self.level(draft, tag)
    }

    /// A component below the innermost of the open records.
    pub(super) fn component(&mut self, tag: &Tag, open: &mut [Draft]) -> Result<Draft, ImportError> {
        let mut draft = Draft { line: tag.line, ..Draft::default() };
        draft.set("jsonmodel_type", "archival_object");
        draft.set("uri", self.repository_uri("archival_objects"));
        if let [resource, ..] = open {
            draft.set("resource", json!({"ref": resource.text("uri")}));
        }
        if let [_, .., parent] = open {
            draft.set("parent", json!({"ref": parent.text("uri")}));
        }
        if let Some(parent) = open.last_mut() {
            draft.set("position", parent.children);
            parent.children += 1;
        }
        draft.set("publish", attribute(tag, "audience") != Some("internal"));
        if let Some(id) = attribute(tag, "id") {
            let id = self.reference_id(&draft, tag.line, id)?;
            draft.set("ref_id", id);
        }
        self.level(&mut draft, tag)?;
        Ok(draft)
    }

    fn reference_id(&mut self, draft: &Draft, line: u64, id: &str) -> Result<String, ImportError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
        if !id.chars().all(fits) {
            let problem = format!("Value '{id}' did not match regular expression: \\A[a-zA-Z0-9\\-_:\\.]*\\z");
            self.repair(draft, line, "ref_id", problem, "other characters became _")?;
        }
        let id = id.replace(|c| !fits(c), "_");
        self.limited(draft, line, "ref_id", id, NAME)
    }

    fn level(&mut self, draft: &mut Draft, tag: &Tag) -> Result<(), ImportError> {
        let level = attribute(tag, "level").unwrap_or("otherlevel");
        let other = attribute(tag, "otherlevel");
        if !LEVELS.contains(&level) {
            let problem = format!("Invalid value '{level}'.  Must be one of: {}", LEVELS.join(", "));
            self.repair(draft, tag.line, "level", problem, "became an other level")?;
            draft.set("level", "otherlevel");
            draft.set("other_level", level);
            return Ok(());
        }
        draft.set("level", level);
        if level == "otherlevel" && other.is_none() {
            self.repair(draft, tag.line, "other_level", "missing required property", "became `unspecified`")?;
        }
        if let Some(other) = other.or((level == "otherlevel").then_some("unspecified")) {
            draft.set("other_level", other);
        }
        Ok(())
    }

    /// Adds what an element says about the record.
    pub(super) fn describe(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        if element.is_blank() && element.tag.attributes.is_empty() {
            return Ok(());
        }
        match element.name() {
            "did" | "descgrp" => element.elements().try_for_each(|child| self.describe(draft, child)),
            "unitid" => self.unitid(draft, element),
            "unittitle" => self.unittitle(draft, element),
            "unitdate" => self.unitdate(draft, element),
            "physdesc" => self.physdesc(draft, element),
            "langmaterial" => self.langmaterial(draft, element),
            "abstract" | "materialspec" | "physloc" => self.singlepart(draft, element),
            "origination" => self.headings(draft, element, "creator"),
            "controlaccess" => self.headings(draft, element, "subject"),
            "container" => self.container(draft, element),
            "dao" => self.dao(draft, element),
            "daogrp" => self.daogrp(draft, element),
            "index" => self.index(draft, element),
            "bibliography" => self.bibliography(draft, element),
            "note" => self.multipart(draft, element, "odd"),
            "list" | "chronlist" => self.loose_list(draft, element),
            kind if MULTIPART.contains(&kind) => self.multipart(draft, element, kind),
            _ => Ok(()),
        }
    }

    /// Gives the record out, so that its components can follow.
    pub(super) fn give(&mut self, draft: &mut Draft) -> Result<(), ImportError> {
        self.complete(draft)?;
        let record = Value::Object(draft.record.clone());
        self.queue.push_back(Item::Record { record, line: draft.line });
        draft.given = true;
        draft.changed = false;
        Ok(())
    }

    /// The element of the record is closed: gives it out, for the first time or anew.
    pub(super) fn close(&mut self, draft: &mut Draft) -> Result<(), ImportError> {
        self.finished |= draft.is_resource();
        if draft.given && !draft.changed {
            return Ok(());
        }
        if !draft.given {
            self.complete(draft)?;
        }
        let (record, line) = (Value::Object(std::mem::take(&mut draft.record)), draft.line);
        self.queue.push_back(if draft.given { Item::Revised { record, line } } else { Item::Record { record, line } });
        Ok(())
    }

    /// Sees that the record has what it must have.
    fn complete(&mut self, draft: &mut Draft) -> Result<(), ImportError> {
        let line = draft.line;
        let resource = draft.is_resource();
        if let Some(Value::String(title)) = draft.record.remove("title") {
            let most = if resource { RESOURCE_TITLE } else { COMPONENT_TITLE };
            let title = self.limited(draft, line, "title", title, most)?;
            draft.set("title", title);
        } else if resource {
            self.repair(draft, line, "title", MISSING, "became `Untitled`")?;
            draft.set("title", "Untitled");
        } else if draft.lacks("dates") {
            self.repair(draft, line, "dates", "one or more required (or enter a Title)", "title became `Untitled`")?;
            draft.set("title", "Untitled");
        }
        if resource { self.complete_resource(draft) } else { Ok(()) }
    }

    fn complete_resource(&mut self, draft: &mut Draft) -> Result<(), ImportError> {
        let line = draft.line;
        const NONE: &str = "At least 1 item(s) is required";
        let id = match draft.record.remove("id_0") {
            Some(Value::String(id)) => id,
            _ => {
                self.repair(draft, line, "id_0", MISSING, "taken from eadid, or made up")?;
                let id = draft.text("ead_id").map(str::to_owned);
                id.unwrap_or_else(|| format!("import-{}", (self.options.ids)()))
            }
        };
        let id = self.limited(draft, line, "id_0", id, ID_0)?;
        draft.set("id_0", id);
        if draft.lacks("extents") {
            self.repair(draft, line, "extents", NONE, "became `1 unknown`")?;
            let extent =
                json!({"jsonmodel_type": "extent", "portion": "whole", "number": "1", "extent_type": "unknown"});
            draft.push("extents", extent);
        }
        if draft.lacks("dates") {
            self.repair(draft, line, "dates", NONE, "became `undated`")?;
            let date = json!({
                "jsonmodel_type": "date", "date_type": "single", "label": "creation", "expression": "undated",
            });
            draft.push("dates", date);
        }
        let materials = draft.record.get("lang_materials").and_then(Value::as_array);
        if !materials.is_some_and(|all| all.iter().any(|material| material.get("language_and_script").is_some())) {
            draft.push("lang_materials", language("und", None));
        }
        Ok(())
    }
}

pub(super) fn language(code: &str, script: Option<&str>) -> Value {
    let mut language = json!({"jsonmodel_type": "language_and_script", "language": code});
    if let Some(script) = script {
        language["script"] = script.into();
    }
    json!({"jsonmodel_type": "lang_material", "language_and_script": language})
}

fn attribute<'t>(tag: &'t Tag, key: &str) -> Option<&'t str> {
    tag.attributes
        .iter()
        .find(|(name, _)| name == key)
        .map(|(_, value)| value.as_str())
        .filter(|value| !value.is_empty())
}

/// An object of those fields that have a value.
pub(super) fn object<'k>(model: &str, fields: impl IntoIterator<Item = (&'k str, Option<String>)>) -> Value {
    let mut record = Map::new();
    record.insert("jsonmodel_type".to_owned(), model.into());
    for (key, value) in fields {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            record.insert(key.to_owned(), value.into());
        }
    }
    Value::Object(record)
}
