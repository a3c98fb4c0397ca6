//! Reports that staff put together: which fields of which records, chosen and sorted by what.

use serde_json::{Map, Value};

use super::{
    fields::{Data, Field, Group, group, of_all},
    parts::Part,
};
use crate::model::{derive::identifier, lists::starting_label};

/// A report has at most this many rows.
const MOST: usize = 100_000;
const AGENTS: [&str; 4] = ["agent_person", "agent_family", "agent_software", "agent_corporate_entity"];

/// What a record must be to be in the report.
#[derive(Debug, Clone, PartialEq)]
enum Condition {
    Flag(&'static str, bool),
    OneOf(&'static str, Vec<String>),
    /// Between two days, without them.
    Between(&'static str, String, String),
}

/// What a template asks for.
#[derive(Debug)]
pub(crate) struct Template {
    group: &'static Group,
    /// The types of records.
    pub kinds: Vec<&'static str>,
    fields: Vec<&'static Field>,
    parts: Vec<&'static Part>,
    conditions: Vec<Condition>,
    sorted_by: Option<&'static Field>,
    limit: usize,
    /// What the head of the report tells.
    pub info: Map<String, Value>,
}

/// The numbers of listed values that a template names.
pub(crate) fn listed_ids(data: &Value) -> Vec<i64> {
    let fields = data["fields"].as_object().into_iter().flatten();
    let values = fields.flat_map(|(_, field)| field["values"].as_array().into_iter().flatten());
    values.filter_map(|value| value.as_i64().or_else(|| value.as_str()?.parse().ok())).collect()
}

fn is_on(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false)) && value != "" && value != "0"
}

fn texts(value: &Value) -> Vec<String> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    value.as_array().into_iter().flatten().map(text).filter(|text| !text.is_empty()).collect()
}

impl Template {
    /// Reads a template. `listed` tells the value of a list that has a number.
    ///
    /// # Errors
    /// It is about no type of records that reports know.
    pub(crate) fn read(record: &Value, listed: &dyn Fn(i64) -> Option<String>) -> Result<Self, String> {
        let text = |name: &str| record[name].as_str().filter(|text| !text.is_empty());
        let data: Value = text("data").and_then(|data| serde_json::from_str(data).ok()).unwrap_or_default();
        let name = data["custom_record_type"].as_str().unwrap_or_default();
        let group = group(name).filter(|group| group.name != "global");
        let group = group.ok_or_else(|| format!("Invalid record type: {name}"))?;
        let mut info = Map::new();
        for (to, from) in [("template_name", "name"), ("template_description", "description")] {
            info.extend(text(from).map(|text| (to.to_owned(), text.into())));
        }
        info.insert("custom_record_type".to_owned(), name.into());
        let kinds = match name {
            "agent" => AGENTS.to_vec(),
            _ => vec![group.name],
        };
        let limit = record["limit"].as_u64().and_then(|limit| usize::try_from(limit).ok()).unwrap_or(100);
        let (fields, parts, conditions) = (Vec::new(), Vec::new(), Vec::new());
        let mut template =
            Self { group, kinds, fields, parts, conditions, sorted_by: None, limit: limit.min(MOST), info };
        for field in group.fields.iter().chain(of_all()) {
            template.field(field, &data["fields"][field.name], listed);
        }
        let is_part = |part: &&Part| is_on(&data["subreports"][part.name]["include"]);
        template.parts.extend(group.parts.iter().filter(is_part));
        let sorted_by = data["sort_by"].as_str().unwrap_or_default();
        template.sorted_by = group.fields.iter().chain(of_all()).find(|field| field.name == sorted_by);
        if let Some(field) = template.sorted_by {
            template.info.insert("sorted_by".to_owned(), field.name.into());
        }
        Ok(template)
    }

