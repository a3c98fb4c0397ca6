//! METS of digital objects: a description of each part, its files, and how the parts hang together (contract 6.8).

use record_xml::{
    Lists,
    json::{list, resolved, text},
    xml::Xml,
};
use serde_json::Value;

use crate::{dublin_core, mods};

/// How the parts are described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dmd {
    Mods,
    DublinCore,
    /// A scheme that is not known: the sections stay empty.
    Other,
}

impl Dmd {
    /// The scheme that a client asks for; without a wish it is MODS.
    pub fn named(name: Option<&str>) -> Self {
        match name {
            None | Some("mods") => Self::Mods,
            Some("dc") => Self::DublinCore,
            Some(_) => Self::Other,
        }
    }
}

/// What is kept of each part until its files and its place are written.
struct Part {
    /// 0 for the digital object.
    depth: u32,
    id: String,
    label: String,
    files: Vec<File>,
}

struct File {
    /// Its number in this document, from 1.
    number: usize,
    address: Option<String>,
    use_statement: Option<String>,
}

/// A METS document that is being written: a digital object, then its components depth-first. Memory holds the titles and
/// files of all parts.
pub struct Mets<'a> {
    xml: Xml,
    dmd: Dmd,
    lists: &'a dyn Lists,
    site: String,
    /// Whose the digital object and its components are, as a resolved reference.
    repository: Value,
    parts: Vec<Part>,
    files: usize,
}

impl<'a> Mets<'a> {
    /// Begins with a digital object, its agents, subjects and repository (with its agent) resolved. `created` is the time
    /// of the export in ISO 8601, `site` is where the API is.
    pub fn begin(record: &Value, dmd: Dmd, lists: &'a dyn Lists, created: &str, site: String) -> Self {
        let mut xml = Xml::document();
        xml.open(
            "mets",
            &[
                ("xmlns", Some("http://www.loc.gov/METS/")),
                ("xmlns:mods", Some("http://www.loc.gov/mods/v3")),
                ("xmlns:dc", Some("http://purl.org/dc/elements/1.1/")),
                ("xmlns:xlink", Some("http://www.w3.org/1999/xlink")),
                ("xmlns:xsi", Some("http://www.w3.org/2001/XMLSchema-instance")),
                ("xsi:schemaLocation", Some("http://www.loc.gov/METS/ https://www.loc.gov/standards/mets/mets.xsd")),
            ],
        );
        let repository = record.get("repository").and_then(resolved).unwrap_or(&Value::Null);
        xml.open("metsHdr", &[("CREATEDATE", Some(created))]);
        xml.open("agent", &[("ROLE", Some("CREATOR")), ("TYPE", Some("ORGANIZATION"))]);
        xml.plain("name", &[], text(repository, "name").unwrap_or_default());
        for note in text(repository, "url").into_iter().chain(["Produced by ArchivesSpace"]) {
            xml.plain("note", &[], note);
        }
        xml.close("agent");
        xml.close("metsHdr");
        let repository = record.get("repository").cloned().unwrap_or_default();
        let mut mets = Self { xml, dmd, lists, site, repository, parts: Vec::new(), files: 0 };
        mets.part(record, 0);
        mets
    }

    /// Adds a component, its agents and subjects resolved. `depth` is 1 right below the digital object.
    pub fn component(&mut self, mut record: Value, depth: u32) {
        if let Some(members) = record.as_object_mut() {
            members.insert("repository".to_owned(), self.repository.clone());
        }
        self.part(&record, depth.max(1));
    }

    /// Takes what is written so far.
    pub fn written(&mut self) -> &mut Vec<u8> {
        self.xml.written()
    }

    /// Writes files and structure, and ends the document; returns the rest of it.
    pub fn end(mut self) -> String {
        self.xml.empty("amdSec", &[]);
        self.file_section();
        self.structure("logical", |_| true);
        self.structure("physical", |part| !part.files.is_empty());
        self.xml.close("mets");
        self.xml.finish()
    }

