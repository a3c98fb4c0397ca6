//! Words: `=`, `adj`, `all`, `any` (docs/folio/cql.md#words).

use cql::{Error, Piece, Relation, pieces};

use super::compare;
use super::condition::Condition;
use super::expression;
use super::sql::{Fragment, Parameter};
use super::target::Target;

/// Cost of finding the words of a text, in plain comparisons.
const TO_FIND_WORDS: usize = 2;

/// The value contains the words of one of the terms: as a phrase, all of them, or any of them.
///
/// # Errors
/// A mask that full-text search does not support.
pub fn matches(target: &Target, relation: &Relation, terms: &[&str]) -> Result<Condition, Error> {
    let mut condition = Condition::Nothing;
    let mut searches = Vec::new();
    for term in terms {
        let search = search_text(term)?;
        match search.as_str() {
            "*" => condition = Condition::All,
            "" => condition = condition.or(compare::is_defined(target)),
            one if target.one_word && !one.contains(' ') => {
                condition = condition.or(compare::equals(target, &[term]));
            }
            _ => searches.push(search),
        }
    }
    Ok(condition.or(any_search(target, relation, searches)))
}

/// Whether the term is `*`, which matches every record.
#[must_use]
pub(crate) fn is_everything(term: &str) -> bool {
    without_lone_stars(term) == "*"
}

fn any_search(target: &Target, relation: &Relation, mut searches: Vec<String>) -> Condition {
    let (one, many) = match relation {
        Relation::All => ("all_words", "all_words_of_any"),
        Relation::Any => ("any_word", "any_word_of_any"),
        _ => ("phrase", "any_phrase"),
    };
    let telling = searches.first().and_then(|search| telling_word(search));
    let (function, parameter) = match searches.len() {
        0 => return Condition::Nothing,
        1 => (one, Parameter::Text(searches.remove(0))),
        _ => (many, Parameter::Texts(searches)),
    };
    let words = expression::words(&target.text);
    let mut value = Fragment::parameter(parameter);
    if target.digits {
        let digits = if function == one { "carrel.digits(" } else { "carrel.digits_all(" };
        value = value.within(digits, ")");
    }
    let query = value.within(&format!("{words} @@ carrel.{function}("), ")");
    let query = match (function, telling, target.has_words || target.digits) {
        ("all_words" | "phrase", Some(word), false) => might_contain(&target.text, word).then(query).sql(")"),
        _ => query,
    };
    Condition::test(query).weighing(TO_FIND_WORDS).served_if(target.has_words)
}

/// A cheap comparison that rules out most texts without the word, so that their words need not be found. Only of ASCII
/// it is certain that no accent hides a letter.
fn might_contain(text: &str, word: String) -> Fragment {
    Fragment::new(format!("((octet_length({text}) <> length({text}) OR {text} ILIKE "))
        .bind(Parameter::Text(format!("%{word}%")))
        .sql(") AND ")
}

/// The longest word of the search that is nothing but ASCII letters and digits, and so occurs in each text found.
fn telling_word(search: &str) -> Option<String> {
    let words = search.split(' ').map(|word| word.strip_suffix('*').unwrap_or(word));
    let plain = words.filter(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    plain.max_by_key(|word| word.len()).map(str::to_owned)
}

/// The term in the form that the database's search functions take: words separated by spaces, truncated ones with a
/// star, nothing masked.
pub(super) fn search_text(term: &str) -> Result<String, Error> {
    let term = without_lone_stars(term);
    if term == "*" {
        return Ok(term);
    }
    let mut text = String::with_capacity(term.len());
    let mut parts = pieces(&term).peekable();
    while let Some(piece) = parts.next() {
        match (piece, parts.peek()) {
            (Piece::AnyOne, _) => return Err(Error::invalid(NO_QUESTION_MARK)),
            (Piece::AnyRun, None | Some(Piece::Char(' '))) => text.push('*'),
            (Piece::AnyRun, Some(next)) => return Err(star_inside(*next)),
            // Any punctuation separates words alike.
            (Piece::Char('*'), _) => text.push(','),
            (Piece::Char(c), _) => text.push(c),
        }
    }
    Ok(text)
}

const NO_QUESTION_MARK: &str = "? wildcard not allowed in full text query string";

fn star_inside(next: Piece) -> Error {
    let found = match next {
        Piece::Char(c) => c,
        Piece::AnyRun => '*',
        Piece::AnyOne => '?',
    };
    Error::invalid(format!("* right truncation wildcard must be followed by space or end of string, but found {found}"))
}

/// Removes stars that are alone after other words: they have no effect.
fn without_lone_stars(term: &str) -> String {
    let words: Vec<&str> = term.split(' ').filter(|word| !word.is_empty()).collect();
    let kept: Vec<&str> =
        words.iter().enumerate().filter(|(at, word)| *at == 0 || **word != "*").map(|(_, word)| *word).collect();
    kept.join(" ")
}
