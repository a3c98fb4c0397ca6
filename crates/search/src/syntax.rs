//! Queries as text, as Lucene's users write them: `title:"old maps" +harbour -(london OR paris) year:[1900 TO 1950] lett*`.
//! Words beside each other must all be found. What cannot be read is searched as plain words, as people expect of a search box.

use crate::{
    query::{MOST_PLACES, Query},
    similar::MOST_EDITS,
};

/// What a field is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked<'a> {
    /// A word.
    Word(&'a str),
    /// A phrase, or a whole value, in quotation marks.
    Phrase(&'a str),
    /// A phrase whose words may be so many places apart, `"old maps"~4`.
    Near(&'a str, u32),
    /// A word in which so many letters may differ, `harbor~1`.
    Similar(&'a str, u8),
    /// A word with `*` or `?` in it.
    Pattern(&'a str),
    /// Values from one to another, both included; none is an open end.
    Range(Option<&'a str>, Option<&'a str>),
    /// Any value.
    Anything,
}

/// What the words of a query mean.
pub trait Meaning {
    /// Whether a name before a colon is that of a field; otherwise it is a part of the text.
    fn is_field(&self, name: &str) -> bool;

    /// The query for one word, phrase or range, in a field or, without one, wherever it may be.
    fn query(&self, field: Option<&str>, asked: Asked<'_>) -> Query;
}

/// Why a query is refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Refused {
    /// It has more words than may be asked for at once.
    #[error("the query has more than {0} words")]
    TooMany(usize),
    /// It has parentheses within parentheses, too many.
    #[error("the query has more than {0} levels of parentheses")]
    TooDeep(usize),
}

/// Words, phrases and ranges in one query.
pub const MOST_WORDS: usize = 1024;
/// Parentheses within each other.
pub const DEEPEST: usize = 32;

/// Reads a query.
///
/// # Errors
/// [`Refused`] if it is too large.
pub fn parse(text: &str, meaning: &dyn Meaning) -> Result<Query, Refused> {
    let mut parser = Parser { rest: text, words: 0, depth: 0, meaning };
    match parser.either(None) {
        Ok(Some(query)) if parser.rest.trim_start().is_empty() => Ok(query),
        Ok(None) if text.trim_start().is_empty() => Ok(Query::All),
        Err(Stop::Refused(refused)) => Err(refused),
        _ => plain(text, meaning),
    }
}

/// A text without any syntax: all its words. Without any, it finds nothing.
///
/// # Errors
/// [`Refused`] if it has too many.
pub fn plain(text: &str, meaning: &dyn Meaning) -> Result<Query, Refused> {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || SPECIAL.contains(c)).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| word.chars().any(char::is_alphanumeric)).collect();
    if words.len() > MOST_WORDS {
        return Err(Refused::TooMany(MOST_WORDS));
    }
    if words.is_empty() {
        return Ok(Query::Or(Vec::new()));
    }
    Ok(Query::And(words.into_iter().map(|word| meaning.query(None, Asked::Word(word))).collect()))
}

const SPECIAL: &str = "()[]{}\"^~:*?\\!|&+";

enum Stop {
    Refused(Refused),
    /// The text is no query.
    Unreadable,
}

struct Parser<'a> {
    rest: &'a str,
    words: usize,
    depth: usize,
    meaning: &'a dyn Meaning,
}

/// A part of a query and the sign before it.
struct Part {
    query: Query,
    is_excluded: bool,
    is_required: bool,
}

type Read<T> = Result<T, Stop>;

impl Parser<'_> {
    /// Parts with OR between them.
    fn either(&mut self, field: Option<&str>) -> Read<Option<Query>> {
        let mut parts: Vec<Part> = self.all(field)?.into_iter().collect();
        while self.word("OR") || self.sign("||") {
            parts.extend(self.all(field)?);
        }
        let (excluded, found): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(|part| part.is_excluded);
        let (required, optional): (Vec<Part>, Vec<Part>) = found.into_iter().partition(|part| part.is_required);
        let queries = |parts: Vec<Part>| parts.into_iter().map(|part| part.query).collect::<Vec<_>>();
        let (required, mut optional) = (queries(required), queries(optional));
        let found = match (required.is_empty(), optional.len()) {
            (true, 0) if excluded.is_empty() => return Ok(None),
            (true, 0) => Query::All,
            (true, 1) => optional.remove(0),
            (true, _) => Query::Or(optional),
            (false, 0) => Query::And(required),
            (false, _) => Query::Prefer(Box::new(Query::And(required)), Box::new(Query::Or(optional))),
        };
        if excluded.is_empty() {
            return Ok(Some(found));
        }
        let excluded = excluded.into_iter().map(|part| part.query.negated());
        Ok(Some(Query::And(std::iter::once(found).chain(excluded).collect())))
    }

    /// Parts beside each other, or with AND between them.
    fn all(&mut self, field: Option<&str>) -> Read<Option<Part>> {
        let mut parts = Vec::new();
        loop {
            if self.word("AND") || self.sign("&&") {
                continue;
            }
            let Some(part) = self.part(field)? else { break };
            parts.push(part);
        }
        if parts.len() < 2 {
            return Ok(parts.pop());
        }
        let queries = parts.into_iter().map(|part| if part.is_excluded { part.query.negated() } else { part.query });
        Ok(Some(Part { query: Query::And(queries.collect()), is_excluded: false, is_required: false }))
    }

    fn part(&mut self, field: Option<&str>) -> Read<Option<Part>> {
        let (mut is_excluded, mut is_required) = (false, false);
        loop {
            if self.word("NOT") || self.sign("-") || self.sign("!") {
                is_excluded = !is_excluded;
            } else if self.sign("+") {
                is_required = true;
            } else {
                break;
            }
        }
        let query = self.unit(field)?;
        Ok(query.map(|query| Part { query, is_excluded, is_required }))
    }

    /// A group, phrase, range or word, with its field.
    fn unit(&mut self, field: Option<&str>) -> Read<Option<Query>> {
        self.rest = self.rest.trim_start();
        if self.rest.is_empty() || self.rest.starts_with(')') || self.is_or() {
            return Ok(None);
        }
        if self.sign("(") {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(Stop::Refused(Refused::TooDeep(DEEPEST)));
            }
            let group = self.either(field)?;
            self.depth -= 1;
            if !self.sign(")") {
                return Err(Stop::Unreadable);
            }
            let boost = self.boost();
            let group = group.unwrap_or(Query::All);
            return Ok(Some(boost.map_or_else(|| group.clone(), |by| Query::Boost(Box::new(group.clone()), by))));
        }
        if let Some(name) = self.field() {
            return match self.unit(Some(&name))? {
                Some(query) => Ok(Some(query)),
                None => Err(Stop::Unreadable),
            };
        }
        self.words += 1;
        if self.words > MOST_WORDS {
            return Err(Stop::Refused(Refused::TooMany(MOST_WORDS)));
        }
        let query = match self.rest.chars().next() {
            Some('"') => {
                let phrase = self.phrase()?;
                let asked = match self.distance().map_or(0, places) {
                    0 => Asked::Phrase(&phrase),
                    places => Asked::Near(&phrase, places),
                };
                self.meaning.query(field, asked)
            }
            Some('[' | '{') => self.range(field)?,
            _ => self.single(field)?,
        };
        Ok(Some(match self.boost() {
            Some(by) => Query::Boost(Box::new(query), by),
            None => query,
        }))
    }

    /// The field before a colon.
    fn field(&mut self) -> Option<String> {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.' || c == '#'))?;
        let (name, rest) = (&self.rest[..end], self.rest[end..].strip_prefix(':')?);
        if name.is_empty() || !self.meaning.is_field(name) {
            return None;
        }
        self.rest = rest;
        Some(name.to_owned())
    }

    fn phrase(&mut self) -> Read<String> {
        let mut phrase = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(phrase);
                }
                '\\' => phrase.extend(chars.next().map(|(_, c)| c)),
                c => phrase.push(c),
            }
        }
        Err(Stop::Unreadable)
    }

    fn range(&mut self, field: Option<&str>) -> Read<Query> {
        let end = self.rest.find([']', '}']).ok_or(Stop::Unreadable)?;
        let (open, close) = (self.rest.starts_with('{'), self.rest[end..].starts_with('}'));
        let (from, to) = self.rest[1..end].split_once(" TO ").ok_or(Stop::Unreadable)?;
        self.rest = &self.rest[end + 1..];
        let bound = |text: &str| {
            let text = text.trim().trim_matches(['"', '\'']).replace('\\', "");
            Some(text).filter(|text| text != "*" && !text.is_empty())
        };
        let (from, to) = (bound(from), bound(to));
        let mut parts = vec![self.meaning.query(field, Asked::Range(from.as_deref(), to.as_deref()))];
        for (bound, is_excluded) in [(&from, open), (&to, close)] {
            if let Some(bound) = bound.as_deref().filter(|_| is_excluded) {
                parts.push(self.meaning.query(field, Asked::Phrase(bound)).negated());
            }
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Query::And(parts) })
    }

    /// A word or pattern.
    fn single(&mut self, field: Option<&str>) -> Read<Query> {
        if let Some(rest) = self.rest.strip_prefix("*:*") {
            self.rest = rest;
            return Ok(Query::All);
        }
        let (mut word, mut is_pattern) = (String::new(), false);
        let mut chars = self.rest.char_indices();
        let mut end = self.rest.len();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => word.extend(chars.next().map(|(_, c)| c)),
                c if c.is_whitespace() || "()\"^~[]{}".contains(c) => {
                    end = at;
                    break;
                }
                c => {
                    is_pattern |= c == '*' || c == '?';
                    word.push(c);
                }
            }
        }
        if end == 0 {
            return Err(Stop::Unreadable);
        }
        self.rest = &self.rest[end..];
        // A question mark at the end of what people type is a question.
        let question = field.is_none() && word.ends_with('?') && !word[..word.len() - 1].contains(['*', '?']);
        if question {
            word.pop();
        }
        let edits = self.distance().map_or(0, |number| edits(number, &word));
        let asked = match word.as_str() {
            "*" => Asked::Anything,
            word if is_pattern && !question => Asked::Pattern(word),
            word if edits > 0 => Asked::Similar(word, edits),
            word => Asked::Word(word),
        };
        Ok(self.meaning.query(field, asked))
    }

    /// Takes the `~` that may follow a word or phrase; the number after it may be missing.
    fn distance(&mut self) -> Option<Option<f32>> {
        self.rest = self.rest.strip_prefix('~')?;
        Some(self.number())
    }

    /// The weight that may follow a word, phrase or group. Distances have no meaning for groups and ranges.
    fn boost(&mut self) -> Option<f32> {
        self.distance();
        self.rest = self.rest.strip_prefix('^')?;
        self.number()
    }

    /// Takes a number, if there is one.
    fn number(&mut self) -> Option<f32> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at(end);
        self.rest = rest;
        number.parse().ok().filter(|number: &f32| number.is_finite())
    }

    /// Takes an operator that is a word.
    fn word(&mut self, word: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(word) {
            Some(after) if after.is_empty() || after.starts_with(|c: char| c.is_whitespace() || c == '(') => {
                self.rest = after;
                true
            }
            _ => false,
        }
    }

    fn is_or(&self) -> bool {
        let after = self.rest.strip_prefix("OR");
        self.rest.starts_with("||") || after.is_some_and(|after| after.is_empty() || after.starts_with([' ', '(']))
    }

    /// Takes a sign.
    fn sign(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start();
        let Some(after) = rest.strip_prefix(sign) else { return false };
        self.rest = after;
        true
    }
}

