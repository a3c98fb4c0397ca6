//! A component for each row, at the place that its hierarchy says (`bulk_import_job` with `load_type` `ao`).

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Value, json};

use super::{
    Sink, Stop, Target,
    links::Links,
    parts,
    report::{Object, Report, RowReport},
    wanted::id_of,
};
use crate::{
    import::ImportError,
    model::derive::archival_object_display_string,
    sheets::{Line, Table},
};

/// In the first cell of the row with field codes.
pub(crate) const MARKER: &str = "ArchivesSpace field code";
/// Columns of a digital object; one of them must be filled.
const DIGITAL: [&str; 4] = ["digital_object_title", "rep_file_uri", "nonrep_file_uri", "digital_object_id"];
const NO_TITLE: &str = "Missing Title AND Valid Date definition";

/// Makes components of rows.
pub(crate) struct Components<'a> {
    target: &'a Target,
    links: Links<'a>,
    sink: &'a mut dyn Sink,
    /// The hierarchy of the last row.
    level: usize,
    /// The hierarchy of the last row, if it was refused.
    failed: Option<usize>,
    /// Addresses of the last components by hierarchy; what the first level is below comes first.
    above: Vec<Option<String>>,
    processed: usize,
    report: Report,
}

/// Works on all rows; returns what became of them.
///
/// # Errors
/// The import ends without saving anything.
pub(crate) fn read(
    table: &Table,
    target: &Target,
    links: Links<'_>,
    sink: &mut dyn Sink,
) -> Result<Report, ImportError> {
    let (level, above) = match &target.start {
        None => (0, vec![None]),
        Some((uri, parent)) => (1, vec![parent.clone(), Some(uri.clone())]),
    };
    let report = Report { makes_components: true, only_validates: target.only_validates, ..Report::default() };
    let mut rows = Components { target, links, sink, level, failed: None, above, processed: 0, report };
    let mut last = 0;
    for line in table.lines() {
        last = line.number;
        let mut row = RowReport { number: line.number, ..RowReport::default() };
        let done = rows.row(&line, &mut row);
        match done {
            Ok(()) => {
                rows.processed += 1;
                rows.failed = None;
            }
            Err(Stop::Row(why)) => {
                row.errors.push(why);
                rows.failed = Some(rows.level);
            }
            Err(Stop::Sheet(why)) => {
                row.errors.push(format!("Processing stopped at row {} [{why}]", line.number));
                rows.report.rows.push(row);
                break;
            }
            Err(Stop::Import(error)) => return Err(error),
        }
        rows.report.rows.push(row);
    }
    if rows.processed == 0 {
        rows.report.terminal = Some(no_data(last, &rows.report));
    }
    Ok(rows.report)
}

