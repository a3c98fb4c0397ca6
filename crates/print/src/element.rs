//! Elements of a finding aid, read from its XML.

use std::io::BufRead;

use quick_xml::{
    Reader,
    escape::resolve_html5_entity,
    events::{BytesStart, Event},
};

use crate::PrintError;

/// How deep elements are nested at most.
const DEEPEST: usize = 64;

/// What is in an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Text(String),
    Element(Element),
}

/// An element without its namespace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    pub(crate) content: Vec<Node>,
}

impl Element {
    /// One without a name.
    pub(crate) fn of(content: Vec<Node>) -> Self {
        Self { content, ..Self::default() }
    }

    /// An attribute by its name without prefix.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(of, _)| of == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = &Element> {
        self.content.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// The first element of the name in it.
    pub(crate) fn child(&self, name: &str) -> Option<&Element> {
        self.elements().find(|element| element.name == name)
    }

    /// The first element of the name at any depth.
    pub(crate) fn find(&self, name: &str) -> Option<&Element> {
        self.elements().find_map(|element| if element.name == name { Some(element) } else { element.find(name) })
    }

    /// All text in it, with single spaces.
    pub(crate) fn text(&self) -> String {
        let mut all = String::new();
        self.add_text(&mut all);
        all.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn add_text(&self, all: &mut String) {
        for node in &self.content {
            match node {
                Node::Text(text) => all.push_str(text),
                Node::Element(element) => {
                    element.add_text(all);
                    all.push(' ');
                }
            }
        }
    }
}

/// What comes next in a finding aid.
pub(crate) enum Token {
    Open(Element),
    Close,
    Text(String),
    End,
}

/// The XML of a finding aid.
pub(crate) struct Xml<R> {
    reader: Reader<R>,
    buffer: Vec<u8>,
}

impl<R: BufRead> Xml<R> {
    pub(crate) fn new(source: R) -> Self {
        let mut reader = Reader::from_reader(source);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, buffer: Vec::new() }
    }

    /// The next token; an element comes without its content.
    pub(crate) fn next(&mut self) -> Result<Token, PrintError> {
        loop {
            self.buffer.clear();
            let event = self.reader.read_event_into(&mut self.buffer);
            return Ok(match event.map_err(|error| PrintError::Source(error.to_string()))? {
                Event::Start(start) => Token::Open(element(&start)),
                Event::End(_) => Token::Close,
                Event::Text(text) => Token::Text(text.into_inner().into_owned()),
                Event::CData(text) => Token::Text(text.into_inner().into_owned()),
                Event::GeneralRef(name) => Token::Text(resolved(&name)),
                Event::Eof => Token::End,
                _ => continue,
            });
        }
    }

    /// The content of an element that was opened.
    pub(crate) fn complete(&mut self, element: Element) -> Result<Element, PrintError> {
        self.complete_at(element, 0)
    }

    fn complete_at(&mut self, mut element: Element, depth: usize) -> Result<Element, PrintError> {
        if depth > DEEPEST {
            return Err(PrintError::Source(format!("elements are nested deeper than {DEEPEST}")));
        }
        loop {
            let node = match self.next()? {
                Token::Open(inner) => Node::Element(self.complete_at(inner, depth + 1)?),
                Token::Text(text) => Node::Text(text),
                Token::Close => return Ok(element),
                Token::End => return Err(PrintError::Source(format!("the finding aid ends inside {}", element.name))),
            };
            element.content.push(node);
        }
    }
}

fn element(start: &BytesStart<'_>) -> Element {
    let name: &str = start.local_name().into_inner();
    let attributes = start.attributes().flatten().map(|attribute| {
        let key: &str = attribute.key.0;
        let key = key.rsplit(':').next().unwrap_or(key).to_owned();
        (key, unescaped(&attribute.value))
    });
    Element { name: name.to_owned(), attributes: attributes.collect(), content: Vec::new() }
}

fn unescaped(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('&') {
        let Some((name, after)) = after.split_once(';') else { break };
        out.push_str(before);
        out.push_str(&resolved(name));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The text of an entity; an unknown one stays as it is.
fn resolved(name: &str) -> String {
    let number = name.strip_prefix('#').and_then(|digits| match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    });
    match number.and_then(char::from_u32) {
        Some(character) => character.to_string(),
        None => resolve_html5_entity(name).map_or_else(|| format!("&{name};"), str::to_owned),
    }
}
