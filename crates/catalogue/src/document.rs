//! The document of an instance with its holdings and items (contract 1.4, 1.5).

use std::collections::{BTreeSet, HashMap};

use search::{
    analysis::{Language, folded},
    index::Document,
};
use serde_json::{Map, Value};

use crate::{
    dates,
    entries::entries,
    forms,
    options::{Form, INSTANCES, Kind, SearchOption},
};

/// Stands for a value that is there and empty.
pub(crate) const EMPTY: &str = "\u{1}";

/// An instance with what belongs to it, as it is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Title {
    pub(crate) id: String,
    pub(crate) instance: Value,
    pub(crate) holdings: Vec<Value>,
    pub(crate) items: Vec<Value>,
    pub(crate) is_bound_with: bool,
}

/// What documents need beside the records.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    pub(crate) tenant: String,
    /// The names of types of identifiers and of alternative titles, by their ids.
    pub(crate) types: HashMap<String, String>,
}

const ISBN: &[&str] = &["ISBN", "Invalid ISBN"];
const ISSN: &[&str] = &["ISSN", "Invalid ISSN", "Linking ISSN"];
const OCLC: &[&str] = &["OCLC", "Cancelled OCLC"];
const LCCN: &[&str] = &["LCCN", "Canceled LCCN"];
const UNIFORM_TITLE: &[&str] = &["Uniform title", "Uniform Title"];

/// The document of a title.
pub(crate) fn document(title: &Title, names: &Names) -> Document {
    let languages: Vec<Language> =
        texts(&title.instance, "languages").iter().filter_map(|code| Language::of(code)).collect();
    let mut hidden = Vec::new();
    for option in INSTANCES.options {
        // A value counts once, however often it is there.
        let values = values(option.name, title, names).into_iter();
        let values: BTreeSet<String> = match option.kind {
            Kind::Term | Kind::Raw => values.map(|value| whole(option.kind, &value)).collect(),
            _ => values.collect(),
        };
        for value in values {
            add(option, &value, &languages, &mut hidden);
        }
    }
    hidden.extend(entries(&title.instance, &title.items));
    let shown = Map::from_iter([("id".to_owned(), Value::from(title.id.as_str()))]);
    // It is among the columns already.
    hidden.retain(|(name, _)| *name != "id");
    Document { id: title.id.clone(), source: title.id.clone(), shown, hidden }
}

