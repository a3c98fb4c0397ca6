//! Paying, waiving, transferring, refunding and cancelling fees (docs/folio/fees-fines.md#actions-upon-accounts).

use std::collections::HashMap;

use circulation::fees::{
    action::{self, Allowed, Decision, Subject},
    request::{Action, ActionRequest},
};
use jiff::Timestamp;
use serde_json::{Map, Value};
use store::{
    Session, StoreError,
    statements::{fees::READ_ACCOUNTS, writes::WRITE_ACCOUNTS},
};
use uuid::Uuid;

use crate::{Columns, Failed, Operator, at_rest::until_at_rest, updated};

/// A fee action after it was written.
#[derive(Debug)]
pub struct Acted {
    /// The decision behind it.
    pub decision: Decision,
    /// The fee action records, with their IDs.
    pub movements: Value,
}

/// Checks whether an action is possible, without writing. One round trip.
pub async fn check_action(
    session: &Session,
    (action, accounts): (Action, &[String]),
    amount: &str,
) -> Result<Allowed, Failed> {
    let subjects = read(session, accounts).await?;
    Ok(action::check(action, &subjects, amount)?)
}

/// Performs an action on accounts. Two round trips.
pub async fn act_upon_accounts(
    session: &Session,
    (action, accounts): (Action, &[String]),
    request: &ActionRequest,
    operator: Operator,
    now: Timestamp,
) -> Result<Acted, Failed> {
    until_at_rest("the accounts", || async {
        let subjects = read(session, accounts).await?;
        let decision = action::decide(action, &subjects, request, now)?;
        let movements = movements(&decision);
        let before = subjects.iter().filter_map(|(_, subject)| subject.as_ref());
        let before = before.map(|subject| subject.account.record().clone()).collect();
        let stamp = updated(operator, now);
        let after = decision.accounts.iter().map(|account| {
            let mut account = account.clone();
            account.stamp(stamp.clone());
            account.into_record()
        });
        let (before, after): (Value, Value) = (before, after.collect());
        session.query(WRITE_ACCOUNTS, &[&before, &after, &movements]).await?;
        Ok(Acted { decision, movements })
    })
    .await
}

/// Reads the accounts, in the order they are named.
async fn read(session: &Session, accounts: &[String]) -> Result<Vec<(String, Option<Subject>)>, StoreError> {
    let ids: Vec<_> = accounts.iter().map(|id| Uuid::parse_str(id).ok()).collect();
    let known: Vec<_> = ids.iter().copied().flatten().collect();
    let rows = session.query(READ_ACCOUNTS, &[&known]).await?;
    let mut subjects = HashMap::new();
    for row in &rows {
        let account = row.record("account")?.unwrap_or_default();
        let movements = row.record("movements")?.unwrap_or_default();
        subjects.insert(row.column::<Uuid>("id")?, Subject { account, movements });
    }
    let subject = |id: Uuid| subjects.get(&id).cloned();
    let named = accounts.iter().cloned().zip(ids);
    Ok(named.map(|(text, id)| (text, id.and_then(subject))).collect())
}

fn movements(decision: &Decision) -> Value {
    let with_id = |movement: &Map<String, Value>| {
        let mut movement = movement.clone();
        movement.insert("id".into(), store::new_id().to_string().into());
        Value::Object(movement)
    };
    decision.movements.iter().map(with_id).collect()
}
