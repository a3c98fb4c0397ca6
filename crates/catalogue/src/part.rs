//! The parts of a query, and which of them are filters.

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
}

/// Both must hold.
pub(crate) fn both(one: Part, other: Part) -> Part {
    let mut parts = Vec::new();
    one.spread(&mut parts);
    other.spread(&mut parts);
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
