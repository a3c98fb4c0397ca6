//! Comparison of whole values: `==`, `<>` with masks, and `<`, `<=`, `>`, `>=` (docs/folio/cql.md#whole-values).

use cql::{Piece, Relation, pieces};

use crate::collection::IndexKind;

use super::condition::Condition;
use super::expression;
use super::sql::{Fragment, Parameter};
use super::target::Target;

/// A text of at most this many bytes fits in an index key even after unaccenting (`㍱` becomes `hPa`).
const SURELY_A_KEY: usize = expression::KEY_LENGTH / 4;
/// Sorts after every continuation of a prefix.
const LAST: char = '\u{10FFFF}';
/// Characters that unaccenting turns into special characters of LIKE patterns.
const SPECIAL_ONCE_UNACCENTED: [(char, char); 6] =
    [('∖', '\\'), ('﹨', '\\'), ('＼', '\\'), ('﹪', '%'), ('％', '%'), ('＿', '_')];

/// `==`: the value is one of the terms. Terms without an index are compared together, so that each row is read once.
pub fn equals(target: &Target, terms: &[&str]) -> Condition {
    let (mut literals, mut patterns) = (Vec::new(), Vec::new());
    let mut condition = Condition::Nothing;
    for term in terms {
        match cql::literal(term) {
            Some(text) if is_short(&text) => literals.push(text),
            Some(text) => condition = condition.or(is_long(target, text)),
            None => match is_like(target, term) {
                Some(like) => condition = condition.or(like),
                None => patterns.push(pattern(target, term)),
            },
        }
    }
    let like = any_of(&target.whole(), "LIKE", target, patterns);
    is_one_of(target, literals).or(condition).or(like)
}

/// `<>`: the value exists and differs from one of the terms.
pub fn differs(target: &Target, terms: &[&str]) -> Condition {
    let (mut short, mut long, mut patterns) = (Vec::new(), Vec::new(), Vec::new());
    for term in terms {
        match cql::literal(term) {
            Some(text) if is_short(&text) => short.push(text),
            Some(text) => long.push(text),
            None => patterns.push(pattern(target, term)),
        }
    }
    any_of(&key(target), "<>", target, short).or(any_of(&target.whole(), "<>", target, long)).or(any_of(
        &target.whole(),
        "NOT LIKE",
        target,
        patterns,
    ))
}

/// `<`, `<=`, `>`, `>=`: by B-tree order, or by the plain text without a B-tree.
#[must_use]
pub(crate) fn precedes(target: &Target, relation: &Relation, terms: &[&str]) -> Condition {
    let mut texts: Vec<String> = terms.iter().map(|term| plain(term)).collect();
    let operator = relation.spelling();
    match &target.key {
        Some(key) => any_of(key, operator, target, texts).comparing(key).served(),
        None => {
            let value = format!("({} COLLATE \"C\") {operator} ", target.text);
            match texts.len() {
                1 => test(value, Fragment::parameter(Parameter::Text(texts.remove(0)))),
                _ => {
                    let texts = Fragment::parameter(Parameter::Texts(texts));
                    test(value, texts.within("ANY(", ")"))
                }
            }
        }
    }
}

/// `value` has that relation to one of the texts.
fn any_of(value: &str, operator: &str, target: &Target, mut texts: Vec<String>) -> Condition {
    let sql = format!("{value} {operator} ");
    match texts.len() {
        0 => Condition::Nothing,
        1 => test(sql, folded(target, texts.remove(0))),
        _ => test(sql, folded_set(target, texts).within("ANY(", ")")),
    }
}

/// The value exists.
#[must_use]
pub(crate) fn is_defined(target: &Target) -> Condition {
    Condition::test(Fragment::new(format!("{} IS NOT NULL", target.text)))
}

fn is_one_of(target: &Target, literals: Vec<String>) -> Condition {
    let rows = target.unique.then_some(literals.len());
    let found = any_of(&key(target), "=", target, literals).matching_at_most(rows);
    match &target.key {
        Some(key) => found.comparing(key).served(),
        None => found,
    }
}

/// For a term that may exceed an index key: the key finds candidates, and the whole text decides.
fn is_long(target: &Target, text: String) -> Condition {
    let whole = test(format!("{} = ", target.whole()), folded(target, text.clone()));
    let Some(key) = &target.key else { return whole };
    let length = expression::KEY_LENGTH;
    let cut = folded(target, text).within("left(", &format!(", {length})"));
    test(format!("{key} = "), cut).and(whole).served().matching_at_most(target.unique.then_some(1))
}

