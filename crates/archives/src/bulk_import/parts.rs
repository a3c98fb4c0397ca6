//! The parts of a record that a row describes: dates, extents, languages, notes, file versions.

use serde_json::{Map, Value, json};

use super::values::Values;
use crate::{
    model::{Purpose, check, record_type},
    sheets::Line,
};

/// Parts that are right, and what is wrong with the others.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub parts: Vec<Value>,
    pub errors: Vec<String>,
}

/// A part of a declared type.
///
/// # Errors
/// What breaks its declaration or a rule, in one line.
fn checked(kind: &str, part: Value, values: &Values) -> Result<Value, String> {
    let Some(of) = record_type(kind) else { return Ok(part) };
    let found = check(of, part.clone(), values.lists(), Purpose::Import);
    found.map(|_| part).map_err(|invalid| told(&invalid.errors))
}

/// Messages by property in one line.
pub(super) fn told(errors: &Map<String, Value>) -> String {
    let one = |(at, texts): (&String, &Value)| {
        let texts: Vec<&str> = texts.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        format!("{at}: {}", texts.join(", "))
    };
    errors.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// The suffixes of numbered columns like `begin`, `begin_1`, `begin_2`, in their order.
fn suffixes<'a>(line: &'a Line<'_>, code: &'a str) -> Vec<&'a str> {
    let is_number = |suffix: &&str| {
        suffix.is_empty() || suffix.strip_prefix('_').is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let mut found: Vec<&str> = line.table.codes_after(code).map(|(_, suffix)| suffix).filter(is_number).collect();
    found.sort_by_key(|suffix| suffix.trim_start_matches('_').parse::<u32>().unwrap_or_default());
    found
}

/// The suffixes of repeated groups of columns, `""`, `_2`, `_3` …, up to the first group without anything.
pub(super) fn groups(line: &Line<'_>, codes: &[&str]) -> Vec<String> {
    let all = (1..).map(|number| if number == 1 { String::new() } else { format!("_{number}") });
    all.take_while(|suffix| line.has_any(codes, suffix)).collect()
}

/// Columns of an instance in a container; one of them must be filled.
const INSTANCE: [&str; 3] = ["cont_instance_type", "type_1", "barcode"];

/// The suffixes of a row's groups of columns that describe instances in containers.
pub(crate) fn container_groups(line: &Line<'_>) -> Vec<String> {
    groups(line, &INSTANCE)
}

/// The dates of a row.
pub(crate) fn dates(line: &Line<'_>, values: &Values) -> Parts {
    let mut found = Parts::default();
    for suffix in suffixes(line, "begin") {
        if line.has_any(&["begin", "end", "expression"], suffix) {
            date(line, suffix, values, &mut found);
        }
    }
    found
}

fn date(line: &Line<'_>, suffix: &str, values: &Values, found: &mut Parts) {
    let of = |code: &str| line.numbered(code, suffix);
    let shown = |code: &str| of(code).unwrap_or_default();
    let text = format!(
        "(Date: type:{}, label: {}, begin: {}, end: {}, expression: {})",
        shown("date_type"),
        shown("dates_label"),
        shown("begin"),
        shown("end"),
        shown("expression")
    );
    let Ok(kind) = values.value("date_type", of("date_type").or(Some("inclusive"))) else {
        let what = shown("date_type");
        found.errors.push(format!("Date type [{what}] invalid for {text}. The date will not be processed."));
        return;
    };
    let Ok(label) = values.value("date_label", of("dates_label").or(Some("creation"))) else {
        let what = shown("dates_label");
        found.errors.push(format!("Date label [{what}] invalid for {text}. The date will not be processed."));
        return;
    };
    let mut date = json!({"jsonmodel_type": "date", "date_type": kind, "label": label});
    for (code, member, list) in [
        ("date_certainty", "certainty", "date_certainty"),
        ("date_era", "era", "date_era"),
        ("date_calendar", "calendar", "date_calendar"),
    ] {
        match of(code).map(|value| values.value(list, Some(value))) {
            Some(Ok(value)) => date[member] = value.into(),
            Some(Err(what)) => found.errors.push(format!("Invalid 'date {member}' ignored for {text}: ({what})")),
            None => {}
        }
    }
    for member in ["begin", "end", "expression"] {
        if let Some(value) = of(member) {
            date[member] = value.into();
        }
    }
    match checked("date", date, values) {
        Ok(date) => found.parts.push(date),
        Err(what) => {
            found.errors.push(format!("Invalid date definition ({what}) for {text}. The date will not be processed."));
            return;
        }
    }
    if of("date_type") == Some("single") && of("end").is_some() {
        found.errors.push(format!("Single date {text} has end date that will be ignored."));
    }
}

