//! Import of EAD 2002 (sections 6.4 and 6.5) and EAD3 (6.6): one pass, records given out as soon as they are described.

mod access;
mod build;
mod did;
mod ead3;
mod header;
mod instances;
mod notes;
mod source;
mod tree;

use std::collections::HashMap;
use std::fmt;
use std::io::BufRead;

use serde_json::Value;

use crate::Lists;
use build::{Build, Draft};
pub use source::{Fault, Source, Tag, Token};
use tree::Element;

/// How much an import puts up with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// ArchivesSpace's rules: the first record that breaks one ends the import.
    #[default]
    Strict,
    /// What is missing is filled in, what is too long is cut, what is empty is left out; each time a [`Repair`] is
    /// given out.
    Tolerant,
}

/// Bounds on what one element may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The deepest element, counted from the root.
    pub depth: usize,
    /// The largest element that is not a component or around components, in bytes.
    pub element_bytes: usize,
    /// How many elements such an element may have in it.
    pub elements: usize,
    /// How many attributes any element may have.
    pub attributes: usize,
    /// The longest text that one entity may stand for, in bytes.
    pub entity_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 128, element_bytes: 32 << 20, elements: 500_000, attributes: 1_000, entity_bytes: 64 << 10 }
    }
}

/// How to import.
pub struct Options<'a> {
    /// Strict unless said otherwise.
    pub mode: Mode,
    /// Bounds on sizes.
    pub limits: Limits,
    /// The number of the repository, for the temporary URIs.
    pub repository: i64,
    /// The value lists.
    pub lists: &'a dyn Lists,
    /// URIs of container profiles by name; `container/@altrender` may name one.
    pub container_profiles: &'a HashMap<String, String>,
    /// A fresh random text each time, for temporary URIs and ids of digital objects.
    pub ids: Box<dyn FnMut() -> String + 'a>,
}

/// What an import gives out.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A new record as ArchivesSpace JSON with a temporary `uri`. Whatever it refers to came before it: subjects,
    /// agents, containers and digital objects before the record that uses them, the resource before its components, a
    /// parent before its children.
    Record {
        /// The record.
        record: Value,
        /// Where it starts in the file.
        line: u64,
    },
    /// A record that was given out before, whole and with the same `uri`, because the file describes it further after
    /// its components (an index after the list of contents, say).
    Revised {
        /// The record.
        record: Value,
        /// Where it starts in the file.
        line: u64,
    },
    /// Something that a tolerant import put right.
    Repair(Repair),
}

/// Something that a tolerant import put right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// Where in the file.
    pub line: u64,
    /// The component's or resource's identifier, if it has one by then.
    pub identifier: Option<String>,
    /// The element or field.
    pub element: String,
    /// What was wrong.
    pub problem: String,
    /// What was done about it.
    pub action: String,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        place(f, self.line, self.identifier.as_deref(), &self.element)?;
        write!(f, "{}; {}", self.problem, self.action)
    }
}

/// Why an import ended before the end of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ImportError {
    /// Where in the file, from 1.
    pub line: u64,
    /// The component's or resource's identifier, if it has one by then.
    pub identifier: Option<String>,
    /// The element or field.
    pub element: String,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        place(f, self.line, self.identifier.as_deref(), &self.element)?;
        f.write_str(&self.reason)
    }
}

fn place(f: &mut fmt::Formatter<'_>, line: u64, identifier: Option<&str>, element: &str) -> fmt::Result {
    write!(f, "line {line}")?;
    if let Some(identifier) = identifier {
        write!(f, ", {identifier}")?;
    }
    if !element.is_empty() {
        write!(f, ", {element}")?;
    }
    f.write_str(": ")
}

impl From<Fault> for ImportError {
    fn from(fault: Fault) -> ImportError {
        ImportError { line: fault.line, identifier: None, element: fault.element, reason: fault.reason }
    }
}

/// What an open element is to the import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Ead,
    /// The resource; its draft stays until the end of `ead`, as some files have their `dsc` after the `archdesc`.
    Archdesc,
    /// A component: the innermost draft is its record.
    Component,
    /// `dsc`: components and little else.
    Around,
}

/// Reads one finding aid, as an iterator of [`Item`]s. After an error it is at its end.
pub struct Importer<'a, R: BufRead> {
    source: Source<R>,
    build: Build<'a>,
    open: Vec<Open>,
    /// The resource, then the components that are open.
    drafts: Vec<Draft>,
    /// The file is EAD3.
    is_third: bool,
    done: bool,
}

