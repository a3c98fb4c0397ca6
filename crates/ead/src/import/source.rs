//! The XML of an import as tokens: any encoding, entities resolved, lines counted, sizes bounded. Nothing outside the
//! document is ever read: an external entity is an unknown one.

use std::collections::HashMap;
use std::io::{self, BufRead, Chain, Cursor, Read};

use quick_xml::Reader;
use quick_xml::encoding::DecodingReader;
use quick_xml::events::{BytesStart, Event};

use super::Limits;
use crate::text::{named, numbered};

/// How much of a document is looked at for its XML declaration, in bytes.
const DECLARATION: u64 = 1024;

/// How deep entities may refer to entities.
const ENTITY_DEPTH: u32 = 8;

/// A start tag. Names are without prefixes, but attributes keep `xml:` and link attributes have `xlink:`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tag {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    /// Where it stands, from 1.
    pub line: u64,
}

/// What a document is made of. Comments and instructions are left out.
#[derive(Debug, PartialEq, Eq)]
pub enum Token {
    Open(Tag),
    Close,
    Text(String),
    End,
}

/// What is wrong with the XML, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// From 1.
    pub line: u64,
    /// The element that is open there; empty outside the root.
    pub element: String,
    pub reason: String,
}

type Bytes<R> = DecodingReader<Chain<Cursor<Vec<u8>>, R>>;

/// Counts lines, and refuses to go on when one element takes too much.
struct Metered<R> {
    inner: R,
    lines: u64,
    budget: usize,
}

impl<R: BufRead> BufRead for Metered<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.budget == 0 {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the element is too large"));
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // What is consumed was just filled, so this only looks at it again.
        if let Ok(filled) = self.inner.fill_buf() {
            self.lines += filled.iter().take(amount).filter(|byte| **byte == b'\n').count() as u64;
        }
        self.budget = self.budget.saturating_sub(amount);
        self.inner.consume(amount);
    }
}

impl<R: BufRead> Read for Metered<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

/// A document, token by token.
pub struct Source<R: BufRead> {
    reader: Reader<Metered<Bytes<R>>>,
    buffer: Vec<u8>,
    limits: Limits,
    entities: HashMap<String, String>,
    /// Keep a reference to an unknown entity as text instead of failing.
    keep_unknown: bool,
    /// Unknown entities that were kept, since last asked.
    pub(crate) kept: Vec<Fault>,
    open: Vec<String>,
    /// How many elements have begun since the last refill.
    begun: usize,
    /// The namespaces that the root element declares.
    pub(crate) namespaces: Vec<String>,
}

impl<R: BufRead> Source<R> {
    /// `keep_unknown` keeps references to entities that nobody defines as text.
    ///
    /// # Errors
    /// The document is not in the encoding that it names.
    pub fn new(mut input: R, limits: Limits, keep_unknown: bool) -> Result<Source<R>, Fault> {
        let start = |reason: String| Fault { line: 1, element: String::new(), reason };
        let mut head = Vec::new();
        input.by_ref().take(DECLARATION).read_to_end(&mut head).map_err(|error| start(error.to_string()))?;
        let mut bytes = DecodingReader::new(Cursor::new(head.clone()).chain(input));
        declare(&mut bytes, &head).map_err(start)?;
        let mut reader = Reader::from_reader(Metered { inner: bytes, lines: 1, budget: limits.element_bytes });
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        config.allow_dangling_amp = false;
        Ok(Source {
            reader,
            buffer: Vec::new(),
            limits,
            entities: HashMap::new(),
            keep_unknown,
            kept: Vec::new(),
            open: Vec::new(),
            begun: 0,
            namespaces: Vec::new(),
        })
    }

    /// The line that is read, from 1.
    pub(crate) fn line(&mut self) -> u64 {
        self.reader.get_mut().lines
    }

    /// What follows is a new element that may be as large as the limit says.
    pub fn refill(&mut self) {
        self.reader.get_mut().budget = self.limits.element_bytes;
        self.begun = 0;
    }

