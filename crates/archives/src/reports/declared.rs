//! Which reports there are. A report is a declaration and the statement of its rows.

use store::statements::archives::reports as statements;

use super::{readable::Labels, told::Tell};

/// What the statement of a report takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    /// Nothing: it is about the library.
    Library,
    /// The repository, and whether suppressed records are among its rows.
    Repository,
    /// These, and the days `from` and `to`.
    Period,
    /// These, but the days only if the client says so.
    Scope,
    /// As before, and whether it is for a table.
    Assessments,
    /// As with [`Of::Scope`], and a rating and its values.
    Rating,
    /// As with [`Of::Repository`], and what the locations must have.
    Holdings,
    /// A template of its own.
    Template,
}

/// A parameter that clients offer to fill in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    Suppressed,
    ByDate,
    From,
    To,
    Rating,
    Values,
    Locations,
    Template,
}

impl Asked {
    /// Its name, its type, and what it is.
    pub(crate) fn told(self) -> [&'static str; 3] {
        match self {
            Self::Suppressed => ["include_suppressed", "IncludeSuppressed", "Include suppressed records"],
            Self::ByDate => ["scope_by_date", "Boolean", "Scope records by a date range"],
            Self::From => ["from", "Date", "The start of report range"],
            Self::To => ["to", "Date", "The start of report range"],
            Self::Rating => ["rating", "Rating", "The assessment rating to report on"],
            Self::Values => ["values", "RatingValues", "The assessment rating values to include"],
            Self::Locations => ["locations", "LocationList", "The locations of interest"],
            Self::Template => ["template", "CustomReportTemplate", "Template to use for the custom report."],
        }
    }
}

/// A report.
#[derive(Debug)]
pub(crate) struct Report {
    pub code: &'static str,
    pub title: &'static str,
    pub of: Of,
    pub statement: &'static str,
    /// The parameters that clients offer.
    pub asks: &'static [Asked],
    pub labels: Labels,
    /// What its head tells beside the number of rows.
    pub tells: &'static [Tell],
    /// The column that is the heading of a row on paper.
    pub heading: &'static str,
    /// Whether each row begins a page on paper.
    pub pages: bool,
    /// Permissions for it, beside those to make reports.
    pub needs: &'static [&'static str],
}

/// A report about a repository, and about nothing else.
const fn report(code: &'static str, title: &'static str, statement: &'static str) -> Report {
    Report {
        code,
        title,
        of: Of::Repository,
        statement,
        asks: &[Asked::Suppressed],
        labels: &[],
        tells: &[],
        heading: "record_title",
        pages: true,
        needs: &[],
    }
}

/// Labels of what accessions and resources have.
const RECORDS: Labels = &[
    ("acquisition_type", "accession_acquisition_type"),
    ("extent_type", "extent_extent_type"),
    ("function", "linked_agent_role"),
    ("role", "linked_agent_archival_record_relators"),
    ("type", "subject_term_type"),
    ("source", "subject_source"),
    ("level", "archival_record_level"),
    ("resource_type", "resource_resource_type"),
    ("portion", "extent_portion"),
    ("_label", "date_label"),
    ("rights_type", "rights_statement_rights_type"),
    ("jurisdiction", "country_iso_3166"),
    ("status", "rights_statement_ip_status"),
    ("other_rights_basis", "rights_statement_other_rights_basis"),
];
/// Labels of what is in containers and rooms.
const CONTAINERS: Labels = &[
    ("level", "archival_record_level"),
    ("type", "container_type"),
    ("type_2", "container_type"),
    ("type_3", "container_type"),
    ("instance_type", "instance_instance_type"),
    ("temporary_location", "location_temporary"),
];
const NUMBER: &str = "accession_number";

/// A report about accessions.
const fn accessions(code: &'static str, title: &'static str, statement: &'static str) -> Report {
    Report { labels: RECORDS, heading: NUMBER, ..report(code, title, statement) }
}

/// A report about resources.
const fn resources(code: &'static str, title: &'static str, statement: &'static str) -> Report {
    Report { labels: RECORDS, heading: "identifier", ..report(code, title, statement) }
}

/// A report about the library, whose rows are short.
const fn library(code: &'static str, title: &'static str, statement: &'static str) -> Report {
    Report { of: Of::Library, asks: &[], pages: false, ..report(code, title, statement) }
}

