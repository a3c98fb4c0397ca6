//! The notation in which `schema/*.schema` declares record types.
//!
//! A record type starts at the left margin: its name, then, each where it has one, `< ` and the type it inherits from,
//! `+ ` and a group of properties it includes, and where its records are. Indented lines are its properties; one it also
//! inherits is replaced.
//!
//! | notation | meaning |
//! |---|---|
//! | `title!`, `title?` | a missing title is refused, or warned of |
//! | `id_1-3` | three properties alike, `id_1` to `id_3` |
//! | `string 1..255`, `string ..255` | a text of that many characters |
//! | `string ~R` | a text that matches the regular expression `R`, which holds no space |
//! | `integer`, `number`, `boolean` | as they say |
//! | `day`, `date-time` | a date, a point in time |
//! | `object` | an object whose content is not declared |
//! | `<level>` | a text from the value list `level` |
//! | `one_of(a, b)` | one of these texts |
//! | `[K]`, `[K] 1..` | a list of `K`, and of how many at least |
//! | `extent` | a subrecord of that type |
//! | `uri(a, b)` | the URI of an `a` or `b` |
//! | `term or uri` | a `term`, or its URI |
//! | `ref(a, b)`, `ref(a) { .. }` | an object whose `ref` is such a URI, and with the properties in braces |
//! | `{ .. }` | an object with these properties |
//! | `a \| b` | one or the other |
//! | `RO` | clients only read it |
//! | `= x` | the default |
//! | `shared g` | at the left margin before a name: properties to include, but no record type |
//! | `set s = a, b` | elsewhere, the type `s` in `uri` or `ref` means both `a` and `b` |
//! | `# ..` | a comment, to the end of the line |

use std::collections::HashMap;
use std::fmt;

use regex::Regex;
use serde_json::Value;

use super::declaration::{Fields, Kind, Needed, Property, RecordType, Text};

/// A mistake in a declaration.
#[derive(Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.problem)
    }
}

/// The record types that the files declare, each file given by its name and text, in the order of declaration.
///
/// # Errors
///
/// The first mistake found.
pub fn parse(files: &[(&str, &str)]) -> Result<Vec<RecordType>, Mistake> {
    let mut drafts = Vec::new();
    let mut sets = HashMap::new();
    for (file, text) in files {
        let mut reader = Reader { file, tokens: tokens(text), at: 0 };
        while reader.peek().is_some() {
            if reader.take_if("set") {
                let (name, members) = reader.set()?;
                sets.insert(name, members);
            } else {
                drafts.push(reader.record()?);
            }
        }
    }
    let by_name = index(&drafts)?;
    let resolver = Resolver { drafts: &drafts, by_name, sets };
    drafts.iter().filter(|draft| !draft.is_group).map(|draft| resolver.record_type(draft)).collect()
}

/// A record type as its file has it.
struct Draft {
    name: String,
    is_group: bool,
    parent: Option<String>,
    group: Option<String>,
    uri: Option<String>,
    properties: Vec<Property>,
    place: (String, usize),
}

impl Draft {
    fn mistake(&self, problem: String) -> Mistake {
        Mistake { file: self.place.0.clone(), line: self.place.1, problem }
    }
}

fn index(drafts: &[Draft]) -> Result<HashMap<&str, usize>, Mistake> {
    let mut by_name = HashMap::new();
    for (place, draft) in drafts.iter().enumerate() {
        if by_name.insert(draft.name.as_str(), place).is_some() {
            return Err(draft.mistake(format!("{} is declared twice", draft.name)));
        }
    }
    Ok(by_name)
}

/// Puts together what drafts say of each other.
struct Resolver<'a> {
    drafts: &'a [Draft],
    by_name: HashMap<&'a str, usize>,
    sets: HashMap<String, Vec<String>>,
}

