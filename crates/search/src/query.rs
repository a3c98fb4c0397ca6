//! What is asked of an index.

use std::{ops::Bound, sync::Arc};

use tantivy::{
    Term,
    query::{
        AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, EmptyQuery, ExistsQuery, InvertedIndexRangeQuery, Occur,
        Query as Compiled, RegexQuery,
    },
    schema::{Field as Column, IndexRecordOption},
    tokenizer::Token,
};

use crate::{
    SearchError, analysis,
    best::Best,
    excluded::Excluded,
    fields::{Fields, Kind},
    kept::Kept,
    known::{Known, Terms},
    similar::similar,
};

/// How many places words that are near each other may be apart: tantivy counts them in a byte.
pub(crate) const MOST_PLACES: u32 = 255;

/// A query. A field that is not declared has no values.
#[derive(Debug, Clone, PartialEq)]
pub enum Query {
    /// Every document.
    All,
    /// Documents with all words of the value in the field; for whole values, with exactly that value.
    Has {
        field: String,
        value: String,
    },
    /// Documents with the words of the value one after the other.
    Phrase {
        field: String,
        value: String,
    },
    /// Documents with the words of the value near each other: so many places may they be away from where they are in the
    /// value, counted together and at most 255. Whole values are the same or not.
    Near {
        field: String,
        value: String,
        places: u32,
    },
    /// Documents with all words of the value, or words that differ from them in at most so many letters, at most two; for whole
    /// values, with one that differs so little.
    Similar {
        field: String,
        value: String,
        edits: u8,
    },
    /// Documents with a word, or whole value, like the pattern: `*` is any text, `?` any character.
    Like {
        field: String,
        pattern: String,
    },
    /// Documents with a value between two.
    Range {
        field: String,
        from: Bound<String>,
        to: Bound<String>,
    },
    /// Documents with any value in the field.
    Present {
        field: String,
    },
    Not(Box<Query>),
    And(Vec<Query>),
    Or(Vec<Query>),
    /// Documents of any of them, ranked by the best.
    Best(Vec<Query>),
    /// The same documents, whatever their rank. What filters that are used again find is kept.
    Filter(Box<Query>),
    /// The same documents, ranked higher.
    Boost(Box<Query>, f32),
    /// The documents of the first, ranked higher where the second finds them.
    Prefer(Box<Query>, Box<Query>),
}

impl Query {
    /// Documents with the value in the field.
    pub fn has(field: impl Into<String>, value: impl Into<String>) -> Self {
        Self::Has { field: field.into(), value: value.into() }
    }

    /// Documents with a value from one to another, both of them included.
    pub fn from_to(field: impl Into<String>, from: Option<String>, to: Option<String>) -> Self {
        let [from, to] = [from, to].map(|end| end.map_or(Bound::Unbounded, Bound::Included));
        Self::Range { field: field.into(), from, to }
    }

    /// Documents with any of the values in the field.
    pub fn any<V: Into<String>>(field: &str, values: impl IntoIterator<Item = V>) -> Self {
        Self::Or(values.into_iter().map(|value| Self::has(field, value)).collect())
    }

    /// How many words and patterns are compared with all words of a field: the most costly parts of a query, of which whoever
    /// takes queries from clients allows only some. To look for a beginning costs little.
    pub fn costly(&self) -> usize {
        match self {
            Self::Similar { .. } => 1,
            Self::Like { pattern, .. } => usize::from(beginning(pattern).is_none()),
            Self::And(queries) | Self::Or(queries) | Self::Best(queries) => queries.iter().map(Self::costly).sum(),
            Self::Not(query) | Self::Filter(query) | Self::Boost(query, _) => query.costly(),
            Self::Prefer(query, rather) => query.costly() + rather.costly(),
            Self::All
            | Self::Has { .. }
            | Self::Phrase { .. }
            | Self::Near { .. }
            | Self::Range { .. }
            | Self::Present { .. } => 0,
        }
    }

    /// All others.
    #[must_use]
    pub fn negated(self) -> Self {
        Self::Not(Box::new(self))
    }

