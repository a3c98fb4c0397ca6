//! Takes the prefix `ns2:`, which old imports left in notes, from the notes of all repositories (`ns2_remover_job`).

use serde_json::{Map, Value};
use store::statements::archives::NOTES_WITH_PREFIX;

use crate::jobs::running::{Done, Ended, Failure, Running};

use super::changes::{change, tell_end, tell_refused};

const KINDS: [&str; 4] = ["archival_object", "digital_object", "digital_object_component", "resource"];
const PREFIX: &str = "ns2:";

/// Takes the prefix from all texts of a note; returns whether it was there as the prefix of an attribute.
fn without_prefix(note: &mut Value) -> bool {
    fn texts(value: &mut Value, act: &mut dyn FnMut(&mut String)) {
        match value {
            Value::String(text) => act(text),
            Value::Array(items) => items.iter_mut().for_each(|item| texts(item, act)),
            Value::Object(members) => members.values_mut().for_each(|member| texts(member, act)),
            _ => {}
        }
    }
    let mut found = false;
    texts(note, &mut |text| found |= text.contains(" ns2:"));
    if found {
        texts(note, &mut |text| *text = text.replace(PREFIX, ""));
    }
    found
}

/// Takes the prefix from the notes of a record; returns how many had it.
fn clean(record: &mut Map<String, Value>) -> usize {
    let notes = record.get_mut("notes").and_then(Value::as_array_mut);
    notes.into_iter().flatten().map(without_prefix).filter(|found| *found).count()
}

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    let dry = running.work["dry_run"] == true;
    let author = running.author();
    let transaction = running.session.begin().await?;
    let rows = transaction.query(NOTES_WITH_PREFIX, &[&KINDS.as_slice()]).await?;
    let found: Vec<(String, i64)> = rows.iter().map(|row| (row.get("kind"), row.get("id"))).collect();
    let ids: Vec<(&str, i64)> = found.iter().map(|(kind, id)| (kind.as_str(), *id)).collect();
    let mut many = 0;
    let changed = change(running, &transaction, &ids, &author, |_, record| {
        if dry {
            let shown = record.get("title").and_then(Value::as_str).unwrap_or_default().to_owned();
            let count = clean(record);
            running.log.line(&format!("{count} note(s) of {shown} would change"));
            many += count;
            return false;
        }
        let count = clean(record);
        many += count;
        count > 0
    });
    let changed = changed.await?;
    tell_refused(running, &changed.refused);
    let would = if dry { " would be" } else { "" };
    running.log.line(&format!("{many} note(s){would} modified.\n{}", "=".repeat(32)));
    if dry {
        running.log.line("Dry run complete, no records modified.");
    } else {
        tell_end(running, changed.records.len());
    }
    running.finish(transaction, Done { records: changed.records, ..Done::default() }).await
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_notes_with_the_prefix_change() {
        let record = json!({"title": "ns2: stays", "notes": [
            {"subnotes": [{"content": "<extref ns2:href=\"x\">a</extref>"}]}, {"content": ["about ns2 in general"]}]});
        let mut record = record.as_object().cloned().expect("an object");
        assert_eq!(clean(&mut record), 1);
        assert_eq!(record["notes"][0]["subnotes"][0]["content"], "<extref href=\"x\">a</extref>");
        assert_eq!(clean(&mut record), 0);
        assert_eq!(record["title"], "ns2: stays");
    }
}
