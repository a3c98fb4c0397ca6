//! The types of imports (contract 3.5): what each is called and what reads its files.

use metadata::import::{Format, tables::Table};

use super::{
    ImportError, Stage,
    finding_aid::{self, Counts},
    other_formats::{read_table, read_xml},
    reading::{ASSESSMENTS, FINDING_AIDS, Source},
};

/// A type of import.
#[derive(Debug)]
pub struct ImportType {
    pub name: &'static str,
    /// What clients are told of it.
    pub description: &'static str,
    /// Reads a file into an import; returns how many records of each type it has.
    pub(crate) read: for<'a> fn(&mut Stage, Source<'a>) -> Result<Counts, ImportError>,
}

/// The types of imports, in the order in which clients are told of them.
pub const IMPORTS: &[ImportType] = &[
    ImportType {
        name: "subject_csv",
        description: "Import Subject records from a CSV file",
        read: |stage, source| read_table(stage, source, Table::Subjects),
    },
    ImportType {
        name: "marcxml_accession",
        description: "Import MARC XML records as Accessions",
        read: |stage, source| read_xml(stage, source, Format::MarcAccessions),
    },
    ImportType {
        name: "marcxml",
        description: "Import all record types from a MARC XML file",
        read: |stage, source| read_xml(stage, source, Format::Marc),
    },
    ImportType {
        name: "marcxml_subjects_and_agents",
        description: "Import only subjects and agents from a MARC XML file",
        read: |stage, source| read_xml(stage, source, Format::MarcHeadings),
    },
    ImportType {
        name: "marcxml_auth_agent",
        description: "Import agent records from a MARCXML authority file",
        read: |stage, source| read_xml(stage, source, Format::MarcAgents),
    },
    ImportType {
        name: "location_csv",
        description: "Import Location records from a CSV file",
        read: |stage, source| read_table(stage, source, Table::Locations),
    },
    ImportType { name: FINDING_AIDS, description: "Import EAD records from an XML file", read: read_finding_aid },
    ImportType {
        name: "eac_xml",
        description: "Import EAC-CPF records from an XML file",
        read: |stage, source| read_xml(stage, source, Format::Eac),
    },
    ImportType {
        name: "digital_object_csv",
        description: "Import Digital Object records from a CSV file",
        read: |stage, source| read_table(stage, source, Table::DigitalObjects),
    },
    ImportType {
        name: ASSESSMENTS,
        description: "Import Assessment records from a CSV file",
        read: |stage, source| read_table(stage, source, Table::Assessments),
    },
    ImportType {
        name: "accession_csv",
        description: "Import Accession records from a CSV file",
        read: |stage, source| read_table(stage, source, Table::Accessions),
    },
];

fn read_finding_aid(stage: &mut Stage, source: Source<'_>) -> Result<Counts, ImportError> {
    finding_aid::read(stage, source.name, source.input, &source.reading.finding_aids, source.tell)
}
