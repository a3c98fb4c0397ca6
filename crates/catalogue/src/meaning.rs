//! What queries mean: CQL as mod-search reads it (contract 1.3), as a query of the index.

use cql::{Boolean, Clause, Expression, Relation};
use refusals::Refused;
use search::{
    hits::{By, Sort},
    query::Query,
};

use crate::{
    condition::{Condition, Term},
    options::{self, Resource},
    part::{Filter, Part, both, either},
    refusal::{CQL_UNREADABLE, FIELD_UNKNOWN, OPERATOR_UNKNOWN, RELATION_UNKNOWN, SORT_MODIFIER_UNKNOWN, SORT_UNKNOWN},
    settings::Settings,
};

/// A query that was read.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// What ranks the results.
    pub(crate) ranked: Vec<Query>,
    /// What only narrows them.
    pub(crate) filters: Vec<Filter>,
    pub(crate) sort: Vec<Sort>,
}

impl Asked {
    /// The query without the filters on one option.
    pub(crate) fn without(&self, option: Option<&str>) -> Query {
        let filters = self.filters.iter().filter(|filter| Some(filter.option) != option);
        let filters = filters.map(|filter| Query::Filter(Box::new(filter.query.clone())));
        let mut parts: Vec<Query> = self.ranked.iter().cloned().chain(filters).collect();
        if parts.len() == 1 { parts.remove(0) } else { Query::And(parts) }
    }

    /// The whole query.
    pub(crate) fn query(&self) -> Query {
        self.without(None)
    }

    /// The values of an option that are asked for.
    pub(crate) fn selected(&self, option: &str) -> Vec<&str> {
        let filters = self.filters.iter().filter(|filter| filter.option == option);
        filters.flat_map(|filter| filter.values.iter().map(String::as_str)).collect()
    }
}

/// Reads a query for records of one kind.
///
/// # Errors
/// What cannot be read, and options and relations that do not exist.
pub(crate) fn read(query: &str, of: &Resource, settings: &Settings) -> Result<Asked, Refused> {
    let unreadable = |_| CQL_UNREADABLE.with("query", query).with("resource", of.name);
    let parsed = cql::parse(query).map_err(unreadable)?;
    let sort = sort(&parsed.sort, of)?;
    let mut parts = Vec::new();
    Reading { query, of, settings }.expression(&parsed.condition, 0)?.spread(&mut parts);
    let mut asked = Asked { ranked: Vec::new(), filters: Vec::new(), sort };
    for part in parts {
        match part {
            Part::Filter(filter) => asked.filters.push(filter),
            part => asked.ranked.push(part.query()),
        }
    }
    Ok(asked)
}

/// What one condition means.
///
/// # Errors
/// As of [`read`].
pub(crate) fn clause(clause: &Clause, of: &Resource, settings: &Settings) -> Result<Query, Refused> {
    Reading { query: "", of, settings }.clause(clause).map(Part::query)
}

fn sort(keys: &[cql::SortKey], of: &Resource) -> Result<Vec<Sort>, Refused> {
    let mut sort = Vec::new();
    for key in keys {
        let name = options::spelt(key.index());
        let (_, columns) =
            of.sorts.iter().find(|(known, _)| *known == name).ok_or_else(|| SORT_UNKNOWN.with("sortField", &*name))?;
        let read = cql::Options::read(&key.modifiers);
        let descending = read.map_err(|error| SORT_MODIFIER_UNKNOWN.with("error", &*error.message))?.descending;
        sort.extend(columns.iter().map(|column| Sort { by: By::Field((*column).to_owned()), descending }));
    }
    Ok(sort)
}

/// How often a query may change between `and` and `or`, and how deep its parentheses may nest: each time the tree becomes deeper,
/// and what walks it needs more of its stack. Elasticsearch takes 30.
pub(crate) const DEEPEST: usize = 64;

struct Reading<'a> {
    query: &'a str,
    of: &'a Resource,
    settings: &'a Settings,
}

impl Reading<'_> {
    fn expression(&self, expression: &Expression, depth: usize) -> Result<Part, Refused> {
        let mut part = self.clause(&expression.first)?;
        let (mut changes, mut last) = (depth, None);
        for joined in &expression.rest {
            if joined.boolean == Boolean::Prox {
                return Err(OPERATOR_UNKNOWN.with("operator", "PROX").into());
            }
            let is_or = joined.boolean == Boolean::Or;
            changes += usize::from(last != Some(is_or));
            last = Some(is_or);
            if changes > DEEPEST {
                return Err(CQL_UNREADABLE.with("query", self.query).with("resource", self.of.name).into());
            }
            let next = self.expression(&joined.operand, depth + 1)?;
            part = match joined.boolean {
                Boolean::Or => either(part, next),
                Boolean::Not => {
                    let excluded = Query::Filter(Box::new(next.query().negated()));
                    both(part, Part::Query(excluded))
                }
                _ => both(part, next),
            };
        }
        Ok(part)
    }

    fn clause(&self, clause: &Clause) -> Result<Part, Refused> {
        let is_equal = *clause.relation() == Relation::Equal && clause.modifiers().is_empty();
        if is_equal && matches!((clause.index(), clause.term()), ("cql.allRecords", "1") | ("keyword", "*")) {
            return Ok(Part::Query(Query::All));
        }
        let name = options::spelt(clause.index());
        let named = self.of.named(&name);
        let term = Term::of(clause.term(), &named);
        let relation = clause.relation();
        let spelt = match relation {
            Relation::Within => Some("within"),
            Relation::Encloses => Some("encloses"),
            Relation::Named(name) => Some(&**name),
            _ => None,
        };
        if let Some(spelt) = spelt.filter(|_| !term.is_pattern) {
            return Err(RELATION_UNKNOWN.with("relation", spelt).into());
        }
        let condition = Condition {
            relation,
            is_string: clause.modifiers().iter().any(|modifier| modifier.name() == "string"),
            term: &term,
            languages: &self.settings.languages,
        };
        if name.starts_with("cql.") && !named.is_empty() && !self.settings.has_all_fields {
            return Ok(Part::Query(Query::Or(Vec::new())));
        }
        match named.as_slice() {
            [] => Err(FIELD_UNKNOWN.with("field", &*name).into()),
            [option] => condition.on(option, &name),
            several => condition.on_several(several).map(Part::Query),
        }
    }
}

#[cfg(test)]
mod tests {
    use search::query::Query;

    use super::*;
    use crate::options::INSTANCES;

    #[test]
    fn two_ends_of_one_option_are_one_range() {
        let of = |query: &str| {
            let asked =
                read(query, &INSTANCES, &Settings::default()).unwrap_or_else(|refused| panic!("{query}: {refused}"));
            let queries = asked.filters.iter().map(|filter| &filter.query).chain(&asked.ranked);
            queries.filter(|query| matches!(query, Query::Range { .. })).count()
        };
        let (from, to) = ("items.metadata.createdDate >= 2016-01-01", "items.metadata.createdDate < 2018-12-12");
        for (query, ranges) in [
            (format!("{from} and {to}"), 1),
            (format!("{to} and {from}"), 1),
            (format!("({from}) and source==MARC and ({to} and languages==eng)"), 1),
            (format!("{from} and {from}"), 2),
            (format!("{from} and holdings.metadata.createdDate < 2018-12-12"), 2),
            (format!("{from} or {to}"), 0),
            ("items.barcode > a and items.barcode < b".to_owned(), 1),
        ] {
            assert_eq!(of(&query), ranges, "{query}");
        }
    }
}
