//! Comparing a record with its declaration.

use serde_json::{Map, Value};

use super::super::dates;
use super::super::declaration::{Fields, Kind, Needed, RecordType, Text};
use super::super::lists::ValueLists;
use super::super::references::{chosen, joined};
use super::super::registry::declared;
use super::super::rules::{self, Finding};
use super::super::{spelling, uri};
use super::problems::{Problem, What};
use super::{NewValue, Purpose};

const MISSING: &str = "Property is required but was missing";

/// Looks at a record, and collects what it finds.
pub struct Validator<'a> {
    lists: &'a dyn ValueLists,
    how: Purpose,
    problems: Vec<Problem>,
    /// What counts only if nothing else is wrong.
    last: Vec<Problem>,
    new_values: Vec<NewValue>,
}

impl<'a> Validator<'a> {
    pub fn new(lists: &'a dyn ValueLists, how: Purpose) -> Self {
        Self { lists, how, problems: Vec::new(), last: Vec::new(), new_values: Vec::new() }
    }

    /// What was found.
    pub fn found(mut self) -> (Vec<Problem>, Vec<NewValue>) {
        if self.problems.iter().all(|problem| matches!(problem.what, What::Warning(_))) {
            self.problems.append(&mut self.last);
        }
        (self.problems, self.new_values)
    }

    /// Checks a record, and writes its type into it. The rules of a type hold for records that have what they need.
    pub fn record(&mut self, of: &RecordType, map: &mut Map<String, Value>, at: &str) {
        map.entry("jsonmodel_type").or_insert_with(|| Value::from(of.name.as_str()));
        self.fields(&of.fields, map, at);
        self.last.extend(rules::last_of(&of.name).flat_map(|rule| rule(map)).map(|finding| problem(finding, at)));
        if self.problems.iter().any(|problem| problem.at == at) {
            return;
        }
        self.problems.extend(rules::of(&of.name).flat_map(|rule| rule(map)).map(|finding| problem(finding, at)));
    }

    fn fields(&mut self, fields: &Fields, map: &mut Map<String, Value>, at: &str) {
        for property in &fields.properties {
            if let Some(value) = map.get_mut(&property.name) {
                self.value(&property.kind, value, &joined(at, &property.name));
            }
        }
        for property in fields.properties.iter().filter(|property| !property.read_only) {
            let what = match property.needed {
                Needed::No => continue,
                Needed::Warned => What::Warning("Property was missing".to_owned()),
                Needed::Yes => What::Error(MISSING.to_owned()),
            };
            if !map.contains_key(&property.name) {
                self.problems.push(Problem { at: at.to_owned(), path: joined(at, &property.name), what });
            }
        }
    }

    fn value(&mut self, kind: &Kind, value: &mut Value, at: &str) {
        match (kind, &mut *value) {
            (Kind::Text(text), Value::String(content)) => self.text(text, content, at),
            (Kind::Date, value) => {
                if value.as_str().and_then(dates::whole_day).is_none() {
                    self.error(at, "Not a valid date".to_owned());
                }
            }
            (Kind::DateTime, value) => {
                if !value.as_str().is_some_and(dates::is_time) {
                    self.error(at, "Not a valid date".to_owned());
                }
            }
            (Kind::Fields(fields), Value::Object(map)) => self.fields(fields, map, at),
            (Kind::Record(name) | Kind::RecordOrUri(name), Value::Object(map)) if is_a(map, name) => {
                self.record(declared(name), map, at);
            }
            (Kind::Array { of, least }, Value::Array(items)) => {
                if let Some(least) = least.filter(|least| items.len() < *least) {
                    self.error(at, format!("At least {least} item(s) is required"));
                }
                for (place, item) in items.iter_mut().enumerate() {
                    self.value(of, item, &joined(at, &place.to_string()));
                }
            }
            (Kind::AnyOf(kinds), value) => self.any_of(kinds, value, at),
            (kind, value) if self.is_plainly(kind, value) => {}
            (kind, value) => self.wrong_kind(kind, value, at),
        }
    }

    fn any_of(&mut self, kinds: &[Kind], value: &mut Value, at: &str) {
        let record = value.as_object().and_then(|map| chosen(kinds, map));
        if let (Some(of), Value::Object(map)) = (record, &mut *value) {
            self.record(of, map, at);
        } else if let Some(kind) = kinds.iter().find(|kind| matches!(kind, Kind::Text(_)) && value.is_string()) {
            self.value(kind, value, at);
        } else if !kinds.iter().any(|kind| self.is_plainly(kind, value)) {
            kinds.iter().for_each(|kind| self.wrong_kind(kind, value, at));
        }
    }

