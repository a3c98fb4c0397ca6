//! EAD 2002 as the blocks of a printed finding aid, a component at a time.

use std::{collections::VecDeque, io::BufRead};

use crate::{
    PrintError,
    block::{Block, Front, Span},
    did,
    element::{Element, Token, Xml},
    texts,
};

/// A finding aid that is read.
pub(crate) struct Ead<R> {
    xml: Xml<R>,
    ready: VecDeque<Block>,
    front: Front,
    /// The elements that are open and read part by part, without their content.
    open: Vec<Element>,
    has_begun: bool,
}

impl<R: BufRead> Ead<R> {
    pub(crate) fn new(source: R) -> Self {
        Self {
            xml: Xml::new(source),
            ready: VecDeque::new(),
            front: Front::default(),
            open: Vec::new(),
            has_begun: false,
        }
    }

    /// What the title page tells; complete once all is read.
    pub(crate) fn into_front(self) -> Front {
        self.front
    }

    /// The next block; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<Block>, PrintError> {
        loop {
            if let Some(block) = self.ready.pop_front() {
                return Ok(Some(block));
            }
            match self.xml.next()? {
                Token::Open(element) => self.opened(element)?,
                Token::Close => {
                    self.open.pop();
                }
                Token::Text(_) => {}
                Token::End if self.open.is_empty() && self.has_begun => return Ok(None),
                Token::End => return Err(PrintError::Source("the finding aid is not complete".to_owned())),
            }
        }
    }

    fn opened(&mut self, element: Element) -> Result<(), PrintError> {
        let mut blocks = Vec::new();
        match element.name.as_str() {
            "ead" | "archdesc" => {
                self.has_begun = true;
                self.open.push(element);
            }
            "dsc" => {
                self.ready.push_back(Block::Heading { level: 1, text: "Inventory".to_owned() });
                self.open.push(element);
            }
            name if is_component(name) => self.open.push(element),
            "eadheader" => {
                let header = self.xml.complete(element)?;
                header_of(&header, &mut self.front);
            }
            "frontmatter" => {
                self.xml.complete(element)?;
            }
            _ => {
                let element = self.xml.complete(element)?;
                self.part(&element, &mut blocks);
            }
        }
        self.ready.extend(blocks);
        Ok(())
    }

    /// A part of the collection or of a component.
    fn part(&mut self, element: &Element, out: &mut Vec<Block>) {
        let depth = self.open.iter().filter(|open| is_component(&open.name)).count();
        let depth = u8::try_from(depth).unwrap_or(u8::MAX);
        let component = self.open.last().filter(|open| is_component(&open.name));
        match (element.name.as_str(), component) {
            ("head", _) => {}
            ("did", Some(component)) => did::component(component, depth, element, out),
            ("did", None) => {
                self.front.identify(element);
                out.push(Block::Heading { level: 1, text: "Description".to_owned() });
                did::collection(element, out);
            }
            ("controlaccess", Some(_)) => did::headings(element, depth, out),
            ("controlaccess", None) => {
                out.push(Block::Heading { level: 2, text: did::name(element) });
                did::headings(element, 0, out);
            }
            ("descgrp", _) => element.elements().for_each(|inner| self.part(inner, out)),
            (_, Some(_)) => {
                out.push(Block::Paragraph { spans: vec![Span::bold(did::name(element))], indent: depth.min(10) });
                texts::blocks(element, depth.min(10), out);
            }
            (_, None) => {
                out.push(Block::Heading { level: 2, text: did::name(element) });
                texts::blocks(element, 0, out);
            }
        }
    }
}

fn is_component(name: &str) -> bool {
    name == "c" || name.len() == 3 && name.starts_with('c') && name[1..].chars().all(|c| c.is_ascii_digit())
}

impl Front {
    /// Adds what the collection is called, if the header did not say it.
    fn identify(&mut self, did: &Element) {
        let told = |name: &str| did.child(name).map(Element::text).unwrap_or_default();
        if self.title.is_empty() {
            self.title = told("unittitle");
        }
        if self.identifier.is_empty() {
            self.identifier = told("unitid");
        }
    }
}

fn header_of(header: &Element, front: &mut Front) {
    let told = |name: &str| header.find(name).map(Element::text).filter(|text| !text.is_empty());
    let is_filing = |title: &&Element| title.attribute("type") == Some("filing");
    let titles = header.find("titlestmt");
    let mut proper = titles.into_iter().flat_map(Element::elements).filter(|one| one.name == "titleproper");
    if let Some(title) = proper.find(|title| !is_filing(title)) {
        let number = title.child("num").map(Element::text).unwrap_or_default();
        let whole = title.text();
        whole.strip_suffix(&number).unwrap_or(&whole).trim().clone_into(&mut front.title);
        front.identifier = number;
    }
    front.subtitle = told("subtitle").unwrap_or_default();
    front.author = told("author").unwrap_or_default();
    front.notes = ["sponsor", "edition", "creation", "langusage", "descrules"].into_iter().filter_map(told).collect();
    if let Some(publication) = header.find("publicationstmt") {
        for part in publication.elements() {
            let lines: Vec<String> = match part.name.as_str() {
                "address" => part.elements().map(texts::told).collect(),
                _ => vec![part.text()],
            };
            front.publisher.extend(lines.into_iter().filter(|line| !line.is_empty()));
        }
        // The publisher comes first, wherever it stands.
        if let Some(publisher) = publication.child("publisher").map(Element::text) {
            front.publisher.retain(|line| *line != publisher);
            front.publisher.insert(0, publisher);
        }
    }
    let language = header.find("langusage").and_then(|usage| usage.child("language"));
    front.language = language.and_then(|language| language.attribute("langcode")).unwrap_or_default().to_owned();
}
