//! The planner: turns a CQL query into a condition and an order.

use cql::{Boolean, Error, Expression, Operand, Options, Query, Relation, SortKey, TermSet};

use crate::collection::{Alias, Collection, Style};

use super::condition::Condition;
use super::elements::{self, Elements};
use super::order::{self, OrderColumn};
use super::target::Target;
use super::{compare, flag, id_column, identifier, listed, number, told_apart, uncommon, words};

/// PostgreSQL numbers the parameters of a statement with 16 bits.
const MOST_PARAMETERS: usize = 30_000;
/// Limit of comparisons per query; terms on one field with one relation usually count as one.
const MOST_COMPARISONS: usize = 2_000;
/// Limit of comparisons without an index, each of which reads every record: about a second per million records.
const MOST_UNSERVED: usize = 40;
/// Cost of reading another table, in comparisons of the record at hand.
const TO_READ_A_NEIGHBOUR: usize = 5;
/// Nesting depth of parentheses that PostgreSQL parses reliably.
const DEEPEST: usize = 300;

/// A planned query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub condition: Condition,
    /// Sort keys; empty if the query has none.
    pub order: Vec<OrderColumn>,
    /// Undeclared fields of the query; they match nothing and do not affect the order.
    pub undeclared: Vec<String>,
}

impl Plan {
    /// All records, in no particular order.
    pub fn everything() -> Self {
        Self { condition: Condition::All, order: Vec::new(), undeclared: Vec::new() }
    }
}

/// Plans a query. `neighbour` finds the collection of a table, for fields of other records (`holdingsRecords.…`).
///
/// # Errors
/// A query that FOLIO refuses although it is well-formed; see [`Error::store_text`].
pub fn plan<'a>(
    query: &Query,
    collection: &'a Collection,
    neighbour: &dyn Fn(&str) -> Option<&'a Collection>,
) -> Result<Plan, Error> {
    let mut planner = Planner { collection, neighbour, undeclared: Vec::new() };
    let condition = planner.expression(&query.condition)?;
    if condition.sql().parameters() > MOST_PARAMETERS || condition.comparisons() > MOST_COMPARISONS {
        return Err(Error::invalid("CQL: the query has too many terms"));
    }
    if condition.unserved() > MOST_UNSERVED {
        return Err(Error::invalid(format!(
            "CQL: the query has too many terms that no index serves ({}, at most {MOST_UNSERVED}); ask in several \
             queries, or by indexed fields",
            condition.unserved()
        )));
    }
    let order = planner.order(query)?;
    Ok(Plan { condition, order, undeclared: planner.undeclared })
}

struct Planner<'a, 'n> {
    collection: &'a Collection,
    neighbour: &'n dyn Fn(&str) -> Option<&'a Collection>,
    undeclared: Vec<String>,
}