    /// Whether the value is of the kind, where there is nothing more to look at.
    fn is_plainly(&self, kind: &Kind, value: &Value) -> bool {
        let in_import = self.how == Purpose::Import;
        let is_uri = |name: &str| value.as_str().is_some_and(|text| uri::fits(text, declared(name), in_import));
        match kind {
            Kind::Integer => value.is_i64() || value.is_u64(),
            Kind::Number => value.is_number(),
            Kind::Boolean => value.is_boolean(),
            Kind::Object => value.is_object(),
            Kind::Uri(names) => names.iter().any(|name| is_uri(name)),
            Kind::RecordOrUri(name) => is_uri(name),
            _ => false,
        }
    }

    fn text(&mut self, text: &Text, content: &str, at: &str) {
        let length = content.chars().count();
        if let Some(least) = text.least.filter(|least| length < *least) {
            self.error(at, format!("Must be at least {least} characters"));
        }
        if let Some(most) = text.most.filter(|most| length > *most) {
            self.error(at, format!("Must be {most} characters or fewer"));
        }
        if let Some(pattern) = text.pattern.as_ref().filter(|pattern| !pattern.is_match(content)) {
            self.error(at, format!("Value '{content}' did not match regular expression: {pattern}"));
        }
        if !text.one_of.is_empty() && !text.one_of.iter().any(|allowed| allowed == content) {
            self.error(at, format!("Invalid value '{content}'.  Must be one of: {}", text.one_of.join(", ")));
        }
        if let Some(list) = text.list.as_ref().filter(|list| !self.lists.has(list, content)) {
            self.unlisted(list, content, at);
        }
    }

    fn unlisted(&mut self, list: &str, content: &str, at: &str) {
        if self.how == Purpose::Import {
            let new = NewValue { list: list.to_owned(), value: content.to_owned() };
            if !self.new_values.contains(&new) {
                self.new_values.push(new);
            }
            return;
        }
        let message = format!("Invalid value '{content}'.  Must be one of: {}", self.lists.values(list).join(", "));
        let fixed = if self.lists.is_editable(list) { "" } else { &format!("Protected read-only list #/{at}. ") };
        self.error(at, format!("{fixed}{message}"));
    }

    fn error(&mut self, at: &str, text: String) {
        self.problems.push(Problem { at: at.to_owned(), path: at.to_owned(), what: What::Error(text) });
    }

    fn wrong_kind(&mut self, kind: &Kind, value: &Value, at: &str) {
        let sent = spelling::class_of(value);
        for wanted in names(kind) {
            let what = What::WrongKind { wanted, sent };
            self.problems.push(Problem { at: at.to_owned(), path: at.to_owned(), what });
        }
    }
}

fn problem(finding: Finding, at: &str) -> Problem {
    let (path, what) = match finding {
        Finding::Error(property, text) => (joined(at, &property), What::Error(text)),
        Finding::Warning(property, text) => (joined(at, &property), What::Warning(text)),
        Finding::Code(code) => (at.to_owned(), What::Code(code)),
    };
    Problem { at: at.to_owned(), path, what }
}

fn is_a(map: &Map<String, Value>, name: &str) -> bool {
    map.get("jsonmodel_type").is_none_or(|given| given == name)
}

/// What messages call the kinds that a value may be of.
pub fn names(kind: &Kind) -> Vec<String> {
    let plain = |name: &str| vec![name.to_owned()];
    match kind {
        Kind::Text(_) => plain("string"),
        Kind::Integer => plain("integer"),
        Kind::Number => plain("number"),
        Kind::Boolean => plain("boolean"),
        Kind::Date => plain("date"),
        Kind::DateTime => plain("date-time"),
        Kind::Object | Kind::Fields(_) => plain("object"),
        Kind::Array { .. } => plain("array"),
        Kind::Record(name) => vec![format!("JSONModel(:{name}) object")],
        Kind::RecordOrUri(name) => vec![format!("JSONModel(:{name}) uri_or_object")],
        Kind::Uri(types) => types.iter().map(|name| format!("JSONModel(:{name}) uri")).collect(),
        Kind::AnyOf(kinds) => kinds.iter().flat_map(names).collect(),
    }
}
