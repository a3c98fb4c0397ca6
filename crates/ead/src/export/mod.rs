//! EAD export (sections 6.1 to 6.3, EAD3 6.6): a resource, then its components depth-first.

mod access;
mod control;
mod did;
mod did3;
mod header;
mod instances;
mod notes;

pub(crate) use notes::{INDEX_ITEMS, MULTIPART};

use std::{
    borrow::Cow,
    collections::HashMap,
    io::{self, Write},
    sync::Arc,
};

use serde_json::Value;

use crate::Lists;
use crate::identifiers::prefixed;
use crate::read::{Json, is, resolved, text};
use crate::text::{Place, fragment};
use crate::xml::{Attributes, Xml};

/// The version of EAD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// EAD 2002, the schema in `urn:isbn:1-931666-22-9`.
    #[default]
    Ead2002,
    /// EAD3, the schema in `http://ead3.archivists.org/schema/`.
    Ead3,
}

/// What an export shows, and what it needs to know besides the records.
#[derive(Clone)]
pub struct Options<'a> {
    /// Unpublished records and notes too, marked `audience="internal"`; also external ids.
    pub include_unpublished: bool,
    /// Digital objects as `dao` and `daogrp`.
    pub include_daos: bool,
    /// `c01`, `c02`, ... instead of `c`.
    pub numbered_cs: bool,
    /// The record's own URI as `unitid` of type `aspace_uri`.
    pub include_uris: bool,
    /// Labels of the value lists.
    pub lists: &'a dyn Lists,
    /// The time of the export as the finding aid shows it.
    pub created: Cow<'a, str>,
    /// The version of EAD.
    pub format: Format,
    /// The program that EAD3 names as the maker of the file.
    pub producer: Cow<'a, str>,
    /// What links of the records lead to, where they are not resolved in place.
    pub linked: Linked,
}

/// Records that others link to, by their addresses. Kept once, however many records link to each.
#[derive(Debug, Clone, Default)]
pub struct Linked(Arc<HashMap<String, Json<'static>>>);

impl Linked {
    /// The record behind a link: the one that is resolved in place, else the one of that address.
    fn record<'v>(&'v self, link: &'v Json<'v>) -> Option<&'v Json<'v>> {
        resolved(link).or_else(|| self.0.get(text(link, "ref")?))
    }
}

impl FromIterator<(String, Json<'static>)> for Linked {
    fn from_iter<T: IntoIterator<Item = (String, Json<'static>)>>(records: T) -> Self {
        Self(Arc::new(records.into_iter().collect()))
    }
}

impl<'a> Options<'a> {
    /// What a client gets that asks for nothing in particular: published records with their URIs.
    pub fn new(lists: &'a dyn Lists, created: impl Into<Cow<'a, str>>) -> Options<'a> {
        Options {
            include_unpublished: false,
            include_daos: false,
            numbered_cs: false,
            include_uris: true,
            lists,
            created: created.into(),
            format: Format::Ead2002,
            producer: "ArchivesSpace".into(),
            linked: Linked::default(),
        }
    }
}

/// The repository of the resource: its record, and the record of the agent that stands for it, for the address.
#[derive(Debug, Clone, Copy)]
pub struct Repository<'a> {
    /// The repository's JSON.
    pub record: &'a Value,
    /// The agent's JSON (`agent_representation`, resolved), if it has one.
    pub agent: Option<&'a Value>,
}

/// The same as the export reads it.
struct Holder<'a> {
    record: Json<'a>,
    agent: Option<Json<'a>>,
}

/// Why an export stopped.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The receiver takes no more.
    #[error("cannot write the finding aid: {0}")]
    Write(#[from] io::Error),
    /// A component that is not where a depth-first walk may be: a child of the last component, its sibling, or
    /// somewhere above. Depth 1 is right below the resource.
    #[error("a component at depth {depth} cannot follow one at depth {last}")]
    Depth {
        /// Depth of the refused component.
        depth: u32,
        /// Depth of the component before it, 0 for the resource.
        last: u32,
    },
    /// `begin` has to be the first call, once.
    #[error("the resource has to be written once, before its components")]
    Order,
}

/// Writes one finding aid, a record at a time.
///
/// Records are ArchivesSpace JSON. Links to agents, subjects, top containers (and their container profiles) and digital
/// objects are resolved in place (`_resolved`), or what they lead to is in [`Options::linked`]. Memory does not grow with the
/// number of components.
pub struct Exporter<'a, W: Write> {
    out: W,
    writer: Description<'a>,
    /// `begin` was called.
    begun: bool,
    /// The number of open components.
    depth: u32,
    /// The depth of the last component that was told, written or not.
    last: u32,
    /// Components below this depth belong to one that is left out.
    hidden: Option<u32>,
}

