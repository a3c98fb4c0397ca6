//! The documents of a record (contract 8.2): one for the staff, and one for the public if it is published.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use search::document::{Document, Shown};
use serde_json::{Map, Value, json};

use super::{
    fields::{LISTED, SORTED_AS},
    inheritance::with_inherited,
    members::{OF_ALL, OF_TYPES},
    words::Words,
};
use crate::{arks, model::Uri};

/// Types that have documents; of the others (groups, preferences, terms, …) nobody searches.
pub(super) const INDEXED: [&str; 20] = [
    "accession",
    "agent_corporate_entity",
    "agent_family",
    "agent_person",
    "agent_software",
    "archival_object",
    "assessment",
    "classification",
    "classification_term",
    "collection_management",
    "container_profile",
    "digital_object",
    "digital_object_component",
    "event",
    "job",
    "location",
    "location_profile",
    "repository",
    "resource",
    "subject",
];
/// And top containers.
pub(super) const CONTAINER: &str = "top_container";
/// Types whose public documents are apart, because components show what they inherit.
const APART: &str = "archival_object";
/// Types whose documents are the public's, too, and what the public calls them (ArchivesSpace 4.2, `apply_pui_fields`).
const PUBLIC: [(&str, &[&str]); 13] = [
    ("accession", &["pui_record", "pui_accession"]),
    ("agent_corporate_entity", &["pui_agent", "pui_agent_corporate_entity"]),
    ("agent_family", &["pui_agent_family"]),
    ("agent_person", &["pui_agent", "pui_person"]),
    ("agent_software", &["pui_agent_software"]),
    ("classification", &["pui_record_group"]),
    ("classification_term", &["pui_classification_term"]),
    ("digital_object", &["pui_record", "pui_digital_object"]),
    ("digital_object_component", &["pui_record", "pui_digital_object_component"]),
    ("repository", &["pui_repository"]),
    ("resource", &["pui_collection"]),
    ("subject", &["pui_subject"]),
    (CONTAINER, &["pui_container"]),
];
/// The part of a record that has a document of its own.
pub(super) const MANAGEMENT: &str = "collection_management";
/// Ends the ids of documents of the public alone.
pub(super) const PUBLIC_END: &str = "#pui";
/// The repository of global groups, which clients do not see.
const HIDDEN: &str = "/repositories/1";
/// A year has so many digits in what it is sorted by.
pub(super) const YEAR: usize = 4;
/// How many years a date may span; a longer one counts with its ends.
pub(super) const LONGEST_SPAN: i64 = 5000;

/// What is known of the records that a record refers to, by address.
pub(super) type Names = HashMap<String, Value>;

/// What a record's documents are deleted by.
pub(super) fn source(kind: &str, id: i64) -> String {
    format!("{kind}/{id}")
}

/// The addresses of the records whose names its documents show.
pub(super) fn referred(record: &Value, found: &mut BTreeSet<String>) {
    match record {
        Value::Object(members) => {
            if let Some(uri) = members.get("ref").and_then(Value::as_str) {
                found.insert(uri.to_owned());
            }
            members.values().for_each(|member| referred(member, found));
        }
        Value::Array(entries) => entries.iter().for_each(|entry| referred(entry, found)),
        _ => {}
    }
}

