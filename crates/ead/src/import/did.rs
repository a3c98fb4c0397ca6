//! Identification: unit ids, titles, dates, extents, languages, and the notes of the `did` (section 6.4).

use serde_json::{Value, json};

use super::ImportError;
use super::build::{Build, Draft, MISSING, NAME, NOTE, language, object};
use super::ead3;
use super::tree::{Element, Node};

/// The kinds of dates that a file may name.
const DATE_TYPES: [&str; 3] = ["single", "bulk", "inclusive"];

impl Build<'_> {
    pub(super) fn unitid(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        let kind = element.attribute("type").or_else(|| element.attribute("localtype"));
        if matches!(kind, Some("ark" | "ark-superseded")) {
            let link = element.elements().find_map(|child| child.link("href")).map(str::to_owned);
            let ark = link.unwrap_or_else(|| element.text());
            if kind == Some("ark") {
                draft.set("import_current_ark", ark);
            } else {
                draft.push("import_previous_arks", ark.into());
            }
            return Ok(());
        }
        let id = element.plain();
        if id.is_empty() {
            return Ok(());
        }
        let key = if draft.is_resource() { "id_0" } else { "component_id" };
        // An export names the record's URI, which is no identifier of the archives.
        if draft.text(key).is_none() && kind != Some("aspace_uri") {
            let id =
                if key == "id_0" { id.clone() } else { self.limited(draft, element.line(), key, id.clone(), NAME)? };
            draft.set(key, id);
        }
        if let Some(source) = element.attribute("type") {
            let id = self.limited(draft, element.line(), "external_ids", id, NAME)?;
            let entry = json!({"jsonmodel_type": "external_id", "external_id": id, "source": source});
            let known = draft.record.get("external_ids").and_then(Value::as_array);
            if !known.is_some_and(|known| known.contains(&entry)) {
                draft.push("external_ids", entry);
            }
        }
        Ok(())
    }

    pub(super) fn unittitle(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        let title = element.formatted_without(&["unitdate"]);
        if draft.text("title").is_none() && !title.is_empty() {
            draft.set("title", title);
        }
        self.nested_dates(draft, element)
    }

    fn nested_dates(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        for child in element.elements() {
            if child.name() == "unitdate" {
                self.describe(draft, child)?;
            } else {
                self.nested_dates(draft, child)?;
            }
        }
        Ok(())
    }

    pub(super) fn unitdate(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        let line = element.line();
        let mut parts = element
            .attribute("normal")
            .unwrap_or_default()
            .split('/')
            .map(|part| Some(part).filter(|part| is_date(part)));
        let begin = self.real_day(draft, line, "begin", parts.next().flatten())?;
        let mut end = self.real_day(draft, line, "end", parts.next().flatten())?;
        if let Some((first, last)) = begin.as_deref().zip(end.as_deref())
            && ends_before(last, first)
        {
            self.repair(draft, line, "unitdate", "end must not be before begin", "end left out")?;
            end = None;
        }
        let mut kind = element.attribute("type");
        if let Some(unknown) = kind.filter(|kind| !DATE_TYPES.contains(kind)) {
            let problem = format!("Invalid date type provided: {unknown}; must be one of: {DATE_TYPES:?}.");
            self.repair(draft, line, "unitdate", problem, "type left out")?;
            kind = None;
        }
        // A range of one day is how a single date is exported.
        let range = end.is_some() && end != begin;
        let expression = element.plain();
        if expression.is_empty() && begin.is_none() && end.is_none() {
            return self.repair(
                draft,
                line,
                "unitdate",
                "expression is required unless a begin or end date is given",
                "left out",
            );
        }
        let expression = self.limited(draft, line, "unitdate", expression, NAME)?;
        let certainty = self.listed(draft, element, "date_certainty", element.attribute("certainty"))?;
        let label = element.attribute(ead3::LABEL).map(|label| self.value("date_label", label));
        let label = label.unwrap_or_else(|| "creation".to_owned());
        let date = object(
            "date",
            [
                ("date_type", Some(kind.unwrap_or(if range { "inclusive" } else { "single" }).to_owned())),
                ("label", Some(label)),
                ("expression", Some(expression)),
                ("begin", begin),
                ("end", end),
                ("certainty", certainty),
                ("era", element.attribute("era").map(str::to_owned)),
                ("calendar", element.attribute("calendar").map(str::to_owned)),
            ],
        );
        draft.push("dates", date);
        Ok(())
    }

    /// The date, if there is such a day.
    fn real_day(
        &mut self,
        draft: &Draft,
        line: u64,
        field: &str,
        date: Option<&str>,
    ) -> Result<Option<String>, ImportError> {
        match date {
            Some(date) if !exists(date) => {
                self.repair(draft, line, "unitdate", format!("{field} {date}: not a valid date"), "left out")?;
                Ok(None)
            }
            date => Ok(date.map(str::to_owned)),
        }
    }

    pub(super) fn singlepart(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        let content = element.formatted_without(&["head"]);
        self.single_note(draft, element.name(), (element, element), content)
    }

    /// A note of one part from an element, or from a child of one: `id`, label and audience are the child's if it has
    /// them.
    fn single_note(
        &mut self,
        draft: &mut Draft,
        kind: &str,
        (element, around): (&Element, &Element),
        content: String,
    ) -> Result<(), ImportError> {
        let line = element.line();
        if content.is_empty() {
            return self.repair(draft, line, kind, MISSING, "empty note left out");
        }
        let content = self.limited(draft, line, kind, content, NOTE)?;
        let mut note = self.note(draft, "note_singlepart", kind, (element, around))?;
        note["content"] = json!([content]);
        draft.push("notes", note);
        Ok(())
    }

    /// What all notes have: type, id, label, publication.
    fn note(
        &mut self,
        draft: &Draft,
        model: &str,
        kind: &str,
        (element, around): (&Element, &Element),
    ) -> Result<Value, ImportError> {
        let of = |key: &str| element.attribute(key).or_else(|| around.attribute(key)).map(str::to_owned);
        let id = self.limited(draft, element.line(), "persistent_id", of("id").unwrap_or_default(), NAME)?;
        let mut note =
            object(model, [("type", Some(kind.to_owned())), ("persistent_id", Some(id)), ("label", of("label"))]);
        note["publish"] = (element.published() && around.published()).into();
        Ok(note)
    }

    pub(super) fn physdesc(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        if let [Node::Text(_)] = element.children[..] {
            let content = element.escaped_text();
            return self.single_note(draft, "physdesc", (element, element), content);
        }
        let mut size = None;
        let (mut summaries, mut facets, mut dimensions, mut others) = (vec![], vec![], vec![], vec![]);
        for child in element.elements() {
            match child.name() {
                "extent" => match Some(child.text()).filter(|_| size.is_none()).as_deref().and_then(measure) {
                    Some(measured) => size = Some(measured),
                    None => summaries.push(child),
                },
                "physfacet" => facets.push(child),
                "dimensions" => dimensions.push(child),
                _ => others.push(child),
            }
        }
        if let Some((number, unit)) = size {
            let part = element.attribute("altrender").is_some_and(|portion| portion.eq_ignore_ascii_case("part"));
            let dimensions = self.limited(draft, element.line(), "dimensions", joined(&dimensions), NAME)?;
            let extent = object(
                "extent",
                [
                    ("portion", Some(if part { "part" } else { "whole" }.to_owned())),
                    ("number", Some(number)),
                    ("extent_type", Some(self.value("extent_extent_type", &unit))),
                    ("container_summary", Some(joined(&summaries))),
                    ("physical_details", Some(joined(&facets))),
                    ("dimensions", Some(dimensions)),
                ],
            );
            draft.push("extents", extent);
        } else {
            let kinds = [("physdesc", &summaries), ("physfacet", &facets)];
            for (kind, child) in kinds.iter().flat_map(|(kind, all)| all.iter().map(move |child| (*kind, *child))) {
                self.single_note(draft, kind, (child, element), child.escaped_text())?;
            }
            for child in dimensions {
                self.dimensions(draft, child, element)?;
            }
        }
        for child in others {
            if !child.is_blank() {
                let content = format!("{}: {}", child.name(), child.escaped_text());
                self.single_note(draft, "physdesc", (child, element), content)?;
            }
        }
        Ok(())
    }

    /// Dimensions without a number of anything are a note of several parts.
    fn dimensions(&mut self, draft: &mut Draft, element: &Element, around: &Element) -> Result<(), ImportError> {
        let content = element.escaped_text();
        if content.is_empty() {
            return self.repair(draft, element.line(), "dimensions", MISSING, "empty note left out");
        }
        let mut note = self.note(draft, "note_multipart", "dimensions", (element, around))?;
        let published = note["publish"].clone();
        note["subnotes"] = json!([{"jsonmodel_type": "note_text", "publish": published, "content": content}]);
        draft.push("notes", note);
        Ok(())
    }

    pub(super) fn langmaterial(&mut self, draft: &mut Draft, element: &Element) -> Result<(), ImportError> {
        for child in element.elements().filter(|child| child.name() == "language") {
            let code = self.listed(draft, child, "language_iso639_2", child.attribute("langcode"))?;
            if let Some(code) = code {
                draft.push("lang_materials", language(&code, child.attribute("scriptcode")));
            }
        }
        let content = unwrapped(element);
        if content.is_empty() {
            return Ok(());
        }
        let content = self.limited(draft, element.line(), "langmaterial", content, NOTE)?;
        let mut note = self.note(draft, "note_langmaterial", "langmaterial", (element, element))?;
        note["content"] = json!([content]);
        draft.push("lang_materials", json!({"jsonmodel_type": "lang_material", "notes": [note]}));
        Ok(())
    }
}

