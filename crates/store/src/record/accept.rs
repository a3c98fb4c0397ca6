//! Validates a request's record against its declaration and converts it to stored form
//! (docs/folio/conventions.md#stored-form): drops nulls and computed members, adds empty lists and defaults, and
//! normalizes instants.

use serde_json::{Map, Value};

use super::{
    Breach, Field, Kind, Rejection, Schema,
    ids::{UUID_PATTERN, VERSIONED_UUID_PATTERN, is_uuid, is_versioned_uuid},
    rejection::join,
    values::{as_integer, as_number, as_text, stored_instant, unreadable, without_nul},
};

/// Violations found so far, and which ids are valid.
struct Found {
    versioned_ids: bool,
    breaches: Vec<Breach>,
}

impl Found {
    fn is_id(&self, text: &str) -> bool {
        if self.versioned_ids { is_versioned_uuid(text) } else { is_uuid(text) }
    }

    fn pattern_of_ids(&self) -> &'static str {
        if self.versioned_ids { VERSIONED_UUID_PATTERN } else { UUID_PATTERN }
    }
}

impl Schema {
    /// Validates `value` and returns the record in stored form.
    ///
    /// # Errors
    /// [`Rejection`] with all violations, or with the first reason why it is unreadable.
    pub fn accept(&self, value: Value) -> Result<Map<String, Value>, Rejection> {
        let Value::Object(members) = value else {
            return Err(Rejection::Unreadable("expected a JSON object".into()));
        };
        let mut found = Found { versioned_ids: self.versioned_ids, breaches: Vec::new() };
        let accepted = self.accept_members(members, "", &mut found)?;
        if found.breaches.is_empty() { Ok(accepted) } else { Err(Rejection::Breaches(found.breaches)) }
    }

    /// Validates the records of the list `name` and returns them in stored form.
    ///
    /// # Errors
    /// [`Rejection`] with all violations of all records, or with the first reason why one is unreadable.
    pub fn accept_all(&self, name: &str, records: Vec<Value>) -> Result<Vec<Map<String, Value>>, Rejection> {
        let (mut accepted, mut found) = (Vec::with_capacity(records.len()), Vec::new());
        for (place, record) in records.into_iter().enumerate() {
            match self.accept(record) {
                Ok(record) => accepted.push(record),
                Err(Rejection::Breaches(breaches)) => {
                    let place = format!("{name}[{place}]");
                    found.extend(breaches.into_iter().map(|breach| breach.within(&place)));
                }
                Err(unreadable) => return Err(unreadable),
            }
        }
        if found.is_empty() { Ok(accepted) } else { Err(Rejection::Breaches(found)) }
    }

    /// The value without undeclared members, which FOLIO's Spring modules ignore.
    pub fn without_unknown(&self, value: Value) -> Value {
        let Value::Object(members) = value else {
            return value;
        };
        let known = members.into_iter().filter_map(|(name, value)| {
            let kind = &self.field(&name)?.kind;
            Some((name, kind.without_unknown(value)))
        });
        Value::Object(known.collect())
    }

    fn accept_members(
        &self,
        mut members: Map<String, Value>,
        prefix: &str,
        found: &mut Found,
    ) -> Result<Map<String, Value>, Rejection> {
        let mut accepted = Map::with_capacity(self.fields.len());
        for field in &self.fields {
            let sent = members.shift_remove(&field.name);
            // FOLIO's record libraries start with empty lists, so only an explicit null removes one.
            let is_begun = sent.is_none() && matches!(field.kind, Kind::List(_));
            let given = sent.filter(|value| !field.kind.is_null(value));
            let value = match given {
                _ if field.computed => None,
                Some(value) => Some(field.accept(value, &join(prefix, &field.name), found)?),
                None if field.required && !is_begun => {
                    found.breaches.push(Breach::Missing { path: join(prefix, &field.name) });
                    None
                }
                None => field.when_absent(),
            };
            if let Some(value) = value {
                accepted.insert(field.name.clone(), value);
            }
        }
        for (name, value) in members {
            if self.undeclared_members {
                let value = without_nul(value, &join(prefix, &name))?;
                accepted.insert(name, value);
            } else {
                found.breaches.push(Breach::Unknown { name });
            }
        }
        Ok(accepted)
    }
}

impl Field {
    fn when_absent(&self) -> Option<Value> {
        match &self.kind {
            Kind::List(_) => Some(self.default.clone().unwrap_or_else(|| Value::Array(Vec::new()))),
            _ => self.default.clone(),
        }
    }