impl Resolver<'_> {
    fn record_type(&self, draft: &Draft) -> Result<RecordType, Mistake> {
        let mut properties = self.inherited(draft, 0)?;
        for property in &mut properties {
            self.resolve(&mut property.kind)
                .map_err(|problem| draft.mistake(format!("{}: {problem}", property.name)))?;
        }
        Ok(RecordType {
            name: draft.name.clone(),
            parent: draft.parent.clone(),
            uri: draft.uri.clone(),
            fields: Fields { properties },
        })
    }

    fn inherited(&self, draft: &Draft, depth: usize) -> Result<Vec<Property>, Mistake> {
        if depth > self.drafts.len() {
            return Err(draft.mistake(format!("{} inherits from itself", draft.name)));
        }
        let mut properties = Vec::new();
        for from in draft.parent.iter().chain(&draft.group) {
            let Some(place) = self.by_name.get(from.as_str()) else {
                return Err(draft.mistake(format!("{from} is not declared")));
            };
            properties.extend(self.inherited(&self.drafts[*place], depth + 1)?);
        }
        for own in &draft.properties {
            match properties.iter_mut().find(|property| property.name == own.name) {
                Some(inherited) => *inherited = own.clone(),
                None => properties.push(own.clone()),
            }
        }
        Ok(properties)
    }

    fn resolve(&self, kind: &mut Kind) -> Result<(), String> {
        match kind {
            Kind::Array { of, .. } => self.resolve(of),
            Kind::AnyOf(kinds) => kinds.iter_mut().try_for_each(|kind| self.resolve(kind)),
            Kind::Fields(fields) => {
                fields.properties.iter_mut().try_for_each(|property| self.resolve(&mut property.kind))
            }
            Kind::Uri(types) => {
                *types = self.expanded(types);
                types.iter().try_for_each(|name| self.declared(name))
            }
            Kind::Record(name) | Kind::RecordOrUri(name) => self.declared(name),
            _ => Ok(()),
        }
    }

    fn expanded(&self, types: &[String]) -> Vec<String> {
        let members = |name: &String| match self.sets.get(name) {
            Some(members) => self.expanded(members),
            None => vec![name.clone()],
        };
        types.iter().flat_map(members).collect()
    }

    fn declared(&self, name: &str) -> Result<(), String> {
        let is_type = self.by_name.get(name).is_some_and(|place| !self.drafts[*place].is_group);
        if is_type { Ok(()) } else { Err(format!("{name} is not declared")) }
    }
}

/// A word or sign, its line, and whether it stands at the left margin.
#[derive(Debug, Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    line: usize,
    at_margin: bool,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        let mut rest = line;
        while let Some(start) = rest.find(|character: char| !character.is_whitespace()) {
            let at_margin = rest.len() == line.len() && start == 0;
            rest = &rest[start..];
            let (text, after) = rest.split_at(token_length(rest));
            tokens.push(Token { text, line: number + 1, at_margin });
            rest = after;
        }
    }
    tokens
}

/// How many bytes of the text, which starts with no space, are its first word or sign.
fn token_length(text: &str) -> usize {
    let to_space = text.find(char::is_whitespace).unwrap_or(text.len());
    let first = text.chars().next();
    match first {
        Some('~') => to_space,
        Some('<') => text[..to_space].find('>').map_or(1, |end| end + 1),
        Some(sign) if "[]{}(),|=".contains(sign) => 1,
        _ => text.find(|c: char| c.is_whitespace() || "[]{}(),|=".contains(c)).unwrap_or(text.len()),
    }
}

/// The least and the most of something, where given.
type Bounds = (Option<usize>, Option<usize>);