    /// What the template says of a field.
    fn field(&mut self, field: &'static Field, said: &Value, listed: &dyn Fn(i64) -> Option<String>) {
        if is_on(&said["include"]) {
            self.fields.push(field);
        }
        let mut tell = |text: String| self.info.insert(field.name.to_owned(), text.into());
        if field.data == Data::Flag && is_on(&said["value"]) {
            let wanted = said["value"] == "true" || said["value"] == true;
            tell(if wanted { "Yes" } else { "No" }.to_owned());
            self.conditions.push(Condition::Flag(field.name, wanted));
        }
        let values = texts(&said["values"]);
        if !values.is_empty() {
            let of = |value: &String| value.parse().ok().and_then(listed).unwrap_or_else(|| value.clone());
            let values: Vec<String> = values.iter().map(of).collect();
            tell(values.join(", "));
            if field.data == Data::AgentType {
                self.kinds.retain(|kind| values.iter().any(|value| value == kind));
            } else {
                self.conditions.push(Condition::OneOf(field.name, values));
            }
        }
        if let Some(from) = said["range_start"].as_str().filter(|from| !from.is_empty()) {
            let to = said["range_end"].as_str().filter(|to| !to.is_empty()).unwrap_or("9999-12-31");
            tell(format!("{from} - {to}"));
            self.conditions.push(Condition::Between(field.name, from.to_owned(), to.to_owned()));
        }
    }

    /// A member of a record as text.
    fn text(kind: &str, record: &Value, name: &str) -> Option<String> {
        match (name, kind) {
            ("identifier", "accession" | "resource") => {
                record.as_object().map(|record| identifier(record, ".")).filter(|text| !text.is_empty())
            }
            ("name", _) if kind.starts_with("agent_") => {
                record["display_name"]["sort_name"].as_str().map(str::to_owned)
            }
            ("type", _) if kind.starts_with("agent_") => Some(kind.to_owned()),
            _ => match &record[name] {
                Value::String(text) => Some(text.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            },
        }
    }

    /// The sub-reports about other records.
    pub(crate) fn around(&self) -> impl Iterator<Item = &'static Part> + use<'_> {
        self.parts.iter().copied().filter(|part| part.is_around())
    }

    fn fits(&self, kind: &str, record: &Value) -> bool {
        let text = |name: &str| Self::text(kind, record, name);
        self.conditions.iter().all(|condition| match condition {
            Condition::Flag(name, wanted) => (record[*name] == true) == *wanted,
            Condition::OneOf(name, values) => text(name).is_some_and(|text| values.contains(&text)),
            Condition::Between(name, from, to) => {
                let day = text(name).map(|text| text.chars().take(10).collect::<String>());
                day.is_some_and(|day| day > *from && day < *to)
            }
        })
    }

    /// The row of a record, and what it is sorted by; none for a record that is not in the report.
    fn row(&self, kind: &str, record: &Value) -> Option<(String, Map<String, Value>)> {
        if !self.fits(kind, record) {
            return None;
        }
        let mut row = Map::new();
        for field in &self.fields {
            let name = match (self.group.name, field.name) {
                ("subject", "title") => "terms",
                (_, "title") => "record_title",
                (_, name) => name,
            };
            let value = match field.data {
                Data::Flag => Some(if record[field.name] == true { "Yes" } else { "No" }.to_owned()),
                Data::Listed => Self::text(kind, record, field.name).map(|value| {
                    let label = starting_label(&field.list(self.group.name), &value).map(str::to_owned);
                    label.unwrap_or(value)
                }),
                _ => Self::text(kind, record, field.name),
            };
            row.insert(name.to_owned(), value.map_or(Value::Null, Value::from));
        }
        for part in &self.parts {
            row.insert(part.name.to_owned(), part.of(record));
        }
        let key = self.sorted_by.and_then(|field| Self::text(kind, record, field.name)).unwrap_or_default();
        Some((key, row))
    }
}

/// A row, and the record that it is of.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub kind: String,
    pub id: i64,
    pub row: Map<String, Value>,
    /// What it is sorted by.
    key: String,
}

/// The first rows of a report in their order. Memory grows with the limit of the report, not with the library.
#[derive(Debug, Default)]
pub(crate) struct Rows(Vec<Chosen>);