/// Adds a value of an option to the columns.
pub(crate) fn add(
    option: &SearchOption,
    value: &str,
    languages: &[Language],
    hidden: &mut Vec<(&'static str, String)>,
) {
    match option.kind {
        Kind::Text | Kind::Plain => {
            if option.kind == Kind::Text {
                for language in languages {
                    hidden.push((option.forms, marked(*language, value)));
                }
            }
            hidden.push((option.whole, whole(option.kind, value)));
            hidden.push((option.name, value.to_owned()));
        }
        Kind::Everything => hidden.push((option.name, value.to_owned())),
        Kind::Words => {
            hidden.push((option.whole, whole(option.kind, value)));
            hidden.push((option.name, folded(value)));
        }
        Kind::Number | Kind::Date | Kind::Term | Kind::Raw => hidden.push((option.name, value.to_owned())),
    }
}

/// A value as it is compared as a whole.
pub(crate) fn whole(kind: Kind, value: &str) -> String {
    let value = if kind == Kind::Raw { value.to_owned() } else { folded(value) };
    if value.is_empty() { EMPTY.to_owned() } else { value }
}

/// The basic forms of a text, with the language; and the language alone.
fn marked(language: Language, text: &str) -> String {
    let code = language.code();
    let mut marked = format!("{code}:");
    for form in language.forms(text) {
        marked.push(' ');
        marked.push_str(code);
        marked.push(':');
        marked.push_str(&form);
    }
    marked
}

/// What an option reads.
fn values(name: &str, title: &Title, names: &Names) -> Vec<String> {
    let (instance, holdings, items) = (&title.instance, &title.holdings, &title.items);
    let identifiers = |of: &[&str], form| identifiers(instance, names, of, form);
    let of_all = |records: &[Value], path: &str| records.iter().flat_map(|record| texts(record, path)).collect();
    match name {
        "tenantId" => vec![names.tenant.clone()],
        "holdings.tenantId" => holdings.iter().map(|_| names.tenant.clone()).collect(),
        "items.tenantId" => items.iter().map(|_| names.tenant.clone()).collect(),
        "shared" => vec![false.to_string()],
        "isBoundWith" => vec![title.is_bound_with.to_string()],
        "staffSuppress" | "discoverySuppress" => vec![(instance[name] == true).to_string()],
        "holdings.discoverySuppress" => suppressed(holdings),
        "items.discoverySuppress" => suppressed(items),
        "metadata.createdDate" | "metadata.updatedDate" => dated(std::slice::from_ref(instance), name),
        "holdings.metadata.createdDate" | "holdings.metadata.updatedDate" => dated(holdings, &name[9..]),
        "items.metadata.createdDate" | "items.metadata.updatedDate" => dated(items, &name[6..]),
        "isbn" => identifiers(ISBN, Form::Isbn),
        "issn" => identifiers(ISSN, Form::Issn),
        "oclc" => identifiers(OCLC, Form::Oclc),
        "lccn" => identifiers(LCCN, Form::Lccn),
        "uniformTitle" => uniform_titles(instance, names),
        "publicNotes" => public(std::slice::from_ref(instance), &["notes"]),
        "holdingsPublicNotes" => public(holdings, &["notes"]),
        "itemPublicNotes" => public(items, &["notes", "circulationNotes"]),
        "normalizedDate1" => vec![date1(instance).to_string()],
        "normalizedClassificationNumber" => texts(instance, "classifications.classificationNumber")
            .iter()
            .flat_map(|number| forms::values(Form::Classification, number))
            .collect(),
        "statisticalCodes" => std::iter::once(instance)
            .chain(holdings)
            .chain(items)
            .flat_map(|record| texts(record, "statisticalCodeIds"))
            .collect(),
        "instanceTags" => texts(instance, "tags.tagList"),
        "holdingsTags" => of_all(holdings, "tags.tagList"),
        "itemTags" => of_all(items, "tags.tagList"),
        "holdingsTypeId" => of_all(holdings, "holdingsTypeId"),
        "holdingsIdentifiers" => several(holdings, &["id", "hrid", "formerIds"]),
        "itemIdentifiers" => several(items, &["id", "hrid", "formerIds", "accessionNumber", "itemIdentifier"]),
        "holdingsFullCallNumbers" => holdings.iter().filter_map(|one| full(HOLDINGS_NUMBER, one)).collect(),
        "itemFullCallNumbers" => items.iter().filter_map(|one| full(ITEM_NUMBER, one)).collect(),
        "holdingsNormalizedCallNumbers" => holdings.iter().flat_map(|one| normalized(HOLDINGS_NUMBER, one)).collect(),
        "itemNormalizedCallNumbers" => items.iter().flat_map(|one| normalized(ITEM_NUMBER, one)).collect(),
        "allInstances" => everything(std::slice::from_ref(instance)),
        "allHoldings" => everything(holdings),
        "allItems" => everything(items),
        "sortTitle" => sort_title(instance).into_iter().collect(),
        "sortContributors" => sort_contributor(instance).into_iter().collect(),
        _ => match name.split_once('.') {
            Some(("holdings", path)) => of_all(holdings, path),
            Some(("items", path)) => of_all(items, path),
            _ => texts(instance, name),
        },
    }
}

/// The texts at a path, through all lists on the way.
pub(crate) fn texts(record: &Value, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(record, path, &mut found);
    found
}

fn collect(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect(value, path, found)),
        Value::Object(members) => {
            let (name, rest) = path.split_once('.').unwrap_or((path, ""));
            if let Some(value) = members.get(name).filter(|_| !path.is_empty()) {
                collect(value, rest, found);
            }
        }
        Value::String(text) if path.is_empty() => found.push(text.clone()),
        Value::Bool(_) | Value::Number(_) if path.is_empty() => found.push(value.to_string()),
        _ => {}
    }
}

fn several(records: &[Value], paths: &[&str]) -> Vec<String> {
    records.iter().flat_map(|record| paths.iter().flat_map(|path| texts(record, path))).collect()
}

fn suppressed(records: &[Value]) -> Vec<String> {
    records.iter().map(|record| (record["discoverySuppress"] == true).to_string()).collect()
}

