//! The document of an instance with its holdings and items (contract 1.4, 1.5).

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use foldhash::fast::FixedState;
use search::{
    analysis::{Language, NO_FORM, folded},
    document::{Document, Shown, Values},
};
use serde_json_borrow::Value;

use crate::{
    brief::Brief,
    dates,
    entries::entries,
    forms,
    options::{Form, INSTANCES, Kind, Role, SearchOption},
    title::{Title, listed},
};

/// Stands for a value that is there and empty.
pub(crate) const EMPTY: &str = "\u{1}";

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
pub(crate) const LCCN: &[&str] = &["LCCN", "Canceled LCCN"];
pub(crate) const CANCELED_LCCN: &[&str] = &["Canceled LCCN"];
const UNIFORM_TITLE: &[&str] = &["Uniform title", "Uniform Title"];

/// The document of a title: what lists show of it is returned.
pub(crate) fn document(title: &Title<'_>, names: &Names) -> Document {
    priority::give_way();
    let languages: Vec<Language> = texts(&title.instance, "languages", None).filter_map(Language::of).collect();
    let mut hidden = Values::with_capacity(192, 6144);
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
            add(option, &value, &languages, &mut hidden);
        }
    }
    entries(&title.instance, &title.items).iter().for_each(|(column, entry)| hidden.push(column, entry));
    let shown = Shown::Text(Brief::of(title, &names.tenant).to_string());
    Document { id: title.id.to_owned(), source: title.id.to_owned(), shown, hidden }
}

/// Adds a value of an option to the columns.
pub(crate) fn add(option: &SearchOption, value: &str, languages: &[Language], hidden: &mut Values) {
    match option.kind {
        Kind::Text | Kind::Plain => {
            if option.kind == Kind::Text {
                for language in languages {
                    hidden.push_with(option.forms, |texts| mark(*language, value, texts));
                }
            }
            hidden.push(option.whole, &whole(option.kind, value));
            hidden.push(option.name, value);
        }
        Kind::Words => {
            hidden.push(option.whole, &whole(option.kind, value));
            hidden.push(option.name, &folded(value));
        }
        Kind::Everything | Kind::Number | Kind::Date | Kind::Term | Kind::Raw => hidden.push(option.name, value),
    }
}

/// A value as it is compared as a whole.
pub(crate) fn whole(kind: Kind, value: &str) -> String {
    let value = if kind == Kind::Raw { value.to_owned() } else { folded(value) };
    if value.is_empty() { EMPTY.to_owned() } else { value }
}

/// Writes the basic forms of a text in their places, each with the language; and before them the language alone.
fn mark(language: Language, text: &str, texts: &mut String) {
    let code = language.code();
    texts.extend([code, ":"]);
    for form in language.places(text) {
        match form {
            Some(form) => texts.extend([" ", code, ":", &form]),
            None => texts.extend([" ", NO_FORM]),
        }
    }
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
    fn records<'t>(self, title: &'t Title<'t>) -> &'t [Value<'t>] {
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
    Made(fn(&Title<'_>, &Names) -> Vec<String>),
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
    below: HashMap<&'static str, Places, FixedState>,
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
    fn collect<'v>(&self, value: &'v Value<'v>, found: &mut [Vec<Cow<'v, str>>]) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.collect(value, found)),
            Value::Object(members) => {
                for (name, value) in members.iter().filter(|_| !self.below.is_empty()) {
                    if let Some(places) = self.below.get(name) {
                        places.collect(value, found);
                    }
                }
            }
            Value::Str(text) => self.options.iter().for_each(|option| found[*option].push(Cow::Borrowed(text))),
            Value::Bool(_) | Value::Number(_) => {
                self.options.iter().for_each(|option| found[*option].push(Cow::Owned(value.to_string())));
            }
            Value::Null => {}
        }
    }
}

/// What the records of a title have at the places of each of [`READ`].
fn walked<'t>(title: &'t Title<'t>) -> Vec<Vec<Cow<'t, str>>> {
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
            "canceledLccn" => Self::Made(|title, names| identifiers(title, names, CANCELED_LCCN, Form::Lccn)),
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
    fn values<'t>(&self, title: &'t Title<'t>, names: &Names, mut found: Vec<Cow<'t, str>>) -> Vec<Cow<'t, str>> {
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

/// The texts of a list's entries, or of one of their members.
fn texts<'v>(record: &'v Value<'v>, list: &'static str, member: Option<&'static str>) -> impl Iterator<Item = &'v str> {
    let entries = listed(record.get(list)).iter();
    entries.filter_map(move |entry| member.map_or(entry, |member| entry.get(member)).as_str())
}

fn suppressed<'v>(records: &'v [Value<'v>], member: &'static str) -> Vec<String> {
    records.iter().map(|record| (record.get(member).as_bool() == Some(true)).to_string()).collect()
}

/// Whether a type has one of these names.
fn is_named(names: &Names, id: &Value<'_>, of: &[&str]) -> bool {
    let name = id.as_str().and_then(|id| names.types.get(id));
    name.is_some_and(|name| of.contains(&name.as_str()))
}

fn identifiers(title: &Title<'_>, names: &Names, of: &[&str], form: Form) -> Vec<String> {
    let all = listed(title.instance.get("identifiers")).iter();
    let of_type = all.filter(|one| is_named(names, one.get("identifierTypeId"), of));
    of_type.filter_map(|one| one.get("value").as_str()).flat_map(|value| forms::values(form, value)).collect()
}

