//! What is near a place in an order: the documents found whose values of a field come next before and after it. The
//! dictionaries of the field say where its next values are, so nothing far away is read.

use std::ops::Bound;

use serde_json::{Map, Value};
use tantivy::{
    Searcher, Term,
    query::{BooleanQuery, Query as Compiled},
    schema::Field as Column,
};

use crate::{
    SearchError,
    hits::{By, Sort},
    index::Reader,
    query::{Query, between},
    terms::Walk,
};

/// A place, and how much around it is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// What documents are looked for.
    pub query: Query,
    /// A field with whole values that can be sorted by.
    pub field: String,
    /// The place: a value that the field may have.
    pub value: String,
    /// How many documents with values before it.
    pub before: usize,
    /// How many with just this value.
    pub at: usize,
    /// How many with values after it.
    pub after: usize,
}

/// What is near a place, all in the order of values: what is stored of the documents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Nearby {
    pub before: Vec<Map<String, Value>>,
    pub at: Vec<Map<String, Value>>,
    pub after: Vec<Map<String, Value>>,
    /// How many documents are found anywhere.
    pub total: usize,
}

/// A step looks at the next values; if the query finds too few documents with them, at so many times as many.
const FURTHER: usize = 8;

/// One way from a place.
struct Way<'a> {
    reader: &'a Reader,
    searcher: &'a Searcher,
    query: &'a dyn Compiled,
    column: Column,
    field: &'a str,
    is_backward: bool,
}

impl Reader {
    /// What is near a place. Of a field that has no order there is nothing.
    ///
    /// # Errors
    /// [`SearchError`] if the index cannot be read.
    pub fn nearby(&self, place: &Place) -> Result<Nearby, SearchError> {
        let searcher = self.searcher();
        let Some((kind, column)) = self.fields().get(&place.field).filter(|(kind, _)| kind.is_counted()) else {
            return Ok(Nearby::default());
        };
        let query = place.query.compile(self.fields(), &self.terms)?;
        let total = query.count(&searcher)?;
        let value = kind.encode(&place.value).unwrap_or_default();
        let way = |is_backward| Way {
            reader: self,
            searcher: &searcher,
            query: &*query,
            column,
            field: &place.field,
            is_backward,
        };
        let bound = Bound::Included(Term::from_field_text(column, &value));
        let at = way(false).between(bound.clone(), bound, place.at)?;
        let mut before = way(true).walk(&value, place.before)?;
        before.reverse();
        Ok(Nearby { before, at, after: way(false).walk(&value, place.after)?, total })
    }
}

