//! Structured dates.

use record_xml::json::text;
use serde_json::Value;

use super::Writing;

impl Writing<'_> {
    /// Dates in an element of their own, if there are any.
    pub(super) fn dates_within(&mut self, element: &str, dates: &[Value]) {
        self.within(element, dates, |writing, date| writing.date(date));
    }

    /// A date: as it was written, and its standardized form as an attribute that says what it is.
    pub(super) fn date(&mut self, date: &Value) {
        let label = ("localType", text(date, "date_label"));
        if text(date, "date_type_structured") == Some("single") {
            let single = &date["structured_date_single"];
            let (attribute, content) = end(single, "date_expression", "date_standardized");
            return self.put("date", &[label, attribute], content);
        }
        let range = &date["structured_date_range"];
        let ends = [("fromDate", "begin"), ("toDate", "end")].map(|(element, name)| {
            let (expression, standard) = (format!("{name}_date_expression"), format!("{name}_date_standardized"));
            let (attribute, content) = end(range, &expression, &standard);
            (element, attribute, content)
        });
        if ends.iter().all(|(.., content)| content.is_none()) {
            return;
        }
        self.xml.open("dateRange", &[label]);
        ends.iter().for_each(|(element, attribute, content)| self.put(element, &[*attribute], *content));
        self.xml.close("dateRange");
    }
}

/// The attribute and the content for one end of a date.
fn end<'v>(date: &'v Value, expression: &str, standard: &str) -> ((&'static str, Option<&'v str>), Option<&'v str>) {
    let standardized = text(date, standard);
    let attribute = match text(date, &format!("{standard}_type")) {
        Some("not_before") => "notBefore",
        Some("not_after") => "notAfter",
        _ => "standardDate",
    };
    ((attribute, standardized), text(date, expression).or(standardized))
}