    fn accept(&self, value: Value, path: &str, found: &mut Found) -> Result<Value, Rejection> {
        let value = self.kind.accept(value, path, found)?;
        if let (Some(max), Value::String(text)) = (self.max_length, &value)
            && text.chars().count() > max
        {
            found.breaches.push(Breach::TooLong { path: path.into(), value: text.clone(), max });
        }
        Ok(value)
    }
}

impl Kind {
    /// True for null, and for an empty text in place of an instant, a number or a flag, which FOLIO's record libraries
    /// also read as null.
    fn is_null(&self, value: &Value) -> bool {
        match (self, value) {
            (_, Value::Null) => true,
            (Kind::DateTime | Kind::Integer | Kind::Number | Kind::Bool, Value::String(text)) => text.trim().is_empty(),
            _ => false,
        }
    }

    fn without_unknown(&self, value: Value) -> Value {
        match (self, value) {
            (Kind::Object(schema), value) => schema.without_unknown(value),
            (Kind::List(element), Value::Array(values)) => {
                let values = values.into_iter();
                values.map(|value| element.without_unknown(value)).collect()
            }
            (_, value) => value,
        }
    }

    fn accept(&self, value: Value, path: &str, found: &mut Found) -> Result<Value, Rejection> {
        match self {
            Kind::Any | Kind::Either(_) => without_nul(value, path),
            Kind::FreeObject | Kind::Named(_) if value.is_object() => without_nul(value, path),
            Kind::Object(schema) => match value {
                Value::Object(members) => schema.accept_members(members, path, found).map(Value::Object),
                other => Err(unreadable(path, "an object", &other)),
            },
            Kind::List(element) => match value {
                Value::Array(values) => element.accept_list(values, path, found),
                other => Err(unreadable(path, "an array", &other)),
            },
            Kind::Uuid => {
                let text = as_text(value, path)?;
                if !found.is_id(&text) {
                    let pattern = found.pattern_of_ids();
                    found.breaches.push(Breach::Pattern { path: path.into(), value: text.clone(), pattern });
                }
                Ok(Value::String(text))
            }
            Kind::Text => as_text(value, path).map(Value::String),
            Kind::OneOf(texts) => match value {
                Value::String(text) if texts.contains(&text) => Ok(Value::String(text)),
                other => Err(unreadable(path, &format!("one of {}", texts.join(", ")), &other)),
            },
            Kind::Bool => match &value {
                Value::Bool(_) => Ok(value),
                Value::String(text) if text == "true" || text == "false" => Ok(Value::Bool(text == "true")),
                other => Err(unreadable(path, "true or false", other)),
            },
            Kind::Integer => as_integer(value, path),
            Kind::Number => as_number(value, path),
            Kind::DateTime => match &value {
                Value::String(text) => {
                    stored_instant(text).map(Value::String).ok_or_else(|| unreadable(path, "a date and time", &value))
                }
                other => Err(unreadable(path, "a date and time", other)),
            },
            Kind::FreeObject | Kind::Named(_) => Err(unreadable(path, "an object", &value)),
        }
    }