/// All reports.
pub(crate) const REPORTS: [Report; 24] = [
    Report {
        tells: &[Tell::Dates, Tell::Extent, Tell::Deaccessions],
        pages: false,
        ..accessions(
            "accession_deaccessions_list_report",
            "Accessions and Deaccessions",
            statements::ACCESSION_DEACCESSIONS,
        )
    },
    Report {
        tells: &[Tell::Rows("number_with_inventories"), Tell::Accessions],
        pages: false,
        ..accessions("accession_inventory_report", "Accessions with Inventories", statements::ACCESSION_INVENTORIES)
    },
    Report {
        of: Of::Scope,
        asks: &[Asked::ByDate, Asked::Suppressed, Asked::From, Asked::To],
        ..accessions("accession_receipt_report", "Accession Receipts", statements::ACCESSION_RECEIPTS)
    },
    Report {
        tells: &[Tell::Rows("number_of_accessions")],
        ..accessions("accession_report", "Accession Report", statements::ACCESSIONS)
    },
    Report {
        tells: &[Tell::Rows("total_transferred")],
        ..accessions(
            "accession_rights_transferred_report",
            "Accessions with Rights Transferred",
            statements::RIGHTS_TRANSFERRED,
        )
    },
    accessions(
        "accession_subjects_names_classifications_list_report",
        "Accessions with Subjects, Names and Classifications",
        statements::ACCESSION_AUTHORITIES,
    ),
    Report {
        tells: &[Tell::Rows("total_unprocessed"), Tell::Dates, Tell::Extent, Tell::Accessions],
        ..accessions("accession_unprocessed_report", "Unprocessed Accessions", statements::UNPROCESSED_ACCESSIONS)
    },
    Report {
        of: Of::Period,
        asks: &[Asked::From, Asked::To, Asked::Suppressed],
        pages: false,
        ..accessions("created_accessions_report", "Created Accessions", statements::CREATED_ACCESSIONS)
    },
    Report {
        labels: &[("name_source", "name_source")],
        heading: "sort_name",
        ..library("agent_list_report", "Agents", statements::AGENTS)
    },
    Report {
        of: Of::Assessments,
        asks: &[Asked::ByDate, Asked::From, Asked::To],
        heading: "id",
        ..report("assessment_list_report", "Assessments", statements::ASSESSMENTS)
    },
    Report {
        of: Of::Rating,
        asks: &[Asked::ByDate, Asked::From, Asked::To, Asked::Rating, Asked::Values],
        heading: "id",
        ..report("assessment_rating_report", "Assessments by Rating", statements::RATINGS)
    },
    Report {
        of: Of::Template,
        asks: &[Asked::Template, Asked::Suppressed],
        ..report("custom_report", "Custom Report", statements::RECORDS)
    },
    Report {
        heading: "digital_object_identifier",
        pages: false,
        ..report("digital_object_file_versions_report", "Files of Digital Objects", statements::DIGITAL_OBJECT_FILES)
    },
    Report {
        labels: &[("object_type", "digital_object_digital_object_type")],
        pages: false,
        ..report("digital_object_list_table_report", "Digital Objects", statements::DIGITAL_OBJECTS)
    },
    Report {
        of: Of::Holdings,
        asks: &[Asked::Locations],
        ..report("location_holdings_report", "Holdings of Locations", statements::HOLDINGS)
    },
    Report { asks: &[], pages: false, ..report("location_report", "Locations", statements::LOCATIONS) },
    Report { asks: &[], labels: CONTAINERS, ..report("shelflist_report", "Shelf List", statements::SHELVES) },
    Report {
        tells: &[Tell::Extent, Tell::Deaccessions],
        pages: false,
        ..resources(
            "resource_deaccessions_list_report",
            "Resources and Deaccessions",
            statements::RESOURCE_DEACCESSIONS,
        )
    },
    Report {
        tells: &[Tell::Extent],
        labels: CONTAINERS,
        ..resources("resource_instances_list_report", "Resources and Instances", statements::RESOURCE_INSTANCES)
    },
    Report {
        tells: &[Tell::Extent],
        ..resources("resource_locations_list_report", "Resources and Locations", statements::RESOURCE_LOCATIONS)
    },
    Report {
        tells: &[Tell::Extent],
        ..resources("resource_restrictions_list_report", "Restricted Resources", statements::RESTRICTED_RESOURCES)
    },
    resources("resources_list_report", "Resources List", statements::RESOURCES),
    Report {
        labels: &[("type", "subject_term_type"), ("source", "subject_source")],
        heading: "term",
        ..library("subject_list_report", "Subjects", statements::SUBJECTS)
    },
    Report {
        heading: "name",
        needs: &["manage_users"],
        ..library("user_groups_report", "Users and Groups", statements::USERS)
    },
];

/// The report with this code.
pub(crate) fn find(code: &str) -> Option<&'static Report> {
    REPORTS.iter().find(|report| report.code == code)
}