    pub(crate) fn compile(&self, fields: &Fields, terms: &Arc<Terms>) -> Result<Box<dyn Compiled>, SearchError> {
        let all = |of: &[Self]| of.iter().map(|query| query.compile(fields, terms)).collect::<Result<Vec<_>, _>>();
        Ok(match self {
            Self::All => Box::new(AllQuery),
            Self::Has { field, value } => match fields.searched(field) {
                Some((kind, column)) if kind.is_whole() => whole(kind, column, value, terms),
                Some((Kind::Compounds, column)) => {
                    conjunction(analysis::words(value).iter().map(|word| compound(column, word, terms)).collect())
                }
                Some((kind, column)) => conjunction(runs(kind, column, value, terms)),
                None => Box::new(EmptyQuery),
            },
            Self::Phrase { field, value } => match fields.searched(field) {
                Some((kind, column)) => near(kind, column, value, 0, terms),
                None => Box::new(EmptyQuery),
            },
            Self::Near { field, value, places } => match fields.searched(field) {
                Some((kind, column)) => near(kind, column, value, MOST_PLACES.min(*places), terms),
                None => Box::new(EmptyQuery),
            },
            Self::Similar { field, value, edits } => match fields.searched(field) {
                Some((kind, column)) => like_words(kind, column, value, *edits, terms),
                None => Box::new(EmptyQuery),
            },
            Self::Like { field, pattern } => match fields.searched(field) {
                // Such words have no beginnings and ends.
                Some((Kind::Text, column)) if pattern.contains(analysis::is_unspaced) => {
                    let pieces = pattern.split(['*', '?']).flat_map(|piece| runs(Kind::Text, column, piece, terms));
                    conjunction(pieces.collect())
                }
                Some((kind, column)) => like(kind, column, pattern)?,
                None => Box::new(EmptyQuery),
            },
            Self::Range { field, from, to } => match fields.searched(field) {
                Some((kind, column)) => range(kind, column, from.as_ref(), to.as_ref()),
                None => Box::new(EmptyQuery),
            },
            Self::Present { field } => match fields.get(field) {
                Some((kind, _)) if kind.is_counted() => Box::new(ExistsQuery::new(field.clone(), false)),
                Some((_, column)) => between(Bound::Included(Term::from_field_text(column, "")), Bound::Unbounded),
                None => Box::new(EmptyQuery),
            },
            Self::Not(query) => Box::new(BooleanQuery::new(vec![
                (Occur::Must, Box::new(AllQuery)),
                (Occur::MustNot, Box::new(Excluded(query.compile(fields, terms)?))),
            ])),
            Self::And(queries) => conjunction(all(queries)?),
            Self::Or(queries) if queries.is_empty() => Box::new(EmptyQuery),
            Self::Or(queries) => Box::new(BooleanQuery::union(all(queries)?)),
            Self::Best(queries) => Box::new(Best(all(queries)?)),
            Self::Filter(query) => {
                let filter = Box::new(ConstScoreQuery::new(query.compile(fields, terms)?, 0.0));
                Box::new(Kept::new(format!("{query:?}"), filter))
            }
            Self::Boost(query, by) => Box::new(BoostQuery::new(query.compile(fields, terms)?, *by)),
            Self::Prefer(query, rather) => Box::new(BooleanQuery::new(vec![
                (Occur::Must, query.compile(fields, terms)?),
                (Occur::Should, rather.compile(fields, terms)?),
            ])),
        })
    }
}

fn conjunction(mut queries: Vec<Box<dyn Compiled>>) -> Box<dyn Compiled> {
    match queries.len() {
        0 => Box::new(AllQuery),
        1 => queries.remove(0),
        _ => Box::new(BooleanQuery::intersection(queries)),
    }
}

fn counted(term: Term, terms: &Arc<Terms>) -> Box<dyn Compiled> {
    Box::new(Known::one(term, IndexRecordOption::WithFreqs, terms))
}

fn whole(kind: Kind, column: Column, value: &str, terms: &Arc<Terms>) -> Box<dyn Compiled> {
    match kind.encode(value) {
        Some(value) => Box::new(Known::one(Term::from_field_text(column, &value), IndexRecordOption::Basic, terms)),
        None => Box::new(EmptyQuery),
    }
}

/// Each of the words of a value; those with nothing between them one after the other.
fn runs(kind: Kind, column: Column, value: &str, terms: &Arc<Terms>) -> Vec<Box<dyn Compiled>> {
    let term = |token: &Token| Term::from_field_text(column, &token.text);
    let of_run = |run: Vec<Token>| match run.as_slice() {
        [word] => counted(term(word), terms),
        words => Box::new(Known::phrase(words.iter().map(term).enumerate().collect(), terms)),
    };
    analysis::runs(kind == Kind::Text, value).into_iter().map(of_run).collect()
}

/// The words of a value near each other.
fn near(kind: Kind, column: Column, value: &str, places: u32, terms: &Arc<Terms>) -> Box<dyn Compiled> {
    if kind.is_whole() {
        return whole(kind, column, value, terms);
    }
    let mut words = words(kind, column, value);
    if words.len() > 1 {
        return Box::new(Known::near(words, places, terms));
    }
    words.pop().map_or_else(|| Box::new(AllQuery) as Box<dyn Compiled>, |(_, term)| counted(term, terms))
}

/// Words, or whole values, that are like those of a value. Numbers are the same or not.
fn like_words(kind: Kind, column: Column, value: &str, edits: u8, terms: &Arc<Terms>) -> Box<dyn Compiled> {
    match kind {
        Kind::Number => whole(kind, column, value, terms),
        kind if kind.is_whole() => match kind.encode(value) {
            Some(value) => similar(column, &value, edits, terms),
            None => Box::new(EmptyQuery),
        },
        kind => {
            let words = spellings(kind, value).into_iter().map(|(_, word)| similar(column, &word, edits, terms));
            conjunction(words.collect())
        }
    }
}