/// How many places words may be apart for a number after a phrase.
fn places(number: Option<f32>) -> u32 {
    MOST_PLACES.min(number.unwrap_or_default() as u32)
}

/// In how many letters of a word others may differ for a number after it. Without one, in as many as can be; a number below 1 is
/// the part of the word that must be the same, as Lucene had it before version 4 and still reads it.
fn edits(number: Option<f32>, word: &str) -> u8 {
    let edits = match number {
        None => f32::from(MOST_EDITS),
        Some(same) if same > 0.0 && same < 1.0 => (1.0 - same) * word.chars().count() as f32,
        Some(edits) => edits,
    };
    MOST_EDITS.min(edits as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Names;

    impl Meaning for Names {
        fn is_field(&self, name: &str) -> bool {
            name == "title" || name == "year"
        }

        fn query(&self, field: Option<&str>, asked: Asked<'_>) -> Query {
            Query::has(field.unwrap_or("any"), format!("{asked:?}"))
        }
    }

    fn shown(query: &Query) -> String {
        let list = |queries: &[Query], by: &str| queries.iter().map(shown).collect::<Vec<_>>().join(by);
        match query {
            Query::All => "*".to_owned(),
            Query::Has { field, value } => format!("{field}={value}"),
            Query::And(queries) => format!("({})", list(queries, " & ")),
            Query::Or(queries) => format!("({})", list(queries, " | ")),
            Query::Not(query) => format!("!{}", shown(query)),
            Query::Boost(query, by) => format!("{}^{by}", shown(query)),
            Query::Prefer(query, rather) => format!("{} > {}", shown(query), shown(rather)),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn queries_are_read_as_lucene_reads_them() {
        for (text, expected) in [
            ("", "*"),
            ("*:*", "*"),
            ("maps", "any=Word(\"maps\")"),
            ("old maps", "(any=Word(\"old\") & any=Word(\"maps\"))"),
            ("old AND maps", "(any=Word(\"old\") & any=Word(\"maps\"))"),
            ("old OR maps", "(any=Word(\"old\") | any=Word(\"maps\"))"),
            ("+old OR maps", "(any=Word(\"old\")) > (any=Word(\"maps\"))"),
            ("-old", "(* & !any=Word(\"old\"))"),
            ("maps NOT old", "(any=Word(\"maps\") & !any=Word(\"old\"))"),
            ("(*:* NOT title:*)", "(* & !title=Anything)"),
            ("title:\"old \\\"maps\"", "title=Phrase(\"old \\\"maps\")"),
            ("title:(a b)^2", "(title=Word(\"a\") & title=Word(\"b\"))^2"),
            ("year:[1900 TO *]", "year=Range(Some(\"1900\"), None)"),
            ("lett*", "any=Pattern(\"lett*\")"),
            ("MS-1/2", "any=Word(\"MS-1/2\")"),
            ("http://x", "any=Word(\"http://x\")"),
            ("a\\ b", "any=Word(\"a b\")"),
            ("what?", "any=Word(\"what\")"),
            ("harbor~", "any=Similar(\"harbor\", 2)"),
            ("harbor~1 maps", "(any=Similar(\"harbor\", 1) & any=Word(\"maps\"))"),
            ("title:harbor~99^3", "title=Similar(\"harbor\", 2)^3"),
            ("harbor~0", "any=Word(\"harbor\")"),
            ("harbor~0.8", "any=Similar(\"harbor\", 1)"),
            ("harbor~0.5", "any=Similar(\"harbor\", 2)"),
            ("maps~0.9", "any=Word(\"maps\")"),
            ("harb*~1", "any=Pattern(\"harb*\")"),
            ("a\\~1", "any=Word(\"a~1\")"),
            ("\"old maps\"~4", "any=Near(\"old maps\", 4)"),
            ("title:\"old maps\"~999999999999^2", "title=Near(\"old maps\", 255)^2"),
            ("\"old maps\"~ x", "(any=Phrase(\"old maps\") & any=Word(\"x\"))"),
            ("(a b)~2", "(any=Word(\"a\") & any=Word(\"b\"))"),
            // Not readable: plain words.
            ("\"old maps", "(any=Word(\"old\") & any=Word(\"maps\"))"),
            ("old) maps", "(any=Word(\"old\") & any=Word(\"maps\"))"),
            ("title:", "(any=Word(\"title\"))"),
            ("\"~", "()"),
            ("!!!", "()"),
            ("AND", "(any=Word(\"AND\"))"),
            ("[1 TO", "(any=Word(\"1\") & any=Word(\"TO\"))"),
        ] {
            assert_eq!(parse(text, &Names).map(|query| shown(&query)).expect(text), expected, "{text}");
        }
    }

    #[test]
    fn large_queries_are_refused() {
        assert_eq!(parse(&"a ".repeat(MOST_WORDS + 1), &Names), Err(Refused::TooMany(MOST_WORDS)));
        assert_eq!(parse(&"(".repeat(100_000), &Names), Err(Refused::TooDeep(DEEPEST)));
        assert_eq!(parse(&"\"".repeat(999), &Names).map(|_| ()), Ok(()));
    }
}
