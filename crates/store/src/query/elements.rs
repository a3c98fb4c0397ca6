//! `/@member`: the clause holds within one element of a list of objects (docs/folio/cql.md#elements-of-lists).
//!
//! `identifiers =/@value/@identifierTypeId=x 978*`: an element whose value contains the word 978… and whose type is x.
//! Members without a value say where to look for the term; those with a value must match too.

use cql::{Error, Relation, Subfield};

use crate::collection::{Collection, IndexKind, Member};
use crate::record::{Field, Kind, Schema};

use super::condition::Condition;
use super::sql::{Fragment, Parameter};
use super::target::Target;
use super::{compare, expression, words};

/// Members with the text of an element, in order of preference; otherwise its first text is used.
const MAIN_MEMBERS: [&str; 3] = ["value", "name", "note"];

/// The list of objects that a clause searches.
pub struct Elements<'a> {
    collection: &'a Collection,
    field: &'a str,
    schema: &'a Schema,
}

impl<'a> Elements<'a> {
    /// The list with this name; `None` if the field is not a list of objects.
    pub fn find(collection: &'a Collection, field: &'a str) -> Option<Self> {
        match collection.schema.find(field)? {
            Kind::List(element) => match element.as_ref() {
                Kind::Object(schema) => Some(Self { collection, field, schema }),
                _ => None,
            },
            _ => None,
        }
    }

    /// One element satisfies the clause.
    ///
    /// # Errors
    /// A member that the elements lack, or a mask that full-text search does not support.
    pub fn matches(&self, relation: &Relation, terms: &[&str], subfields: &[Subfield<'_>]) -> Result<Condition, Error> {
        let mut searched = Condition::Nothing;
        let mut required = Condition::All;
        let mut contained = Condition::All;
        for subfield in subfields {
            let member = self.member(subfield.name)?;
            match subfield.value {
                None => searched = searched.or(holds(member, relation, terms)?),
                Some(value) => {
                    required = required.and(holds(member, &Relation::Equal, &[value])?);
                    contained = contained.and(self.contains(member, value));
                }
            }
        }
        if subfields.iter().all(|subfield| subfield.value.is_some()) {
            searched = holds(self.main_member()?, relation, terms)?;
        }
        let is_narrowed = contained != Condition::All;
        let found = contained.and(self.some_element(searched.and(required)));
        Ok(found.served_if(is_narrowed))
    }

    fn some_element(&self, condition: Condition) -> Condition {
        let list = expression::json(self.collection, self.field);
        let before = format!(
            "EXISTS (SELECT FROM jsonb_array_elements(CASE jsonb_typeof({list}) WHEN 'array' THEN {list} END) \
             AS e (element) WHERE "
        );
        Condition::test(condition.sql().within(&before, ")")).weighing(condition.comparisons().max(1))
    }

    /// The list's index narrows the search if a member is an id, because an id has only one spelling.
    fn contains(&self, member: &Field, value: &str) -> Condition {
        let indexed = expression::has_index(self.collection, self.field, &IndexKind::Elements);
        match uuid::Uuid::parse_str(value) {
            Ok(id) if indexed && member.kind == Kind::Uuid => {
                let element = serde_json::json!([{ member.name.as_str(): id.to_string() }]);
                let list = expression::json(self.collection, self.field);
                let sql = Fragment::new(format!("{list} @> "));
                Condition::test(sql.bind(Parameter::Json(element.to_string()))).served()
            }
            _ => Condition::All,
        }
    }

    /// Modifiers are in lower case already.
    fn member(&self, name: &str) -> Result<&Field, Error> {
        self.schema
            .fields()
            .iter()
            .find(|field| field.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| Error::invalid(format!("CQL: Unsupported relation modifier @{name}")))
    }

    fn main_member(&self) -> Result<&Field, Error> {
        let preferred = MAIN_MEMBERS.iter().find_map(|name| self.schema.field(name));
        let first_text = || self.schema.fields().iter().find(|field| field.kind == Kind::Text);
        preferred
            .or_else(first_text)
            .ok_or_else(|| Error::invalid(format!("CQL: No arraySubfield defined for index {}", self.field)))
    }
}

/// One element has this text in the member, which the list's index finds.
pub(crate) fn with_member(collection: &Collection, named: &Member, terms: &[&str]) -> Condition {
    let list = expression::json(collection, named.list);
    let indexed = expression::has_index(collection, named.list, &IndexKind::Elements);
    terms.iter().fold(Condition::Nothing, |condition, term| {
        let element = serde_json::json!([{ named.member: term }]);
        let sql = Fragment::new(format!("{list} @> ")).bind(Parameter::Json(element.to_string()));
        condition.or(Condition::test(sql).served_if(indexed))
    })
}

fn holds(member: &Field, relation: &Relation, terms: &[&str]) -> Result<Condition, Error> {
    let text = format!("(e.element->>{})", expression::literal(&member.name));
    let target = Target::unindexed(text, &member.kind);
    match relation {
        Relation::Exact => Ok(compare::equals(&target, terms)),
        Relation::NotEqual => Ok(compare::differs(&target, terms)),
        _ => words::matches(&target, relation, terms),
    }
}
