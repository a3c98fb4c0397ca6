//! Rules for dates.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::super::dates::{Day, first_day, is_time};
use super::{Finding, error, error_if, text};

/// A beginning, an end, and what is wrong with them. An end that is a part of the beginning, such as 2000 of 2000-05,
/// is not before it.
fn span(record: &Map<String, Value>, begin: &str, end: &str) -> Vec<Finding> {
    let (from, to) = (text(record, begin), text(record, end));
    let first = from.map(first_day);
    let is_part = matches!((from, to, first), (Some(from), Some(to), Some(Some(_))) if from.starts_with(to));
    let last = if is_part { first } else { to.map(first_day) };
    let mut findings = Vec::new();
    findings.extend(error_if(first == Some(None), begin, "not a valid date"));
    findings.extend(error_if(last == Some(None), end, "not a valid date"));
    let before = |(first, last): (Day, Day)| last < first;
    let reversed = first.flatten().zip(last.flatten()).is_some_and(before);
    findings.extend(error_if(reversed, end, "must not be before begin"));
    findings
}

/// A date has an expression, a begin or an end, and does not end before it begins.
pub(crate) fn date_in_order(date: &Map<String, Value>) -> Vec<Finding> {
    let mut findings = span(date, "begin", "end");
    if ["expression", "begin", "end"].iter().all(|property| !date.contains_key(*property)) {
        findings.push(error("expression", "is required unless a begin or end date is given"));
        findings.push(error("begin", "is required unless an expression or an end date is given"));
        findings.push(error("end", "is required unless an expression or a begin date is given"));
    }
    findings
}

/// A survey does not end before it begins.
pub(crate) fn survey_in_order(assessment: &Map<String, Value>) -> Vec<Finding> {
    span(assessment, "survey_begin", "survey_end")
}

/// An event has a date or a time, not both.
pub(crate) fn date_or_timestamp(event: &Map<String, Value>) -> Vec<Finding> {
    let both = |message| vec![error("date", message), error("timestamp", message)];
    let mut findings = match (event.contains_key("date"), event.contains_key("timestamp")) {
        (true, true) => both("Can't specify both a date and a timestamp"),
        (false, false) => both("Must specify either a date or a timestamp"),
        _ => Vec::new(),
    };
    let unreadable = text(event, "timestamp").is_some_and(|time| !is_time(time));
    findings.extend(error_if(unreadable, "timestamp", "Must be an ISO8601-formatted string"));
    findings
}

/// The days of a note's restriction are whole days in order.
pub(crate) fn restriction_in_order(note: &Map<String, Value>) -> Vec<Finding> {
    let Some(restriction) = note.get("rights_restriction").and_then(Value::as_object) else { return Vec::new() };
    let day = |property| text(restriction, property).map(|day| if is_whole(day) { first_day(day) } else { None });
    let (begin, end) = (day("begin"), day("end"));
    let format = "must be in YYYY-MM-DD format";
    let mut findings = Vec::new();
    findings.extend(error_if(begin == Some(None), "rights_restriction__begin", format));
    findings.extend(error_if(end == Some(None), "rights_restriction__end", format));
    let reversed = begin.flatten().zip(end.flatten()).is_some_and(|(begin, end)| end < begin);
    findings.extend(error_if(reversed, "rights_restriction__end", "must not be before begin"));
    findings
}

fn is_whole(day: &str) -> bool {
    day.trim_start_matches('-').split('-').filter(|part| !part.is_empty()).count() == 3
}

/// A structured date is single or a range, as its type says.
pub(crate) fn single_or_range(label: &Map<String, Value>) -> Vec<Finding> {
    let (single, range) = (label.contains_key("structured_date_single"), label.contains_key("structured_date_range"));
    let is = |kind| text(label, "date_type_structured") == Some(kind);
    let checks = [
        (!single && !range, "structured_date_label", "must_specify_either_a_single_or_ranged_date"),
        (single && range, "structured_date_single", "cannot specify both a single and ranged date"),
        (range && is("single"), "structured_date_range", "Must specify single date for date type of single"),
        (single && is("range"), "structured_date_range", "Must specify range date for date type of range"),
    ];
    checks.iter().filter_map(|(wrong, property, message)| error_if(*wrong, property, message)).collect()
}

/// A single structured date has an expression or a standard form.
pub(crate) fn single_date(date: &Map<String, Value>) -> Vec<Finding> {
    let standard = text(date, "date_standardized");
    let neither = !date.contains_key("date_expression") && standard.is_none();
    let mut findings = Vec::new();
    findings.extend(error_if(neither, "date_standardized", "or date expression is required"));
    findings.extend(standard.and_then(|date| not_standard(date, "date_standardized")));
    findings
}

/// A range begins somewhere, and does not end before.
pub(crate) fn date_range(range: &Map<String, Value>) -> Vec<Finding> {
    let (begin, end) = (text(range, "begin_date_standardized"), text(range, "end_date_standardized"));
    let begin_expression = range.contains_key("begin_date_expression");
    let no_begin = !begin_expression && begin.is_none() && end.is_none();
    let end_alone = !begin_expression && range.contains_key("end_date_expression");
    let standard_end_alone = begin.is_none() && end.is_some();
    let checks = [
        (no_begin, "begin_date_expression", "is required"),
        (end_alone, "end_date_expression", "requires begin date expression to be defined"),
        (standard_end_alone, "end_date_standardized", "requires begin_date_standardized to be defined"),
    ];
    let mut findings: Vec<_> =
        checks.iter().filter_map(|(wrong, property, message)| error_if(*wrong, property, message)).collect();
    findings.extend(begin.and_then(|date| not_standard(date, "begin_date_standardized")));
    findings.extend(end.and_then(|date| not_standard(date, "end_date_standardized")));
    if let (Some(begin), Some(end), true) = (begin, end, findings.is_empty()) {
        findings.extend(match (first_day(begin), first_day(end)) {
            (Some(begin), Some(end)) => {
                let message = "requires that end dates are after begin dates";
                error_if(begin > end, "begin_date_standardized", message)
            }
            _ => Some(error("begin_date_standardized", "Error attempting to parsing dates")),
        });
    }
    findings
}

static STANDARD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(\d{1,4}|\d{1,4}-\d{2}|\d{3,4}-\d{2}-\d{2}|\d{2}-\d{4})$").expect("the pattern is well formed")
});

fn not_standard(date: &str, property: &str) -> Option<Finding> {
    let message = "must be in YYYY[YYY][YY][Y], YYYY[YYY][YY][Y]-MM, or YYYY-MM-DD format";
    error_if(!STANDARD.is_match(date), property, message)
}