    /// The next token.
    ///
    /// # Errors
    /// The document is not well-formed, or goes beyond a limit.
    pub fn token(&mut self) -> Result<Token, Fault> {
        loop {
            let line = self.line();
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.clear();
            let token = match self.reader.read_event_into(&mut buffer) {
                Ok(event) => self.of_event(event, line),
                Err(error) => Err(self.syntax(error)),
            };
            self.buffer = buffer;
            if let Some(token) = token? {
                return Ok(token);
            }
        }
    }

    fn of_event(&mut self, event: Event, line: u64) -> Result<Option<Token>, Fault> {
        Ok(Some(match event {
            Event::Start(tag) => {
                let tag = self.tag(&tag, line)?;
                if self.open.len() >= self.limits.depth {
                    let reason = format!("elements are nested deeper than {}", self.limits.depth);
                    return Err(Fault { line, element: tag.name, reason });
                }
                self.begun += 1;
                if self.begun > self.limits.elements {
                    let reason = format!("there are more than {} elements in one", self.limits.elements);
                    return Err(Fault { line, element: tag.name, reason });
                }
                self.open.push(tag.name.clone());
                Token::Open(tag)
            }
            Event::End(_) => {
                self.open.pop();
                Token::Close
            }
            Event::Text(text) => Token::Text(self.characters(text.into_inner().into_owned())?),
            Event::CData(text) => Token::Text(self.characters(text.into_inner().into_owned())?),
            Event::GeneralRef(name) => Token::Text(self.reference(&name, line)?),
            Event::DocType(text) => {
                self.doctype(&text);
                return Ok(None);
            }
            Event::Eof => match self.open.last() {
                Some(element) => {
                    return Err(Fault {
                        line,
                        element: element.clone(),
                        reason: "the file ends inside this element".into(),
                    });
                }
                None => Token::End,
            },
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => return Ok(None),
        }))
    }

    /// A text of the file, unless it has what is no character of XML and nobody can store.
    fn characters(&mut self, text: String) -> Result<String, Fault> {
        if text.contains('\0') { Err(self.fault("U+0000 is no character of XML")) } else { Ok(text) }
    }

    fn tag(&mut self, start: &BytesStart, line: u64) -> Result<Tag, Fault> {
        let name: &str = start.local_name().into_inner();
        let mut tag = Tag { name: name.to_owned(), attributes: Vec::new(), line };
        for (place, attribute) in start.attributes().enumerate() {
            let bad = |reason: String| Fault { line, element: tag.name.clone(), reason };
            // Each is compared with those before it.
            if place >= self.limits.attributes {
                return Err(bad(format!("the element has more than {} attributes", self.limits.attributes)));
            }
            let attribute = attribute.map_err(|error| bad(error.to_string()))?;
            let key: &str = attribute.key.0;
            if key == "xmlns" || key.starts_with("xmlns:") {
                if self.open.is_empty() {
                    self.namespaces.push(attribute.value.clone().into_owned());
                }
                continue;
            }
            let key = match key.split_once(':') {
                None | Some(("xml", _)) => key.to_owned(),
                Some(("xsi", _)) => continue,
                Some((_, local)) => format!("xlink:{local}"),
            };
            let value = if attribute.value.contains('&') {
                self.unescape(&attribute.value, line)?
            } else {
                attribute.value.into_owned()
            };
            tag.attributes.push((key, value.replace(['\n', '\t', '\r'], " ").trim().to_owned()));
        }
        Ok(tag)
    }

