//! Reports (contract 3.5, `report_job`): tables about the records of a repository, or of the library.
//!
//! | Topic | Module |
//! |---|---|
//! | which reports there are, and what their rows are | this one |
//! | writing them as json, csv or html | [`table`] |
//! | those that staff put together themselves | [`custom`], [`fields`] |

pub(crate) mod custom;
mod fields;
pub(crate) mod table;

use serde_json::{Map, Value, json};
use store::statements::archives::reports as statements;

use crate::model::lists::starting_label;

pub use fields::custom_data;

/// The formats that a report can have.
pub(crate) const FORMATS: [&str; 3] = ["json", "csv", "html"];

/// What the statement of a report takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    /// Nothing: it is about the library.
    Library,
    /// The repository, and whether suppressed records are among its rows.
    Repository,
    /// These, and the days `from` and `to`.
    Period,
    /// A template of its own.
    Template,
}

/// A report.
#[derive(Debug)]
pub(crate) struct Report {
    pub code: &'static str,
    pub title: &'static str,
    pub of: Of,
    pub statement: &'static str,
    /// Columns whose values are shown by their labels, with the lists.
    labels: &'static [(&'static str, &'static str)],
}

const fn report(code: &'static str, title: &'static str, of: Of, statement: &'static str) -> Report {
    Report { code, title, of, statement, labels: &[] }
}

/// All reports.
const REPORTS: [Report; 10] = [
    Report {
        labels: &[("acquisition_type", "accession_acquisition_type"), ("extent_type", "extent_extent_type")],
        ..report("accession_report", "Accession Report", Of::Repository, statements::ACCESSIONS)
    },
    Report {
        labels: &[("extent_type", "extent_extent_type")],
        ..report(
            "accession_unprocessed_report",
            "Unprocessed Accessions",
            Of::Repository,
            statements::UNPROCESSED_ACCESSIONS,
        )
    },
    report("created_accessions_report", "Created Accessions", Of::Period, statements::CREATED_ACCESSIONS),
    Report {
        labels: &[("level", "archival_record_level"), ("resource_type", "resource_resource_type")],
        ..report("resources_list_report", "Resources List", Of::Repository, statements::RESOURCES)
    },
    Report {
        labels: &[("level", "archival_record_level"), ("extent_type", "extent_extent_type")],
        ..report(
            "resource_restrictions_list_report",
            "Restricted Resources",
            Of::Repository,
            statements::RESTRICTED_RESOURCES,
        )
    },
    Report {
        labels: &[("object_type", "digital_object_digital_object_type")],
        ..report("digital_object_list_table_report", "Digital Objects", Of::Repository, statements::DIGITAL_OBJECTS)
    },
    report("location_report", "Locations", Of::Library, statements::LOCATIONS),
    Report {
        labels: &[("type", "subject_term_type"), ("source", "subject_source")],
        ..report("subject_list_report", "Subjects", Of::Library, statements::SUBJECTS)
    },
    Report {
        labels: &[("name_source", "name_source")],
        ..report("agent_list_report", "Agents", Of::Library, statements::AGENTS)
    },
    report("custom_report", "Custom Report", Of::Template, statements::RECORDS),
];

/// The report with this code.
pub(crate) fn find(code: &str) -> Option<&'static Report> {
    REPORTS.iter().find(|report| report.code == code)
}

/// All reports with their parameters, and the formats, as clients ask for them.
pub fn list() -> Value {
    const SUPPRESSED: [&str; 3] = ["include_suppressed", "IncludeSuppressed", "Include suppressed records"];
    let told = REPORTS.iter().map(|report| {
        let parameters = match report.of {
            Of::Library => json!([]),
            Of::Repository => json!([SUPPRESSED]),
            Of::Period => json!([
                ["from", "Date", "The start of report range"],
                ["to", "Date", "The start of report range"],
                SUPPRESSED
            ]),
            Of::Template => {
                json!([["template", "CustomReportTemplate", "Template to use for the custom report."], SUPPRESSED])
            }
        };
        let words = report.code.split('_').map(|word| {
            let (first, rest) = word.split_at(usize::from(!word.is_empty()));
            first.to_uppercase() + rest
        });
        let told = json!({"params": parameters, "code": report.code, "model": words.collect::<String>()});
        (report.code.to_owned(), told)
    });
    json!({"reports": Value::Object(told.collect()), "formats": FORMATS})
}

impl Report {
    /// A row as people read it: values by their labels, extents in one text.
    pub(crate) fn shown(&self, mut row: Map<String, Value>) -> Map<String, Value> {
        for (column, list) in self.labels {
            if let Some(Value::String(text)) = row.get_mut(*column) {
                let labels = text.split(", ").map(|value| starting_label(list, value).unwrap_or(value));
                *text = labels.collect::<Vec<_>>().join(", ");
            }
        }
        if let Some(number) = row.shift_remove("extent_number") {
            let kind = row.shift_remove("extent_type");
            let number = number.as_str().and_then(|number| number.parse::<f64>().ok()).unwrap_or_default();
            let kind = kind.as_ref().and_then(Value::as_str).unwrap_or_default();
            row.insert("extent".to_owned(), format!("{number:.2} {kind}").trim_end().into());
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_told_with_their_parameters() {
        let told = list();
        assert_eq!(told["formats"], json!(["json", "csv", "html"]));
        let one = &told["reports"]["created_accessions_report"];
        assert_eq!((&one["model"], &one["params"][1][0]), (&json!("CreatedAccessionsReport"), &json!("to")));
        assert!(REPORTS.iter().all(|report| find(report.code).is_some() && !report.title.is_empty()));
        assert!(find("nonsense").is_none());
    }

    #[test]
    fn a_row_has_labels_and_one_extent() {
        let row =
            json!({"acquisition_type": "gift", "extent_number": "3.5", "extent_type": "linear_feet, reels", "x": null});
        let shown = find("accession_report").expect("a report").shown(row.as_object().cloned().expect("an object"));
        let expected = json!({"acquisition_type": "Gift", "x": null, "extent": "3.50 Linear Feet, Reels"});
        assert_eq!(Value::Object(shown), expected);
    }
}
