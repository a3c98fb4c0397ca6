//! Flags that are true of few records: a partial index lists those. Its condition must stand in the text of the
//! statement, because a plan without values could not use it otherwise.

use cql::{Relation, TermSet, literal};

use crate::collection::Collection;

use super::{condition::Condition, expression, sql::Fragment};

/// The condition that a [flag](Collection::flags) is true; `None` if the clause asks for something else.
pub(super) fn is_set(collection: &Collection, field: &str, set: &TermSet<'_>) -> Option<Condition> {
    let compares = matches!(set.relation, Relation::Exact | Relation::Equal);
    let [term] = set.terms[..] else { return None };
    let asks = compares && set.modifiers.is_empty() && literal(term)?.eq_ignore_ascii_case("true");
    let is_flag = collection.flags.contains(&field);
    (asks && is_flag).then(|| Condition::test(Fragment::new(holds(collection, field))).served())
}

/// The SQL condition that a flag is true, of the index and of the statement.
pub(crate) fn holds(collection: &Collection, field: &str) -> String {
    format!("({} = 'true')", expression::text(collection, field))
}
