//! One condition of a query: a relation and a term, for words, whole values, dates or numbers (contract 1.3).

use std::ops::Bound;

use cql::{Piece, Relation};
use refusals::Refused;
use search::{
    analysis::{Language, NO_FORM, folded, words},
    query::Query,
};

use crate::{
    dates,
    document::whole,
    forms,
    options::{Form, Kind, SearchOption},
    part::{Filter, Part},
    refusal::{DATE_INVALID, RANGE_UNKNOWN},
};

/// A term in the form of the values it is compared with.
pub(crate) struct Term {
    pub(crate) text: String,
    /// Whether there is a `*` in it; then `?` is any character.
    pub(crate) is_pattern: bool,
}

impl Term {
    pub(crate) fn of(term: &str, options: &[&SearchOption]) -> Self {
        let form = if let [option] = options { option.form } else { Form::AsIs };
        let text: String = cql::pieces(term).map(spelt).collect();
        let is_pattern = cql::pieces(term).any(|piece| piece == Piece::AnyRun);
        if form == Form::AsIs {
            return Self { text, is_pattern };
        }
        let text = forms::term(form, &text);
        Self { is_pattern: text.contains('*'), text }
    }
}

fn spelt(piece: Piece) -> char {
    match piece {
        Piece::Char(c) => c,
        Piece::AnyRun => '*',
        Piece::AnyOne => '?',
    }
}

/// A relation and a term.
pub(crate) struct Condition<'a> {
    pub(crate) relation: &'a Relation,
    /// Whether whole values are asked for.
    pub(crate) is_string: bool,
    pub(crate) term: &'a Term,
    pub(crate) languages: &'a [Language],
}

