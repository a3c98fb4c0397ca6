//! One element in memory, and the texts that records keep of it.

use std::io::BufRead;

use quick_xml::escape::{escape, partial_escape};

use super::source::{Fault, Source, Tag, Token};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Element(Element),
    /// Text with its entities resolved and runs of white space made one space.
    Text(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Element {
    pub(crate) tag: Tag,
    pub(crate) children: Vec<Node>,
}

impl Element {
    /// Reads what is left of the element that this tag opened.
    pub(crate) fn read<R: BufRead>(source: &mut Source<R>, tag: Tag) -> Result<Element, Fault> {
        let mut open = vec![Element { tag, children: Vec::new() }];
        loop {
            match source.token()? {
                Token::Open(tag) => open.push(Element { tag, children: Vec::new() }),
                Token::Text(text) => {
                    if let Some(element) = open.last_mut() {
                        element.append(&text);
                    }
                }
                Token::Close | Token::End => {
                    let Some(done) = open.pop() else { return Ok(Element::default()) };
                    match open.last_mut() {
                        Some(parent) => parent.children.push(Node::Element(done)),
                        None => return Ok(done),
                    }
                }
            }
        }
    }

    fn append(&mut self, text: &str) {
        if !matches!(self.children.last(), Some(Node::Text(_))) {
            self.children.push(Node::Text(String::new()));
        }
        let Some(Node::Text(so_far)) = self.children.last_mut() else { return };
        for c in text.chars() {
            if !c.is_ascii_whitespace() {
                so_far.push(c);
            } else if !so_far.ends_with(' ') {
                so_far.push(' ');
            }
        }
    }

    /// Adds a copy of a node of another element; white space where texts meet stays one space.
    pub(crate) fn adopt(&mut self, node: &Node) {
        match node {
            Node::Text(text) => self.append(text),
            Node::Element(element) => self.children.push(Node::Element(element.clone())),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.tag.name
    }

    pub(crate) fn line(&self) -> u64 {
        self.tag.line
    }

    /// The value of an attribute, if it has one that is not empty.
    pub(crate) fn attribute(&self, key: &str) -> Option<&str> {
        let found = self.tag.attributes.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// A link's attribute, which many files have without the XLink namespace.
    pub(crate) fn link(&self, key: &str) -> Option<&str> {
        self.attribute(&format!("xlink:{key}")).or_else(|| self.attribute(key))
    }

    /// Whether the public may see it.
    pub(crate) fn published(&self) -> bool {
        self.attribute("audience") != Some("internal")
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    pub(crate) fn child(&self, name: &str) -> Option<&Element> {
        self.elements().find(|element| element.name() == name)
    }

    /// Whether there is nothing in it: such an element says nothing unless it has attributes.
    pub(crate) fn is_blank(&self) -> bool {
        self.children.iter().all(|node| matches!(node, Node::Text(text) if text.trim().is_empty()))
    }

    /// All text in it, without markup.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        self.push_text(&mut out);
        out.trim().to_owned()
    }

    fn push_text(&self, out: &mut String) {
        for node in &self.children {
            match node {
                Node::Text(text) => out.push_str(text),
                Node::Element(element) => element.push_text(out),
            }
        }
    }

    /// The content as a name, number or term: the text, or the markup if there is some.
    pub(crate) fn plain(&self) -> String {
        if self.elements().next().is_none() { self.text() } else { self.inner() }
    }

    /// The content as XML.
    pub(crate) fn inner(&self) -> String {
        let mut content = Content::default();
        content.nodes(&self.children, false);
        content.finish()
    }

    /// The content as XML where paragraphs and line breaks have become blank lines.
    pub(crate) fn formatted(&self) -> String {
        self.formatted_without(&[])
    }

    /// As [`Element::formatted`], without the elements of these names at any depth.
    pub(crate) fn formatted_without(&self, left_out: &'static [&'static str]) -> String {
        let mut content = Content { left_out, ..Content::default() };
        content.nodes(&self.children, true);
        content.finish()
    }

    /// The text of the element as XML text: no markup, `&` and `<` escaped.
    pub(crate) fn escaped_text(&self) -> String {
        partial_escape(self.text().as_str()).into_owned()
    }
}

/// XML content that is being put together.
#[derive(Debug, Default)]
pub(crate) struct Content {
    out: String,
    left_out: &'static [&'static str],
}

impl Content {
    fn nodes(&mut self, nodes: &[Node], breaks: bool) {
        nodes.iter().for_each(|node| self.node(node, breaks));
    }

    /// Adds a node; with `breaks`, `p` and `lb` become blank lines.
    pub(crate) fn node(&mut self, node: &Node, breaks: bool) {
        let element = match node {
            Node::Text(text) => return self.text(text, breaks),
            Node::Element(element) => element,
        };
        let name = element.name();
        if self.left_out.contains(&name) {
            return;
        }
        if breaks && name == "lb" {
            return self.line_break();
        }
        if breaks && name == "p" {
            self.line_break();
            self.nodes(&element.children, breaks);
            return self.line_break();
        }
        self.out.push('<');
        self.out.push_str(name);
        for (key, value) in &element.tag.attributes {
            self.out.push_str(&format!(" {key}=\"{}\"", escape(value.as_str())));
        }
        if element.children.is_empty() {
            self.out.push_str("/>");
            return;
        }
        self.out.push('>');
        // Paragraphs of what stands in the text, a table or a quotation, stay paragraphs: blank lines would tear it.
        self.nodes(&element.children, false);
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }

    fn text(&mut self, text: &str, breaks: bool) {
        let text = if breaks && (self.out.is_empty() || self.out.ends_with('\n')) { text.trim_start() } else { text };
        self.out.push_str(&partial_escape(text));
    }

    /// Ends a paragraph, if there is anything to end.
    pub(crate) fn line_break(&mut self) {
        let end = self.out.trim_end().len();
        self.out.truncate(end);
        if end > 0 {
            self.out.push_str("\n\n");
        }
    }

    /// What was put together, trimmed.
    pub(crate) fn finish(self) -> String {
        self.out.trim().to_owned()
    }
}