/// The content of a `langmaterial` without its head, each `language` as its text.
fn unwrapped(element: &Element) -> String {
    let mut copy = Element { tag: element.tag.clone(), children: Vec::new() };
    for node in &element.children {
        match node {
            Node::Element(child) if child.name() == "language" => {
                child.children.iter().for_each(|node| copy.adopt(node))
            }
            node => copy.adopt(node),
        }
    }
    copy.formatted_without(&["head"])
}

fn joined(elements: &[&Element]) -> String {
    elements.iter().map(|element| element.escaped_text()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
}

/// `5.25 linear feet` as number and unit.
fn measure(text: &str) -> Option<(String, String)> {
    let (number, unit) = text.split_once(char::is_whitespace)?;
    let unit = unit.trim();
    let counts = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    (counts && !unit.is_empty()).then(|| (number.to_owned(), unit.to_owned()))
}

/// Whether this is `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.trim().split('-').collect();
    let digits = |part: &str, count: usize| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
    let between = |part: &str, most: u32| digits(part, 2) && part.parse().is_ok_and(|n| (1..=most).contains(&n));
    match parts[..] {
        [year] => digits(year, 4),
        [year, month] => digits(year, 4) && between(month, 12),
        [year, month, day] => digits(year, 4) && between(month, 12) && between(day, 31),
        _ => false,
    }
}

