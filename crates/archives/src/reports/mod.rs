//! Reports (contract 3.5, `report_job`): tables about the records of a repository, or of the library.
//!
//! | Topic | Module |
//! |---|---|
//! | which reports there are | [`declared`] |
//! | what a client asks of one | [`asked`] |
//! | rows as people read them, and what is told of all | [`readable`], [`told`] |
//! | those that staff put together, with sub-reports | [`custom`], [`fields`], [`parts`] |
//! | writing them in their formats | [`formats`] |

pub(crate) mod asked;
pub(crate) mod custom;
pub(crate) mod declared;
mod fields;
pub(crate) mod formats;
mod parts;
pub(crate) mod readable;
pub(crate) mod told;

use serde_json::{Value, json};

pub use fields::custom_data;

/// All reports with their parameters, and the formats, as clients ask for them.
pub fn list() -> Value {
    let told = declared::REPORTS.iter().map(|report| {
        let words = report.code.split('_').map(|word| {
            let (first, rest) = word.split_at(usize::from(!word.is_empty()));
            first.to_uppercase() + rest
        });
        let parameters: Value = report.asks.iter().map(|asked| json!(asked.told())).collect();
        let told = json!({"params": parameters, "code": report.code, "model": words.collect::<String>()});
        (report.code.to_owned(), told)
    });
    json!({"reports": Value::Object(told.collect()), "formats": formats::FORMATS})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_told_with_their_parameters() {
        let told = list();
        assert_eq!(told["formats"], json!(["json", "csv", "html", "pdf", "rtf"]));
        assert_eq!(told["reports"].as_object().map(serde_json::Map::len), Some(24));
        let one = &told["reports"]["created_accessions_report"];
        assert_eq!((&one["model"], &one["params"][1][0]), (&json!("CreatedAccessionsReport"), &json!("to")));
        assert!(
            declared::REPORTS.iter().all(|report| declared::find(report.code).is_some() && !report.title.is_empty())
        );
        assert!(declared::find("nonsense").is_none());
    }
}
