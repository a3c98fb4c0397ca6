//! A digital object for each row, of a component that exists (`bulk_import_job` with `load_type` `digital`).

use serde_json::json;

use super::{
    Added, Sink, Stop, Target,
    components::no_data,
    links::Links,
    parts,
    report::{Object, Report, RowReport},
    wanted::{Component, id_of},
};
use crate::{
    import::ImportError,
    sheets::{Line, Table},
};

/// In the first cell of the row with field codes.
pub(crate) const MARKER: &str = "ArchivesSpace digital object import field codes";

/// Works on all rows; returns what became of them, and what components get.
///
/// # Errors
/// The import ends without saving anything.
pub(crate) fn read(
    table: &Table,
    target: &Target,
    mut links: Links<'_>,
    sink: &mut dyn Sink,
) -> Result<(Report, Vec<Added>), ImportError> {
    let mut report = Report { only_validates: target.only_validates, ..Report::default() };
    let (mut added, mut processed, mut last) = (Vec::new(), 0, 0);
    for line in table.lines() {
        last = line.number;
        let mut row = RowReport { number: line.number, ..RowReport::default() };
        match one(&line, target, &mut links, sink, &mut row) {
            Ok(made) => {
                added.extend(made);
                processed += 1;
            }
            Err(Stop::Row(why) | Stop::Sheet(why)) => row.errors.push(why),
            Err(Stop::Import(error)) => return Err(error),
        }
        report.rows.push(row);
    }
    if processed == 0 {
        report.terminal = Some(no_data(last, &report));
    }
    Ok((report, added))
}

fn one(
    line: &Line<'_>,
    target: &Target,
    links: &mut Links<'_>,
    sink: &mut dyn Sink,
    report: &mut RowReport,
) -> Result<Option<Added>, Stop> {
    let mut wrong = Vec::new();
    wrong.extend(target.matches(line.get("ead"), line.get("res_uri")).err());
    let (ref_id, uri) = (line.get("ao_ref_id"), line.get("ao_uri"));
    if ref_id.is_none() && uri.is_none() {
        wrong.push("Neither an archival object URI nor a Ref ID was provided".to_owned());
    }
    if !target.only_validates && !wrong.is_empty() {
        return Err(Stop::Row(format!(
            "Row {} will not be processed due to errors: {}",
            line.number,
            wrong.join("; ")
        )));
    }
    let component = component(links, ref_id, uri);
    match component {
        Some(found) => {
            let uri = format!("/repositories/{}/archival_objects/{}", target.repository, found.id);
            report.object = Some(Object { uri, display: found.display.clone(), ref_id: found.ref_id.clone() });
        }
        None => {
            let named = uri.map(|uri| format!(" with uri {uri}")).or(ref_id.map(|id| format!(" with Ref ID  {id}")));
            let why = format!("Cannot find archival object {}", named.unwrap_or_default());
            if !target.only_validates {
                return Err(Stop::Row(why));
            }
            wrong.push(why);
        }
    }
    report.errors.extend(wrong);
    let values = links.values;
    let mut of_row = |found: parts::Parts| {
        report.errors.extend(found.errors);
        found.parts
    };
    let (dates, extents, notes) = (
        of_row(parts::dates(line, values)),
        of_row(parts::extents(line, values)),
        of_row(parts::digital_notes(line, values)),
    );
    let subjects = links.subjects(line, sink, report)?;
    let agents = links.agents(line, sink, report)?;
    let listed = |code: &str, list: &str| line.get(code).map(|value| values.value_or_new(list, value));
    let more = json!({"level": listed("level", "digital_object_level"),
        "digital_object_type": listed("digital_object_type", "digital_object_digital_object_type"),
        "restrictions": line.flag("restrictions"), "dates": dates, "extents": extents, "notes": notes,
        "subjects": subjects, "linked_agents": agents});
    let component = component_id(report);
    let title = report.object.as_ref().map(|of| of.display.clone()).unwrap_or_default();
    let Some((instance, digital_object)) = links.digital_object(line, &title, more, sink, report)? else {
        if target.only_validates {
            report.errors.push("Digital Object would not be created".to_owned());
        }
        return Ok(None);
    };
    if !target.only_validates {
        report.info.push("Digital object added to archival object".to_owned());
    }
    Ok(component.map(|component| Added { component, row: line.number, instance, made: Some(digital_object) }))
}

fn component_id(report: &RowReport) -> Option<i64> {
    id_of(&report.object.as_ref()?.uri)
}

/// The component that a row names: its address counts more than its identifier.
fn component<'a>(links: &Links<'a>, ref_id: Option<&str>, uri: Option<&str>) -> Option<&'a Component> {
    match (uri, ref_id) {
        (Some(uri), _) => links.known.components.get(&id_of(uri)?),
        (None, Some(ref_id)) => match links.known.ref_ids.get(ref_id)?.as_slice() {
            [one] => Some(one),
            _ => None,
        },
        (None, None) => None,
    }
}
