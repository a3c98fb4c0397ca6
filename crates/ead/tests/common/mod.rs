//! What the tests of import and export share: run an import, resolve its links, run an export of it.
#![allow(dead_code, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::path::PathBuf;

use ead::{
    ExportOptions, Exporter, ImportError, ImportOptions, Importer, Item, Limits, Lists, Mode, Repair, Repository,
};
use serde_json::{Value, json};

/// A few values with labels, both ways.
pub struct Labels;

const LABELS: [(&str, &str, &str); 8] = [
    ("instance_instance_type", "mixed_materials", "Mixed Materials"),
    ("instance_instance_type", "digital_object", "Digital Object"),
    ("extent_extent_type", "linear_feet", "Linear Feet"),
    ("language_iso639_2", "eng", "English"),
    ("language_iso639_2", "und", "Undetermined"),
    ("script_iso15924", "Latn", "Latin"),
    ("resource_finding_aid_description_rules", "dacs", "Describing Archives: A Content Standard"),
    ("metadata_license", "public_domain", "Public domain"),
];

impl Lists for Labels {
    fn label<'a>(&'a self, list: &str, value: &str) -> Option<&'a str> {
        LABELS.iter().find(|(name, known, _)| *name == list && *known == value).map(|(_, _, label)| *label)
    }

    fn value<'a>(&'a self, list: &str, label: &str) -> Option<&'a str> {
        LABELS.iter().find(|(name, _, known)| *name == list && *known == label).map(|(_, value, _)| *value)
    }

    fn allows(&self, list: &str, value: &str) -> bool {
        match list {
            "language_iso639_2" => value.len() == 3 && value != "xxx",
            "date_certainty" => matches!(value, "approximate" | "inferred" | "questionable"),
            "file_version_xlink_show_attribute" => matches!(value, "new" | "replace" | "embed" | "other" | "none"),
            "note_orderedlist_enumeration" => value != "greek",
            _ => true,
        }
    }
}

/// Texts that count up, as different as random ones.
pub fn counter(prefix: &'static str) -> impl FnMut() -> String {
    let mut next = 0_u64;
    move || {
        next += 1;
        format!("{prefix}{next:08x}")
    }
}

/// What an import gave out. Revisions have replaced what they revise.
#[derive(Debug, Default)]
pub struct Imported {
    pub records: Vec<Value>,
    pub repairs: Vec<Repair>,
    pub revisions: usize,
}

impl Imported {
    pub fn of(&self, model: &str) -> Vec<&Value> {
        self.records.iter().filter(|record| record["jsonmodel_type"] == model).collect()
    }

    pub fn resource(&self) -> &Value {
        self.of("resource").first().copied().unwrap_or(&Value::Null)
    }

    /// The resource and its components with the links resolved, each with its depth.
    pub fn described(&self) -> Vec<(Value, u32)> {
        let mut known: HashMap<&str, Value> = HashMap::new();
        let mut depths: HashMap<&str, u32> = HashMap::new();
        let mut described = Vec::new();
        for record in &self.records {
            let uri = record["uri"].as_str().unwrap();
            let depth = match record["jsonmodel_type"].as_str().unwrap() {
                "resource" => 0,
                "archival_object" => 1 + record["parent"]["ref"].as_str().map_or(0, |parent| depths[parent]),
                _ => {
                    let mut shared = record.clone();
                    let name = &record["names"][0];
                    let sort_name = name.get("primary_name").or(name.get("family_name")).cloned();
                    if let Some(sort_name) = sort_name {
                        shared["display_name"] = name.clone();
                        shared["display_name"]["sort_name"] = sort_name;
                    }
                    known.insert(uri, shared);
                    continue;
                }
            };
            depths.insert(uri, depth);
            let mut record = record.clone();
            resolve(&mut record, &known);
            described.push((record, depth));
        }
        described
    }
}

fn resolve(value: &mut Value, known: &HashMap<&str, Value>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| resolve(item, known)),
        Value::Object(fields) => {
            if let Some(target) = fields.get("ref").and_then(Value::as_str).and_then(|uri| known.get(uri)) {
                fields.insert("_resolved".to_owned(), target.clone());
            } else {
                fields.values_mut().for_each(|field| resolve(field, known));
            }
        }
        _ => {}
    }
}

