//! Parts of queries that ask for nothing, like `…` or `---` in a field with words: beside others they do not count, and alone they
//! find nothing, instead of everything.

use crate::{
    fields::{Fields, Kind},
    query::{Query, spellings},
};

/// When a query that is looked for in several fields has a word.
#[derive(Clone, Copy)]
enum In {
    /// If it has one in each of the fields: a sign between two words is not looked for in the field where it is a word.
    All,
    /// If it has one in any of them.
    Any,
}

impl Query {
    /// What somebody wrote, without the parts that have no words. A query without any finds nothing, as in Solr.
    #[must_use]
    pub fn with_words(self, fields: &Fields) -> Self {
        let strict = self.clone().worded(fields, In::All);
        strict.or_else(|| self.worded(fields, In::Any)).unwrap_or(Self::Or(Vec::new()))
    }

    fn worded(self, fields: &Fields, wanted: In) -> Option<Self> {
        let all = |queries: Vec<Self>| -> Vec<Self> {
            queries.into_iter().filter_map(|query| query.worded(fields, wanted)).collect()
        };
        // Those that are empty already mean what they say.
        let some = |many: usize, left: Vec<Self>| (many == 0 || !left.is_empty()).then_some(left);
        let boxed = |query: Box<Self>| query.worded(fields, wanted).map(Box::new);
        match self {
            Self::Has { ref field, ref value }
            | Self::Phrase { ref field, ref value }
            | Self::Near { ref field, ref value, .. }
            | Self::Similar { ref field, ref value, .. } => has_words(fields, field, value).then_some(self),
            Self::Like { ref field, ref pattern } => {
                let signs = pattern.replace(['*', '?'], "");
                (signs.is_empty() || has_words(fields, field, &signs)).then_some(self)
            }
            Self::And(queries) => some(queries.len(), all(queries)).map(Self::And),
            Self::Or(queries) => some(queries.len(), all(queries)).map(Self::Or),
            Self::Best(queries) => {
                let many = queries.len();
                let left = some(many, all(queries))?;
                (left.len() == many || matches!(wanted, In::Any)).then_some(Self::Best(left))
            }
            Self::Not(query) => boxed(query).map(Self::Not),
            Self::Filter(query) => boxed(query).map(Self::Filter),
            Self::Boost(query, by) => boxed(query).map(|query| Self::Boost(query, by)),
            Self::Prefer(query, rather) => match (boxed(query), boxed(rather)) {
                (Some(query), Some(rather)) => Some(Self::Prefer(query, rather)),
                (query, rather) => query.or(rather).map(|query| *query),
            },
            Self::All | Self::Range { .. } | Self::Present { .. } => Some(self),
        }
    }
}

/// Whether a value can be looked for in a field. Of a whole value each sign counts, and where there is no field nothing is found.
fn has_words(fields: &Fields, field: &str, value: &str) -> bool {
    match fields.kind(field) {
        Some(kind @ (Kind::Text | Kind::Compounds | Kind::Words | Kind::Forms)) => !spellings(kind, value).is_empty(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_without_words_do_not_count() {
        let fields = Fields::declare([("text", Kind::Text), ("blanks", Kind::Words), ("value", Kind::Exact)]);
        let has = |value: &str| Query::has("text", value);
        let anywhere = |value: &str| Query::Best(vec![has(value), Query::has("blanks", value)]);
        let like = |pattern: &str| Query::Like { field: "text".into(), pattern: pattern.into() };
        let nothing = Query::Or(Vec::new());
        for (query, expected) in [
            (has("…"), nothing.clone()),
            (has("maps"), has("maps")),
            (has("… maps"), has("… maps")),
            (Query::has("value", "…"), Query::has("value", "…")),
            (Query::has("none", "…"), Query::has("none", "…")),
            (Query::And(vec![has("maps"), has("…")]), Query::And(vec![has("maps")])),
            (Query::Or(vec![has("maps"), has("…")]), Query::Or(vec![has("maps")])),
            (Query::And(vec![has("…"), has("-").negated()]), nothing.clone()),
            (Query::And(vec![has("maps"), has("-").negated()]), Query::And(vec![has("maps")])),
            (Query::And(vec![anywhere("maps"), anywhere("&")]), Query::And(vec![anywhere("maps")])),
            (anywhere("&"), Query::Best(vec![Query::has("blanks", "&")])),
            (Query::Boost(Box::new(has("…")), 2.0), nothing.clone()),
            (Query::Prefer(Box::new(has("…")), Box::new(has("maps"))), has("maps")),
            (like("…*"), nothing.clone()),
            (like("*"), like("*")),
            (like("m*"), like("m*")),
            (Query::All, Query::All),
            (Query::And(Vec::new()), Query::And(Vec::new())),
            (nothing.clone(), nothing.clone()),
        ] {
            assert_eq!(query.clone().with_words(&fields), expected, "{query:?}");
        }
    }
}