/// Why nothing was made.
pub(super) fn no_data(last: usize, report: &Report) -> String {
    // A sheet that stopped at its first row says why.
    static REASON: LazyLock<Regex> = LazyLock::new(|| pattern(r"^Processing stopped at row \d+ \[(.*)\]$"));
    let first = report.rows.last().and_then(|row| row.errors.first());
    let why = first.and_then(|text| REASON.captures(text)).map(|found| found[1].to_owned());
    let why = why.unwrap_or_else(|| "No processible data rows found!".to_owned());
    format!("Processing stopped at row {last} [Error(s) parsing spreadsheet: {why}]")
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

impl Components<'_> {
    fn row(&mut self, line: &Line<'_>, report: &mut RowReport) -> Result<(), Stop> {
        let wrong = match self.target.matches(line.get("ead"), line.get("res_uri")) {
            Err(why) => why,
            Ok(()) => self.check(line)?,
        };
        if !wrong.is_empty() {
            if !self.target.only_validates {
                let text = format!("Row {} will not be processed due to errors: {wrong}", line.number);
                return Err(Stop::Row(text));
            }
            report.errors.push(wrong);
        }
        let made = self.make(line, report)?;
        let level = self.level;
        self.above.truncate(level);
        self.above.resize(level, None);
        self.above.push(Some(made.uri.clone()));
        report.object = Some(made);
        Ok(())
    }

    /// What is wrong with the columns that every row needs, in one line.
    fn check(&mut self, line: &Line<'_>) -> Result<String, Stop> {
        let mut wrong = Vec::new();
        match line.get("hierarchy") {
            None => wrong.push("Missing hierachy -- must be a number greater than 0".to_owned()),
            Some(text) => {
                let level = whole(text);
                if self.failed.is_some_and(|failed| level > failed) {
                    return Ok("The parent archival object was not created".to_owned());
                }
                if level < 1 {
                    wrong.push("Hierarchy must be greater than 0".to_owned());
                }
                if level > self.level + 1 {
                    self.too_deep(&mut wrong)?;
                }
                self.level = level;
            }
        }
        if line.get("title").is_none() && !self.is_dated(line, &mut wrong) {
            wrong.push(NO_TITLE.to_owned());
        }
        if let Err(why) = self.links.values.value("archival_record_level", line.get("level")) {
            wrong.push(why);
            wrong.push("Missing valid Description Level".to_owned());
        }
        Ok(wrong.join("; "))
    }

    fn too_deep(&mut self, wrong: &mut Vec<String>) -> Result<(), Stop> {
        wrong.push("Hierarchy cannot not be more than one level deeper than the previous row".to_owned());
        if self.level > 0 {
            return Ok(());
        }
        if self.target.only_validates {
            wrong.push("WARNING: nothing below this row would have been processed".to_owned());
            self.level = 1;
            return Ok(());
        }
        wrong.push("Did you mean to start processing with an archival object selected?".to_owned());
        Err(Stop::Sheet(wrong.join(";")))
    }

    /// Whether a row without a title has a date that can stand for it.
    fn is_dated(&self, line: &Line<'_>, wrong: &mut Vec<String>) -> bool {
        let mut dated = false;
        for (code, suffix) in line.table.codes_after("begin") {
            if code != "begin" && !suffix.starts_with('_') || !line.has_any(&["begin", "end", "expression"], suffix) {
                continue;
            }
            let label = line.numbered("dates_label", suffix).or(Some("creation"));
            match self.links.values.value("date_label", label) {
                Ok(_) => dated = true,
                Err(why) => wrong.push(format!("Invalid date label definition in first date ({why})")),
            }
        }
        dated
    }

    /// Makes the component, and what it links to.
    fn make(&mut self, line: &Line<'_>, report: &mut RowReport) -> Result<Object, Stop> {
        let values = self.links.values;
        let dates = parts::dates(line, values);
        report.errors.extend(dates.errors);
        if line.get("title").is_none() && dates.parts.is_empty() && !report.errors.iter().any(|error| error == NO_TITLE)
        {
            return Err(Stop::Row(NO_TITLE.to_owned()));
        }
        let level = values.find("archival_record_level", line.get("level").unwrap_or_default());
        let other = (level.as_deref() == Some("otherlevel")).then(|| line.get("other_level").unwrap_or("unspecified"));
        let publish = line.flag("publish");
        let languages = parts::languages(line, publish, values);
        let extents = parts::extents(line, values);
        let notes = parts::notes(line, publish, values);
        report.errors.extend(languages.errors.into_iter().chain(extents.errors).chain(notes.errors));
        let ref_id = line.text("ref_id").unwrap_or_else(|| (self.links.ids)());
        let uri = self.links.address_in_repository("archival_objects");
        let parent = self.level.checked_sub(1).and_then(|above| self.above.get(above).cloned().flatten());
        let mut record = json!({"jsonmodel_type": "archival_object", "uri": uri, "title": line.get("title"),
            "dates": dates.parts, "level": level, "other_level": other, "publish": publish,
            "resource": {"ref": self.target.resource}, "ref_id": ref_id, "component_id": line.get("unit_id"),
            "repository_processing_note": line.get("processing_note"),
            "restrictions_apply": line.flag("restrictions_flag"), "lang_materials": languages.parts,
            "extents": extents.parts, "notes": notes.parts});
        if let Some(parent) = parent {
            record["parent"] = json!({"ref": parent});
        }
        let display = record.as_object().map(archival_object_display_string).unwrap_or_default();
        let resource = id_of(&self.target.resource);
        let same = self.links.known.ref_ids.get(&ref_id).into_iter().flatten();
        let first = if same.into_iter().any(|other| Some(other.root) == resource) {
            Err(Stop::Row("ref_id: An Archival Object Ref ID must be unique to its resource".to_owned()))
        } else {
            self.sink.add(record.clone(), line.number)
        };
        let title = line.get("title").unwrap_or_default().to_owned();
        first.map_err(|stop| match stop {
            Stop::Row(why) => Stop::Row(format!(
                "Problem with initial save of {title} -- Validation error when attempting to save archival object: {why}"
            )),
            other => other,
        })?;
        if self.link(line, &mut record, &display, report)? {
            match self.sink.revise(record, line.number) {
                Err(Stop::Row(why)) => report.errors.push(format!(
                    "Error on attempt to re-save archival object with 'instances' {title}. This means that the archival \
                     object has been created, but possibly not linked to its associated instances (digital object, top \
                     container, subject, etc.) [{why}]"
                )),
                done => done?,
            }
        }
        Ok(Object { uri, display, ref_id })
    }

    /// Adds to a component what its row links to; returns whether there is anything.
    fn link(
        &mut self,
        line: &Line<'_>,
        record: &mut Value,
        display: &str,
        report: &mut RowReport,
    ) -> Result<bool, Stop> {
        let mut instances = self.instances(line, report)?;
        if line.has_any(&DIGITAL, "") {
            let made = self.links.digital_object(line, display, json!({}), self.sink, report)?;
            if made.is_none() {
                report.errors.push("Digital Object would not be created".to_owned());
            }
            instances.extend(made.map(|(instance, _)| instance));
        }
        let subjects = self.links.subjects(line, self.sink, report)?;
        let agents = self.links.agents(line, self.sink, report)?;
        let accessions = self.accessions(line, report);
        let all = [
            ("instances", instances),
            ("subjects", subjects),
            ("linked_agents", agents),
            ("accession_links", accessions),
        ];
        let mut linked = false;
        for (member, links) in all {
            linked |= !links.is_empty();
            record[member] = links.into();
        }
        Ok(linked)
    }

    fn instances(&mut self, line: &Line<'_>, report: &mut RowReport) -> Result<Vec<Value>, Stop> {
        let mut instances = Vec::new();
        for (number, suffix) in (1..).zip(parts::container_groups(line)) {
            match self.instance(line, &suffix, report) {
                Ok(instance) => instances.push(instance),
                Err(Stop::Row(why)) => {
                    report.errors.push(format!("Unable to create Container Instance {number}: [{why}]"));
                }
                Err(other) => return Err(other),
            }
        }
        Ok(instances)
    }

    fn instance(&mut self, line: &Line<'_>, suffix: &str, report: &mut RowReport) -> Result<Value, Stop> {
        let of = |code: &str| line.numbered(code, suffix);
        let values = self.links.values;
        let kind = of("cont_instance_type").ok_or_else(|| Stop::Row("Missing container instance type".to_owned()))?;
        let kind = values.value_or_new("instance_instance_type", kind);
        let uri =
            self.links.container(of("type_1"), of("indicator_1"), of("barcode"), (line.number, self.sink), report)?;
        let mut held = json!({"jsonmodel_type": "sub_container", "top_container": {"ref": uri}});
        for number in [2, 3] {
            if let Some(kind) = of(&format!("type_{number}")) {
                held[format!("type_{number}")] = values.value_or_new("container_type", kind).into();
                held[format!("indicator_{number}")] = of(&format!("indicator_{number}")).unwrap_or("Unknown").into();
            }
        }
        Ok(json!({"jsonmodel_type": "instance", "instance_type": kind, "sub_container": held}))
    }

    fn accessions(&self, line: &Line<'_>, report: &mut RowReport) -> Vec<Value> {
        let mut links = Vec::new();
        for (code, _) in line.table.codes_after("accession_uri_") {
            let Some(uri) = line.get(code) else { continue };
            match id_of(uri).filter(|id| self.links.known.accessions.contains(id)) {
                Some(id) => {
                    links.push(json!({"ref": format!("/repositories/{}/accessions/{id}", self.target.repository)}))
                }
                None => {
                    let why = format!("Accession not found with uri {uri}");
                    report.errors.push(format!("Error processing Accession {code}: {why}"));
                }
            }
        }
        links
    }
}

/// The number that a text begins with; 0 without one.
fn whole(text: &str) -> usize {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}