impl Condition<'_> {
    fn is_range(&self) -> bool {
        use Relation::{Greater, GreaterOrEqual, Less, LessOrEqual};
        !self.term.is_pattern && matches!(self.relation, Less | LessOrEqual | Greater | GreaterOrEqual)
    }

    /// The condition on one option.
    pub(crate) fn on(&self, option: &'static SearchOption, name: &str) -> Result<Part, Refused> {
        let query = match option.kind {
            Kind::Date => self.of_date(option, name)?,
            Kind::Number => self.of_number(option),
            Kind::Term | Kind::Raw => self.of_whole(option),
            _ if self.is_range() => return Err(self.no_range(&[option])),
            _ => self.of_words(&[option]),
        };
        let is_value = *self.relation == Relation::Exact && !self.term.is_pattern && self.term.text != "[]";
        if option.is_filter() && (is_value || self.is_range()) {
            let values = if is_value { vec![whole(option.kind, &self.term.text)] } else { Vec::new() };
            return Ok(Part::Filter(Filter { option: option.name, values, query }));
        }
        Ok(Part::Query(query))
    }

    /// The condition on several options at once.
    pub(crate) fn on_several(&self, options: &[&'static SearchOption]) -> Result<Query, Refused> {
        if self.is_range() {
            return Err(self.no_range(options));
        }
        if options.iter().all(|option| matches!(option.kind, Kind::Term | Kind::Raw)) {
            let of_each = |relation| {
                let condition = Condition { relation, ..*self };
                Query::Or(options.iter().map(|option| condition.of_whole(option)).collect())
            };
            return Ok(match self.relation {
                Relation::NotEqual if !self.term.is_pattern => of_each(&Relation::Exact).negated(),
                relation => of_each(relation),
            });
        }
        Ok(self.of_words(options))
    }

    fn no_range(&self, options: &[&SearchOption]) -> Refused {
        let fields: Vec<&str> = options.iter().map(|option| option.name).collect();
        let relation = self.relation.to_string();
        RANGE_UNKNOWN.with("relation", &*relation).with("fields", &*fields.join(", ")).into()
    }

    /// A condition on an option with whole values.
    fn of_whole(&self, option: &SearchOption) -> Query {
        let text = &self.term.text;
        let equal = || Query::has(option.name, whole(option.kind, text));
        if self.term.is_pattern {
            return like(option.name, &whole(option.kind, text));
        }
        match self.relation {
            Relation::Equal if text.is_empty() => present(option.name),
            Relation::Exact if text == "[]" => present(option.name).negated(),
            Relation::NotEqual => equal().negated(),
            _ if self.is_range() => self.range(option.name, &whole(option.kind, text)),
            _ => equal(),
        }
    }

    fn range(&self, column: &str, text: &str) -> Query {
        let text = text.to_owned();
        let (from, to) = match self.relation {
            Relation::Less => (Bound::Unbounded, Bound::Excluded(text)),
            Relation::LessOrEqual => (Bound::Unbounded, Bound::Included(text)),
            Relation::Greater => (Bound::Excluded(text), Bound::Unbounded),
            _ => (Bound::Included(text), Bound::Unbounded),
        };
        Query::Range { field: column.to_owned(), from, to }
    }

    fn of_date(&self, option: &SearchOption, name: &str) -> Result<Query, Refused> {
        let text = self.term.text.trim();
        if text.is_empty() && *self.relation == Relation::Equal {
            return Ok(present(option.name));
        }
        let (first, last) =
            dates::span(text).ok_or_else(|| DATE_INVALID.with("field", name).with(name.to_owned(), text))?;
        let (from, to) = match self.relation {
            Relation::Less => (None, Some(first - 1)),
            Relation::LessOrEqual => (None, Some(last)),
            Relation::Greater => (Some(last + 1), None),
            Relation::GreaterOrEqual => (Some(first), None),
            _ => (Some(first), Some(last)),
        };
        let range = Query::from_to(option.name, from.map(dates::stored), to.map(dates::stored));
        Ok(if *self.relation == Relation::NotEqual { range.negated() } else { range })
    }

    fn of_number(&self, option: &SearchOption) -> Query {
        let text = self.term.text.trim();
        if text.is_empty() && *self.relation == Relation::Equal || text == "*" {
            return present(option.name);
        }
        let is_other = *self.relation == Relation::NotEqual;
        let Ok(number) = text.parse::<i32>().map(i64::from) else {
            return if is_other { Query::All } else { Query::Or(Vec::new()) };
        };
        let (from, to) = match self.relation {
            Relation::Less => (None, Some(number - 1)),
            Relation::LessOrEqual => (None, Some(number)),
            Relation::Greater => (Some(number + 1), None),
            Relation::GreaterOrEqual => (Some(number), None),
            _ => (Some(number), Some(number)),
        };
        let text = |number: Option<i64>| number.map(|number| number.to_string());
        let range = Query::from_to(option.name, text(from), text(to));
        if is_other { range.negated() } else { range }
    }

    /// A condition on options of which one has words at least.
    fn of_words(&self, options: &[&SearchOption]) -> Query {
        let text = &self.term.text;
        if self.term.is_pattern {
            return one_of(options.iter().map(|option| pattern(option, text)).collect());
        }
        match self.relation {
            Relation::Equal if text.is_empty() => {
                Query::Or(options.iter().map(|option| present(column_of_whole(option))).collect())
            }
            // No word is missing.
            Relation::All | Relation::Adj if text.chars().all(is_between_words) => Query::All,
            Relation::Any => self.any_word(options),
            Relation::NotEqual => self.all_words(options).negated(),
            Relation::Exact => one_of(options.iter().map(|option| self.phrase(option)).collect()),
            _ => self.preferring(options),
        }
    }

    /// Words one after the other, or the whole value.
    fn phrase(&self, option: &SearchOption) -> Query {
        let text = &self.term.text;
        let column = column_of_whole(option);
        if text == "[]" {
            return present(column).negated();
        }
        let has_whole = option.kind != Kind::Everything;
        if has_whole && (text.is_empty() || self.is_string) {
            return Query::has(column, whole(option.kind, text));
        }
        match option.kind {
            Kind::Term | Kind::Raw => Query::has(option.name, whole(option.kind, text)),
            Kind::Words if !text.trim().is_empty() => {
                Query::Phrase { field: option.name.to_owned(), value: folded(text) }
            }
            Kind::Text | Kind::Plain | Kind::Everything if !words(text).is_empty() => {
                let phrase = Query::Phrase { field: option.name.to_owned(), value: text.clone() };
                one_of(std::iter::once(phrase).chain(self.phrases_of_forms(option)).collect())
            }
            _ => Query::Or(Vec::new()),
        }
    }

    /// The phrase in the basic forms of each language. A word that says nothing stands for any word there, and for none at the
    /// ends.
    fn phrases_of_forms(&self, option: &SearchOption) -> impl Iterator<Item = Query> {
        let languages = self.languages.iter().filter(|_| option.kind == Kind::Text);
        languages.filter_map(|language| {
            let places = language.places(&self.term.text);
            let first = places.iter().position(Option::is_some)?;
            let form = |place: &Option<String>| {
                place.as_ref().map_or_else(|| NO_FORM.to_owned(), |form| format!("{}:{form}", language.code()))
            };
            let value = places[first..].iter().map(form).collect::<Vec<_>>().join(" ");
            Some(Query::Phrase { field: option.forms.to_owned(), value })
        })
    }

    /// All words; where they are the whole value, or one after the other, it ranks higher.
    fn preferring(&self, options: &[&SearchOption]) -> Query {
        let text = &self.term.text;
        let with_words = options.iter().filter(|option| matches!(option.kind, Kind::Text | Kind::Plain));
        let mut rather = Vec::new();
        for option in with_words.filter(|_| !words(text).is_empty()) {
            let is_it = Query::has(option.whole, whole(option.kind, text));
            rather.push(Query::Boost(Box::new(is_it), WHOLE * weight(option)));
            let phrase = Query::Phrase { field: option.name.to_owned(), value: text.clone() };
            rather.push(Query::Boost(Box::new(phrase), PHRASE * weight(option)));
        }
        match rather.is_empty() {
            true => self.all_words(options),
            false => Query::Prefer(Box::new(self.all_words(options)), Box::new(Query::Best(rather))),
        }
    }

    /// Every word, each in any of the options.
    fn all_words(&self, options: &[&SearchOption]) -> Query {
        let text = &self.term.text;
        let of_chunk = |chunk: &str| self.chunk(options, chunk, Query::And);
        let chunks: Vec<Query> = text.split_whitespace().filter_map(of_chunk).collect();
        let mut ways = Vec::new();
        if !chunks.is_empty() {
            ways.push(if chunks.len() == 1 { Query::Or(chunks) } else { Query::And(chunks) });
        }
        ways.extend(self.as_value(options));
        one_of(ways)
    }

    /// Any word.
    fn any_word(&self, options: &[&SearchOption]) -> Query {
        let of_chunk = |chunk: &str| self.chunk(options, chunk, Query::Or);
        let mut ways: Vec<Query> = self.term.text.split_whitespace().filter_map(of_chunk).collect();
        ways.extend(self.as_value(options));
        Query::Or(ways)
    }

    /// The whole term, among options that have no words.
    fn as_value(&self, options: &[&SearchOption]) -> Vec<Query> {
        let without_words = options.iter().filter(|option| matches!(option.kind, Kind::Term | Kind::Raw));
        without_words.map(|option| Query::has(option.name, whole(option.kind, &self.term.text))).collect()
    }

    /// What stands between blanks: its words, each in any of the options, or all of it. `None` if there is no word in it.
    fn chunk(&self, options: &[&SearchOption], chunk: &str, join: fn(Vec<Query>) -> Query) -> Option<Query> {
        // A mark of its own between words is looked for in no option.
        if chunk.chars().all(|c| MARKS.contains(&c)) {
            return None;
        }
        let with_words: Vec<_> =
            options.iter().filter(|o| matches!(o.kind, Kind::Text | Kind::Plain | Kind::Everything)).collect();
        let pieces = chunk.split(MARKS).filter(|piece| !words(piece).is_empty());
        let of_piece = |piece: &str| {
            let found = with_words.iter().flat_map(|option| self.word(option, piece));
            Query::Best(found.collect())
        };
        let pieces: Vec<Query> = pieces.map(of_piece).collect();
        let mut ways = Vec::new();
        if !pieces.is_empty() && !with_words.is_empty() {
            ways.push(if pieces.len() == 1 { Query::Or(pieces) } else { join(pieces) });
        }
        let as_is = options.iter().filter(|option| option.kind == Kind::Words);
        ways.extend(as_is.map(|option| Query::has(option.name, folded(chunk))));
        (!ways.is_empty()).then(|| one_of(ways))
    }

    /// Whether a word that says nothing in a language is taken to be in every text of it. Terms are analysed as a whole for `=`, but
    /// word by word for `all`; and a term of nothing but such words is found nowhere (mod-search's `EqualTermQueryBuilder` and
    /// `AllTermQueryBuilder`).
    fn passes_over(&self, language: Language) -> bool {
        let is_whole = matches!(self.relation, Relation::Equal | Relation::NotEqual);
        is_whole && language.has_words_that_say_nothing() && !language.forms(&self.term.text).is_empty()
    }

    /// A word in one option: as it is, or in its basic form.
    fn word(&self, option: &SearchOption, piece: &str) -> Vec<Query> {
        let weight = weight(option);
        let mut ways = vec![Query::Boost(Box::new(Query::has(option.name, piece)), weight)];
        if option.kind == Kind::Text {
            for language in self.languages {
                let code = language.code();
                let forms = language.forms(piece);
                let marked = if !forms.is_empty() {
                    forms.iter().map(|form| format!("{code}:{form}")).collect::<Vec<_>>().join(" ")
                } else if self.passes_over(*language) {
                    format!("{code}:")
                } else {
                    continue;
                };
                let found = Query::has(option.forms, marked);
                ways.push(Query::Boost(Box::new(found), weight * OF_FORMS));
            }
        }
        ways
    }
}

