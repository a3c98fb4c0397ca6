//! An element of an XML file with all that is in it, one record after the other.

use std::io::BufRead;

use ead::{Fault, Limits, Source, Tag, Token};

use super::ImportError;

/// An element.
#[derive(Debug)]
pub(super) struct Element {
    pub name: String,
    attributes: Vec<(String, String)>,
    /// Where it begins, from 1.
    pub line: u64,
    content: Vec<Content>,
}

#[derive(Debug)]
enum Content {
    Element(Element),
    Text(String),
}

impl Element {
    fn new(tag: Tag) -> Self {
        Self { name: tag.name, attributes: tag.attributes, line: tag.line, content: Vec::new() }
    }

    /// An attribute by its name without prefix.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let local = |key: &str| key.rsplit(':').next() == Some(name);
        self.attributes.iter().find(|(key, _)| local(key)).map(|(_, value)| value.as_str())
    }

    /// The elements in it.
    pub(super) fn elements(&self) -> impl Iterator<Item = &Element> {
        self.content.iter().filter_map(|content| match content {
            Content::Element(element) => Some(element),
            Content::Text(_) => None,
        })
    }

    /// The elements in it with a name.
    pub(super) fn children(&self, name: &str) -> impl Iterator<Item = &Element> {
        self.elements().filter(move |element| element.name == name)
    }

    /// The first element in it with a name.
    pub(super) fn child(&self, name: &str) -> Option<&Element> {
        self.children(name).next()
    }

    /// The elements with a name at any depth, in the order of the file.
    pub(super) fn find<'e>(&'e self, name: &str) -> impl Iterator<Item = &'e Element> + use<'e> {
        let mut found = Vec::new();
        self.collect(name, &mut found);
        found.into_iter()
    }

    /// The nesting is bounded by [`Limits`].
    fn collect<'e>(&'e self, name: &str, found: &mut Vec<&'e Element>) {
        for element in self.elements() {
            if element.name == name {
                found.push(element);
            }
            element.collect(name, found);
        }
    }

    /// All text in it.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        self.add_text(&mut text);
        text
    }

    fn add_text(&self, text: &mut String) {
        for content in &self.content {
            match content {
                Content::Element(element) => element.add_text(text),
                Content::Text(own) => text.push_str(own),
            }
        }
    }

    /// What is in it as XML, without the elements with some names.
    pub(super) fn inner(&self, without: &[&str]) -> String {
        let mut out = String::new();
        self.add_inner(without, &mut out);
        out
    }

    fn add_inner(&self, without: &[&str], out: &mut String) {
        for content in &self.content {
            match content {
                Content::Text(text) => escape(text, false, out),
                Content::Element(element) if without.contains(&element.name.as_str()) => {}
                Content::Element(element) => element.add_outer(without, out),
            }
        }
    }

    /// The element itself as XML.
    pub(super) fn outer(&self, without: &[&str]) -> String {
        let mut out = String::new();
        self.add_outer(without, &mut out);
        out
    }

    fn add_outer(&self, without: &[&str], out: &mut String) {
        out.push('<');
        out.push_str(&self.name);
        for (key, value) in &self.attributes {
            out.push(' ');
            out.push_str(key);
            out.push_str("=\"");
            escape(value, true, out);
            out.push('"');
        }
        if self.content.is_empty() {
            out.push_str("/>");
            return;
        }
        out.push('>');
        self.add_inner(without, out);
        out.push_str("</");
        out.push_str(&self.name);
        out.push('>');
    }
}

fn escape(text: &str, quotes: bool, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if quotes => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}

/// The elements of a file with one name.
pub(super) struct Elements<R: BufRead> {
    source: Source<R>,
    name: &'static str,
}

impl<R: BufRead> Elements<R> {
    pub(super) fn new(input: R, name: &'static str, limits: Limits) -> Result<Self, ImportError> {
        Ok(Self { source: Source::new(input, limits, false)?, name })
    }

    /// The next one, whole; none at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Element>, ImportError> {
        loop {
            self.source.refill();
            match self.source.token()? {
                Token::Open(tag) if tag.name == self.name => return Ok(Some(self.whole(tag)?)),
                Token::End => return Ok(None),
                Token::Open(_) | Token::Close | Token::Text(_) => {}
            }
        }
    }

    fn whole(&mut self, tag: Tag) -> Result<Element, ImportError> {
        let mut now = Element::new(tag);
        let mut around = Vec::new();
        loop {
            match self.source.token()? {
                Token::Open(tag) => around.push(std::mem::replace(&mut now, Element::new(tag))),
                Token::Text(text) => match now.content.last_mut() {
                    Some(Content::Text(before)) => before.push_str(&text),
                    _ => now.content.push(Content::Text(text)),
                },
                Token::Close | Token::End => {
                    let Some(outer) = around.pop() else { return Ok(now) };
                    let inner = std::mem::replace(&mut now, outer);
                    now.content.push(Content::Element(inner));
                }
            }
        }
    }
}

impl From<Fault> for ImportError {
    fn from(fault: Fault) -> Self {
        let place = if fault.element.is_empty() { String::new() } else { format!("{}: ", fault.element) };
        Self { line: fault.line, identifier: None, reason: format!("{place}{}", fault.reason) }
    }
}