/// A word with its parts, or without what stands between them.
fn compound(column: Column, word: &analysis::Word, terms: &Arc<Terms>) -> Box<dyn Compiled> {
    let term = |text: &String| Term::from_field_text(column, text);
    let parts: Box<dyn Compiled> = if word.is_run && word.parts.len() > 1 {
        Box::new(Known::phrase(word.parts.iter().map(term).enumerate().collect(), terms))
    } else {
        conjunction(word.parts.iter().map(|part| counted(term(part), terms)).collect())
    };
    match &word.joined {
        Some(joined) => Box::new(BooleanQuery::union(vec![parts, counted(term(joined), terms)])),
        None => parts,
    }
}

/// The words of a value with their places.
fn words(kind: Kind, column: Column, value: &str) -> Vec<(usize, Term)> {
    let spellings = spellings(kind, value).into_iter();
    spellings.map(|(place, word)| (place, Term::from_field_text(column, &word))).collect()
}

/// The words of a value as the terms of the field are spelt, with their places.
pub(crate) fn spellings(kind: Kind, value: &str) -> Vec<(usize, String)> {
    if kind == Kind::Compounds {
        return analysis::words(value).into_iter().flat_map(|word| word.parts).enumerate().collect();
    }
    if kind == Kind::Forms {
        let forms = value.split_whitespace().enumerate().filter(|(_, form)| *form != analysis::NO_FORM);
        return forms.map(|(place, form)| (place, form.to_owned())).collect();
    }
    let tokens = analysis::tokens(kind == Kind::Text, value).into_iter();
    tokens.map(|token| (token.position, token.text)).collect()
}

/// A value as the terms of the field are spelt, signs kept.
fn spelt(kind: Kind, value: &str) -> String {
    match kind {
        Kind::Text => {
            let mut spelt = String::new();
            for word in analysis::tokens(true, value) {
                spelt.push_str(&word.text);
            }
            spelt
        }
        Kind::Compounds => analysis::words(value).into_iter().flat_map(|word| word.parts).collect(),
        Kind::Words => value.to_lowercase(),
        Kind::Forms => value.to_owned(),
        kind => kind.encode(value).unwrap_or_default().into_owned(),
    }
}

/// What a pattern says about how words begin, if it says nothing else.
fn beginning(pattern: &str) -> Option<&str> {
    pattern.strip_suffix('*').filter(|prefix| !prefix.contains(['*', '?']))
}

fn like(kind: Kind, column: Column, pattern: &str) -> Result<Box<dyn Compiled>, SearchError> {
    if let Some(prefix) = beginning(pattern) {
        let prefix = spelt(kind, prefix);
        let end = Bound::Excluded(Term::from_field_text(column, &format!("{prefix}\u{10FFFF}")));
        return Ok(between(Bound::Included(Term::from_field_text(column, &prefix)), end));
    }
    let mut expression = String::new();
    let mut literal = String::new();
    for c in pattern.chars() {
        if c == '*' || c == '?' {
            expression.push_str(&escaped(&spelt(kind, &literal)));
            literal.clear();
            expression.push_str(if c == '*' { "(.|\n)*" } else { "(.|\n)" });
        } else {
            literal.push(c);
        }
    }
    expression.push_str(&escaped(&spelt(kind, &literal)));
    // An automaton that would be too large matches nothing.
    Ok(RegexQuery::from_pattern(&expression, column)
        .map_or_else(|_| Box::new(EmptyQuery) as Box<dyn Compiled>, |query| Box::new(query)))
}

fn escaped(text: &str) -> String {
    let escape = |c: char| if c.is_alphanumeric() || c == ' ' { vec![c] } else { vec!['\\', c] };
    text.chars().flat_map(escape).collect()
}

fn range(kind: Kind, column: Column, from: Bound<&String>, to: Bound<&String>) -> Box<dyn Compiled> {
    let term = |value: &String| Term::from_field_text(column, &spelt(kind, value));
    let is_number = |value: Bound<&String>| match value {
        Bound::Included(value) | Bound::Excluded(value) => value.parse::<i64>().is_ok(),
        Bound::Unbounded => true,
    };
    if kind == Kind::Number && !(is_number(from) && is_number(to)) {
        return Box::new(EmptyQuery);
    }
    let from = match from.map(term) {
        Bound::Unbounded => Bound::Included(Term::from_field_text(column, "")),
        from => from,
    };
    between(from, to.map(term))
}

/// Documents with a term between two.
pub(crate) fn between(from: Bound<Term>, to: Bound<Term>) -> Box<dyn Compiled> {
    Box::new(InvertedIndexRangeQuery::new(from, to))
}
