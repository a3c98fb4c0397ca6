//! The parts of a query, and which of them are filters.

use std::ops::Bound;

use search::query::Query;

/// A condition on one option that does not count for the rank.
#[derive(Debug, Clone)]
pub(crate) struct Filter {
    pub(crate) option: &'static str,
    /// The values it asks for; a range has none.
    pub(crate) values: Vec<String>,
    pub(crate) query: Query,
}

/// A part of a query.
pub(crate) enum Part {
    Filter(Filter),
    All(Vec<Part>),
    Query(Query),
}

impl Part {
    pub(crate) fn query(self) -> Query {
        match self {
            Self::Filter(filter) => filter.query,
            Self::All(parts) => Query::And(parts.into_iter().map(Self::query).collect()),
            Self::Query(query) => query,
        }
    }

    /// The parts that must all hold.
    pub(crate) fn spread(self, parts: &mut Vec<Self>) {
        match self {
            Self::All(all) => parts.extend(all),
            part => parts.push(part),
        }
    }

    /// Makes two ranges of one option, of which each has one end, one range: one value must be in it (contract 1.3). Otherwise a
    /// record with a value before it and another after it would be found.
    fn takes_end(&mut self, other: &Self) -> bool {
        let (Self::Filter(Filter { query, .. }) | Self::Query(query)) = self else { return false };
        let (Self::Filter(Filter { query: other, .. }) | Self::Query(other)) = other else { return false };
        let (Query::Range { field, from, to }, Query::Range { field: of, from: start, to: end }) = (query, other)
        else {
            return false;
        };
        let (open, end) = match (&*from, &*to, start, end) {
            (Bound::Unbounded, _, start, Bound::Unbounded) => (from, start),
            (_, Bound::Unbounded, Bound::Unbounded, end) => (to, end),
            _ => return false,
        };
        if field == of {
            open.clone_from(end);
        }
        field == of
    }
}

/// Both must hold.
pub(crate) fn both(one: Part, other: Part) -> Part {
    let (mut parts, mut others) = (Vec::new(), Vec::new());
    one.spread(&mut parts);
    other.spread(&mut others);
    for other in others {
        if !parts.iter_mut().any(|part| part.takes_end(&other)) {
            parts.push(other);
        }
    }
    Part::All(parts)
}

/// One must hold. Values of one filter are one filter.
pub(crate) fn either(one: Part, other: Part) -> Part {
    match (one, other) {
        (Part::Filter(mut one), Part::Filter(other))
            if one.option == other.option && !one.values.is_empty() && !other.values.is_empty() =>
        {
            one.values.extend(other.values);
            one.query = joined(one.query, other.query);
            Part::Filter(one)
        }
        (one, other) => Part::Query(joined(one.query(), other.query())),
    }
}

fn joined(one: Query, other: Query) -> Query {
    match one {
        Query::Or(mut queries) => {
            queries.push(other);
            Query::Or(queries)
        }
        one => Query::Or(vec![one, other]),
    }
}