/// Whether the calendar has the day of a date that looks like one.
fn exists(date: &str) -> bool {
    let numbers: Vec<u32> = date.trim().split('-').filter_map(|part| part.parse().ok()).collect();
    let [year, month, day] = numbers[..] else { return true };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    day <= days
}

/// Whether a range ends before it begins; a shorter end that begins like the begin is the same time.
fn ends_before(end: &str, begin: &str) -> bool {
    let padded = |date: &str| format!("{date}{}", &"-01-01"[date.len().saturating_sub(4).min(6)..]);
    !begin.starts_with(end) && padded(end) < padded(begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_told_apart() {
        for (text, wanted) in [
            ("1900", true),
            ("1900-01", true),
            ("1900-12-31", true),
            ("1900-13", false),
            ("1900-00", false),
            ("1900-1", false),
            ("190", false),
            ("-1900", false),
            ("1900-01-32", false),
            ("ca. 1900", false),
            ("", false),
            ("1900-01-01-01", false),
        ] {
            assert_eq!(is_date(text), wanted, "{text}");
        }
        for (date, wanted) in [("1900-02-29", false), ("2000-02-29", true), ("1999-04-31", false), ("1999-04", true)] {
            assert_eq!(exists(date), wanted, "{date}");
        }
        for (end, begin, wanted) in [
            ("1899", "1900", true),
            ("1900", "1900-05", false),
            ("1900-04", "1900-05-03", true),
            ("1900-05", "1900-05-03", false),
            ("1901", "1900-12-31", false),
        ] {
            assert_eq!(ends_before(end, begin), wanted, "{end} after {begin}");
        }
    }

    #[test]
    fn extents_start_with_a_number() {
        let pair = |number: &str, unit: &str| Some((number.to_owned(), unit.to_owned()));
        for (text, wanted) in [
            ("5 items", pair("5", "items")),
            ("1.25  linear feet", pair("1.25", "linear feet")),
            ("1,000 items", None),
            ("5", None),
            ("ca. 5 items", None),
            ("", None),
        ] {
            assert_eq!(measure(text), wanted, "{text}");
        }
    }
}
