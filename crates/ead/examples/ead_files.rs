//! Imports every `.xml` below a directory, strictly and tolerantly, and says how it went: `ead_files DIR`.
//!
//! `ead_files --json FILE` writes the records of a strict import, one a line; `ead_files --generate N FILE` writes a finding aid of N components to measure with; `ead_files --export FILE OUT` times the
//! export of what a file holds as EAD 2002, `--export3` as EAD3.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use ead::{
    ExportOptions, Exporter, Format, ImportError, ImportOptions, Importer, Item, Limits, Mode, Repository, Verbatim,
};
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--generate", count, file] => generate(count.parse().map_err(io::Error::other)?, Path::new(file)),
        ["--json", file] => {
            let mut out = BufWriter::new(io::stdout().lock());
            let mut failed = Ok(());
            let imported = import(Path::new(file), Mode::Strict, |record| {
                if failed.is_ok() {
                    failed = writeln!(out, "{record}");
                }
            });
            imported.map_err(io::Error::other).and(failed)
        }
        ["--export", file, out] => export(Path::new(file), Path::new(out), Format::Ead2002),
        ["--export3", file, out] => export(Path::new(file), Path::new(out), Format::Ead3),
        [directory] => {
            let mut files = Vec::new();
            find(Path::new(directory), &mut files)?;
            files.sort();
            files.iter().try_for_each(|file| report(file))
        }
        _ => Err(io::Error::other("usage: ead_files DIR | --json FILE | --generate N FILE | --export[3] FILE OUT")),
    }
}

fn find(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "xml") {
            files.push(path);
        }
    }
    Ok(())
}

struct Count {
    components: usize,
    records: usize,
    revised: usize,
    repairs: Vec<String>,
}

fn import(path: &Path, mode: Mode, mut take: impl FnMut(Value)) -> Result<Count, ImportError> {
    let unreadable =
        |error: io::Error| ImportError { line: 0, identifier: None, element: String::new(), reason: error.to_string() };
    let profiles = HashMap::new();
    let mut next = 0_u64;
    let options = ImportOptions {
        mode,
        limits: Limits::default(),
        repository: 2,
        lists: &Verbatim,
        container_profiles: &profiles,
        ids: Box::new(move || {
            next += 1;
            format!("{next:032x}")
        }),
    };
    let mut count = Count { components: 0, records: 0, revised: 0, repairs: Vec::new() };
    for item in Importer::new(BufReader::new(File::open(path).map_err(unreadable)?), options)? {
        match item? {
            Item::Record { record, .. } => {
                count.records += 1;
                count.components += usize::from(record["jsonmodel_type"] == "archival_object");
                take(record);
            }
            Item::Revised { record, .. } => {
                count.revised += 1;
                take(record);
            }
            Item::Repair(repair) => count.repairs.push(repair.to_string()),
        }
    }
    Ok(count)
}

fn report(path: &Path) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let strict = match import(path, Mode::Strict, drop) {
        Ok(_) => "strict ok".to_owned(),
        Err(error) => format!("strict no ({error})"),
    };
    let start = Instant::now();
    let tolerant = match import(path, Mode::Tolerant, drop) {
        Ok(count) => {
            let rate = count.components as f64 / start.elapsed().as_secs_f64();
            let (components, records, repairs) = (count.components, count.records, count.repairs.len());
            format!(
                "tolerant ok: {components} components, {records} records, {repairs} repairs, {rate:.0} components/s"
            )
        }
        Err(error) => format!("tolerant no ({error})"),
    };
    writeln!(out, "{}: {strict}; {tolerant}", path.display())
}

fn generate(count: u64, path: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    write!(
        out,
        "<ead xmlns=\"urn:isbn:1-931666-22-9\"><eadheader><eadid>large</eadid></eadheader><archdesc level=\"collection\">\
         <did><unitid>MS 1</unitid><unittitle>A large collection</unittitle><unitdate>1900-1999</unitdate>\
         <physdesc><extent>100 linear feet</extent></physdesc></did><dsc>"
    )?;
    let mut open = false;
    for number in 0..count {
        if number % 50 == 0 {
            if open {
                write!(out, "</c>")?;
            }
            write!(out, "<c level=\"series\" id=\"s{number}\"><did><unittitle>Series {number}</unittitle></did>")?;
            open = true;
            continue;
        }
        write!(
            out,
            "<c level=\"file\" id=\"c{number}\"><did><unitid>{number}</unitid>\
             <unittitle>Correspondence with <persname>Correspondent {number}</persname> &amp; others</unittitle>\
             <unitdate normal=\"19{:02}/1999\" type=\"inclusive\">19{:02}-1999</unitdate>\
             <container type=\"box\" label=\"mixed_materials\">{}</container><container type=\"folder\">{}</container></did>\
             <scopecontent><p>Letters, drafts and clippings, number {number}.</p><p>In order of date.</p></scopecontent>\
             <controlaccess><subject source=\"lcsh\">Subject {}</subject></controlaccess></c>",
            number % 99,
            number % 99,
            number / 40,
            number % 40,
            number % 500,
        )?;
    }
    write!(out, "{}</dsc></archdesc></ead>", if open { "</c>" } else { "" })?;
    out.flush()
}

/// Resolves the links of a record in place, as the exporter wants them.
fn resolve(value: &mut Value, known: &HashMap<String, Value>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| resolve(item, known)),
        Value::Object(fields) => {
            let target = fields.get("ref").and_then(Value::as_str).and_then(|uri| known.get(uri));
            if let Some(target) = target {
                fields.insert("_resolved".to_owned(), target.clone());
            } else {
                fields.values_mut().for_each(|field| resolve(field, known));
            }
        }
        _ => {}
    }
}

fn export(path: &Path, out: &Path, format: Format) -> io::Result<()> {
    let mut known = HashMap::new();
    let mut described = Vec::new();
    let mut depths = HashMap::new();
    let count = import(path, Mode::Tolerant, |mut record| {
        let uri = record["uri"].as_str().unwrap_or_default().to_owned();
        match record["jsonmodel_type"].as_str() {
            Some("resource") => match described.first_mut() {
                Some(first) => *first = (record, 0),
                None => described.push((record, 0)),
            },
            Some("archival_object") => {
                let depth = 1 + record["parent"]["ref"].as_str().map_or(0, |parent| depths[parent]);
                depths.insert(uri, depth);
                resolve(&mut record, &known);
                described.push((record, depth));
            }
            _ => {
                if let Some(name) = record.pointer("/names/0/primary_name").cloned() {
                    record["display_name"] = json!({"sort_name": name});
                }
                known.insert(uri, record);
            }
        }
    });
    let count = count.map_err(io::Error::other)?;
    let mut next = 0_u64;
    let hex = move || {
        next += 1;
        format!("{next:032x}")
    };
    let start = Instant::now();
    let options = ExportOptions {
        include_daos: true,
        include_unpublished: true,
        format,
        ..ExportOptions::new(&Verbatim, "2026-01-01")
    };
    let mut exporter = Exporter::new(options, Vec::new(), hex);
    let repository = json!({"name": "Repository"});
    for (record, depth) in &described {
        let done = if *depth == 0 {
            exporter.begin(record, &Repository { record: &repository, agent: None })
        } else {
            exporter.component(record, *depth)
        };
        done.map_err(io::Error::other)?;
    }
    let written = exporter.end().map_err(io::Error::other)?;
    let rate = count.components as f64 / start.elapsed().as_secs_f64();
    writeln!(io::stdout(), "{} components, {} bytes, {rate:.0} components/s", count.components, written.len())?;
    std::fs::write(out, written)
}