impl Rows {
    /// Takes a record; returns whether further ones can be in the report.
    pub(crate) fn take(&mut self, template: &Template, (kind, id): (&str, i64), record: &Value) -> bool {
        let row = template.row(kind, record);
        self.0.extend(row.map(|(key, row)| Chosen { kind: kind.to_owned(), id, row, key }));
        let is_sorted = template.sorted_by.is_some();
        if is_sorted && self.0.len() >= (2 * template.limit).max(1_000) {
            self.cut(template);
        }
        is_sorted || self.0.len() < template.limit
    }

    fn cut(&mut self, template: &Template) {
        if template.sorted_by.is_some() {
            self.0.sort_by(|one, other| one.key.cmp(&other.key));
        }
        self.0.truncate(template.limit);
    }

    /// The rows.
    pub(crate) fn finish(mut self, template: &Template) -> Vec<Chosen> {
        self.cut(template);
        self.0
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn template(data: &Value, limit: u64) -> Result<Template, String> {
        let record = json!({"name": "Mine", "data": data.to_string(), "limit": limit});
        Template::read(&record, &|id| (id == 7).then(|| "gift".to_owned()))
    }

    fn rows(template: &Template, records: &[Value]) -> Vec<Value> {
        let mut rows = Rows::default();
        for (id, record) in (1..).zip(records) {
            if !rows.take(template, (template.kinds[0], id), record) {
                break;
            }
        }
        rows.finish(template).into_iter().map(|chosen| Value::Object(chosen.row)).collect()
    }

    fn accession(id: &str, title: &str, day: &str, published: bool) -> Value {
        json!({"id_0": id, "id_1": "1", "title": title, "accession_date": day, "publish": published,
            "acquisition_type": "gift", "dates": [{"begin": "1900"}], "created_by": "admin"})
    }

    #[test]
    fn records_are_chosen_sorted_and_cut() {
        let data = json!({"custom_record_type": "accession", "sort_by": "title", "subreports": {"date": {"include": "1"}},
            "fields": {"title": {"include": "1"}, "identifier": {"include": "1"}, "publish": {"include": "1", "value": "true"},
                "acquisition_type": {"include": "1", "values": ["7"]}, "created_by": {"values": ["admin"]},
                "accession_date": {"range_start": "2000-01-01", "range_end": "2010-01-01"}}});
        assert_eq!(listed_ids(&data), [7]);
        let template = template(&data, 2).expect("a template");
        let records = [
            accession("A", "Zebra", "2005-05-05", true),
            accession("B", "Apple", "2005-05-05", true),
            accession("C", "Old", "1999-01-01", true),
            accession("D", "Hidden", "2005-05-05", false),
            accession("E", "Middle", "2009-12-31", true),
        ];
        let found = rows(&template, &records);
        assert_eq!(found.len(), 2);
        let expected = json!({"acquisition_type": "Gift", "identifier": "B.1", "publish": "Yes", "record_title": "Apple",
            "date": [{"date_type": null, "label": null, "certainty": null, "expression": null, "begin": "1900", "end": null,
                "era": null, "calendar": null}]});
        assert_eq!((&found[0], &found[1]["record_title"]), (&expected, &json!("Middle")));
        assert_eq!((&template.info["publish"], &template.info["sorted_by"]), (&json!("Yes"), &json!("title")));
    }

    #[test]
    fn without_an_order_the_first_records_count() {
        let data = json!({"custom_record_type": "accession", "fields": {"title": {"include": "1"}}});
        let template = template(&data, 1).expect("a template");
        let found = rows(&template, &[accession("A", "Zebra", "", true), accession("B", "Apple", "", true)]);
        assert_eq!(found, [json!({"record_title": "Zebra"})]);
    }

    #[test]
    fn agents_are_of_the_chosen_types() {
        let data = json!({"custom_record_type": "agent",
            "fields": {"name": {"include": "1"}, "type": {"include": "1", "values": ["agent_family"]}}});
        let template = template(&data, 10).expect("a template");
        assert_eq!(template.kinds, ["agent_family"]);
        let found = rows(&template, &[json!({"display_name": {"sort_name": "Miller"}})]);
        assert_eq!(found, [json!({"type": "agent_family", "name": "Miller"})]);
        assert!(super::Template::read(&json!({"data": "{}"}), &|_| None).is_err());
    }
}