/// The extents of a row.
pub(crate) fn extents(line: &Line<'_>, values: &Values) -> Parts {
    let mut found = Parts::default();
    for suffix in groups(line, &["number", "extent_type"]) {
        let of = |code: &str| line.numbered(code, &suffix);
        let texts = ["number", "extent_type", "container_summary", "physical_details", "dimensions"];
        let texts: Vec<&str> = texts.into_iter().map(|code| of(code).unwrap_or_default()).collect();
        let shown = format!("Extent: {} {}", of("portion").unwrap_or("whole"), texts.join(" "));
        let portion = values.value("extent_portion", of("portion").or(Some("whole")));
        let kind = values.value("extent_extent_type", of("extent_type"));
        let extent = match (portion, kind) {
            (Ok(portion), Ok(kind)) => {
                let mut extent = json!({"jsonmodel_type": "extent", "portion": portion, "extent_type": kind});
                for member in ["number", "container_summary", "physical_details", "dimensions"] {
                    extent[member] = json!(of(member));
                }
                checked("extent", extent, values)
            }
            (portion, kind) => {
                let wrong: Vec<String> = [portion.err(), kind.err()].into_iter().flatten().collect();
                Err(wrong.join(" ,"))
            }
        };
        match extent {
            Ok(extent) => found.parts.push(extent),
            Err(why) => found.errors.push(format!("Unable to validate Extent ({shown}): {why}")),
        }
    }
    found
}

/// The languages of a row, and notes about them. `publish` is what the record says.
pub(crate) fn languages(line: &Line<'_>, publish: Option<bool>, values: &Values) -> Parts {
    let mut found = Parts::default();
    for suffix in groups(line, &["l_lang", "l_langscript", "n_langmaterial"]) {
        let of = |code: &str| line.numbered(code, &suffix);
        let mut note = of("n_langmaterial");
        let mut language = None;
        match of("l_lang") {
            None => {
                // A note that is only the name of a language is none.
                language = note.and_then(|note| values.find("language_iso639_2", note));
                note = note.filter(|_| language.is_none());
            }
            Some(named) => match values.find("language_iso639_2", named) {
                None => found.errors.push(format!("Cannot validate language ({named})")),
                known => language = known,
            },
        }
        if let Some(language) = language {
            let mut both = json!({"jsonmodel_type": "language_and_script", "language": language});
            if let Some(named) = of("l_langscript") {
                match values.find("script_iso15924", named) {
                    Some(script) => both["script"] = script.into(),
                    None => found.errors.push(format!("Cannot validate a language script ({named})")),
                }
            }
            found.parts.push(json!({"jsonmodel_type": "lang_material", "language_and_script": both}));
        }
        let Some(content) = note else { continue };
        if let Err(why) = well_formed(content) {
            found.errors.push(format!("langmaterial note is not well-formed: {why}"));
            continue;
        }
        let publish = line.flag(&format!("p_langmaterial{suffix}")).or(publish);
        let note = json!({"jsonmodel_type": "note_langmaterial", "type": "langmaterial", "content": [content],
            "publish": publish});
        found.parts.push(json!({"jsonmodel_type": "lang_material", "notes": [note]}));
    }
    found
}

/// The notes of a component: a column for each type.
pub(crate) fn notes(line: &Line<'_>, publish: Option<bool>, values: &Values) -> Parts {
    let mut found = Parts::default();
    for (code, kind) in line.table.codes_after("n_") {
        let Some(content) = line.get(code).filter(|_| !kind.starts_with("langmaterial")) else { continue };
        let publish = line.flag(&format!("p_{kind}")).or(publish);
        let label = line.get(&format!("l_{kind}"));
        match note(kind, Note { label, content, publish }, false, values) {
            Ok(mut note) => {
                if let Some(restriction) = restriction(kind, line) {
                    note["rights_restriction"] = restriction;
                }
                found.parts.push(note);
            }
            Err(why) => found.errors.push(why),
        }
    }
    found
}

/// When access or use is restricted, and for access how.
fn restriction(kind: &str, line: &Line<'_>) -> Option<Value> {
    if !["accessrestrict", "userestrict"].contains(&kind) {
        return None;
    }
    let mut restriction = Map::new();
    for (member, prefix) in [("begin", "b_"), ("end", "e_")] {
        restriction.extend(line.get(&format!("{prefix}{kind}")).map(|day| (member.to_owned(), day.into())));
    }
    if kind == "accessrestrict" {
        let code = "t_accessrestrict";
        let types: Vec<&str> = suffixes(line, code).iter().filter_map(|suffix| line.numbered(code, suffix)).collect();
        if !types.is_empty() {
            restriction.insert("local_access_restriction_type".to_owned(), json!(types));
        }
    }
    (!restriction.is_empty()).then(|| {
        restriction.insert("jsonmodel_type".to_owned(), "rights_restriction".into());
        Value::Object(restriction)
    })
}

