//! What became of each row, in the words of ArchivesSpace: for the log, and as a table that the job gives out.

use std::collections::HashMap;

use regex::{Captures, Regex};

/// A component that a row made or is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Object {
    /// Empty if it would only be made.
    pub uri: String,
    pub display: String,
    pub ref_id: String,
}

/// What became of a row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RowReport {
    pub number: usize,
    pub object: Option<Object>,
    pub info: Vec<String>,
    pub errors: Vec<String>,
}

/// What became of a spreadsheet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Report {
    pub rows: Vec<RowReport>,
    /// Why reading ended before the last row.
    pub terminal: Option<String>,
    /// Whether rows make components, and not digital objects of components that exist.
    pub makes_components: bool,
    pub only_validates: bool,
}

const OBJECT: &str = "Archival Object";

impl Report {
    /// The lines of the log about a row.
    pub(crate) fn lines(&self, row: &RowReport) -> Vec<String> {
        let number = row.number;
        let mut lines = Vec::new();
        match (&row.object, self.makes_components, self.only_validates) {
            (None, true, true) => lines.push(format!("Row {number}:\tERROR Archival Object would not be created")),
            (None, true, false) => lines.push(format!("Row {number}:\tERROR No Archival Object created")),
            (Some(made), true, true) => {
                lines.push(format!("Row {number}: {OBJECT} '{}'  would be created", made.display))
            }
            (Some(made), true, false) => {
                lines.push(format!("Row {number}: Created {OBJECT} '{}' {} {}", made.display, made.uri, made.ref_id));
            }
            (Some(of), false, _) => {
                lines.push(format!("Row {number}:\t{OBJECT} '{}' {} {}", of.display, of.uri, of.ref_id));
            }
            (None, false, _) => {}
        }
        lines.extend(row.info.iter().map(|info| format!("Row {number}:\t{info}")));
        lines.extend(row.errors.iter().map(|error| format!("Row {number}:\tERROR {error}")));
        lines
    }

    /// The whole as csv.
    pub(crate) fn csv(&self) -> Vec<u8> {
        let mut table = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        // A table in memory takes every row.
        let mut row = |cells: &[&str]| table.write_record(cells).unwrap_or_default();
        row(&["Row", "Status", "Title", "URI", "Ref ID", "Info or Error"]);
        row(&[""]);
        for of in &self.rows {
            let number = format!("Row {}", of.number);
            match (&of.object, self.makes_components) {
                (None, true) => row(&[
                    &number,
                    if self.only_validates {
                        "Archival Object would not be created"
                    } else {
                        "No Archival Object created"
                    },
                ]),
                (None, false) => {}
                (Some(about), false) => row(&[&number, OBJECT, &about.display, &about.uri, &about.ref_id]),
                (Some(made), true) if self.only_validates => {
                    row(&[&number, "Archival Object would be created", &made.display, "", ""]);
                }
                (Some(made), true) => row(&[&number, "", &made.display, &made.uri, &made.ref_id]),
            }
            for text in of.info.iter().chain(&of.errors) {
                row(&[&number, "", "", "", "", text]);
            }
        }
        table.into_inner().unwrap_or_default()
    }

    /// Replaces temporary addresses by those of the saved records.
    pub(crate) fn name(&mut self, saved: &HashMap<&str, &str>) {
        let Ok(temporary) = Regex::new(r"/[a-z0-9_/]+/import_[0-9a-f]+") else { return };
        let named = |text: &mut String| {
            if text.contains("/import_") {
                let of = |found: &Captures<'_>| {
                    saved.get(&found[0]).map_or_else(|| found[0].to_owned(), |uri| (*uri).to_owned())
                };
                *text = temporary.replace_all(text, of).into_owned();
            }
        };
        for row in &mut self.rows {
            row.info.iter_mut().chain(&mut row.errors).for_each(named);
            if let Some(object) = &mut row.object {
                named(&mut object.uri);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let uri = "/repositories/2/archival_objects/import_0a".to_owned();
        let object = Some(Object { uri, display: "Letters".to_owned(), ref_id: "r1".to_owned() });
        let info = vec!["Agent[X] created: /agents/people/import_0b".to_owned()];
        let rows = vec![
            RowReport { number: 6, object, info, errors: vec!["Bad".to_owned()] },
            RowReport { number: 7, errors: vec!["Worse".to_owned()], ..RowReport::default() },
        ];
        Report { rows, makes_components: true, ..Report::default() }
    }

    #[test]
    fn rows_are_told_with_the_addresses_of_saved_records() {
        let mut report = report();
        report.name(&HashMap::from([
            ("/repositories/2/archival_objects/import_0a", "/repositories/2/archival_objects/9"),
            ("/agents/people/import_0b", "/agents/people/3"),
        ]));
        let lines: Vec<String> = report.rows.iter().flat_map(|row| report.lines(row)).collect();
        assert_eq!(
            lines,
            [
                "Row 6: Created Archival Object 'Letters' /repositories/2/archival_objects/9 r1",
                "Row 6:\tAgent[X] created: /agents/people/3",
                "Row 6:\tERROR Bad",
                "Row 7:\tERROR No Archival Object created",
                "Row 7:\tERROR Worse"
            ]
        );
        let csv = String::from_utf8(report.csv()).expect("a text");
        assert!(csv.starts_with("Row,Status,Title,URI,Ref ID,Info or Error\n"), "{csv}");
        assert!(
            csv.contains("Row 6,,Letters,/repositories/2/archival_objects/9,r1\nRow 6,,,,,Agent[X] created"),
            "{csv}"
        );
        assert!(csv.contains("Row 7,No Archival Object created\nRow 7,,,,,Worse\n"), "{csv}");
    }

    #[test]
    fn a_validation_says_what_would_be() {
        let report = Report { only_validates: true, ..report() };
        let lines: Vec<String> = report.rows.iter().flat_map(|row| report.lines(row)).collect();
        assert_eq!(lines[0], "Row 6: Archival Object 'Letters'  would be created");
        assert_eq!(lines[3], "Row 7:\tERROR Archival Object would not be created");
        let csv = String::from_utf8(report.csv()).expect("a text");
        assert!(csv.contains("Row 6,Archival Object would be created,Letters,,\n"), "{csv}");
    }
}