struct Reader<'a> {
    file: &'a str,
    tokens: Vec<Token<'a>>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    /// The next token, unless a record type starts there.
    fn inside(&self) -> Option<&'a str> {
        self.peek().filter(|token| !token.at_margin).map(|token| token.text)
    }

    fn mistake(&self, problem: impl Into<String>) -> Mistake {
        let line = self.peek().or(self.tokens.last().copied()).map_or(1, |token| token.line);
        Mistake { file: self.file.to_owned(), line, problem: problem.into() }
    }

    fn take(&mut self) -> Result<&'a str, Mistake> {
        let token = self.peek().ok_or_else(|| self.mistake("the file ends too early"))?;
        self.at += 1;
        Ok(token.text)
    }

    fn take_if(&mut self, text: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.text == text);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), Mistake> {
        if self.take_if(text) { Ok(()) } else { Err(self.mistake(format!("{text} is missing"))) }
    }

    fn set(&mut self) -> Result<(String, Vec<String>), Mistake> {
        let name = self.take()?.to_owned();
        self.expect("=")?;
        let mut members = vec![self.take()?.to_owned()];
        while self.take_if(",") {
            members.push(self.take()?.to_owned());
        }
        Ok((name, members))
    }

    fn record(&mut self) -> Result<Draft, Mistake> {
        let line = self.peek().map_or(1, |token| token.line);
        if !self.peek().is_some_and(|token| token.at_margin) {
            return Err(self.mistake("a record type starts at the left margin"));
        }
        let is_group = self.take_if("shared");
        let name = self.take()?.to_owned();
        let parent = if self.take_if("<") { Some(self.take()?.to_owned()) } else { None };
        let group = if self.take_if("+") { Some(self.take()?.to_owned()) } else { None };
        let uri = match self.inside() {
            Some(text) if text.starts_with('/') => Some(self.take()?.to_owned()),
            _ => None,
        };
        let mut properties = Vec::new();
        while self.inside().is_some() {
            self.property(&mut properties)?;
        }
        Ok(Draft { name, is_group, parent, group, uri, properties, place: (self.file.to_owned(), line) })
    }

    fn property(&mut self, into: &mut Vec<Property>) -> Result<(), Mistake> {
        let word = self.take()?;
        let (name, needed) = match (word.strip_suffix('!'), word.strip_suffix('?')) {
            (Some(name), _) => (name, Needed::Yes),
            (_, Some(name)) => (name, Needed::Warned),
            _ => (word, Needed::No),
        };
        let names = numbered(name).ok_or_else(|| self.mistake(format!("{name} is not a name")))?;
        let kind = self.kind()?;
        let read_only = self.inside() == Some("RO") && self.take_if("RO");
        let default = if self.inside() == Some("=") {
            self.expect("=")?;
            let word = self.take()?;
            Some(serde_json::from_str(word).unwrap_or_else(|_| Value::from(word)))
        } else {
            None
        };
        for name in names {
            if into.iter().any(|property| property.name == name) {
                return Err(self.mistake(format!("{name} is declared twice")));
            }
            into.push(Property { name, kind: kind.clone(), needed, read_only, default: default.clone() });
        }
        Ok(())
    }

    fn kind(&mut self) -> Result<Kind, Mistake> {
        let first = self.simple_kind()?;
        let mut kinds = vec![first];
        while self.inside() == Some("|") {
            self.expect("|")?;
            kinds.push(self.simple_kind()?);
        }
        Ok(if kinds.len() > 1 { Kind::AnyOf(kinds) } else { kinds.remove(0) })
    }

    fn simple_kind(&mut self) -> Result<Kind, Mistake> {
        let word = self.take()?;
        Ok(match word {
            "[" => {
                let of = Box::new(self.kind()?);
                self.expect("]")?;
                let least = self.range()?.and_then(|(least, _)| least);
                Kind::Array { of, least }
            }
            "{" => Kind::Fields(self.block()?),
            "integer" => Kind::Integer,
            "number" => Kind::Number,
            "boolean" => Kind::Boolean,
            "day" => Kind::Date,
            "date-time" => Kind::DateTime,
            "object" => Kind::Object,
            "string" => Kind::Text(self.text(Text::default())?),
            "one_of" => {
                let one_of = self.names()?;
                Kind::Text(self.text(Text { one_of, ..Text::default() })?)
            }
            "uri" => Kind::Uri(self.names()?),
            "ref" => self.reference()?,
            _ => match word.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
                Some(list) => Kind::Text(self.text(Text { list: Some(list.to_owned()), ..Text::default() })?),
                None if !is_name(word) => return Err(self.mistake(format!("{word} is not a kind"))),
                None if self.inside() == Some("or") => {
                    self.expect("or")?;
                    self.expect("uri")?;
                    Kind::RecordOrUri(word.to_owned())
                }
                None => Kind::Record(word.to_owned()),
            },
        })
    }

    fn reference(&mut self) -> Result<Kind, Mistake> {
        let uri = Property {
            name: "ref".to_owned(),
            kind: Kind::Uri(self.names()?),
            needed: Needed::Yes,
            read_only: false,
            default: None,
        };
        let mut fields = Fields { properties: vec![uri] };
        if self.inside() == Some("{") {
            self.expect("{")?;
            fields.properties.extend(self.block()?.properties);
        }
        Ok(Kind::Fields(fields))
    }

    fn block(&mut self) -> Result<Fields, Mistake> {
        let mut properties = Vec::new();
        while self.inside().is_some_and(|text| text != "}") {
            self.property(&mut properties)?;
        }
        self.expect("}")?;
        Ok(Fields { properties })
    }

    fn names(&mut self) -> Result<Vec<String>, Mistake> {
        self.expect("(")?;
        let mut names = vec![self.take()?.to_owned()];
        while self.take_if(",") {
            names.push(self.take()?.to_owned());
        }
        self.expect(")")?;
        Ok(names)
    }

    fn text(&mut self, mut text: Text) -> Result<Text, Mistake> {
        if let Some((least, most)) = self.range()? {
            (text.least, text.most) = (least, most);
        }
        if let Some(pattern) = self.inside().and_then(|word| word.strip_prefix('~')) {
            text.pattern = Some(Regex::new(pattern).map_err(|error| self.mistake(error.to_string()))?);
            self.at += 1;
        }
        Ok(text)
    }

    /// The bounds in `1..255`, if such a word is next.
    fn range(&mut self) -> Result<Option<Bounds>, Mistake> {
        let Some((least, most)) = self.inside().and_then(|word| word.split_once("..")) else { return Ok(None) };
        let bound = |text: &str| match text {
            "" => Ok(None),
            digits => digits.parse().map(Some).map_err(|_| self.mistake(format!("{digits} is not a number"))),
        };
        let bounds = (bound(least)?, bound(most)?);
        self.at += 1;
        Ok(Some(bounds))
    }
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// The names that `id_1-3` stands for; the name itself where it holds no range.
fn numbered(name: &str) -> Option<Vec<String>> {
    let Some((before, after)) = name.split_once('-') else { return is_name(name).then(|| vec![name.to_owned()]) };
    let first = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let last = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let from: u32 = before[first.len()..].parse().ok()?;
    let to: u32 = after[..after.len() - last.len()].parse().ok()?;
    Some((from..=to).map(|number| format!("{first}{number}{last}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Result<Vec<RecordType>, Mistake> {
        parse(&[("f", text)])
    }

    #[test]
    fn a_record_type_has_what_its_lines_say() {
        let types =
            one("base\n  title! string 1..9\n  flag boolean\n\nbook < base /books\n  title string ..5 # shorter\n  \
                         id_1-2 <ids>\n  parts [book | base] 1..\n  at ref(book) {\n    role? one_of(a, b) = b\n  } RO")
            .unwrap();
        let book = &types[1];
        assert_eq!((book.uri.as_deref(), book.parent.as_deref()), (Some("/books"), Some("base")));
        let names: Vec<_> = book.fields.properties.iter().map(|property| property.name.as_str()).collect();
        assert_eq!(names, ["title", "flag", "id_1", "id_2", "parts", "at"]);
        let title = book.fields.get("title").unwrap();
        assert!(matches!(&title.kind, Kind::Text(text) if text.most == Some(5) && text.least.is_none()));
        assert_eq!(title.needed, Needed::No);
        let at = book.fields.get("at").unwrap();
        assert!(at.read_only);
        let Kind::Fields(fields) = &at.kind else { panic!("{:?}", at.kind) };
        assert_eq!(fields.targets(), Some(&["book".to_owned()][..]));
        assert_eq!(fields.get("role").unwrap().default, Some(Value::from("b")));
    }

    #[test]
    fn a_mistake_names_its_file_and_line() {
        let cases = [
            ("a\n  b ?", 2, "? is not a kind"),
            ("a\n\nb < c", 3, "c is not declared"),
            ("a\n  b uri(c)", 1, "b: c is not declared"),
            ("shared a\n  b string\nc\n  d a", 3, "d: a is not declared"),
            ("a < a", 1, "a inherits from itself"),
            ("a\na", 2, "a is declared twice"),
            ("a\n  b string\n  b string", 3, "b is declared twice"),
            ("a\n  b [string", 2, "] is missing"),
            ("a\n  b string ..x", 2, "x is not a number"),
            ("a\n  B string", 2, "B is not a name"),
        ];
        for (text, line, problem) in cases {
            let mistake = one(text).expect_err(text);
            assert_eq!((mistake.line, mistake.problem.as_str()), (line, problem), "{text}");
        }
    }
}