impl<'a, R: BufRead> Importer<'a, R> {
    /// An import of `input`, which may be in any encoding its first bytes or its XML declaration tell.
    ///
    /// # Errors
    /// The input cannot be read, or its encoding is not known.
    pub fn new(input: R, options: Options<'a>) -> Result<Importer<'a, R>, ImportError> {
        let source = Source::new(input, options.limits, options.mode == Mode::Tolerant)?;
        Ok(Importer {
            source,
            build: Build::new(options),
            open: Vec::new(),
            drafts: Vec::new(),
            is_third: false,
            done: false,
        })
    }

    fn step(&mut self) -> Result<(), ImportError> {
        self.source.refill();
        match self.source.token()? {
            Token::Open(tag) => self.opened(tag)?,
            Token::Close => self.closed()?,
            Token::Text(_) => {}
            Token::End => {
                self.done = true;
                if !self.build.finished {
                    return Err(self.at("archdesc", "the file describes no archives"));
                }
            }
        }
        for fault in std::mem::take(&mut self.source.kept) {
            self.build.repaired(Repair {
                line: fault.line,
                identifier: self.drafts.last().and_then(Draft::identifier).map(str::to_owned),
                element: fault.element,
                problem: fault.reason,
                action: "kept as text".to_owned(),
            });
        }
        Ok(())
    }

    fn at(&mut self, element: &str, reason: &str) -> ImportError {
        ImportError {
            line: self.source.line(),
            identifier: None,
            element: element.to_owned(),
            reason: reason.to_owned(),
        }
    }

    fn opened(&mut self, tag: Tag) -> Result<(), ImportError> {
        match self.open.last() {
            None => self.root(&tag),
            Some(Open::Ead) => self.top(tag),
            Some(Open::Archdesc | Open::Component | Open::Around) if is_component(&tag.name) => {
                self.publish_open_record()?;
                let draft = self.build.component(&tag, &mut self.drafts)?;
                self.drafts.push(draft);
                self.open.push(Open::Component);
                Ok(())
            }
            Some(Open::Archdesc | Open::Component | Open::Around) if matches!(tag.name.as_str(), "dsc" | "dscgrp") => {
                self.open.push(Open::Around);
                Ok(())
            }
            Some(Open::Archdesc | Open::Component | Open::Around) => {
                let element = Element::read(&mut self.source, tag)?;
                let Some(draft) = self.drafts.last_mut() else { return Ok(()) };
                if !self.is_third {
                    return self.build.describe(draft, &element);
                }
                ead3::old(element).iter().try_for_each(|element| self.build.describe(draft, element))
            }
        }
    }

    fn root(&mut self, tag: &Tag) -> Result<(), ImportError> {
        if tag.name != "ead" {
            return Err(self.at(&tag.name, "this is not a finding aid: the first element has to be ead"));
        }
        self.is_third = self.source.namespaces.iter().any(|namespace| namespace.contains("ead3"));
        self.drafts.push(self.build.resource(tag));
        self.open.push(Open::Ead);
        Ok(())
    }

    fn top(&mut self, tag: Tag) -> Result<(), ImportError> {
        match tag.name.as_str() {
            "archdesc" => {
                if let Some(resource) = self.drafts.first_mut() {
                    self.build.archdesc(resource, &tag)?;
                }
                self.open.push(Open::Archdesc);
                Ok(())
            }
            "dsc" => {
                self.open.push(Open::Around);
                Ok(())
            }
            "eadheader" => {
                let header = Element::read(&mut self.source, tag)?;
                match self.drafts.first_mut() {
                    Some(resource) => self.build.header(resource, &header),
                    None => Ok(()),
                }
            }
            "control" => {
                // A file without a namespace is known by this.
                self.is_third = true;
                let control = Element::read(&mut self.source, tag)?;
                let Some(resource) = self.drafts.first_mut() else { return Ok(()) };
                for rights in ead3::rights(&control) {
                    resource.push("metadata_rights_declarations", rights);
                }
                self.build.header(resource, &ead3::header(&control))
            }
            // The title page says again what the header says.
            _ => Ok(Element::read(&mut self.source, tag).map(|_| ())?),
        }
    }

    /// A record is given out before the first of its components.
    fn publish_open_record(&mut self) -> Result<(), ImportError> {
        match self.drafts.last_mut() {
            Some(draft) if !draft.given => self.build.give(draft),
            _ => Ok(()),
        }
    }

    fn closed(&mut self) -> Result<(), ImportError> {
        match self.open.pop() {
            Some(Open::Archdesc) => self.publish_open_record(),
            Some(Open::Component | Open::Ead) => {
                let Some(mut draft) = self.drafts.pop() else { return Ok(()) };
                // A resource that was not given out had no `archdesc`.
                if draft.is_resource() && !draft.given { Ok(()) } else { self.build.close(&mut draft) }
            }
            Some(Open::Around) | None => Ok(()),
        }
    }
}

/// Whether this is `c` or `c01` to `c12`.
fn is_component(name: &str) -> bool {
    let Some(number) = name.strip_prefix('c') else { return false };
    number.is_empty() || (number.len() == 2 && number.bytes().all(|b| b.is_ascii_digit()))
}

impl<R: BufRead> Iterator for Importer<'_, R> {
    type Item = Result<Item, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.build.queue.pop_front() {
                return Some(Ok(item));
            }
            if self.done {
                return None;
            }
            if let Err(error) = self.step() {
                self.done = true;
                self.build.queue.clear();
                return Some(Err(error));
            }
        }
    }
}