    fn part(&mut self, record: &Value, depth: u32) {
        let address = text(record, "uri").unwrap_or_default();
        let id = address.rsplit('/').next().unwrap_or_default().to_owned();
        self.section(record, &id);
        let files = list(record, "file_versions").iter().map(|file| {
            self.files += 1;
            let owned = |member| text(file, member).map(str::to_owned);
            File { number: self.files, address: owned("file_uri"), use_statement: owned("use_statement") }
        });
        let files = files.collect();
        let label = text(record, "title").or(text(record, "display_string")).unwrap_or_default().to_owned();
        self.parts.push(Part { depth, id, label, files });
    }

    /// The section that describes a part.
    fn section(&mut self, record: &Value, id: &str) {
        let kind = match self.dmd {
            Dmd::Mods => "MODS",
            Dmd::DublinCore => "DC",
            Dmd::Other => return self.xml.empty("dmdSec", &[("ID", Some(id))]),
        };
        self.xml.open("dmdSec", &[("ID", Some(id))]);
        self.xml.open("mdWrap", &[("MDTYPE", Some(kind))]);
        self.xml.open("xmlData", &[]);
        if self.dmd == Dmd::Mods {
            mods::write(&mut self.xml, "mods:", record, self.lists);
        } else {
            dublin_core::write(&mut self.xml, "dc:", record, &self.site);
        }
        self.xml.close("xmlData");
        self.xml.close("mdWrap");
        self.xml.close("dmdSec");
    }

    /// The files of all parts, those for the same use together.
    fn file_section(&mut self) {
        let parts = &self.parts;
        let all = || parts.iter().flat_map(|part| part.files.iter().map(move |file| (part, file)));
        let mut uses: Vec<Option<&str>> = Vec::new();
        for (_, file) in all() {
            if !uses.contains(&file.use_statement.as_deref()) {
                uses.push(file.use_statement.as_deref());
            }
        }
        self.xml.open("fileSec", &[]);
        for of in uses {
            let label = of.map(|of| self.lists.label("file_version_use_statement", of).unwrap_or(of));
            self.xml.open("fileGrp", &[("USE", label)]);
            for (part, file) in all().filter(|(_, file)| file.use_statement.as_deref() == of) {
                self.xml.open("file", &[("ID", Some(&file.id())), ("GROUPID", Some(&part.id))]);
                self.xml.empty("FLocat", &[("LOCTYPE", Some("URL")), ("xlink:href", file.address.as_deref())]);
                self.xml.close("file");
            }
            self.xml.close("fileGrp");
        }
        self.xml.close("fileSec");
    }

    /// The tree of the parts that are wanted. What is below a part that is not moves up to the one above it.
    fn structure(&mut self, kind: &str, is_wanted: impl Fn(&Part) -> bool) {
        self.xml.open("structMap", &[("TYPE", Some(kind))]);
        let mut open: Vec<u32> = Vec::new();
        let wanted = self.parts.iter().filter(|part| is_wanted(part));
        for (place, part) in wanted.enumerate() {
            while open.last().is_some_and(|depth| *depth >= part.depth) {
                open.pop();
                self.xml.close("div");
            }
            let order = (place + 1).to_string();
            let attributes = [
                ("ORDER", Some(order.as_str())),
                ("LABEL", Some(part.label.as_str())),
                ("TYPE", Some("item")),
                ("DMDID", Some(part.id.as_str())),
            ];
            self.xml.open("div", &attributes);
            part.files.iter().for_each(|file| self.xml.empty("fptr", &[("FILEID", Some(&file.id()))]));
            open.push(part.depth);
        }
        open.iter().for_each(|_| self.xml.close("div"));
        self.xml.close("structMap");
    }
}

impl File {
    fn id(&self) -> String {
        format!("f{}", self.number)
    }
}