/// What separates words beside blanks (contract 1.3).
const MARKS: [char; 3] = [':', '/', '&'];

fn is_between_words(c: char) -> bool {
    c.is_whitespace() || MARKS.contains(&c)
}

/// How much more a record counts that has the term as a whole value …
const WHOLE: f32 = 20.0;
/// … or its words one after the other.
const PHRASE: f32 = 2.0;
/// How much a basic form counts beside the word itself.
const OF_FORMS: f32 = 0.6;

/// How much a word counts by where it stands.
fn weight(option: &SearchOption) -> f32 {
    match option.name {
        "title" | "indexTitle" => 3.0,
        "contributors.name" => 2.0,
        "alternativeTitles.alternativeTitle" => 1.5,
        _ => 1.0,
    }
}

fn one_of(mut ways: Vec<Query>) -> Query {
    if ways.len() == 1 { ways.remove(0) } else { Query::Or(ways) }
}

fn column_of_whole(option: &SearchOption) -> &'static str {
    match option.kind {
        Kind::Text | Kind::Plain | Kind::Words => option.whole,
        _ => option.name,
    }
}

fn present(column: &str) -> Query {
    Query::Present { field: column.to_owned() }
}

/// Whole values like a pattern; of texts that have no whole values, words.
fn pattern(option: &SearchOption, text: &str) -> Query {
    if option.kind == Kind::Everything {
        return Query::And(text.split_whitespace().map(|chunk| like(option.name, &folded(chunk))).collect());
    }
    like(column_of_whole(option), &whole(option.kind, text))
}

fn like(column: &str, pattern: &str) -> Query {
    if pattern.chars().all(|c| c == '*') {
        return present(column);
    }
    Query::Like { field: column.to_owned(), pattern: pattern.to_owned() }
}