/// What a note says.
#[derive(Debug, Clone, Copy)]
struct Note<'a> {
    label: Option<&'a str>,
    content: &'a str,
    publish: Option<bool>,
}

fn note(kind: &str, of: Note<'_>, digital: bool, values: &Values) -> Result<Value, String> {
    let Note { label, content, publish } = of;
    let has = |list: &str| values.lists().has(list, kind);
    let model = match kind {
        "bibliography" => "note_bibliography",
        _ if digital && has("note_digital_object_type") => "note_digital_object",
        _ if !digital && has("note_multipart_type") => "note_multipart",
        _ if !digital && has("note_singlepart_type") => "note_singlepart",
        _ => return Err(format!("Note Type '{kind}' is not supported")),
    };
    well_formed(content).map_err(|why| format!("{kind} note is not well-formed: {why}"))?;
    let mut note = json!({"jsonmodel_type": model, "type": kind, "publish": publish, "label": label});
    if model == "note_multipart" {
        note["subnotes"] = json!([{"jsonmodel_type": "note_text", "content": content, "publish": publish}]);
    } else {
        note["content"] = json!([content]);
    }
    Ok(note)
}

/// The notes of a digital object: groups of columns that name the type.
pub(crate) fn digital_notes(line: &Line<'_>, values: &Values) -> Parts {
    let mut found = Parts::default();
    for suffix in groups(line, &["note_type", "note_label", "note_publish"]) {
        let of = |code: &str| line.numbered(code, &suffix);
        let kind = of("note_type").unwrap_or_default();
        let publish = line.flag(&format!("note_publish{suffix}"));
        let (label, content) = (of("note_label"), of("note_content").unwrap_or_default());
        match note(kind, Note { label, content, publish }, true, values) {
            Ok(note) => found.parts.push(note),
            Err(why) => found.errors.push(why),
        }
    }
    found
}

/// The file versions of a digital object: the one that represents it, and another one.
///
/// # Errors
/// A value is not in its list.
pub(crate) fn file_versions(line: &Line<'_>, values: &Values) -> Result<Vec<Value>, String> {
    let mut versions = Vec::new();
    for (prefix, represents) in [("rep", true), ("nonrep", false)] {
        let of = |code: &str| line.get(&format!("{prefix}_{code}"));
        let Some(uri) = of("file_uri") else { continue };
        let listed = |code: &str, list: &str| of(code).map(|value| values.value(list, Some(value))).transpose();
        let format = listed("file_format", "file_version_file_format_name");
        let usage = listed("use_statement", "file_version_use_statement");
        let (format, usage) = match (format, usage) {
            (Ok(format), Ok(usage)) => (format, usage),
            (Err(why), _) | (_, Err(why)) => return Err(format!("Cannot create the digital object {why}")),
        };
        let named = |code: &str, list: &str| of(code).map(|value| values.value_or_new(list, value));
        let publish = if represents { Some(true) } else { line.flag("nonrep_publish") };
        versions.push(json!({"jsonmodel_type": "file_version", "is_representative": represents, "file_uri": uri,
            "xlink_actuate_attribute": named("xlink_actuate_attribute", "file_version_xlink_actuate_attribute"),
            "xlink_show_attribute": named("xlink_show_attribute", "file_version_xlink_show_attribute"),
            "publish": publish, "use_statement": usage, "file_format_name": format,
            "file_format_version": of("file_format_version"),
            "file_size_bytes": of("file_size").and_then(|size| size.parse::<i64>().ok()),
            "checksum": of("checksum"), "checksum_method": named("checksum_method", "file_version_checksum_methods"),
            "caption": of("caption")}));
    }
    Ok(versions)
}