fn dated(records: &[Value], path: &str) -> Vec<String> {
    let moments = records.iter().flat_map(|record| texts(record, path));
    moments.filter_map(|moment| dates::span(&moment)).map(|(from, _)| dates::stored(from)).collect()
}

/// Whether a type has one of these names.
fn is_named(names: &Names, id: &Value, of: &[&str]) -> bool {
    let name = id.as_str().and_then(|id| names.types.get(id));
    name.is_some_and(|name| of.contains(&name.as_str()))
}

fn identifiers(instance: &Value, names: &Names, of: &[&str], form: Form) -> Vec<String> {
    let all = instance["identifiers"].as_array().map_or(&[][..], Vec::as_slice);
    let of_type = all.iter().filter(|one| is_named(names, &one["identifierTypeId"], of));
    of_type.filter_map(|one| one["value"].as_str()).flat_map(|value| forms::values(form, value)).collect()
}

fn uniform_titles(instance: &Value, names: &Names) -> Vec<String> {
    let all = instance["alternativeTitles"].as_array().map_or(&[][..], Vec::as_slice);
    let uniform = all.iter().filter(|one| is_named(names, &one["alternativeTitleTypeId"], UNIFORM_TITLE));
    uniform.filter_map(|one| one["alternativeTitle"].as_str().map(str::to_owned)).collect()
}

fn public(records: &[Value], members: &[&str]) -> Vec<String> {
    let notes = records.iter().flat_map(|record| members.iter().filter_map(|member| record[*member].as_array()));
    let public = notes.flatten().filter(|note| note["staffOnly"] != true);
    public.filter_map(|note| note["note"].as_str().map(str::to_owned)).collect()
}

fn date1(instance: &Value) -> u16 {
    let text = instance["dates"]["date1"].as_str().unwrap_or_default();
    let digits: String = text.chars().map(|c| if c.is_ascii_digit() { c } else { '0' }).collect();
    if digits.len() > 4 { 0 } else { digits.parse().unwrap_or(0) }
}

/// Where a record has its call number: number, prefix, suffix.
type NumberAt = [&'static str; 3];

const HOLDINGS_NUMBER: NumberAt = ["/callNumber", "/callNumberPrefix", "/callNumberSuffix"];
const ITEM_NUMBER: NumberAt = [
    "/effectiveCallNumberComponents/callNumber",
    "/effectiveCallNumberComponents/prefix",
    "/effectiveCallNumberComponents/suffix",
];

/// The call number with its prefix and suffix; `None` without a number.
fn full(at: NumberAt, record: &Value) -> Option<String> {
    let [number, prefix, suffix] = at.map(|path| part(record, path));
    number?;
    Some([prefix, number, suffix].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// Letters and digits of the call number with and without its prefix.
fn normalized(at: NumberAt, record: &Value) -> Vec<String> {
    let [number, prefix, suffix] = at.map(|path| part(record, path));
    if number.is_none() {
        return Vec::new();
    }
    let joined = |parts: [Option<&str>; 3]| parts.into_iter().flatten().collect::<String>();
    let both = [joined([prefix, number, suffix]), joined([None, number, suffix])];
    both.iter().flat_map(|number| forms::values(Form::CallNumber, number)).collect()
}

fn part<'a>(record: &'a Value, path: &str) -> Option<&'a str> {
    record.pointer(path).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// Every text of the records, whatever it says.
fn everything(records: &[Value]) -> Vec<String> {
    fn collect(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Number(number) => found.push(number.to_string()),
            Value::Array(values) => values.iter().for_each(|value| collect(value, found)),
            Value::Object(members) => members.values().for_each(|value| collect(value, found)),
            Value::Null | Value::Bool(_) => {}
        }
    }
    let mut found = Vec::new();
    records.iter().for_each(|record| collect(record, &mut found));
    found
}

fn sort_title(instance: &Value) -> Option<String> {
    let text = |name: &str| instance[name].as_str().filter(|text| !text.trim().is_empty());
    text("indexTitle").or_else(|| text("title")).map(str::to_owned)
}

fn sort_contributor(instance: &Value) -> Option<String> {
    let all = instance["contributors"].as_array()?;
    let primary = all.iter().find(|one| one["primary"] == true);
    primary.or_else(|| all.first())?["name"].as_str().map(str::to_owned)
}
