//! Names of agents as lists are sorted by them (contract section 4.7).

use serde_json::{Map, Value};

use super::super::lists::Labels;
use super::super::reading::{objects, text};

/// How many characters a sort name has at most.
const MOST: usize = 255;

/// The sort name of a name of that type: `name_person`, `name_family`, `name_corporate_entity`, `name_software`, or
/// the same of a parallel name. `existence` is what [`existence`] says of the agent, if the name is the one shown;
/// persons and software without dates of their own use it.
pub(crate) fn sort_name(name_type: &str, name: &Map<String, Value>, existence: Option<&str>) -> String {
    let of = |property: &str| text(name, property);
    let existence = existence.filter(|_| !name.contains_key("dates"));
    let parts = match name_type.strip_prefix("parallel_").unwrap_or(name_type) {
        "name_person" => person(name, existence),
        "name_family" => vec![
            Part::plain(of("family_name")),
            Part::comma(of("prefix")),
            Part::round(of("qualifier")),
            Part::round(of("dates")),
            Part::round(of("location")),
        ],
        "name_corporate_entity" => vec![
            Part::plain(of("primary_name")),
            Part(". ", of("subordinate_name_1"), ""),
            Part(". ", of("subordinate_name_2"), ""),
            Part::comma(of("number")),
            Part::round(of("qualifier")),
            Part::round(of("dates")),
            Part::round(of("location")),
        ],
        _ => vec![
            Part("", of("manufacturer"), " "),
            Part::plain(of("software_name")),
            Part(" ", of("version"), ""),
            Part::round(of("qualifier")),
            Part::comma(of("dates")),
            Part::round(existence),
        ],
    };
    let whole: String = parts.iter().map(Part::written).collect();
    whole.trim_start().chars().take(MOST).collect()
}

fn person<'a>(name: &'a Map<String, Value>, existence: Option<&'a str>) -> Vec<Part<'a>> {
    let of = |property: &str| text(name, property);
    let (primary, rest) = (of("primary_name"), of("rest_of_name"));
    let mut parts = match of("name_order") {
        Some("inverted") => vec![Part::plain(primary), Part::comma(rest)],
        Some("direct") => vec![Part::plain(rest), Part(" ", primary, "")],
        _ => vec![Part::plain(primary)],
    };
    parts.extend(["prefix", "suffix", "title", "number"].map(|property| Part::comma(of(property))));
    parts.extend([
        Part::round(of("fuller_form")),
        Part::comma(of("dates")),
        Part::round(of("qualifier")),
        Part::round(existence),
    ]);
    parts
}

/// A part of a name, with what is before and after it where there is one.
struct Part<'a>(&'static str, Option<&'a str>, &'static str);

impl<'a> Part<'a> {
    fn plain(text: Option<&'a str>) -> Self {
        Self("", text, "")
    }

    fn comma(text: Option<&'a str>) -> Self {
        Self(", ", text, "")
    }

    fn round(text: Option<&'a str>) -> Self {
        Self(" (", text, ")")
    }

    fn written(&self) -> String {
        self.1.map_or_else(String::new, |text| format!("{}{text}{}", self.0, self.2))
    }
}

/// When the agent existed, such as `1815-1852`: the first of its dates of existence, its expression or else its years.
pub fn existence(agent: &Map<String, Value>, labels: &dyn Labels) -> Option<String> {
    let date = objects(agent, "dates_of_existence").next()?;
    let part = |property: &str| date.get(property).and_then(Value::as_object);
    let written = match text(date, "date_type_structured")? {
        "single" => {
            let single = part("structured_date_single")?;
            let year = || year(single, "date_standardized", "date_standardized_type", labels);
            text(single, "date_expression").map(str::to_owned).or_else(year)
        }
        _ => {
            let range = part("structured_date_range")?;
            let expressions = (text(range, "begin_date_expression"), text(range, "end_date_expression"));
            let year = |end: &str| {
                year(range, &format!("{end}_date_standardized"), &format!("{end}_date_standardized_type"), labels)
            };
            match (expressions, year("begin"), year("end")) {
                ((Some(begin), Some(end)), _, _) => Some(format!("{begin}-{end}")),
                ((Some(begin), None), _, _) => Some(begin.to_owned()),
                (_, Some(begin), Some(end)) => Some(format!("{begin}-{end}")),
                (_, begin, _) => begin,
            }
        }
    };
    written.filter(|text| !text.is_empty())
}

