//! Ids: a record's own and its references, which are UUID columns (docs/folio/cql.md#ids).

use cql::{Error, Relation, TermSet};
use uuid::Uuid;

use super::condition::Condition;
use super::sql::{Fragment, Parameter};

/// A column of UUIDs.
#[derive(Debug, Clone)]
pub(crate) struct IdColumn {
    pub name: String,
    /// The primary key, which every record has.
    pub primary: bool,
    /// Few records have the same id in it.
    pub few: bool,
}

/// What a term for an id column can be.
enum Term {
    Empty,
    Star,
    Id(Uuid),
    /// Truncated: from the first to the last id with these digits.
    Range(Uuid, Uuid),
    NoId,
}

/// The condition of a clause on ids.
///
/// # Errors
/// A modifier, a word relation, a truncation other than on the right, or an order comparison with something that is not
/// a UUID.
pub fn condition(column: &IdColumn, set: &TermSet<'_>) -> Result<Condition, Error> {
    if let Some(modifier) = set.modifiers.first() {
        let text = format!("CQL: Unsupported modifier {}", modifier.name());
        return Err(Error::invalid(text));
    }
    match set.relation {
        Relation::Equal | Relation::Exact => equals(column, set),
        Relation::NotEqual => {
            set.terms.iter().try_fold(Condition::Nothing, |all, term| Ok(all.or(differs(column, read(term)?))))
        }
        Relation::Less | Relation::LessOrEqual | Relation::Greater | Relation::GreaterOrEqual => {
            set.terms.iter().try_fold(Condition::Nothing, |all, term| Ok(all.or(precedes(column, set, term)?)))
        }
        other => Err(Error::invalid(format!(
            "CQL: Unsupported operator '{other}', UUID {} only supports '=', '==', and '<>' \
             (possibly with right truncation)",
            set.index
        ))),
    }
}

/// Combines all complete ids of the clause in one look-up.
fn equals(column: &IdColumn, set: &TermSet<'_>) -> Result<Condition, Error> {
    let mut ids = Vec::new();
    let mut condition = Condition::Nothing;
    // FOLIO compares most references as words, to which quotation marks do not belong.
    let is_of_words = *set.relation == Relation::Equal && !column.primary;
    for term in &set.terms {
        condition = condition.or(match read(if is_of_words { unquoted(term) } else { term })? {
            Term::Empty if *set.relation == Relation::Exact => Condition::Nothing,
            Term::Empty | Term::Star => defined(column),
            Term::Range(first, last) => between(column, "BETWEEN", first, last).comparing(&column.name).served(),
            Term::NoId => Condition::Nothing,
            Term::Id(id) => {
                ids.push(id);
                Condition::Nothing
            }
        });
    }
    Ok(is_one_of(column, ids).or(condition))
}

/// A term without single quotation marks around it.
fn unquoted(term: &str) -> &str {
    let bare = term.strip_prefix('\'').and_then(|term| term.strip_suffix('\''));
    bare.filter(|bare| !bare.is_empty()).unwrap_or(term)
}

fn is_one_of(column: &IdColumn, mut ids: Vec<Uuid>) -> Condition {
    let rows = column.primary.then_some(ids.len());
    let name = &column.name;
    let sql = match ids.len() {
        0 => return Condition::Nothing,
        1 => Fragment::new(format!("{name} = ")).bind(Parameter::Uuid(ids.remove(0))),
        _ => Fragment::new(format!("{name} = ANY(")).bind(Parameter::Uuids(ids)).sql(")"),
    };
    Condition::test(sql).comparing(name).served().few_if(column.few).matching_at_most(rows)
}

fn differs(column: &IdColumn, term: Term) -> Condition {
    match term {
        Term::Empty | Term::NoId => defined(column),
        Term::Star => Condition::Nothing,
        Term::Range(first, last) => between(column, "NOT BETWEEN", first, last),
        Term::Id(id) => Condition::test(Fragment::new(format!("{} <> ", column.name)).bind(Parameter::Uuid(id))),
    }
}

fn precedes(column: &IdColumn, set: &TermSet<'_>, term: &str) -> Result<Condition, Error> {
    let (index, relation) = (set.index, set.relation);
    let id = full_uuid(term)
        .ok_or_else(|| Error::invalid(format!("CQL: Invalid UUID after '{index}{relation}': {term}")))?;
    let sql = Fragment::new(format!("{} {relation} ", column.name)).bind(Parameter::Uuid(id));
    Ok(Condition::test(sql).comparing(&column.name).served())
}

fn defined(column: &IdColumn) -> Condition {
    if column.primary { Condition::All } else { Condition::test(Fragment::new(format!("{} IS NOT NULL", column.name))) }
}

fn between(column: &IdColumn, operator: &str, first: Uuid, last: Uuid) -> Condition {
    let sql = Fragment::new(format!("({} {operator} ", column.name))
        .bind(Parameter::Uuid(first))
        .sql(" AND ")
        .bind(Parameter::Uuid(last))
        .sql(")");
    Condition::test(sql)
}

fn read(term: &str) -> Result<Term, Error> {
    let digits = term.trim_end_matches('*');
    if digits.contains('*') {
        let text = format!("CQL: only right truncation supported for id:  {term}");
        return Err(Error::invalid(text));
    }
    Ok(match (digits, digits.len() < term.len()) {
        ("", false) => Term::Empty,
        ("", true) => Term::Star,
        (digits, false) => full_uuid(digits).map_or(Term::NoId, Term::Id),
        (digits, true) => match (completed(digits, '0'), completed(digits, 'f')) {
            (Some(first), Some(last)) => Term::Range(first, last),
            _ => Term::NoId,
        },
    })
}

/// The UUID that starts with these digits and continues with `filler`.
fn completed(digits: &str, filler: char) -> Option<Uuid> {
    let pattern = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx".replace('x', &filler.to_string());
    full_uuid(&format!("{digits}{}", pattern.get(digits.len()..)?))
}

/// A UUID in its usual form, in upper or lower case.
fn full_uuid(text: &str) -> Option<Uuid> {
    let shaped = text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    shaped.then(|| Uuid::parse_str(text).ok()).flatten()
}
