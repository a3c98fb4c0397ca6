//! Replaces a text in a property of a record, of all below it or of their parts (`find_and_replace_job`).

use regex::Regex;
use serde_json::{Map, Value};
use store::statements::archives::RECORDS_BELOW;

use crate::{
    jobs::running::{Done, Ended, Failure, Running},
    model::{RecordType, Uri, record_type},
    refusal::Refusal,
};

use super::changes::{change, tell_end, tell_refused};

/// What is replaced.
#[derive(Debug, Clone)]
pub(super) struct Replacement {
    /// The type of record or part.
    of: &'static RecordType,
    property: String,
    find: Find,
    replace: String,
}

#[derive(Debug, Clone)]
enum Find {
    Text(String),
    Pattern(Regex),
}

fn text<'a>(work: &'a Map<String, Value>, name: &str) -> &'a str {
    work.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn base(work: &Map<String, Value>) -> Result<Uri, Refusal> {
    let wrong = || Refusal::parameter("base_record_uri", "Record not found");
    Uri::parse(text(work, "base_record_uri")).ok_or_else(wrong)
}

impl Replacement {
    /// Reads what a job is to replace. A text between slashes is a pattern.
    fn of(work: &Map<String, Value>) -> Result<Self, Refusal> {
        let kind = text(work, "record_type");
        let of = record_type(kind).ok_or_else(|| Refusal::parameter("record_type", format!("No such type: {kind}")))?;
        let property = text(work, "property").to_owned();
        let is_text = |name: &str| {
            of.fields
                .get(name)
                .is_some_and(|found| matches!(found.kind, crate::model::Kind::Text(_)) && !found.read_only)
        };
        if !is_text(&property) {
            return Err(Refusal::parameter("property", format!("{kind} has no text named {property}")));
        }
        let find = text(work, "find");
        let pattern = find.strip_prefix('/').and_then(|find| find.strip_suffix('/')).filter(|find| !find.is_empty());
        let find = match pattern {
            Some(pattern) => {
                let wrong =
                    |error: regex::Error| Refusal::parameter("find", format!("The pattern cannot be read: {error}"));
                Find::Pattern(Regex::new(pattern).map_err(wrong)?)
            }
            None if find.is_empty() => return Err(Refusal::parameter("find", "Property is required but was missing")),
            None => Find::Text(find.to_owned()),
        };
        Ok(Self { of, property, find, replace: text(work, "replace").to_owned() })
    }

    /// Replaces in a record and its parts; returns whether anything was replaced.
    fn apply(&self, record: &mut Map<String, Value>) -> bool {
        let own = record.get("jsonmodel_type").and_then(Value::as_str) == Some(self.of.name.as_str());
        let mut changed = false;
        if own && let Some(Value::String(text)) = record.get_mut(&self.property) {
            let replaced = match &self.find {
                Find::Text(find) => text.replace(find, &self.replace),
                Find::Pattern(find) => find.replace_all(text, self.replace.as_str()).into_owned(),
            };
            changed = replaced != *text;
            *text = replaced;
        }
        for part in record.values_mut() {
            changed |= self.below(part);
        }
        changed
    }

    fn below(&self, value: &mut Value) -> bool {
        match value {
            Value::Object(part) => self.apply(part),
            Value::Array(parts) => parts.iter_mut().fold(false, |changed, part| self.below(part) | changed),
            _ => false,
        }
    }
}

/// Refuses what cannot be replaced.
pub(super) fn check(work: &Map<String, Value>) -> Result<(), Refusal> {
    base(work)?;
    Replacement::of(work).map(|_| ())
}

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    let unfit = |refusal: Refusal| super::sheets::failed(refusal);
    let work = running.work.as_object().cloned().unwrap_or_default();
    let (base, replacement) = (base(&work).map_err(unfit)?, Replacement::of(&work).map_err(unfit)?);
    if base.repository.is_some_and(|repository| repository != running.repository) {
        return Err(Failure::Failed("The record is of another repository.".to_owned()));
    }
    let author = running.author();
    let transaction = running.session.begin().await?;
    let rows = transaction.query(RECORDS_BELOW, &[&base.kind.name, &base.id]).await?;
    let found: Vec<(String, i64)> = rows.iter().map(|row| (row.get("kind"), row.get("id"))).collect();
    let ids: Vec<(&str, i64)> = found.iter().map(|(kind, id)| (kind.as_str(), *id)).collect();
    let changed = change(running, &transaction, &ids, &author, |_, record| replacement.apply(record)).await?;
    let (kind, property) = (&replacement.of.name, &replacement.property);
    changed.records.iter().for_each(|uri| running.log.line(&format!("Updating {kind}.{property} of {uri}")));
    tell_refused(running, &changed.refused);
    if let Some((uri, why)) = changed.refused.first() {
        return Err(Failure::Failed(format!("Nothing is replaced, because {uri} would not be valid: {why}")));
    }
    tell_end(running, changed.records.len());
    running.finish(transaction, Done { records: changed.records, ..Done::default() }).await
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn replacement(kind: &str, property: &str, find: &str, replace: &str) -> Result<Replacement, Refusal> {
        let work = json!({"record_type": kind, "property": property, "find": find, "replace": replace});
        Replacement::of(work.as_object().expect("an object"))
    }

    fn replaced(of: &Replacement) -> (bool, Value) {
        let record = json!({"jsonmodel_type": "resource", "title": "Box 1 of 12", "extents": [
            {"jsonmodel_type": "extent", "container_summary": "12 boxes"}, {"jsonmodel_type": "extent", "number": "12"}]});
        let mut record = record.as_object().cloned().expect("an object");
        let changed = of.apply(&mut record);
        (changed, Value::Object(record))
    }

    #[test]
    fn texts_and_patterns_are_replaced_in_records_and_parts() {
        let (changed, record) =
            replaced(&replacement("extent", "container_summary", "12", "13").expect("a replacement"));
        assert!(changed);
        assert_eq!(
            (&record["extents"][0]["container_summary"], &record["title"]),
            (&json!("13 boxes"), &json!("Box 1 of 12"))
        );
        assert_eq!(record["extents"][1]["number"], "12");
        let (changed, record) = replaced(&replacement("resource", "title", "/[0-9]+/", "x").expect("a replacement"));
        assert_eq!((changed, &record["title"]), (true, &json!("Box x of x")));
        let (changed, _) = replaced(&replacement("resource", "title", "[0-9]+", "x").expect("a replacement"));
        assert!(!changed, "without slashes it is a text");
    }

    #[test]
    fn what_cannot_be_replaced_is_refused() {
        for (kind, property, find, named) in [
            ("nonsense", "title", "a", "record_type"),
            ("resource", "extents", "a", "property"),
            ("resource", "display", "a", "property"),
            ("resource", "title", "/(/", "find"),
            ("resource", "title", "", "find"),
        ] {
            let Err(Refusal::Parameters(wrong)) = replacement(kind, property, find, "x") else { panic!("{named}") };
            assert!(wrong.contains_key(named), "{wrong:?}");
        }
    }
}