/// The year of a date, after `Not After` or the like where it is not the very date.
fn year(date: &Map<String, Value>, property: &str, kind: &str, labels: &dyn Labels) -> Option<String> {
    let year = text(date, property)?.split('-').next().unwrap_or_default();
    Some(match text(date, kind).filter(|kind| *kind != "standard") {
        Some(kind) => format!("{} {year}", labels.label_or_value("date_standardized_type", kind)),
        None => year.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::lists::StartingLists;
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        let Value::Object(map) = value else { panic!("an object is needed") };
        map
    }

    #[test]
    fn sort_names_are_put_together() {
        let ada = json!({"name_order": "inverted", "primary_name": "P", "rest_of_name": "R"});
        let direct = json!({"name_order": "direct", "primary_name": "P", "rest_of_name": "R"});
        let full = json!({
            "name_order": "inverted", "primary_name": "P", "rest_of_name": "R", "prefix": "Pre", "suffix": "Suf",
            "title": "T", "number": "N", "fuller_form": "F", "dates": "D", "qualifier": "Q",
        });
        let body = json!({
            "primary_name": "P", "subordinate_name_1": "S1", "subordinate_name_2": "S2", "number": "N", "qualifier": "Q",
            "dates": "D", "location": "L",
        });
        let family = json!({"family_name": "F", "prefix": "Pre", "qualifier": "Q", "dates": "D", "location": "L"});
        let software =
            json!({"manufacturer": "M", "software_name": "S", "version": "V", "qualifier": "Q", "dates": "D"});
        let cases = [
            ("name_person", ada.clone(), None, "P, R"),
            ("name_person", ada, Some("1815-1852"), "P, R (1815-1852)"),
            ("name_person", direct.clone(), None, "R P"),
            ("parallel_name_person", direct, None, "R P"),
            ("name_person", json!({"name_order": "direct", "primary_name": "P"}), None, "P"),
            ("name_person", json!({"name_order": "other", "primary_name": "P", "rest_of_name": "R"}), None, "P"),
            ("name_person", full, Some("1815"), "P, R, Pre, Suf, T, N (F), D (Q)"),
            ("name_corporate_entity", body, Some("1815"), "P. S1. S2, N (Q) (D) (L)"),
            ("name_family", family, Some("1815"), "F, Pre (Q) (D) (L)"),
            ("name_software", software, Some("1815"), "M S V (Q), D"),
            ("name_software", json!({"software_name": "S"}), Some("1995"), "S (1995)"),
        ];
        for (name_type, name, existence, expected) in cases {
            assert_eq!(sort_name(name_type, &map(name), existence), expected);
        }
        let long = map(json!({"family_name": "é".repeat(300)}));
        assert_eq!(sort_name("name_family", &long, None).chars().count(), 255);
    }

    #[test]
    fn existence_is_an_expression_or_years() {
        let single = |date: Value| json!({"date_type_structured": "single", "structured_date_single": date});
        let range = |date: Value| json!({"date_type_structured": "range", "structured_date_range": date});
        let cases = [
            (single(json!({"date_expression": "about 1815", "date_standardized": "1815"})), Some("about 1815")),
            (single(json!({"date_standardized": "1815-12-10"})), Some("1815")),
            (
                single(json!({"date_standardized": "1815", "date_standardized_type": "not_after"})),
                Some("Not After 1815"),
            ),
            (
                range(json!({"begin_date_standardized": "1815-12-10", "end_date_standardized": "1852"})),
                Some("1815-1852"),
            ),
            (range(json!({"begin_date_standardized": "1815"})), Some("1815")),
            (range(json!({"begin_date_expression": "a", "end_date_expression": "b"})), Some("a-b")),
            (range(json!({"begin_date_expression": "a", "end_date_standardized": "1852"})), Some("a")),
            (single(json!({})), None),
        ];
        for (date, expected) in cases {
            let agent = map(json!({"dates_of_existence": [date]}));
            assert_eq!(existence(&agent, &StartingLists).as_deref(), expected);
        }
        assert_eq!(existence(&map(json!({})), &StartingLists), None);
    }
}