    fn accept_list(&self, values: Vec<Value>, path: &str, found: &mut Found) -> Result<Value, Rejection> {
        let values = values.into_iter().filter(|value| !self.is_null(value)).enumerate();
        if matches!(self, Kind::Uuid) {
            let ids = values.map(|(place, value)| as_text(value, &format!("{path}[{place}]")));
            let ids = ids.collect::<Result<Vec<_>, _>>()?;
            let pattern = found.pattern_of_ids();
            if let Some(wrong) = ids.iter().find(|id| !found.is_id(id)).cloned() {
                found.breaches.push(Breach::Listed { path: path.into(), values: ids.clone(), wrong, pattern });
            }
            return Ok(ids.into());
        }
        values
            .map(|(place, value)| self.accept(value, &format!("{path}[{place}]"), found))
            .collect::<Result<Vec<_>, _>>()
            .map(Value::Array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Schema {
        Schema::declare(
            "id:uuid, title*, source*, hrid~, editions[], count:int, active:bool=true, when:datetime,
             status*{name*, date~:datetime}, notes[{note*<=5, staffOnly:bool=false}]",
        )
    }

    #[test]
    fn a_record_is_brought_into_stored_form() {
        let sent = json!({"title": "A", "source": 7, "hrid": "x", "count": "3", "editions": null,
            "when": "2020-01-01", "status": {"name": "Available", "date": "x"}, "notes": [{"note": "n"}, null]});
        assert_eq!(
            Value::Object(schema().accept(sent).unwrap()),
            json!({"title": "A", "source": "7", "editions": [], "count": 3, "active": true,
                "when": "2020-01-01T00:00:00.000+00:00", "status": {"name": "Available"},
                "notes": [{"note": "n", "staffOnly": false}]})
        );
    }

    #[test]
    fn a_required_list_may_be_absent_but_not_null() {
        let schema = Schema::declare("outputFormats*[], name*");
        let accepted = schema.accept(json!({"name": "n"})).unwrap();
        assert_eq!(Value::Object(accepted), json!({"outputFormats": [], "name": "n"}));
        let missing = vec![Breach::Missing { path: "outputFormats".into() }];
        assert_eq!(schema.accept(json!({"name": "n", "outputFormats": null})), Err(Rejection::Breaches(missing)));
    }

    /// The forms of FOLIO's pages send every field, with an empty text for an empty one.
    #[test]
    fn an_empty_instant_number_or_flag_is_null() {
        for empty in ["", " "] {
            let sent = json!({"title": empty, "source": "s", "when": empty, "count": empty, "active": empty,
                "status": {"name": "n"}});
            let stored = Value::Object(schema().accept(sent).unwrap());
            assert_eq!(stored["title"], empty);
            assert_eq!(stored["active"], true, "the default");
            assert!(stored.get("when").is_none() && stored.get("count").is_none());
        }
        let dated = Schema::declare("when*:datetime");
        assert_eq!(
            dated.accept(json!({"when": ""})),
            Err(Rejection::Breaches(vec![Breach::Missing { path: "when".into() }]))
        );
    }

    #[test]
    fn every_breach_is_reported() {
        let sent = json!({"id": "no", "source": "s", "status": {}, "extra": 1, "notes": [{"note": "longer"}]});
        let Err(Rejection::Breaches(breaches)) = schema().accept(sent) else { panic!("accepted") };
        assert_eq!(
            breaches,
            vec![
                Breach::Pattern { path: "id".into(), value: "no".into(), pattern: UUID_PATTERN },
                Breach::Missing { path: "title".into() },
                Breach::Missing { path: "status.name".into() },
                Breach::TooLong { path: "notes[0].note".into(), value: "longer".into(), max: 5 },
                Breach::Unknown { name: "extra".into() },
            ]
        );
    }

    #[test]
    fn identifiers_may_have_to_be_of_a_known_version() {
        let plain = Schema::declare("id:uuid, inner{ids[uuid]}");
        let strict = plain.clone().with_versioned_ids();
        for (id, is_good) in [
            ("9523cb96-e752-40c2-89da-60f3961a488d", true),
            ("3DA8B4C4-ED25-501D-BBED-31970AE8306F", true),
            ("9523cb96-e752-70c2-89da-60f3961a488d", false),
            ("9523cb96-e752-40c2-c9da-60f3961a488d", false),
        ] {
            let sent = json!({"id": id, "inner": {"ids": [id]}});
            assert!(plain.accept(sent.clone()).is_ok(), "{id}");
            let paths = match strict.accept(sent) {
                Ok(_) => vec![],
                Err(Rejection::Breaches(breaches)) => breaches,
                Err(other) => panic!("{other:?}"),
            };
            let pattern = VERSIONED_UUID_PATTERN;
            let expected = [
                Breach::Pattern { path: "id".into(), value: id.into(), pattern },
                Breach::Listed { path: "inner.ids".into(), values: vec![id.into()], wrong: id.into(), pattern },
            ];
            let expected = if is_good { vec![] } else { expected.to_vec() };
            assert_eq!(paths, expected, "{id}");
        }
    }

    #[test]
    fn undeclared_members_can_be_dropped() {
        let sent = json!({"title": "A", "extra": 1, "status": {"name": "n", "extra": 1},
            "notes": [{"note": "n", "extra": 1}, 7]});
        assert_eq!(
            schema().without_unknown(sent),
            json!({"title": "A", "status": {"name": "n"}, "notes": [{"note": "n"}, 7]})
        );
    }

    #[test]
    fn unreadable_values_are_refused() {
        for (member, value) in [
            ("title", json!({})),
            ("title", json!("a\u{0}b")),
            ("editions", json!("x")),
            ("count", json!("many")),
            ("count", json!(1.5)),
            ("active", json!("yes")),
            ("when", json!("yesterday")),
            ("status", json!("Available")),
        ] {
            let mut sent = json!({"title": "A", "source": "s", "status": {"name": "n"}});
            sent[member] = value.clone();
            assert!(matches!(schema().accept(sent), Err(Rejection::Unreadable(_))), "{member} = {value} was accepted");
        }
        assert!(matches!(schema().accept(json!([])), Err(Rejection::Unreadable(_))));
    }
}