impl<'a> Planner<'a, '_> {
    fn expression(&mut self, expression: &Expression) -> Result<Condition, Error> {
        let mut condition = Condition::Nothing;
        for (boolean, operand) in expression.operands() {
            let Some(operand) = simplified(boolean, operand) else {
                continue;
            };
            let operand = self.operand(&operand)?;
            condition = match boolean {
                None | Some(Boolean::Or) => condition.or(operand),
                Some(Boolean::And) => condition.and(operand),
                Some(Boolean::Not) => condition.and_not(operand),
                Some(Boolean::Prox) => {
                    let class = "org.z3950.zing.cql.CQLProxNode";
                    return Err(Error::unsupported(format!("Not implemented yet: {class}")));
                }
            };
            if condition.depth() > DEEPEST {
                return Err(Error::invalid("CQL: the query is nested too deeply"));
            }
        }
        Ok(condition)
    }

    fn operand(&mut self, operand: &Operand<'_>) -> Result<Condition, Error> {
        match operand {
            Operand::Nested(expression) => self.expression(expression),
            Operand::Terms(set) => self.terms(set),
        }
    }

    fn terms(&mut self, set: &TermSet<'_>) -> Result<Condition, Error> {
        if set.index.eq_ignore_ascii_case("cql.allRecords") {
            return Ok(Condition::All);
        }
        if set.index.eq_ignore_ascii_case(cql::Clause::SERVER_CHOICE) {
            let text = "cql.serverChoice requested, but no serverChoiceIndexes defined.";
            return Err(Error::invalid(text));
        }
        let condition = match self.alias(set.index) {
            Some((Alias { steps: [], .. }, field)) => {
                field_condition(self.collection, &TermSet { index: field, ..set.clone() })?
            }
            Some((alias, field)) => return self.through(alias, field, set),
            None => field_condition(self.collection, set)?,
        };
        Ok(condition.unwrap_or_else(|| self.undeclared(set.index)))
    }

    fn undeclared(&mut self, index: &str) -> Condition {
        if !self.undeclared.iter().any(|name| name == index) {
            self.undeclared.push(index.to_owned());
        }
        Condition::Nothing
    }

    fn alias<'i>(&self, index: &'i str) -> Option<(&'a Alias, &'i str)> {
        let (name, field) = index.split_once('.')?;
        let alias = self.collection.aliases.iter().find(|alias| alias.name == name)?;
        Some((alias, field))
    }

    /// A field of other records, reached through foreign keys.
    fn through(&mut self, alias: &Alias, field: &str, set: &TermSet<'_>) -> Result<Condition, Error> {
        let last = alias.steps.last().map_or(self.collection.table, |step| step.0);
        let found = match (self.neighbour)(last) {
            Some(neighbour) => field_condition(neighbour, &TermSet { index: field, ..set.clone() })?,
            None => None,
        };
        let Some(found) = found else {
            return Ok(self.undeclared(set.index));
        };
        if found == Condition::Nothing {
            return Ok(found);
        }
        let weight = found.unserved() * TO_READ_A_NEIGHBOUR;
        let sql = alias.steps.iter().rev().fold(found.sql(), |inner, (table, column, before)| {
            let neighbour = (self.neighbour)(table);
            let table = neighbour.map_or((*table).into(), Collection::relation);
            // The few records of the configuration that match are found first, so that the planner need not choose.
            match neighbour.is_some_and(|neighbour| neighbour.configuration) {
                true => inner.within(&format!("{before} = ANY(ARRAY(SELECT {column} FROM {table} WHERE "), "))"),
                false => inner.within(&format!("{before} IN (SELECT {column} FROM {table} WHERE "), ")"),
            }
        });
        let found = Condition::test(sql).weighing(weight.max(1)).on_others();
        Ok(found.served_if(weight == 0))
    }

    fn order(&mut self, query: &Query) -> Result<Vec<OrderColumn>, Error> {
        let mut columns: Vec<OrderColumn> = Vec::new();
        for key in &query.sort {
            match self.order_column(key)? {
                Some(column) => columns.push(column),
                None => {
                    self.undeclared(key.index());
                }
            }
        }
        Ok(columns)
    }

    /// A field of another record gives an order where the alias leads to one record alone.
    fn order_column(&self, key: &SortKey) -> Result<Option<OrderColumn>, Error> {
        let alias = self.alias(key.index());
        if let Some((Alias { steps: [], .. }, field)) = alias {
            return order::column(self.collection, field, key);
        }
        let found = alias.and_then(|(alias, field)| match alias.steps {
            [(table, "id", reference)] => Some(((self.neighbour)(table)?, field, reference)),
            _ => None,
        });
        match found {
            Some((neighbour, field, reference)) => {
                let column = order::column(neighbour, field, key)?;
                Ok(column.map(|column| column.of_neighbour(neighbour, reference)))
            }
            None => order::column(self.collection, key.index(), key),
        }
    }
}

