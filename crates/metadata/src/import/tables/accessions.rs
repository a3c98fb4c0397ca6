//! Rows of accessions.

use serde_json::{Value, json};

use super::{
    super::{
        Reason,
        record::{object, set, set_text},
    },
    Made, agents,
    rows::{As, Row},
};

const MEMBERS: &[(&str, As)] = &[
    ("title", As::Text),
    ("accession_date", As::Day),
    ("access_restrictions", As::Bit),
    ("access_restrictions_note", As::Text),
    ("acquisition_type", As::Text),
    ("condition_description", As::Text),
    ("content_description", As::Text),
    ("disposition", As::Text),
    ("general_note", As::Text),
    ("inventory", As::Text),
    ("provenance", As::Text),
    ("publish", As::Yes),
    ("resource_type", As::Text),
    ("language", As::Text),
    ("script", As::Text),
    ("restrictions_apply", As::Bit),
    ("retention_rule", As::Text),
    ("use_restrictions", As::Bit),
    ("use_restrictions_note", As::Text),
];

pub(super) fn read(row: &Row, made: &mut Made<'_, '_>) -> Result<(), Reason> {
    let mut accession = object("accession");
    row.put(&mut accession, "accession_", MEMBERS);
    for number in 0..4 {
        set_text(&mut accession, &format!("id_{number}"), row.text(&format!("accession_number_{}", number + 1)));
    }
    agents::agent(row, &mut accession, made)?;
    agents::subject(row, &mut accession, made);
    agents::language(row, "lang_material_", &mut accession);
    agents::dates(row, "inclusive", &mut accession);
    agents::extent(row, &mut accession);
    agents::management(row, "accession_", &mut accession);
    agents::user_defined(row, As::Bit, As::Text, As::Text, &mut accession);
    check_dates(accession.get("dates"), made)?;
    let address = made.own("accessions");
    set(&mut accession, "uri", json!(address));
    made.records.push(Value::Object(accession));
    agents::events(row, "accession_", "inclusive", &address, made);
    Ok(())
}

/// Refuses types of dates that there are not: here they are not added to the list.
fn check_dates(dates: Option<&Value>, made: &Made<'_, '_>) -> Result<(), Reason> {
    for date in dates.and_then(Value::as_array).into_iter().flatten() {
        let kind = date["date_type"].as_str().unwrap_or_default();
        let known = &made.options.date_types;
        if !known.iter().any(|of| of == kind) {
            let told = known.iter().map(|of| format!("\"{of}\"")).collect::<Vec<_>>().join(", ");
            return Err(Reason(format!("Invalid date type provided: {kind}; must be one of: [{told}]")));
        }
    }
    Ok(())
}
