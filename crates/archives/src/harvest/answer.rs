//! Answers to harvesters as XML.

use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use record_xml::xml::Xml;
use serde_json::Value;

use super::{Here, Parts, Wrong, config, request::FORMATS};
use crate::refusal::Refusal;

const SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// A time as harvesters read it.
fn stamp(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// An answer that is being written.
pub(super) struct Answer {
    xml: Xml,
    url: String,
}

impl Answer {
    /// Begins with what was asked.
    pub(super) fn begin(given: &[(&'static str, &str)], here: &Here) -> Self {
        let mut xml = Xml::new();
        xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        let attributes = [
            ("xmlns", Some("http://www.openarchives.org/OAI/2.0/")),
            ("xmlns:xsi", Some(SCHEMA_INSTANCE)),
            (
                "xsi:schemaLocation",
                Some("http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd"),
            ),
        ];
        xml.open("OAI-PMH", &attributes);
        xml.plain("responseDate", &[], &stamp(here.now));
        let url = format!("{}/oai", here.site);
        let given: Vec<_> = given.iter().map(|(name, value)| (*name, Some(*value))).collect();
        xml.plain("request", &given, &url);
        Self { xml, url }
    }

    pub(super) fn error(&mut self, (code, text): Wrong) {
        self.xml.plain("error", &[("code", Some(code))], text);
    }

    pub(super) fn open(&mut self, element: &str) {
        self.xml.open(element, &[]);
    }

    pub(super) fn close(&mut self, element: &str) {
        self.xml.close(element);
    }

    /// Who offers records, and how.
    pub(super) fn identify(&mut self, config: &Value) {
        let of = |member: &str| config[member].as_str().unwrap_or_default();
        let prefix = of("oai_record_prefix");
        let xml = &mut self.xml;
        xml.open("Identify", &[]);
        for (element, text) in [
            ("repositoryName", of("oai_repository_name")),
            ("baseURL", &self.url),
            ("protocolVersion", "2.0"),
            ("adminEmail", of("oai_admin_email")),
            ("earliestDatestamp", "1970-01-01T00:00:00Z"),
            ("deletedRecord", "persistent"),
            ("granularity", "YYYY-MM-DDThh:mm:ssZ"),
        ] {
            xml.plain(element, &[], text);
        }
        xml.open("description", &[]);
        let attributes = [
            ("xmlns", Some("http://www.openarchives.org/OAI/2.0/oai-identifier")),
            ("xmlns:xsi", Some(SCHEMA_INSTANCE)),
            (
                "xsi:schemaLocation",
                Some(
                    "http://www.openarchives.org/OAI/2.0/oai-identifier \
                     http://www.openarchives.org/OAI/2.0/oai-identifier.xsd",
                ),
            ),
        ];
        xml.open("oai-identifier", &attributes);
        for (element, text) in [
            ("scheme", "oai"),
            ("repositoryIdentifier", prefix.trim_start_matches("oai:")),
            ("delimiter", ":"),
            ("sampleIdentifier", &format!("{prefix}//repositories/2/resources/1")),
        ] {
            xml.plain(element, &[], text);
        }
        xml.close("oai-identifier");
        xml.close("description");
        xml.close("Identify");
    }

    /// The formats in which records of a kind can be given.
    pub(super) fn formats(&mut self, kind: Option<&str>) {
        self.open("ListMetadataFormats");
        for (format, prefix, schema, namespace) in FORMATS {
            if kind.is_none_or(|kind| format.kinds().contains(&kind)) {
                self.open("metadataFormat");
                self.xml.plain("metadataPrefix", &[], prefix);
                self.xml.plain("schema", &[], schema);
                self.xml.plain("metadataNamespace", &[], namespace);
                self.close("metadataFormat");
            }
        }
        self.close("ListMetadataFormats");
    }

    /// The configured sets, then one for each level.
    pub(super) fn sets(&mut self, config: &Value, levels: &[String]) {
        self.open("ListSets");
        let configured = [config::repositories(config), config::sponsors(config)].into_iter().flatten();
        for set in configured.filter(|set| !levels.contains(&set.name)) {
            self.set(&set.name, Some(&set.description));
        }
        levels.iter().for_each(|level| self.set(level, None));
        self.close("ListSets");
    }

    fn set(&mut self, name: &str, description: Option<&str>) {
        self.open("set");
        self.xml.plain("setSpec", &[], name);
        self.xml.plain("setName", &[], name);
        if let Some(description) = description {
            self.open("setDescription");
            let attributes = [
                ("xmlns:oai_dc", Some("http://www.openarchives.org/OAI/2.0/oai_dc/")),
                ("xmlns:dc", Some("http://purl.org/dc/elements/1.1/")),
                ("xmlns:xsi", Some(SCHEMA_INSTANCE)),
                (
                    "xsi:schemaLocation",
                    Some("http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd"),
                ),
            ];
            self.xml.open("oai_dc:dc", &attributes);
            self.xml.plain("oai_dc:description", &[], description);
            self.close("oai_dc:dc");
            self.close("setDescription");
        }
        self.close("set");
    }

    /// What identifies a record, and when it changed or was deleted.
    pub(super) fn header(&mut self, prefix: &str, address: &str, time: Timestamp, deleted: bool) {
        self.xml.open("header", &[("status", deleted.then_some("deleted"))]);
        self.xml.plain("identifier", &[], &format!("{prefix}/{address}"));
        self.xml.plain("datestamp", &[], &stamp(time));
        self.close("header");
    }

    /// A record in a format.
    pub(super) fn metadata(&mut self, element: &str) {
        self.open("metadata");
        self.xml.raw(element);
        self.close("metadata");
    }

    pub(super) fn token(&mut self, token: Option<&str>) {
        if let Some(token) = token {
            self.xml.plain("resumptionToken", &[], token);
        }
    }

    /// What is written; the document is not at its end.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(self.xml.written())
    }

    /// The end of the document.
    pub(super) fn end(mut self) -> Parts {
        self.close("OAI-PMH");
        let whole = self.take();
        stream::iter([Ok::<_, Refusal>(whole)]).boxed()
    }
}