impl Way<'_> {
    /// Documents with values between two, in the order of the way.
    fn between(
        &self,
        from: Bound<Term>,
        to: Bound<Term>,
        at_most: usize,
    ) -> Result<Vec<Map<String, Value>>, SearchError> {
        if at_most == 0 {
            return Ok(Vec::new());
        }
        let query = BooleanQuery::intersection(vec![self.query.box_clone(), between(from, to)]);
        let sort = Sort { by: By::Field(self.field.to_owned()), descending: self.is_backward };
        self.reader.sorted(self.searcher, &query, &[sort], at_most)
    }

    /// The next documents from a value on, without those that have it.
    fn walk(&self, from: &str, at_most: usize) -> Result<Vec<Map<String, Value>>, SearchError> {
        let mut found = Vec::new();
        let mut from = from.to_owned();
        let mut values = at_most.saturating_mul(2);
        while found.len() < at_most {
            let until = self.ahead(&from, values)?;
            let first = Bound::Excluded(Term::from_field_text(self.column, &from));
            let last = match &until {
                Some(until) => Bound::Included(Term::from_field_text(self.column, until)),
                None if self.is_backward => Bound::Included(Term::from_field_text(self.column, "")),
                None => Bound::Unbounded,
            };
            let (low, high) = if self.is_backward { (last, first) } else { (first, last) };
            found.extend(self.between(low, high, at_most - found.len())?);
            let Some(until) = until else { break };
            from = until;
            values = values.saturating_mul(FURTHER);
        }
        Ok(found)
    }

    /// The value that is so many values ahead of one; `None`: there are fewer.
    fn ahead(&self, from: &str, values: usize) -> Result<Option<String>, SearchError> {
        let mut next: Vec<Vec<u8>> = Vec::new();
        for segment in self.searcher.segment_readers() {
            let index = segment.inverted_index(self.column)?;
            let terms = index.terms();
            let mut walk =
                if self.is_backward { Walk::before(terms, from)? } else { Walk::from(terms, format!("{from}\0"))? };
            let mut left = values;
            while left > 0 && walk.advance()? {
                next.push(walk.key().to_vec());
                left -= 1;
            }
        }
        next.sort_unstable();
        next.dedup();
        if self.is_backward {
            next.reverse();
        }
        Ok(next.into_iter().nth(values.saturating_sub(1)).map(|value| String::from_utf8_lossy(&value).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, sync::Arc};

    use proptest::prelude::*;

    use super::*;
    use crate::{
        document::Document,
        fields::{Fields, Kind},
        index::Writer,
    };

    fn ids(documents: &[Map<String, Value>]) -> Vec<String> {
        documents.iter().map(|one| one["name"].as_str().unwrap_or_default().to_owned()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn what_is_near_is_what_a_sorted_list_has(
            steps in prop::collection::vec((0_u8..40, prop::option::of((0_u8..12, 0_u8..3)), 0_u8..4), 1..40),
            at in 0_u8..12,
            kind in 0_u8..3,
            (before, same, after) in (0_usize..5, 0_usize..3, 0_usize..5),
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let fields = Arc::new(Fields::declare([("order", Kind::Exact), ("kind", Kind::Value)]));
            let mut writer = Writer::open(folder.path(), fields).expect("an index");
            let mut records: BTreeMap<u8, (u8, u8)> = BTreeMap::new();
            for (place, (id, record, then)) in steps.iter().enumerate() {
                writer.delete(&id.to_string());
                records.remove(id);
                if let Some((value, kind)) = record {
                    records.insert(*id, (*value, *kind));
                    let hidden = [("order", format!("{value:03}")), ("kind", kind.to_string())].into_iter().collect();
                    let (source, id) = (id.to_string(), format!("{id:03}"));
                    let shown = Map::from_iter([("name".to_owned(), Value::from(id.as_str()))]).into();
                    writer.add(&Document { source, id, shown, hidden }).expect("added");
                }
                if *then == 0 {
                    writer.commit(&place.to_string()).expect("a commit");
                }
            }
            writer.commit("last").expect("a commit");
            let place = Place {
                query: Query::has("kind", kind.to_string()),
                field: "order".to_owned(),
                value: format!("{at:03}"),
                before,
                at: same,
                after,
            };
            let found = writer.reader().nearby(&place).expect("an answer");
            let mut all: Vec<(u8, u8)> =
                records.iter().filter(|(_, (_, of))| *of == kind).map(|(id, (value, _))| (*value, *id)).collect();
            all.sort_unstable();
            let values = |wanted: &dyn Fn(u8) -> bool| {
                all.iter().filter(|(value, _)| wanted(*value)).map(|(value, _)| *value).collect::<Vec<_>>()
            };
            let of = |names: Vec<String>| -> Vec<u8> {
                names.iter().map(|name| records[&name.parse::<u8>().expect("a number")].0).collect()
            };
            let lower = values(&|value| value < at);
            prop_assert_eq!(of(ids(&found.before)), lower[lower.len().saturating_sub(before)..].to_vec());
            prop_assert_eq!(of(ids(&found.at)), values(&|value| value == at).into_iter().take(same).collect::<Vec<_>>());
            prop_assert_eq!(of(ids(&found.after)), values(&|value| value > at).into_iter().take(after).collect::<Vec<_>>());
            prop_assert_eq!(found.total, all.len());
            writer.close().expect("the end");
        }
    }
}