    /// An attribute's value with its entities resolved.
    fn unescape(&mut self, value: &str, line: u64) -> Result<String, Fault> {
        let mut out = String::new();
        let mut rest = value;
        while let Some((before, after)) = rest.split_once('&') {
            let (name, after) =
                after.split_once(';').ok_or_else(|| self.fault("an ampersand that starts no entity"))?;
            out.push_str(before);
            out.push_str(&self.reference(name, line)?);
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    fn reference(&mut self, name: &str, line: u64) -> Result<String, Fault> {
        if name.starts_with('#') {
            return numbered(name)
                .map(String::from)
                .ok_or_else(|| self.fault(format!("&{name}; is no character of XML")));
        }
        let mut room = self.limits.entity_bytes;
        match expand(&self.entities, name, 0, &mut room) {
            Expansion::Text(text) => {
                let budget = &mut self.reader.get_mut().budget;
                *budget = budget.saturating_sub(text.len());
                Ok(text)
            }
            Expansion::TooLarge => Err(self.fault(format!("the entity &{name}; grows beyond its limit"))),
            Expansion::Unknown => {
                let fault = Fault { line, ..self.fault(format!("the entity &{name}; is not defined in the file")) };
                if !self.keep_unknown {
                    return Err(fault);
                }
                self.kept.push(fault);
                Ok(format!("&{name};"))
            }
        }
    }

    /// Learns the entities that the internal subset defines; those that stand outside the file stay unknown.
    fn doctype(&mut self, text: &str) {
        for declaration in text.split("<!ENTITY").skip(1) {
            let declaration = declaration.trim_start();
            let Some((name, rest)) = declaration.split_once(char::is_whitespace) else { continue };
            let rest = rest.trim_start();
            let Some(quote) = rest.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else { continue };
            if let Some((value, _)) = rest[1..].split_once(quote) {
                self.entities.entry(name.to_owned()).or_insert_with(|| value.to_owned());
            }
        }
    }

    fn syntax(&mut self, error: quick_xml::Error) -> Fault {
        use quick_xml::Error::{Encoding, Io};
        let reason = match error {
            Io(io) if io.kind() == io::ErrorKind::FileTooLarge => {
                format!("the element is larger than {} bytes", self.limits.element_bytes)
            }
            Io(io) if io.kind() == io::ErrorKind::InvalidData => not_the_encoding(&io),
            Encoding(error) => not_the_encoding(&error),
            other => other.to_string(),
        };
        self.fault(reason)
    }

    fn fault(&mut self, reason: impl Into<String>) -> Fault {
        Fault { line: self.line(), element: self.open.last().cloned().unwrap_or_default(), reason: reason.into() }
    }
}

fn not_the_encoding(error: &dyn std::error::Error) -> String {
    format!("the file is not in the encoding it says: {error}")
}

enum Expansion {
    Text(String),
    Unknown,
    TooLarge,
}

/// The text of an entity. Markup in an entity is text, too: finding aids define abbreviations and addresses.
fn expand(entities: &HashMap<String, String>, name: &str, depth: u32, room: &mut usize) -> Expansion {
    let Some(value) = entities.get(name) else {
        return named(name).map_or(Expansion::Unknown, |text| Expansion::Text(text.to_owned()));
    };
    if depth >= ENTITY_DEPTH {
        return Expansion::TooLarge;
    }
    let mut out = String::new();
    let mut rest = value.as_str();
    loop {
        let (before, after) = rest.split_once('&').map_or((rest, None), |(before, after)| (before, Some(after)));
        if before.len() > *room {
            return Expansion::TooLarge;
        }
        *room -= before.len();
        out.push_str(before);
        let Some((inner, after)) = after.and_then(|after| after.split_once(';')) else { return Expansion::Text(out) };
        match numbered(inner) {
            Some(c) => out.push(c),
            None => match expand(entities, inner, depth + 1, room) {
                Expansion::Text(text) => out.push_str(&text),
                other => return other,
            },
        }
        rest = after;
    }
}

/// Tells the decoder the encoding that the XML declaration names, when that declaration can be read as it stands; the
/// other documents say by their first bytes what they are.
fn declare<R: BufRead>(bytes: &mut DecodingReader<R>, head: &[u8]) -> Result<(), String> {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let Some(end) = text.windows(2).position(|pair| pair == b"?>") else { return Ok(()) };
    let Some(declaration) = std::str::from_utf8(&text[..end + 2]).ok().filter(|text| text.starts_with("<?xml")) else {
        return Ok(());
    };
    let Ok(Event::Decl(declaration)) = Reader::from_str(declaration).read_event() else {
        return Err("the XML declaration cannot be read".to_owned());
    };
    let Some(Ok(name)) = declaration.encoding() else { return Ok(()) };
    let encoding = declaration.encoder().ok_or_else(|| format!("the encoding {name} is not known"))?;
    if encoding.name().starts_with("UTF-16") {
        return Err(format!("the file says it is in {name}, and is not"));
    }
    bytes.set_encoding(encoding);
    Ok(())
}