/// The documents of a record as a GET returns it.
pub(super) fn documents(record: &Value, names: &Names) -> Vec<Document> {
    priority::give_way();
    let kind = text(record, "/jsonmodel_type");
    let Some(uri) = record["uri"].as_str().filter(|_| INDEXED.contains(&kind) || kind == CONTAINER) else {
        return Vec::new();
    };
    if uri == HIDDEN {
        return Vec::new();
    }
    let Some(source) = Uri::parse(uri).map(|uri| source(&uri.kind.name, uri.id)) else { return Vec::new() };
    let mut staff = Builder { record, names, shown: Map::new(), hidden: Vec::new() };
    staff.fill(uri, kind);
    let is_public = staff.shown.get("publish") == Some(&Value::Bool(true));
    let mut public = None;
    if is_public && kind == APART {
        let complete = with_inherited(record, |uri| names.get(uri)?.get("inherited"), false);
        let mut apart = Builder { record: &complete, names, shown: Map::new(), hidden: Vec::new() };
        apart.fill(uri, kind);
        if let Some(title) = complete.get("title") {
            apart.put("title", title.clone());
        }
        apart.shown.remove("notes");
        apart.hidden.retain(|(name, _)| *name != "fullrecord" && *name != "notes");
        let published: Vec<_> =
            apart.hidden.iter().filter(|(name, _)| *name == "fullrecord_published").cloned().collect();
        apart.hidden.extend(published.into_iter().map(|(_, words)| ("fullrecord", words)));
        apart.shown.insert("id".to_owned(), format!("{uri}{PUBLIC_END}").into());
        apart.shown.insert("pui_parent_id".to_owned(), uri.into());
        for name in ["pui", "pui_archival_object", "pui_record", "pui_only"] {
            push(&mut apart.shown, "types", name.into());
        }
        public = Some(apart.document(format!("{uri}{PUBLIC_END}"), &source));
    } else if let Some((_, names)) = PUBLIC.iter().find(|(of, _)| is_public && *of == kind) {
        for name in names.iter().chain(&["pui"]) {
            push(&mut staff.shown, "types", (*name).into());
        }
    }
    let management = Builder::management(record, names, &source);
    let mut staff = staff.document(uri.to_owned(), &source);
    staff.shown = match staff.shown {
        Shown::Members(members) => Shown::MembersOf(members, record.to_string()),
        shown => shown,
    };
    std::iter::once(staff).chain(public).chain(management).collect()
}

/// A document while it is made.
pub(super) struct Builder<'r> {
    pub(super) record: &'r Value,
    pub(super) names: &'r Names,
    pub(super) shown: Map<String, Value>,
    pub(super) hidden: Vec<(&'static str, String)>,
}

