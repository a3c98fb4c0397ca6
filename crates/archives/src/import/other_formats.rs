//! MARCXML, EAC-CPF and tables (contract 3.5 "Import types").

use metadata::import::{
    Format, Imported, Importer, Options,
    tables::{Table, TableOptions, Tables},
};
use rand::Rng;

use super::{ImportError, Stage, finding_aid::Counts, reading::Source};
use crate::model::lists::starting_value;

/// Reads an XML file into an import.
pub(super) fn read_xml(stage: &mut Stage, source: Source<'_>, format: Format) -> Result<Counts, ImportError> {
    let lists = stage.lists();
    let is_extent_type = |text: &str| {
        let list = "extent_extent_type";
        starting_value(list, text).is_some() || lists.has(list, text) || lists.has(list, &text.replace(' ', "_"))
    };
    let asked = source.reading.options;
    let options = Options {
        repository: stage.repository(),
        ids: Box::new(random),
        today: asked.now.strftime("%Y-%m-%d").to_string(),
        events: asked.events,
        subjects: asked.subjects,
        is_extent_type: &is_extent_type,
    };
    stage.begin_file(source.name);
    let importer = Importer::new(format, source.input, options).map_err(|error| refused(stage, error))?;
    take(stage, importer)
}

/// Reads a table into an import.
pub(super) fn read_table(stage: &mut Stage, source: Source<'_>, table: Table) -> Result<Counts, ImportError> {
    let asked = source.reading.options;
    let options = TableOptions {
        repository: stage.repository(),
        ids: Box::new(random),
        year: asked.now.to_zoned(jiff::tz::TimeZone::UTC).year(),
        of_repository: asked.repository,
        date_types: stage.lists().values("date_type").into_iter().filter(|of| of != "range").collect(),
        known: &source.reading.known,
    };
    stage.begin_file(source.name);
    let tables = Tables::new(table, source.input, options).map_err(|error| refused(stage, error))?;
    take(stage, tables)
}

fn take(
    stage: &mut Stage,
    records: impl Iterator<Item = Result<Imported, metadata::import::ImportError>>,
) -> Result<Counts, ImportError> {
    let mut counts = Counts::new();
    for imported in records {
        let Imported { record, line } = imported.map_err(|error| refused(stage, error))?;
        let kind = record["jsonmodel_type"].as_str().unwrap_or_default().to_owned();
        *counts.entry(kind).or_default() += 1;
        stage.add(record, line)?;
    }
    Ok(counts)
}

fn refused(stage: &Stage, error: metadata::import::ImportError) -> ImportError {
    ImportError::Refused(Box::new(stage.trouble(error.line, error.identifier, error.reason)))
}

fn random() -> String {
    format!("{:032x}", rand::rng().random::<u128>())
}