/// FOLIO reads `X or f = *` as X, because its user interface sends that before the user types anything. As the first
/// operand, `f = *` matches all records.
fn simplified<'a>(boolean: Option<Boolean>, operand: Operand<'a>) -> Option<Operand<'a>> {
    match operand {
        Operand::Terms(mut set) if *set.relation == Relation::Equal => {
            match boolean {
                None if set.terms.first() == Some(&"*") => set.terms.truncate(1),
                None | Some(Boolean::Or) => set.terms.retain(|term| *term != "*"),
                Some(Boolean::And | Boolean::Not | Boolean::Prox) => {}
            }
            (!set.terms.is_empty()).then_some(Operand::Terms(set))
        }
        other => Some(other),
    }
}

/// The condition of a clause on the collection's own field; `None` if the field is undeclared.
fn field_condition(collection: &Collection, set: &TermSet<'_>) -> Result<Option<Condition>, Error> {
    let field = collection.member_of(set.index);
    if let Some(column) = id_column(collection, field) {
        return identifier::condition(&column, set).map(Some);
    }
    if let Some(is_set) = flag::is_set(collection, field, set) {
        return Ok(Some(is_set));
    }
    let options = Options::read(set.modifiers)?;
    refuse_unknown(set)?;
    if let Some(member) = collection.members.iter().find(|member| member.name == field)
        && (is_word_search(set.relation) || *set.relation == Relation::Exact)
    {
        return Ok(Some(elements::with_member(collection, member, &set.terms)));
    }
    let Some(target) = Target::find(collection, field) else {
        let everything = collection.entity.is_none()
            && is_word_search(set.relation)
            && set.terms.iter().any(|term| words::is_everything(term));
        return Ok(everything.then_some(Condition::All));
    };
    let of_words = is_word_search(set.relation);
    if options.number && (!of_words || *set.relation == Relation::Equal) {
        return number::compares(&target, set.relation, &set.terms).map(Some);
    }
    let whole = match set.relation {
        _ if of_words && collection.style == Style::Spring => in_spring(&target, &set.terms),
        _ if of_words => {
            let matches = |target: &Target| words::matches(target, set.relation, &set.terms);
            match listed::among(collection, field, &target, matches) {
                Some(among) => among?,
                None => matches(&target)?,
            }
        }
        Relation::Exact => told_apart::equals(collection, field, &target, &set.terms)
            .unwrap_or_else(|| uncommon::equals(collection, field, &target, &set.terms)),
        Relation::NotEqual => told_apart::differs(collection, field, &target, &set.terms)
            .unwrap_or_else(|| compare::differs(&target, &set.terms)),
        relation => return Ok(Some(compare::precedes(&target, relation, &set.terms))),
    };
    if options.subfields.is_empty() {
        return Ok(Some(whole));
    }
    let inside = in_elements(collection, set, &options)?;
    // The word index of the whole list narrows the search.
    Ok(Some(if of_words { whole.and(inside).served_if(target.has_words) } else { inside }))
}

/// Spring modules have no word search: every relation compares the whole value.
fn in_spring(target: &Target, terms: &[&str]) -> Condition {
    terms.iter().fold(Condition::Nothing, |condition, term| {
        condition.or(match *term {
            "*" => Condition::All,
            "" => compare::is_defined(target),
            term => compare::equals(target, &[term]),
        })
    })
}

fn in_elements(collection: &Collection, set: &TermSet<'_>, options: &Options<'_>) -> Result<Condition, Error> {
    let elements = Elements::find(collection, set.index).ok_or_else(|| {
        let name = options.subfields[0].name;
        Error::invalid(format!("CQL: Unsupported relation modifier @{name}"))
    })?;
    elements.matches(set.relation, &set.terms, &options.subfields)
}

fn refuse_unknown(set: &TermSet<'_>) -> Result<(), Error> {
    let (index, relation, term) = (set.index, set.relation, set.terms[0]);
    match relation {
        Relation::Within | Relation::Encloses | Relation::Named(_) => {
            Err(Error::unsupported(format!("Relation {relation} not implemented yet: {index} {relation} \"{term}\"")))
        }
        _ => Ok(()),
    }
}

fn is_word_search(relation: &Relation) -> bool {
    matches!(relation, Relation::Equal | Relation::Adj | Relation::All | Relation::Any)
}
