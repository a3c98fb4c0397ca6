//! The document of an instance with its holdings and items (contract 1.4, 1.5).

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use search::{
    analysis::{Language, folded},
    index::Document,
};
use serde_json::{Map, Value};

use crate::{
    dates,
    entries::entries,
    forms,
    options::{Form, INSTANCES, Kind, Role, SearchOption},
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
    let mut all = walked(title);
    for ((option, read), found) in READ.iter().zip(&mut all) {
        let mut values = read.values(title, names, std::mem::take(found));
        if matches!(option.kind, Kind::Term | Kind::Raw) {
            values.iter_mut().for_each(|value| *value = Cow::Owned(whole(option.kind, value)));
        }
        // A value counts once, however often it is there.
        if values.len() > 1 {
            values.sort_unstable();
            values.dedup();
        }
        for value in values {
            add(option, value, &languages, &mut hidden);
        }
    }
    hidden.extend(entries(&title.instance, &title.items));
    let shown = Map::from_iter([("id".to_owned(), Value::from(title.id.as_str()))]);
    Document { id: title.id.clone(), source: title.id.clone(), shown, hidden }
}

/// Adds a value of an option to the columns.
pub(crate) fn add(
    option: &SearchOption,
    value: Cow<'_, str>,
    languages: &[Language],
    hidden: &mut Vec<(&'static str, String)>,
) {
    match option.kind {
        Kind::Text | Kind::Plain => {
            if option.kind == Kind::Text {
                for language in languages {
                    hidden.push((option.forms, marked(*language, &value)));
                }
            }
            hidden.push((option.whole, whole(option.kind, &value)));
            hidden.push((option.name, value.into_owned()));
        }
        Kind::Everything => hidden.push((option.name, value.into_owned())),
        Kind::Words => {
            hidden.push((option.whole, whole(option.kind, &value)));
            hidden.push((option.name, folded(&value)));
        }
        Kind::Number | Kind::Date | Kind::Term | Kind::Raw => hidden.push((option.name, value.into_owned())),
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

/// Records of a title.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Instance,
    Holdings,
    Items,
}

use Of::{Holdings, Instance, Items};

impl Of {
    fn records(self, title: &Title) -> &[Value] {
        match self {
            Instance => std::slice::from_ref(&title.instance),
            Holdings => &title.holdings,
            Items => &title.items,
        }
    }
}

/// A path into a record.
type Path = Vec<&'static str>;

/// How the values of an option are read.
enum Read {
    /// At these paths.
    At(Vec<(Of, Path)>),
    /// The moments there.
    Dated(Of, Path),
    /// Every text of these records, whatever it says.
    Everything(Of),
    Made(fn(&Title, &Names) -> Vec<String>),
}

/// All options that have a column of their own, with how they are read: told once, because records are many.
static READ: LazyLock<Vec<(&SearchOption, Read)>> = LazyLock::new(|| {
    let options = INSTANCES.options.iter().filter(|option| option.role != Role::Id);
    options.map(|option| (option, Read::of(option.name))).collect()
});

/// Where options have their values in records of one kind. There are more options than a record has members: it is quicker to look
/// for each member among the options, once, than for each option in the record.
#[derive(Default)]
struct Places {
    /// Places in [`READ`] of the options whose values are here.
    options: Vec<usize>,
    below: HashMap<&'static str, Places>,
}

/// The places in instances, holdings, and items.
static PLACES: LazyLock<[(Of, Places); 3]> = LazyLock::new(|| {
    [Instance, Holdings, Items].map(|of| {
        let mut places = Places::default();
        for (option, (_, read)) in READ.iter().enumerate() {
            match read {
                Read::At(paths) => paths.iter().filter(|at| at.0 == of).for_each(|(_, path)| places.add(path, option)),
                Read::Dated(dated, path) if *dated == of => places.add(path, option),
                _ => {}
            }
        }
        (of, places)
    })
});

impl Places {
    fn add(&mut self, path: &[&'static str], option: usize) {
        match path {
            [] => self.options.push(option),
            [step, rest @ ..] => self.below.entry(*step).or_default().add(rest, option),
        }
    }

    /// The texts here and below, for each option.
    fn collect<'v>(&self, value: &'v Value, found: &mut [Vec<Cow<'v, str>>]) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.collect(value, found)),
            Value::Object(members) => {
                for (name, value) in members.iter().filter(|_| !self.below.is_empty()) {
                    if let Some(places) = self.below.get(name.as_str()) {
                        places.collect(value, found);
                    }
                }
            }
            Value::String(text) => self.options.iter().for_each(|option| found[*option].push(Cow::Borrowed(text))),
            Value::Bool(_) | Value::Number(_) => {
                self.options.iter().for_each(|option| found[*option].push(Cow::Owned(value.to_string())));
            }
            Value::Null => {}
        }
    }
}

/// What the records of a title have at the places of each of [`READ`].
fn walked(title: &Title) -> Vec<Vec<Cow<'_, str>>> {
    let mut found = vec![Vec::new(); READ.len()];
    for (of, places) in PLACES.iter() {
        of.records(title).iter().for_each(|record| places.collect(record, &mut found));
    }
    found
}

fn steps(path: &'static str) -> Path {
    path.split('.').collect()
}

impl Read {
    fn of(name: &'static str) -> Self {
        let at = |of, paths: &[&'static str]| Self::At(paths.iter().map(|path| (of, steps(path))).collect());
        match name {
            "tenantId" => Self::Made(|_, names| vec![names.tenant.clone()]),
            "holdings.tenantId" => Self::Made(|title, names| vec![names.tenant.clone(); title.holdings.len()]),
            "items.tenantId" => Self::Made(|title, names| vec![names.tenant.clone(); title.items.len()]),
            "shared" => Self::Made(|_, _| vec![false.to_string()]),
            "isBoundWith" => Self::Made(|title, _| vec![title.is_bound_with.to_string()]),
            "staffSuppress" => Self::Made(|title, _| suppressed(Instance.records(title), "staffSuppress")),
            "discoverySuppress" => Self::Made(|title, _| suppressed(Instance.records(title), "discoverySuppress")),
            "holdings.discoverySuppress" => Self::Made(|title, _| suppressed(&title.holdings, "discoverySuppress")),
            "items.discoverySuppress" => Self::Made(|title, _| suppressed(&title.items, "discoverySuppress")),
            "isbn" => Self::Made(|title, names| identifiers(title, names, ISBN, Form::Isbn)),
            "issn" => Self::Made(|title, names| identifiers(title, names, ISSN, Form::Issn)),
            "oclc" => Self::Made(|title, names| identifiers(title, names, OCLC, Form::Oclc)),
            "lccn" => Self::Made(|title, names| identifiers(title, names, LCCN, Form::Lccn)),
            "uniformTitle" => Self::Made(|title, names| uniform_titles(&title.instance, names)),
            "publicNotes" => Self::Made(|title, _| public(Instance.records(title), &["notes"])),
            "holdingsPublicNotes" => Self::Made(|title, _| public(&title.holdings, &["notes"])),
            "itemPublicNotes" => Self::Made(|title, _| public(&title.items, &["notes", "circulationNotes"])),
            "normalizedDate1" => Self::Made(|title, _| vec![date1(&title.instance).to_string()]),
            "normalizedClassificationNumber" => Self::Made(|title, _| classifications(&title.instance)),
            "statisticalCodes" => {
                Self::At([Instance, Holdings, Items].map(|of| (of, steps("statisticalCodeIds"))).into())
            }
            "instanceTags" => at(Instance, &["tags.tagList"]),
            "holdingsTags" => at(Holdings, &["tags.tagList"]),
            "itemTags" => at(Items, &["tags.tagList"]),
            "holdingsTypeId" => at(Holdings, &["holdingsTypeId"]),
            "holdingsIdentifiers" => at(Holdings, &["id", "hrid", "formerIds"]),
            "itemIdentifiers" => at(Items, &["id", "hrid", "formerIds", "accessionNumber", "itemIdentifier"]),
            "holdingsFullCallNumbers" => Self::Made(|title, _| full_numbers(&title.holdings, HOLDINGS_NUMBER)),
            "itemFullCallNumbers" => Self::Made(|title, _| full_numbers(&title.items, ITEM_NUMBER)),
            "holdingsNormalizedCallNumbers" => Self::Made(|title, _| normalized(&title.holdings, HOLDINGS_NUMBER)),
            "itemNormalizedCallNumbers" => Self::Made(|title, _| normalized(&title.items, ITEM_NUMBER)),
            "allInstances" => Self::Everything(Instance),
            "allHoldings" => Self::Everything(Holdings),
            "allItems" => Self::Everything(Items),
            "sortTitle" => Self::Made(|title, _| sort_title(&title.instance).into_iter().collect()),
            "sortContributors" => Self::Made(|title, _| sort_contributor(&title.instance).into_iter().collect()),
            _ => {
                let (of, path) = match name.split_once('.') {
                    Some(("holdings", path)) => (Holdings, path),
                    Some(("items", path)) => (Items, path),
                    _ => (Instance, name),
                };
                match path {
                    "metadata.createdDate" | "metadata.updatedDate" => Self::Dated(of, steps(path)),
                    _ => at(of, &[path]),
                }
            }
        }
    }

    /// The values of the option, from what [`walked`] found at its places.
    fn values<'t>(&self, title: &'t Title, names: &Names, mut found: Vec<Cow<'t, str>>) -> Vec<Cow<'t, str>> {
        match self {
            Self::At(_) => {}
            Self::Dated(..) => {
                let moments = found.iter().filter_map(|moment| dates::span(moment));
                found = moments.map(|(from, _)| Cow::Owned(dates::stored(from))).collect();
            }
            Self::Everything(of) => of.records(title).iter().for_each(|record| everything(record, &mut found)),
            Self::Made(make) => found.extend(make(title, names).into_iter().map(Cow::Owned)),
        }
        found
    }
}

/// The texts at a path, through all lists on the way.
pub(crate) fn texts(record: &Value, path: &str) -> Vec<String> {
    let path: Vec<&str> = path.split('.').filter(|step| !step.is_empty()).collect();
    let mut found = Vec::new();
    collect(record, &path, &mut found);
    found.into_iter().map(Cow::into_owned).collect()
}

fn collect<'v>(value: &'v Value, path: &[&str], found: &mut Vec<Cow<'v, str>>) {
    match (value, path) {
        (Value::Array(values), _) => values.iter().for_each(|value| collect(value, path, found)),
        (Value::Object(members), [name, rest @ ..]) => {
            if let Some(value) = members.get(*name) {
                collect(value, rest, found);
            }
        }
        (Value::String(text), []) => found.push(Cow::Borrowed(text)),
        (Value::Bool(_) | Value::Number(_), []) => found.push(Cow::Owned(value.to_string())),
        _ => {}
    }
}

fn suppressed(records: &[Value], member: &str) -> Vec<String> {
    records.iter().map(|record| (record[member] == true).to_string()).collect()
}

/// Whether a type has one of these names.
fn is_named(names: &Names, id: &Value, of: &[&str]) -> bool {
    let name = id.as_str().and_then(|id| names.types.get(id));
    name.is_some_and(|name| of.contains(&name.as_str()))
}

fn identifiers(title: &Title, names: &Names, of: &[&str], form: Form) -> Vec<String> {
    let all = title.instance["identifiers"].as_array().map_or(&[][..], Vec::as_slice);
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

fn classifications(instance: &Value) -> Vec<String> {
    let numbers = texts(instance, "classifications.classificationNumber");
    numbers.iter().flat_map(|number| forms::values(Form::Classification, number)).collect()
}

fn full_numbers(records: &[Value], at: NumberAt) -> Vec<String> {
    records.iter().filter_map(|record| full(at, record)).collect()
}

/// The call number with its prefix and suffix; `None` without a number.
fn full(at: NumberAt, record: &Value) -> Option<String> {
    let [number, prefix, suffix] = at.map(|path| part(record, path));
    number?;
    Some([prefix, number, suffix].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// Letters and digits of the call numbers with and without their prefixes.
fn normalized(records: &[Value], at: NumberAt) -> Vec<String> {
    let joined = |parts: [Option<&str>; 3]| parts.into_iter().flatten().collect::<String>();
    let mut found = Vec::new();
    for record in records {
        let [number, prefix, suffix] = at.map(|path| part(record, path));
        if number.is_some() {
            let both = [joined([prefix, number, suffix]), joined([None, number, suffix])];
            found.extend(both.iter().flat_map(|number| forms::values(Form::CallNumber, number)));
        }
    }
    found
}

fn part<'a>(record: &'a Value, path: &str) -> Option<&'a str> {
    record.pointer(path).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

fn everything<'v>(value: &'v Value, found: &mut Vec<Cow<'v, str>>) {
    match value {
        Value::String(text) => found.push(Cow::Borrowed(text)),
        Value::Number(number) => found.push(Cow::Owned(number.to_string())),
        Value::Array(values) => values.iter().for_each(|value| everything(value, found)),
        Value::Object(members) => members.values().for_each(|value| everything(value, found)),
        Value::Null | Value::Bool(_) => {}
    }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_walk_finds_what_each_path_leads_to() {
        let record = |id: &str| {
            json!({
                "id": id, "hrid": [["h1"], "h2", {"id": "no"}], "title": "T", "formerIds": ["f", 1], "statisticalCodeIds": ["s", "t"],
                "status": {"name": "Available", "id": null}, "tags": {"tagList": ["a", "b"]}, "discoverySuppress": true,
                "notes": [{"note": "N", "staffOnly": false}, {"note": ["M"]}], "unknown": {"title": "no"},
                "metadata": {"createdDate": "2020-01-01", "updatedDate": ["2021-01-01"]},
            })
        };
        let title = Title { instance: record("i"), holdings: vec![record("h"), record("g")], ..Title::default() };
        let title = Title { items: vec![record("j"), Value::Null], ..title };
        let mut some = 0;
        for ((option, read), mut found) in READ.iter().zip(walked(&title)) {
            let mut expected = Vec::new();
            let mut at = |of: Of, path: &Path| {
                of.records(&title).iter().for_each(|record| collect(record, path, &mut expected));
            };
            match read {
                Read::At(paths) => paths.iter().for_each(|(of, path)| at(*of, path)),
                Read::Dated(of, path) => at(*of, path),
                Read::Everything(_) | Read::Made(_) => {}
            }
            some += expected.len();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{}", option.name);
        }
        assert!(some > 40, "{some}");
    }
}