fn uniform_titles(instance: &Value<'_>, names: &Names) -> Vec<String> {
    let all = listed(instance.get("alternativeTitles")).iter();
    let uniform = all.filter(|one| is_named(names, one.get("alternativeTitleTypeId"), UNIFORM_TITLE));
    uniform.filter_map(|one| one.get("alternativeTitle").as_str().map(str::to_owned)).collect()
}

fn public<'v>(records: &'v [Value<'v>], members: &[&'static str]) -> Vec<String> {
    let notes = records.iter().flat_map(|record| members.iter().map(|member| listed(record.get(*member))));
    let public = notes.flatten().filter(|note| note.get("staffOnly").as_bool() != Some(true));
    public.filter_map(|note| note.get("note").as_str().map(str::to_owned)).collect()
}

fn date1(instance: &Value<'_>) -> u16 {
    let text = instance.get("dates").get("date1").as_str().unwrap_or_default();
    let digits: String = text.chars().map(|c| if c.is_ascii_digit() { c } else { '0' }).collect();
    if digits.len() > 4 { 0 } else { digits.parse().unwrap_or(0) }
}

/// Where a record has its call number: the member that it is in, if it is not the record itself; and number, prefix, suffix.
type NumberAt = (Option<&'static str>, [&'static str; 3]);

const HOLDINGS_NUMBER: NumberAt = (None, ["callNumber", "callNumberPrefix", "callNumberSuffix"]);
const ITEM_NUMBER: NumberAt = (Some("effectiveCallNumberComponents"), ["callNumber", "prefix", "suffix"]);

fn classifications(instance: &Value<'_>) -> Vec<String> {
    let numbers = texts(instance, "classifications", Some("classificationNumber"));
    numbers.flat_map(|number| forms::values(Form::Classification, number)).collect()
}

fn full_numbers<'v>(records: &'v [Value<'v>], at: NumberAt) -> Vec<String> {
    records.iter().filter_map(|record| full(at, record)).collect()
}

/// The call number with its prefix and suffix; `None` without a number.
fn full<'v>(at: NumberAt, record: &'v Value<'v>) -> Option<String> {
    let [number, prefix, suffix] = parts(at, record);
    number?;
    Some([prefix, number, suffix].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// Letters and digits of the call numbers with and without their prefixes.
fn normalized<'v>(records: &'v [Value<'v>], at: NumberAt) -> Vec<String> {
    let joined = |parts: [Option<&str>; 3]| parts.into_iter().flatten().collect::<String>();
    let mut found = Vec::new();
    for record in records {
        let [number, prefix, suffix] = parts(at, record);
        if number.is_some() {
            let both = [joined([prefix, number, suffix]), joined([None, number, suffix])];
            found.extend(both.iter().flat_map(|number| forms::values(Form::CallNumber, number)));
        }
    }
    found
}

fn parts<'v>((within, names): NumberAt, record: &'v Value<'v>) -> [Option<&'v str>; 3] {
    let number = within.map_or(record, |member| record.get(member));
    names.map(|name| number.get(name).as_str().map(str::trim).filter(|text| !text.is_empty()))
}

/// Collects all texts of a record. What only refers to other records is none, and neither are numbers (mod-search's
/// `AbstractAllValuesProcessor`, and for former identifiers its `ItemAllFieldValuesProcessor`).
fn everything<'v>(value: &'v Value<'v>, found: &mut Vec<Cow<'v, str>>) {
    match value {
        Value::Str(text) => found.push(Cow::Borrowed(text)),
        Value::Array(values) => values.iter().for_each(|value| everything(value, found)),
        Value::Object(members) => {
            let texts = members
                .iter()
                .filter(|(name, _)| *name == "formerIds" || !name.ends_with("Id") && !name.ends_with("Ids"));
            texts.for_each(|(_, value)| everything(value, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn sort_title(instance: &Value<'_>) -> Option<String> {
    let text = |name: &'static str| instance.get(name).as_str().filter(|text| !text.trim().is_empty());
    text("indexTitle").or_else(|| text("title")).map(str::to_owned)
}

fn sort_contributor(instance: &Value<'_>) -> Option<String> {
    let all = listed(instance.get("contributors"));
    let primary = all.iter().find(|one| one.get("primary").as_bool() == Some(true));
    primary.or_else(|| all.first())?.get("name").as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::answer::Expanded;

    fn collect<'v>(value: &'v Value<'v>, path: &[&'static str], found: &mut Vec<Cow<'v, str>>) {
        match (value, path) {
            (Value::Array(values), _) => values.iter().for_each(|value| collect(value, path, found)),
            (Value::Object(_), [name, rest @ ..]) => collect(value.get(*name), rest, found),
            (Value::Str(text), []) => found.push(Cow::Borrowed(text)),
            (Value::Bool(_) | Value::Number(_), []) => found.push(Cow::Owned(value.to_string())),
            _ => {}
        }
    }

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
        let stored = Expanded {
            instance: record("i"),
            holdings: vec![record("h"), record("g")],
            items: vec![record("j"), serde_json::Value::Null],
            is_bound_with: false,
        };
        let title = stored.title();
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
