//! What the head of a report tells of all its rows.

use serde_json::{Map, Value};

use super::readable::number;

/// Something that the head tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tell {
    /// The number of rows, under a name of its own.
    Rows(&'static str),
    /// The number of all accessions of the repository, in place of that of rows.
    Accessions,
    /// The extents of all rows together.
    Extent,
    /// The extents of all that was given away.
    Deaccessions,
    /// The first and the last date of an accession.
    Dates,
}

/// What is counted while rows are read.
#[derive(Debug, Default)]
pub(crate) struct Told {
    extent: f64,
    deaccessions: f64,
    dates: Option<(String, String)>,
}

fn sum<'v>(values: impl Iterator<Item = &'v Value>) -> f64 {
    values.filter_map(Value::as_str).filter_map(number).sum()
}

impl Told {
    /// Takes a row as the statement gave it.
    pub(crate) fn take(&mut self, row: &Map<String, Value>) {
        self.extent += sum(["extent_number", "_extent"].iter().filter_map(|name| row.get(*name)));
        let given = row.get("deaccessions").and_then(Value::as_array).into_iter().flatten();
        self.deaccessions += sum(given.filter_map(|one| one.get("extent_number")));
        if let Some(date) = row.get("accession_date").and_then(Value::as_str) {
            let (first, last) = self.dates.get_or_insert_with(|| (date.to_owned(), date.to_owned()));
            if date < first.as_str() {
                date.clone_into(first);
            }
            if date > last.as_str() {
                date.clone_into(last);
            }
        }
    }

    /// Adds to the head what is told of `many` rows.
    pub(crate) fn finish(self, tells: &[Tell], many: u64, info: &mut Map<String, Value>) {
        info.insert("total_count".to_owned(), many.into());
        for tell in tells {
            let (name, value) = match tell {
                Tell::Rows(name) => (*name, many.into()),
                Tell::Extent => ("total_extent", format!("{:.2}", self.extent).into()),
                Tell::Deaccessions => ("total_deaccessions_extent", format!("{:.2}", self.deaccessions).into()),
                Tell::Dates => {
                    let (first, last) = self.dates.clone().unwrap_or_default();
                    ("scoped_by_date_range", format!("{first} & {last}").into())
                }
                // It is counted by a statement.
                Tell::Accessions => continue,
            };
            info.insert(name.to_owned(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn extents_and_dates_of_all_rows_are_told() {
        let mut told = Told::default();
        for row in [
            json!({"accession_date": "2020-05-05", "extent_number": "2.5", "deaccessions": [{"extent_number": "1"}]}),
            json!({"accession_date": "1999-01-01", "_extent": "x", "deaccessions": null}),
        ] {
            told.take(row.as_object().expect("an object"));
        }
        let mut info = Map::new();
        told.finish(&[Tell::Rows("number"), Tell::Extent, Tell::Deaccessions, Tell::Dates], 2, &mut info);
        let expected = json!({"total_count": 2, "number": 2, "total_extent": "2.50", "total_deaccessions_extent": "1.00",
            "scoped_by_date_range": "1999-01-01 & 2020-05-05"});
        assert_eq!(Value::Object(info), expected);
    }
}