/// A masked term. The B-tree finds the text before the first mask; `None` if that does not help.
fn is_like(target: &Target, term: &str) -> Option<Condition> {
    let parts: Vec<Piece> = pieces(term).collect();
    let prefix: String = parts
        .iter()
        .map_while(|piece| match piece {
            Piece::Char(c) => Some(*c),
            Piece::AnyRun | Piece::AnyOne => None,
        })
        .collect();
    let only_a_prefix = parts[prefix.chars().count()..].iter().all(|piece| *piece == Piece::AnyRun);
    let like = || {
        let value = format!("{} LIKE ", target.whole());
        test(value, folded(target, pattern(target, term)))
    };
    match &target.key {
        _ if only_a_prefix && prefix.is_empty() => Some(is_defined(target)),
        Some(key) if !prefix.is_empty() && is_short(&prefix) => {
            let range = starts_with(target, key, prefix);
            let found = if only_a_prefix { range } else { range.and(like()) };
            Some(found.served())
        }
        _ => None,
    }
}

fn starts_with(target: &Target, key: &str, prefix: String) -> Condition {
    let end = format!("{prefix}{LAST}");
    let from = test(format!("{key} >= "), folded(target, prefix)).comparing(key);
    from.and(test(format!("{key} < "), folded(target, end)).comparing(key))
}

fn test(sql: String, value: Fragment) -> Condition {
    Condition::test(Fragment::new(sql).then(value))
}

fn key(target: &Target) -> String {
    target.key.clone().unwrap_or_else(|| target.whole())
}

fn is_short(text: &str) -> bool {
    text.len() <= SURELY_A_KEY
}

/// A text as a parameter, folded like the target: here if the result is certain, otherwise by the database.
fn folded(target: &Target, text: String) -> Fragment {
    match folded_here(&target.folding, &text) {
        Some(text) => Fragment::parameter(Parameter::Text(text)),
        None => match target.folding {
            IndexKind::Folded => Fragment::new("carrel.fold(").bind(Parameter::Text(text)).sql(")"),
            _ => Fragment::new("lower(").bind(Parameter::Text(text)).sql(")"),
        },
    }
}

fn folded_set(target: &Target, texts: Vec<String>) -> Fragment {
    let here: Option<Vec<String>> = texts.iter().map(|text| folded_here(&target.folding, text)).collect();
    match here {
        Some(texts) => Fragment::parameter(Parameter::Texts(texts)),
        None => {
            let function = match target.folding {
                IndexKind::Folded => "carrel.fold_all(",
                _ => "carrel.lower_all(",
            };
            Fragment::new(function).bind(Parameter::Texts(texts)).sql(")")
        }
    }
}

/// Plain ASCII folds identically everywhere. The last character of a range stays as it is.
fn folded_here(folding: &IndexKind, text: &str) -> Option<String> {
    let plain = text.strip_suffix(LAST).unwrap_or(text);
    match folding {
        IndexKind::Folded | IndexKind::CaseFolded => plain.is_ascii().then(|| text.to_ascii_lowercase()),
        IndexKind::Exact | IndexKind::Words | IndexKind::Elements => Some(text.to_owned()),
    }
}

/// The term as a LIKE pattern that survives folding.
fn pattern(target: &Target, term: &str) -> String {
    let mut pattern = String::with_capacity(term.len());
    for piece in pieces(term) {
        match piece {
            Piece::AnyRun => pattern.push('%'),
            Piece::AnyOne => pattern.push('_'),
            Piece::Char(c) => {
                let c = if target.folding == IndexKind::Folded { unaccented_special(c) } else { c };
                if matches!(c, '%' | '_' | '\\') {
                    pattern.push('\\');
                }
                pattern.push(c);
            }
        }
    }
    pattern
}

fn unaccented_special(c: char) -> char {
    SPECIAL_ONCE_UNACCENTED.iter().find(|(from, _)| *from == c).map_or(c, |(_, to)| *to)
}

/// The text of a term in which masks have no meaning.
fn plain(term: &str) -> String {
    pieces(term)
        .map(|piece| match piece {
            Piece::Char(c) => c,
            Piece::AnyRun => '*',
            Piece::AnyOne => '?',
        })
        .collect()
}