impl Builder<'_> {
    pub(super) fn document(mut self, id: String, source: &str) -> Document {
        self.shown.values_mut().for_each(trim);
        for (field, sorted) in SORTED_AS {
            if let Some(text) = self.shown.get(field).and_then(Value::as_str).map(str::to_owned) {
                self.hide(sorted, text);
            }
        }
        let hidden = self.hidden.into_iter().collect();
        Document { id, source: source.to_owned(), shown: self.shown.into(), hidden }
    }

    fn fill(&mut self, uri: &str, kind: &str) {
        let record = self.record;
        self.put("id", uri.into());
        self.put("uri", uri.into());
        self.put("primary_type", kind.into());
        self.put("jsonmodel_type", kind.into());
        let is_agent = kind.starts_with("agent_");
        self.put("types", if is_agent { json!([kind, "agent"]) } else { json!([kind]) });
        let repository = match kind {
            "repository" => uri,
            _ => record.pointer("/repository/ref").and_then(Value::as_str).unwrap_or("global"),
        };
        self.put("repository", repository.into());
        let repository_shown =
            kind == "repository" || self.names.get(repository).is_none_or(|of| of["publish"] != false);
        let linked = record["is_linked_to_published_record"] == true;
        let is_suppressed = record["suppressed"] == true;
        let is_published = match kind {
            // The public sees a container in what is in it.
            CONTAINER => linked,
            "subject" => linked && record["publish"] == true,
            _ => record["publish"] == true && record["has_unpublished_ancestor"] != true,
        };
        self.put("publish", (is_published && repository_shown && !is_suppressed).into());
        self.put("suppressed", is_suppressed.into());
        self.put("system_generated", (record["system_generated"] == true).into());
        let title = self.title(kind);
        if !title.is_empty() {
            let sorted = match kind {
                "repository" => text(record, "/display_string"),
                _ => {
                    Some(text(record, "/finding_aid_filing_title")).filter(|title| !title.is_empty()).unwrap_or(&title)
                }
            };
            self.hide("title_sort", sorted.to_owned());
            self.hide("title_ws", title.clone());
            self.put("title", title.into());
        }
        for (field, way) in OF_ALL {
            self.member(field, way);
        }
        for (_, field, way) in OF_TYPES.iter().filter(|(of, ..)| *of == kind) {
            self.member(field, way);
        }
        self.identifiers();
        self.arks();
        self.description(kind);
        self.authorities();
        self.of_type(kind, is_agent);
        self.texts();
        if let Some(identifier) = self.shown.get("identifier").and_then(Value::as_str).map(str::to_owned) {
            self.hide("identifier_ws", identifier);
        }
        for (field, copy) in [("subjects", "subjects_text"), ("agents", "agents_text"), ("creators", "creators_text")] {
            if let Some(values) = self.shown.get(field).cloned() {
                self.put(copy, values);
            }
        }
    }

    fn title(&self, kind: &str) -> String {
        let way = match kind {
            "agent_person" | "agent_family" | "agent_corporate_entity" | "agent_software" => "/display_name/sort_name",
            "archival_object"
            | "digital_object_component"
            | "accession"
            | "container_profile"
            | "location_profile"
            | "assessment" => "/display_string",
            "top_container" => "/long_display_string",
            "repository" => "/repo_code",
            "event" => "/event_type",
            _ => "/title",
        };
        let first = [way, "/title", "/display_string"].into_iter().find_map(|way| self.record.pointer(way)?.as_str());
        first.unwrap_or_default().to_owned()
    }

    pub(super) fn put(&mut self, field: &str, value: Value) {
        if !value.is_null() {
            self.shown.insert(field.to_owned(), value);
        }
    }

    pub(super) fn hide(&mut self, field: &'static str, value: String) {
        self.hidden.push((field, value));
    }

    /// Takes over a member; in its way `*` stands for all entries of a list.
    fn member(&mut self, field: &str, way: &str) {
        let mut found = Vec::new();
        members(self.record, way, &mut found);
        let is_list = way.contains('*') || found.first().is_some_and(|first| first.is_array());
        if !is_list {
            if let Some(value) = found.first() {
                self.put(field, (*value).clone());
            }
            return;
        }
        let mut values: Vec<Value> = Vec::new();
        for value in found {
            match value {
                Value::Array(entries) => values.extend(entries.iter().cloned()),
                value if !values.contains(value) => values.push(value.clone()),
                _ => {}
            }
        }
        if !values.is_empty() || field == "ancestors" || field == "langcode" || field == "external_id" {
            self.put(field, values.into());
        }
    }

    /// Current and former ARKs, without the addresses before them (ArchivesSpace's `add_arks`).
    fn arks(&mut self) {
        let keys = self.record.as_object().map(arks::keys).unwrap_or_default();
        for key in keys {
            push(&mut self.shown, "ark_name", key["value"].clone());
        }
    }

    fn identifiers(&mut self) {
        let parts: Vec<&str> = (0..4).filter_map(|part| self.record.get(format!("id_{part}"))?.as_str()).collect();
        if !parts.is_empty() {
            self.put("identifier", parts.join("-").into());
            self.put("four_part_id", parts.join(" ").into());
        }
    }

    fn description(&mut self, kind: &str) {
        let record = self.record;
        if let Some(level) = record["level"].as_str() {
            let other = record["other_level"].as_str().filter(|_| level == "otherlevel" && kind != "resource");
            self.put("level", other.unwrap_or(level).into());
        }
        if let Some(extents) = record["extents"].as_array() {
            let shown = |extent: &&Value| extent["portion"] == "whole";
            let of = |extent: &Value| format!("{} --- {}", text(extent, "/number"), text(extent, "/extent_type"));
            self.put("extents", preferred(extents, shown).into_iter().map(of).collect());
        }
        if let Some(dates) = record["dates"].as_array() {
            self.dates(dates);
        }
        let notes = record["notes"].as_array().into_iter().flatten();
        let first = |kind: &str| notes.clone().find(|note| note["type"] == kind);
        let lines = |values: Vec<&str>| Some(values.join("\n")).filter(|text| !text.is_empty());
        let summary = match (first("abstract"), first("scopecontent")) {
            (Some(note), _) => {
                lines(note["content"].as_array().into_iter().flatten().filter_map(Value::as_str).collect())
            }
            (None, Some(note)) => {
                let parts = note["subnotes"].as_array().into_iter().flatten();
                lines(parts.filter_map(|part| part["content"].as_str()).collect())
            }
            (None, None) => None,
        };
        self.put("summary", summary.into());
        for instance in record["instances"].as_array().into_iter().flatten() {
            let sub = &instance["sub_container"];
            let join = |names: &[&str]| names.iter().map(|name| text(sub, name)).collect::<Vec<_>>().join(" ");
            if sub["type_2"].is_string() {
                let shown = join(&["/type_2", "/indicator_2", "/barcode_2"]);
                push(&mut self.shown, "child_container_u_sstr", shown.into());
            }
            if sub["type_3"].is_string() {
                push(&mut self.shown, "grand_child_container_u_sstr", join(&["/type_3", "/indicator_3"]).into());
            }
        }
    }

    fn dates(&mut self, dates: &[Value]) {
        let mut years = BTreeSet::new();
        for date in dates {
            let year = |way: &str| {
                let digits: String = text(date, way).chars().take_while(char::is_ascii_digit).take(YEAR).collect();
                digits.parse::<i64>().ok()
            };
            if let Some(begin) = year("/begin") {
                let end = year("/end").unwrap_or(begin);
                if end - begin > LONGEST_SPAN {
                    years.extend([begin, end]);
                } else {
                    years.extend(begin..=end.max(begin));
                }
            }
        }
        if let (Some(first), Some(last)) = (years.first(), years.last()) {
            self.hide("year_sort", format!("{first:0YEAR$}{last:0YEAR$}"));
        }
        self.hidden.extend(years.into_iter().map(|year| ("years", year.to_string())));
        let shown = preferred(dates, |date| date["date_type"] == "inclusive").into_iter().filter_map(|date| {
            match (date["expression"].as_str(), date["date_type"].as_str()) {
                (Some(expression), _) => Some(expression.to_owned()),
                (None, Some("single")) => Some(text(date, "/begin").to_owned()),
                (None, Some(_)) => Some(format!("{} - {}", text(date, "/begin"), text(date, "/end"))),
                (None, None) => None,
            }
        });
        self.put("dates", shown.collect());
    }

    /// Subjects and agents by name.
    fn authorities(&mut self) {
        let mut subjects = Vec::new();
        members(self.record, "/subjects/*", &mut subjects);
        for part in ["agent_functions", "agent_occupations", "agent_places", "agent_topics", "agent_resources"] {
            members(self.record, &format!("/{part}/*/subjects/*"), &mut subjects);
            members(self.record, &format!("/{part}/*/places/*"), &mut subjects);
        }
        for link in subjects {
            let (title, uri) = (self.name(link, &["title"]), link["ref"].clone());
            self.shown_if("subjects", title);
            push(&mut self.shown, "subject_uris", uri);
        }
        let mut agents = Vec::new();
        members(self.record, "/linked_agents/*", &mut agents);
        members(self.record, "/creator", &mut agents);
        for link in agents {
            let name = self.name(link, &["name", "title"]);
            let is_shown =
                link["ref"].as_str().and_then(|uri| self.names.get(uri)).is_some_and(|of| of["publish"] == true);
            push(&mut self.shown, "agent_uris", link["ref"].clone());
            if is_shown {
                push(&mut self.shown, "published_agent_uris", link["ref"].clone());
                self.shown_if("published_agents", name.clone());
            }
            if link["role"] == "creator" {
                self.shown_if("creators", name.clone());
            }
            self.shown_if("agents", name);
        }
    }

    /// What is known of the record itself beside what a GET returns.
    pub(super) fn own_name(&self) -> Option<&Value> {
        self.names.get(text(self.record, "/uri"))
    }

    pub(super) fn name(&self, link: &Value, members: &[&str]) -> Option<Value> {
        let of = self.names.get(link["ref"].as_str()?)?;
        members.iter().find_map(|member| of.get(member)).cloned()
    }

    pub(super) fn shown_if(&mut self, field: &str, value: Option<Value>) {
        if let Some(value) = value {
            push(&mut self.shown, field, value);
        }
    }

    /// All words, notes, and values from lists.
    fn texts(&mut self) {
        let record = self.record;
        let names = self.names;
        let name = |uri: &str| {
            let of = names.get(uri)?;
            let main = ["name", "title", "display_string"].into_iter().find_map(|member| of[member].as_str())?;
            let others = of["names"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let texts: Vec<&str> = std::iter::once(main).chain(others.filter(|other| *other != main)).collect();
            // Only agents are hidden from the public though what has them is shown.
            let is_agent = of["jsonmodel_type"].as_str().is_some_and(|kind| kind.starts_with("agent_"));
            Some((texts, !is_agent || of["publish"] == true))
        };
        let words = Words::of(record, &name);
        self.hidden.extend(words.all().map(|text| ("fullrecord", text.clone())));
        self.hidden.extend(words.published.iter().map(|text| ("fullrecord_published", text.clone())));
        if record["notes"].is_array() {
            let notes = Words::of(&record["notes"], &name);
            self.put("notes", notes.all().cloned().collect());
            self.put("notes_published", notes.published.into());
        }
        let mut listed: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        // Of what is above a part of a digital object, ArchivesSpace knows the addresses alone.
        let is_bare = |name: &str| name == "ancestors" && record["jsonmodel_type"] == "digital_object_component";
        for (name, member) in record.as_object().into_iter().flatten().filter(|(name, _)| !is_bare(name)) {
            values_of_lists(name, member, &mut listed);
        }
        for (name, values) in listed {
            self.put(&format!("{name}_enum_s"), values.into_iter().collect());
        }
    }
}

