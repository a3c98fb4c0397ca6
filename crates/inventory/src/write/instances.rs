//! Writing instances.

use store::{
    Session, StoreError,
    inventory::{self, Links, Record},
};

use super::{
    ATTEMPTS, Change, Intent, NotWritten, Sent,
    draft::{Draft, changes_nothing, draft, writes},
    text,
};

/// Writes instances, all or none, and the `links` of the first one; a single added one is returned as JSON. One round
/// trip to create, otherwise two.
pub async fn write_instances(
    session: &Session,
    change: Change<'_>,
    sent: &[Sent],
    links: Option<Links<'_>>,
) -> Result<Option<String>, NotWritten> {
    let ids: Vec<_> = sent.iter().map(|sent| sent.id).collect();
    for _ in 0..ATTEMPTS {
        let stored = match change.intent {
            Intent::Create => vec![None; sent.len()],
            _ => inventory::read_instances(session, &ids).await?,
        };
        let drafts = sent
            .iter()
            .zip(&stored)
            .map(|(sent, stored)| instance(change, sent, stored.as_ref()))
            .collect::<Result<Vec<_>, _>>()?;
        if links.is_none() && changes_nothing(change, &drafts, stored.first().and_then(Option::as_ref)) {
            return Ok(None);
        }
        let writes = writes(drafts);
        let records = writes.records.clone();
        match inventory::write_instances(session, writes, links).await {
            Err(StoreError::Conflict(_)) => {}
            Err(error) => return Err(NotWritten::Store(error, records)),
            Ok(added) => return Ok(added.into_iter().next()),
        }
    }
    Err(StoreError::Conflict("the instances change too often".into()).into())
}

/// A new instance in stored form, for loaders that write very many.
pub fn new_instance(change: Change<'_>, sent: &Sent) -> Result<Record, NotWritten> {
    instance(change, sent, None).map(|draft| draft.record)
}

fn instance(change: Change<'_>, sent: &Sent, stored: Option<&Record>) -> Result<Draft, NotWritten> {
    let mut draft = draft(change, sent, stored).or_else(|refused| hrid_after_rule(change, stored, refused))?;
    change.check(stored.filter(|_| draft.expected.is_some()), &draft.record)?;
    date_status(&mut draft.record, stored, change.now);
    Ok(draft)
}

/// A MARC record controls the HRID, too: the operation's rule comes before the HRID.
fn hrid_after_rule(change: Change<'_>, stored: Option<&Record>, refused: NotWritten) -> Result<Draft, NotWritten> {
    if matches!(refused, NotWritten::HridChanged { .. }) {
        change.check(stored, &Record::new())?;
    }
    Err(refused)
}

/// `statusUpdatedDate` changes only with the status.
fn date_status(record: &mut Record, stored: Option<&Record>, now: &str) {
    let dated = stored.filter(|stored| text(stored, "statusId") == text(record, "statusId"));
    let date = dated.and_then(|stored| text(stored, "statusUpdatedDate")).unwrap_or(now);
    record.insert("statusUpdatedDate".into(), date.into());
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_status_date_changes_only_with_the_status() {
        let stored = json!({"statusId": "a", "statusUpdatedDate": "then"});
        let stored = stored.as_object();
        let table = [
            (None, json!({"statusId": "a"}), "now"),
            (None, json!({}), "now"),
            (stored, json!({"statusId": "a", "statusUpdatedDate": "sent"}), "then"),
            (stored, json!({"statusId": "b"}), "now"),
            (stored, json!({}), "now"),
        ];
        for (stored, sent, expected) in table {
            let Value::Object(mut record) = sent else { unreachable!() };
            date_status(&mut record, stored, "now");
            assert_eq!(record["statusUpdatedDate"], expected);
        }
    }
}