/// A text with tags must be well formed.
fn well_formed(text: &str) -> Result<(), String> {
    let bytes = text.as_bytes();
    let has_tag = |(at, byte): (usize, &u8)| {
        *byte == b'<' && bytes.get(at + 1).is_some_and(|next| next.is_ascii_alphabetic() || *next == b'/')
    };
    if !bytes.iter().enumerate().any(has_tag) {
        return Ok(());
    }
    let whole = format!("<root>{text}</root>");
    let mut reader = quick_xml::Reader::from_str(&whole);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Eof) => return Ok(()),
            Ok(_) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        model::StartingLists,
        sheets::{Format, Table, rows},
    };

    fn table(codes: &str, data: &str) -> Table {
        let csv = format!("field code,{codes}\n,{data}\n");
        Table::with_codes(rows(csv.into_bytes(), Format::Csv, None).expect("rows"), "field code").expect("a table")
    }

    fn values() -> Values {
        Values::new(Arc::new(StartingLists))
    }

    fn of(codes: &str, data: &str, make: impl Fn(&Line<'_>, &Values) -> Parts) -> (Vec<Value>, Vec<String>) {
        let table = table(codes, data);
        let found = make(&table.lines().next().expect("a line"), &values());
        (found.parts, found.errors)
    }

    #[test]
    fn dates_have_defaults_and_are_checked() {
        let codes = "dates_label_1,begin_1,end_1,date_type_1,expression_1,date_certainty_1,begin_2,date_type_2";
        let (found, errors) = of(codes, "Copyright,1900,1950,,,approximate,1999,single", dates);
        assert_eq!(errors, [""; 0]);
        assert_eq!((&found[0]["label"], &found[0]["date_type"]), (&json!("copyright"), &json!("inclusive")));
        assert_eq!((&found[0]["certainty"], &found[1]["date_type"]), (&json!("approximate"), &json!("single")));
        assert_eq!(found[1]["label"], "creation");
        let (found, errors) = of("begin,date_type,begin_2,date_type_2", "1900,sometime,soon,single", dates);
        assert!(found.is_empty());
        assert_eq!(
            errors[0],
            "Date type [sometime] invalid for (Date: type:sometime, label: , begin: 1900, end: , expression: ). \
             The date will not be processed."
        );
        assert!(errors[1].starts_with("Invalid date definition (begin: "), "{errors:?}");
    }

    #[test]
    fn extents_end_at_the_first_empty_group() {
        let codes = "portion,number,extent_type,dimensions,number_2,extent_type_2,number_4,extent_type_4";
        let (found, errors) = of(codes, ",3,Linear Feet,big,1,no such,9,Reels", extents);
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0],
            json!({"jsonmodel_type": "extent", "portion": "whole", "extent_type": "linear_feet", "number": "3",
                "container_summary": null, "physical_details": null, "dimensions": "big"})
        );
        assert_eq!(errors.len(), 1);
        assert!(errors[0].starts_with("Unable to validate Extent (Extent: whole 1 no such   ): INVALID"), "{errors:?}");
    }

    #[test]
    fn languages_and_notes_about_them() {
        let codes = "l_lang,l_langscript,n_langmaterial,p_langmaterial,l_lang_2,n_langmaterial_2,l_lang_3";
        let (found, errors) =
            of(codes, "English,Latin,In <b>two</b> hands,FALSE,,Spanish; Castilian,Klingonese", |line, values| {
                languages(line, Some(true), values)
            });
        assert_eq!(errors, ["Cannot validate language (Klingonese)"]);
        let both = json!({"jsonmodel_type": "language_and_script", "language": "eng", "script": "Latn"});
        assert_eq!(found[0]["language_and_script"], both);
        assert_eq!((&found[1]["notes"][0]["publish"], found.len()), (&json!(false), 3));
        assert_eq!(found[2]["language_and_script"]["language"], "spa");
    }

    #[test]
    fn notes_have_the_model_of_their_type() {
        let codes = "n_abstract,p_abstract,n_scopecontent,l_scopecontent,n_accessrestrict,b_accessrestrict,\
                     t_accessrestrict_1,t_accessrestrict_2,n_nonsense,n_odd";
        let data = "Short,FALSE,Much,What,Closed,2000,Donor,Law,x,<b>open";
        let (found, errors) = of(codes, data, |line, values| notes(line, Some(true), values));
        assert_eq!(errors[0], "Note Type 'nonsense' is not supported");
        assert!(errors[1].starts_with("odd note is not well-formed: "), "{errors:?}");
        assert_eq!((&found[0]["jsonmodel_type"], &found[0]["publish"]), (&json!("note_singlepart"), &json!(false)));
        assert_eq!((&found[1]["label"], &found[1]["publish"]), (&json!("What"), &json!(true)));
        assert_eq!(found[1]["subnotes"][0]["content"], "Much");
        let restriction = json!({"jsonmodel_type": "rights_restriction", "begin": "2000",
            "local_access_restriction_type": ["Donor", "Law"]});
        assert_eq!(found[2]["rights_restriction"], restriction);
    }

    #[test]
    fn file_versions_need_an_address_and_listed_values() {
        let codes = "rep_file_uri,rep_use_statement,rep_file_size,nonrep_file_uri,nonrep_publish";
        let sheet = table(codes, "http://a.b,image-service,12,http://c.d,t");
        let versions = file_versions(&sheet.lines().next().expect("a line"), &values()).expect("versions");
        assert_eq!((&versions[0]["file_size_bytes"], &versions[0]["is_representative"]), (&json!(12), &json!(true)));
        assert_eq!((&versions[1]["publish"], versions.len()), (&json!(true), 2));
        let sheet = table(codes, "http://a.b,nonsense,,,");
        let refused = file_versions(&sheet.lines().next().expect("a line"), &values()).expect_err("a refusal");
        assert!(
            refused.starts_with("Cannot create the digital object INVALID: file_version_use_statement"),
            "{refused}"
        );
    }
}