fn values_of_lists<'v>(name: &'v str, member: &'v Value, found: &mut BTreeMap<&'v str, BTreeSet<&'v str>>) {
    match member {
        Value::String(value) if LISTED.contains(name) => {
            found.entry(name).or_default().insert(value);
        }
        Value::Object(_) if name == "agent_contacts" => {}
        Value::Object(members) => members.iter().for_each(|(name, member)| values_of_lists(name, member, found)),
        Value::Array(entries) => entries.iter().for_each(|entry| values_of_lists(name, entry, found)),
        _ => {}
    }
}

/// Texts are found and shown without blanks around them.
fn trim(value: &mut Value) {
    match value {
        Value::String(text) if text.trim().len() < text.len() => *text = text.trim().to_owned(),
        Value::Array(values) => values.iter_mut().for_each(trim),
        _ => {}
    }
}

/// The entries that are preferred, or all if none is.
fn preferred(entries: &[Value], is_preferred: impl Fn(&&Value) -> bool) -> Vec<&Value> {
    let found: Vec<_> = entries.iter().filter(is_preferred).collect();
    if found.is_empty() { entries.iter().collect() } else { found }
}

pub(super) fn push(shown: &mut Map<String, Value>, field: &str, value: Value) {
    if value.is_null() {
        return;
    }
    match shown.get_mut(field) {
        Some(Value::Array(values)) if values.contains(&value) => {}
        Some(Value::Array(values)) => values.push(value),
        _ => {
            shown.insert(field.to_owned(), json!([value]));
        }
    }
}

/// What is at the end of a way; `*` stands for all entries of a list.
pub(super) fn members<'v>(value: &'v Value, way: &str, found: &mut Vec<&'v Value>) {
    match way.split_once("/*") {
        Some((list, rest)) => {
            for entry in value.pointer(list).and_then(Value::as_array).into_iter().flatten() {
                members(entry, rest, found);
            }
        }
        None => found.extend(value.pointer(way).filter(|value| !value.is_null())),
    }
}

pub(super) fn text<'v>(value: &'v Value, way: &str) -> &'v str {
    value.pointer(way).and_then(Value::as_str).unwrap_or_default()
}
