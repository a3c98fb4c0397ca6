//! MARCXML of what is described: a record becomes a resource or an accession with its agents and subjects.

use serde_json::{Value, json};

use super::{
    element::Element,
    fields::{Field, Marc},
    headings::{Nature, agents, subjects},
    record::{Batch, Draft, Reason, push, set, set_text},
    templates::{Kind, NOTES, OTHER_TITLES, Rule, SPONSOR, say},
};

/// Fields with numbers of shelves, the first that is there first.
const SHELVES: [&str; 7] = ["099", "090", "092", "096", "098", "050", "082"];

/// Reads a record.
pub(super) fn read(element: &Element, mut draft: Draft, batch: &mut Batch<'_, '_>) -> Result<(), Reason> {
    let record = Marc(element);
    let nature = Nature::of(record);
    let needs_date = title(record, &mut draft);
    if draft.is_resource {
        resource(record, &mut draft);
    } else {
        accession(record, &mut draft, &batch.options.today);
    }
    let published = record.fields(&["264"]).flat_map(|field| field.texts("c").collect::<Vec<_>>());
    for text in published.filter(|text| needs_date && !text.trim().is_empty()) {
        let date = json!({"jsonmodel_type": "date", "label": "publication", "date_type": "single", "expression": text});
        draft.push("dates", date);
    }
    for field in record.fields(&["300"]) {
        draft.push("extents", extent(field, batch)?);
    }
    for field in record.fields(&["546"]) {
        let text = say("{$3: }{$a }{($b)}.", field, &[]);
        let note = json!({"jsonmodel_type": "note_langmaterial", "type": "langmaterial", "content": [text]});
        draft.push("lang_materials", json!({"jsonmodel_type": "lang_material", "notes": [note]}));
    }
    same_once(&mut draft, "dates");
    headings(record, nature, &mut draft, batch);
    if !draft.has("title") {
        let others = OTHER_TITLES.iter().flat_map(|(tag, template)| {
            record.fields(&[tag]).map(|field| say(template, field, &[])).collect::<Vec<_>>()
        });
        set_text(&mut draft.record, "title", others.into_iter().find(|title| !title.is_empty()));
    }
    if !draft.has("id_0") {
        let id = format!("imported-{}", (batch.options.ids)());
        set(&mut draft.record, "id_0", json!(id));
    }
    batch.add(&draft.path, draft.record);
    Ok(())
}

/// Reads only the agents and subjects of a record.
pub(super) fn read_headings(element: &Element, mut draft: Draft, batch: &mut Batch<'_, '_>) -> Result<(), Reason> {
    let record = Marc(element);
    headings(record, Nature::of(record), &mut draft, batch);
    Ok(())
}

fn headings(record: Marc<'_>, nature: Nature, draft: &mut Draft, batch: &mut Batch<'_, '_>) {
    for link in agents(record, nature, batch) {
        draft.push("linked_agents", link);
    }
    for subject in subjects(record, nature, batch) {
        draft.push("subjects", json!({"ref": subject}));
    }
}

/// The title, the dates and the number. Returns whether the title came without dates.
fn title(record: Marc<'_>, draft: &mut Draft) -> bool {
    if draft.is_resource {
        coded_date(record, draft);
    }
    let number = record.fields(&["852"]).map(|field| field.by_code("khijm".chars(), "_"));
    let number = number.filter(|number| !number.is_empty()).last();
    let shelves = SHELVES.iter().flat_map(|tag| record.fields(&[tag]).collect::<Vec<_>>());
    let shelf = shelves.map(|field| field.by_code('a'..='z', "_")).find(|number| !number.is_empty());
    set_text(&mut draft.record, "id_0", number.or(shelf));
    let mut needs_date = false;
    for field in record.fields(&["245"]) {
        let title = say("{$a : }{$b }{[$h] }{$k , }{$n , }{$p , }{$s }{/ $c}", field, &[]);
        set_text(&mut draft.record, "title", Some(title));
        let (all, bulk) = (say("{$f}", field, &[]), say("{$g}", field, &[]));
        needs_date = all.is_empty() && bulk.is_empty();
        for (kind, text) in [("inclusive", all), ("bulk", bulk)] {
            if !text.is_empty() {
                date(draft, kind, &text);
            }
        }
    }
    needs_date
}

/// A date in words: that of the control field in other words, or one of its own.
fn date(draft: &mut Draft, kind: &str, text: &str) {
    let first = draft.record.get_mut("dates").and_then(|dates| dates.as_array_mut()?.first_mut());
    match first.filter(|date| (date["date_type"] == "bulk") == (kind == "bulk")) {
        Some(date) => date["expression"] = text.into(),
        None => {
            let date = json!({"jsonmodel_type": "date", "label": "creation", "date_type": kind, "expression": text});
            draft.push("dates", date);
        }
    }
}

/// The date and the language of the control field 008.
fn coded_date(record: Marc<'_>, draft: &mut Draft) {
    let Some(control) = record.control("008") else { return };
    let control: Vec<char> = control.trim().chars().collect();
    let part = |from: usize, to: usize| -> String { control.iter().take(to).skip(from).collect() };
    let language = part(35, 38);
    let language = if language.trim().is_empty() { "und".to_owned() } else { language };
    let language = json!({"jsonmodel_type": "language_and_script", "language": language});
    draft.push("lang_materials", json!({"jsonmodel_type": "lang_material", "language_and_script": language}));
    let kind = match part(6, 7).as_str() {
        "i" => "inclusive",
        "k" => "bulk",
        "s" => "single",
        _ => return,
    };
    let is_year = |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let (begin, end) = (part(7, 11), part(11, 15));
    let mut date = json!({"jsonmodel_type": "date", "label": "creation", "date_type": kind});
    // 19uu is a date in words.
    let member = if is_year(&begin) { "begin" } else { "expression" };
    if !begin.trim().is_empty() {
        date[member] = begin.into();
    }
    if is_year(&end) {
        date["end"] = end.into();
    }
    draft.push("dates", date);
}