impl<'a, W: Write> Exporter<'a, W> {
    /// An export to `out`. `hex` gives a fresh random text for the id of each container.
    pub fn new(options: Options<'a>, out: W, hex: impl FnMut() -> String + Send + 'a) -> Exporter<'a, W> {
        let writer = Description { options, xml: Xml::new(), hex: Box::new(hex) };
        Exporter { out, writer, begun: false, depth: 0, last: 0, hidden: None }
    }

    /// Writes everything up to and including the open `dsc`.
    ///
    /// # Errors
    /// [`ExportError::Order`] when called twice; [`ExportError::Write`].
    pub fn begin<'v>(&mut self, resource: impl Into<Json<'v>>, repository: &Repository) -> Result<(), ExportError> {
        if std::mem::replace(&mut self.begun, true) {
            return Err(ExportError::Order);
        }
        let repository = Holder { record: repository.record.into(), agent: repository.agent.map(Json::from) };
        self.writer.front(&resource.into(), &repository);
        self.flush()
    }

    /// Writes a component, closing the ones before it that it is not below. `depth` is 1 right below the resource.
    ///
    /// An unpublished component (unless asked for) and a suppressed one are left out with all that is below them.
    ///
    /// # Errors
    /// [`ExportError::Order`] before `begin`, [`ExportError::Depth`], [`ExportError::Write`].
    pub fn component<'v>(&mut self, record: impl Into<Json<'v>>, depth: u32) -> Result<(), ExportError> {
        if !self.begun {
            return Err(ExportError::Order);
        }
        if depth == 0 || depth > self.last + 1 {
            return Err(ExportError::Depth { depth, last: self.last });
        }
        self.last = depth;
        if self.hidden.is_some_and(|hidden| depth > hidden) {
            return Ok(());
        }
        self.hidden = None;
        self.close_to(depth - 1);
        let record = record.into();
        if self.writer.shows(&record) && !is(&record, "suppressed", true) {
            self.depth = depth;
            self.writer.component(&record, depth);
        } else {
            self.hidden = Some(depth);
        }
        self.flush()
    }

    /// Closes what is open and gives the receiver back.
    ///
    /// # Errors
    /// [`ExportError::Order`] before `begin`, [`ExportError::Write`].
    pub fn end(mut self) -> Result<W, ExportError> {
        if !self.begun {
            return Err(ExportError::Order);
        }
        self.close_to(0);
        for element in ["dsc", "archdesc", "ead"] {
            self.writer.xml.close(element);
        }
        self.flush()?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn close_to(&mut self, depth: u32) {
        while self.depth > depth {
            let element = self.writer.component_name(self.depth);
            self.writer.xml.close(&element);
            self.depth -= 1;
        }
    }

    fn flush(&mut self) -> Result<(), ExportError> {
        let written = self.writer.xml.written();
        self.out.write_all(written)?;
        written.clear();
        Ok(())
    }
}

/// Tells editors where the schema is.
const EAD3_MODEL: &str = "<?xml-model href=\"https://raw.githubusercontent.com/SAA-SDT/EAD3/master/ead3.rng\" \
    type=\"application/xml\" schematypens=\"http://relaxng.org/ns/structure/1.0\"?>\n";

/// The part that turns records into XML.
struct Description<'a> {
    options: Options<'a>,
    xml: Xml,
    hex: Box<dyn FnMut() -> String + Send + 'a>,
}

impl Description<'_> {
    fn front(&mut self, resource: &Json, repository: &Holder) {
        self.xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let audience = ("audience", audience(resource));
        if self.ead3() {
            self.xml.raw(EAD3_MODEL);
            self.xml.open("ead", &[("xmlns", Some("http://ead3.archivists.org/schema/")), audience]);
            self.control(resource, repository);
        } else {
            self.xml.open(
                "ead",
                &[
                    ("xmlns", Some("urn:isbn:1-931666-22-9")),
                    ("xmlns:xlink", Some("http://www.w3.org/1999/xlink")),
                    ("xmlns:xsi", Some("http://www.w3.org/2001/XMLSchema-instance")),
                    ("xsi:schemaLocation", Some("urn:isbn:1-931666-22-9 https://www.loc.gov/ead/ead.xsd")),
                    audience,
                ],
            );
            self.header(resource, repository);
        }
        self.xml.open("archdesc", &[("level", text(resource, "level")), ("otherlevel", text(resource, "other_level"))]);
        if self.ead3() {
            self.resource_did3(resource, repository);
        } else {
            self.resource_did(resource, repository);
        }
        if self.options.include_daos && !self.ead3() {
            self.digital_objects(resource);
        }
        self.below_did(resource);
        self.xml.open("dsc", &[]);
    }

    fn component(&mut self, record: &Json, depth: u32) {
        let element = self.component_name(depth);
        let id = text(record, "ref_id").map(prefixed);
        let attributes = [
            ("level", text(record, "level")),
            ("otherlevel", text(record, "other_level")),
            ("id", id.as_deref()),
            ("audience", audience(record)),
        ];
        self.xml.open(&element, &attributes);
        if self.ead3() {
            self.component_did3(record);
        } else {
            self.component_did(record);
        }
        self.below_did(record);
    }

    fn ead3(&self) -> bool {
        self.options.format == Format::Ead3
    }

    fn component_name(&self, depth: u32) -> String {
        if self.options.numbered_cs { format!("c{depth:02}") } else { "c".to_owned() }
    }

    fn below_did(&mut self, record: &Json) {
        self.notes(record);
        self.bibliographies(record);
        self.indexes(record);
        self.controlaccess(record);
    }

    /// Whether the reader may see it; `publish` that is not said counts as yes.
    fn shows(&self, part: &Json) -> bool {
        self.options.include_unpublished || !is(part, "publish", false)
    }

    fn label<'v>(&'v self, list: &str, value: &'v str) -> &'v str {
        self.options.lists.label(list, value).unwrap_or(value)
    }

    /// An element that holds text with markup, without paragraphs.
    fn mixed(&mut self, element: &str, attributes: Attributes, content: &str) {
        self.xml.open(element, attributes);
        self.content(element, content, false);
        self.xml.close(element);
    }

    /// As [`Description::mixed`], if there is a text at all.
    fn optional(&mut self, element: &str, content: Option<&str>) {
        if let Some(content) = content {
            self.mixed(element, &[], content);
        }
    }

    /// Text with markup in an element of this name.
    fn content(&mut self, element: &str, content: &str, paragraphs: bool) {
        let ead3 = Some(element).filter(|_| self.ead3());
        self.xml.raw(&fragment(content, Place { paragraphs, ead3 }));
    }
}

/// `audience` of a part that is not for the public.
fn audience(part: &Json) -> Option<&'static str> {
    is(part, "publish", false).then_some("internal")
}