pub fn options<'a>(mode: Mode, profiles: &'a HashMap<String, String>) -> ImportOptions<'a> {
    ImportOptions {
        mode,
        limits: Limits::default(),
        repository: 2,
        lists: &Labels,
        container_profiles: profiles,
        ids: Box::new(counter("i")),
    }
}

pub fn import_with(xml: &[u8], options: ImportOptions) -> Result<Imported, ImportError> {
    let mut imported = Imported::default();
    for item in Importer::new(xml, options)? {
        match item? {
            Item::Record { record, line } => {
                assert!(line > 0, "a record stands somewhere");
                imported.records.push(record);
            }
            Item::Revised { record, .. } => {
                let before = imported.records.iter_mut().find(|before| before["uri"] == record["uri"]).unwrap();
                *before = record;
                imported.revisions += 1;
            }
            Item::Repair(repair) => imported.repairs.push(repair),
        }
    }
    Ok(imported)
}

pub fn import(xml: &[u8], mode: Mode) -> Result<Imported, ImportError> {
    import_with(xml, options(mode, &HashMap::new()))
}

/// A finding aid that breaks no rule, with these parts put into the resource's `did`, after it, and into the `dsc`.
pub fn finding_aid(did: &str, after: &str, components: &str) -> String {
    format!(
        "<ead><eadheader><eadid>x1</eadid></eadheader><archdesc level=\"collection\"><did>\
         <unitid>MS 1</unitid><unittitle>Papers</unittitle><unitdate>1900</unitdate>\
         <physdesc><extent>1 Linear Feet</extent></physdesc>{did}</did>{after}<dsc>{components}</dsc></archdesc></ead>"
    )
}

pub fn repository() -> Value {
    json!({
        "name": "Archives & Special Collections", "country": "US", "org_code": "NjP",
        "url": "https://archives.example", "image_url": "https://archives.example/logo.png",
    })
}

pub fn export_all<'a>(options: ExportOptions<'a>) -> ExportOptions<'a> {
    ExportOptions { include_unpublished: true, include_daos: true, include_uris: false, ..options }
}

/// The export of a described resource.
pub fn export(described: &[(Value, u32)], options: ExportOptions) -> String {
    let repository = repository();
    let mut exporter = Exporter::new(options, Vec::new(), counter("c"));
    for (record, depth) in described {
        if *depth == 0 {
            exporter.begin(record, &Repository { record: &repository, agent: None }).unwrap();
        } else {
            exporter.component(record, *depth).unwrap();
        }
    }
    String::from_utf8(exporter.end().unwrap()).unwrap()
}

/// The finding aids that come with the tests (see `tests/data/README.md`), or those of the folder `EAD_SAMPLES`.
pub fn samples() -> Vec<(String, Vec<u8>)> {
    let own = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let folder = std::env::var_os("EAD_SAMPLES").map_or_else(own, PathBuf::from);
    let mut samples: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "xml"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    samples.sort();
    samples
}

/// The document as one line per tag and text, white space made one space; names and attributes as they stand.
pub fn lines(xml: &str) -> Vec<String> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(xml);
    reader.config_mut().expand_empty_elements = true;
    let mut lines: Vec<String> = Vec::new();
    let mut text = String::new();
    loop {
        let line = match reader.read_event().unwrap() {
            Event::Start(tag) => format!("<{}>", &*tag),
            Event::End(tag) => format!("</{}>", &*tag),
            Event::Text(part) => {
                text.push_str(&part);
                continue;
            }
            Event::GeneralRef(name) => {
                text.push_str(&format!("&{};", &*name));
                continue;
            }
            Event::Eof => return lines,
            _ => continue,
        };
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        lines.extend(Some(words).filter(|words| !words.is_empty()));
        text.clear();
        lines.push(line);
    }
}

/// How often elements occur.
pub fn count(xml: &str, element: &str) -> usize {
    let name = |line: &String| line.strip_prefix('<')?.split([' ', '>']).next().map(str::to_owned);
    lines(xml).iter().filter(|line| name(line).as_deref() == Some(element)).count()
}

/// The lines without what differs by design: ids of containers.
pub fn settled(xml: &str) -> Vec<String> {
    let container_ids = |line: String| {
        if !line.starts_with("<container") {
            return line;
        }
        let words = line.split(' ').filter(|word| !word.starts_with("id=") && !word.starts_with("parent="));
        words.collect::<Vec<_>>().join(" ")
    };
    lines(xml).into_iter().map(container_ids).collect()
}