/// What only resources have.
fn resource(record: Marc<'_>, draft: &mut Draft) {
    let leader = record.leader().unwrap_or_default();
    let level = if leader.trim().chars().nth(7) == Some('m') { "item" } else { "collection" };
    set(&mut draft.record, "level", json!(level));
    let last = |code: &str| record.fields(&["040"]).filter_map(|field| field.last(code)).last();
    set_text(&mut draft.record, "finding_aid_description_rules", last("e"));
    set(&mut draft.record, "finding_aid_language", json!(last("b").unwrap_or_else(|| "und".to_owned())));
    set(&mut draft.record, "finding_aid_script", json!("Zyyy"));
    let sponsor = record.fields(&["536"]).map(|field| say(SPONSOR, field, &[])).last();
    set_text(&mut draft.record, "finding_aid_sponsor", sponsor);
    for rule in NOTES {
        let fields = record.all().filter(|field| match rule.template {
            Some(_) => field.tag == rule.tag,
            None => field.tag.starts_with(rule.tag),
        });
        for field in fields.filter(|field| (rule.when)(*field)) {
            if let Some(note) = note(rule, field) {
                draft.push("notes", note);
            }
        }
    }
}

fn note(rule: &Rule, field: Field<'_>) -> Option<Value> {
    let text = rule.template.map_or_else(|| field.whole(), |template| say(template, field, rule.words));
    // What is left of a template without values.
    if !text.chars().any(char::is_alphanumeric) {
        return None;
    }
    let mut note = match rule.kind {
        Kind::Multipart(kind) => json!({"jsonmodel_type": "note_multipart", "type": kind,
            "subnotes": [{"jsonmodel_type": "note_text", "content": text}]}),
        Kind::Singlepart(kind) => json!({"jsonmodel_type": "note_singlepart", "type": kind, "content": [text]}),
        Kind::Bibliography => json!({"jsonmodel_type": "note_bibliography", "content": [text]}),
    };
    let label = rule.label_of(field);
    if !label.is_empty() {
        note["label"] = label.into();
    }
    Some(note)
}

/// What only accessions have.
fn accession(record: Marc<'_>, draft: &mut Draft, today: &str) {
    let joined = |tag: &str| {
        let tags = [tag];
        let fields = record.fields(&tags).flat_map(|field| field.subfields().collect::<Vec<_>>());
        let texts = fields.map(|(_, text)| text).filter(|text| !text.is_empty());
        texts.collect::<Vec<_>>().join(" ")
    };
    set_text(&mut draft.record, "access_restrictions_note", Some(joined("506")));
    if record.fields(&["506"]).any(|field| field.indicator(1) == "1") {
        set(&mut draft.record, "access_restrictions", json!(true));
    }
    set_text(&mut draft.record, "content_description", Some(joined("520")));
    set_text(&mut draft.record, "use_restrictions_note", Some(joined("540")));
    if record.fields(&["540"]).next().is_some() {
        set(&mut draft.record, "use_restrictions", json!(true));
    }
    let provenance = [joined("541"), joined("561")].into_iter().filter(|text| !text.is_empty());
    set_text(&mut draft.record, "provenance", Some(provenance.collect::<Vec<_>>().join(" ")));
    set(&mut draft.record, "accession_date", json!(today));
}

/// An extent: a number and a unit in `a`, or a number in `a` and a unit of the value list in `f`.
fn extent(field: Field<'_>, batch: &Batch<'_, '_>) -> Result<Value, Reason> {
    let mut extent = json!({"jsonmodel_type": "extent", "portion": "whole"});
    let unit: String = field.texts("f").collect();
    match (field.first("a"), field.first("f")) {
        (Some(text), None) => {
            let is_number = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
            let (number, rest) = text.split_at(text.find(|c| !is_number(c)).unwrap_or(text.len()));
            if number.is_empty() {
                return Err(Reason(format!("The extent field (300, {text}) could not be parsed.")));
            }
            extent["number"] = number.into();
            if rest.starts_with(char::is_whitespace) && !rest.trim().is_empty() {
                extent["extent_type"] = rest.trim_start().into();
            }
        }
        (Some(_), Some(_)) => {
            let number: String = field.texts("a").collect();
            let plain = number.strip_prefix(['+', '-']).unwrap_or(&number);
            let is_number = plain.parse::<f64>().is_ok() && plain.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            if !is_number {
                return Err(Reason(format!("No numeric value found in field 300, subfield a ({number})")));
            }
            let words = unit.replace('_', " ").to_lowercase();
            let words: String = words.chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect();
            if !(batch.options.is_extent_type)(words.trim()) {
                return Err(Reason(format!(
                    "Extent type in field 300, subfield f ({unit}) is not found in the extent type controlled vocabulary."
                )));
            }
            extent["number"] = number.into();
            extent["extent_type"] = unit.into();
        }
        _ => {}
    }
    let summary = say("{$3: }{$a }{$b, }{$c }({$e, }{$f, }{$g})", field, &[]);
    if !summary.is_empty() {
        extent["container_summary"] = summary.into();
    }
    Ok(extent)
}

/// Leaves out what is twice in a list.
fn same_once(draft: &mut Draft, name: &str) {
    let Some(Value::Array(list)) = draft.record.remove(name) else { return };
    let mut kept: Vec<Value> = Vec::new();
    for value in list {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    for value in kept {
        push(&mut draft.record, name, value);
    }
}
