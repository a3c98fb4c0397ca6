//! Values that leave their list: from the moment that is noted, no record gets them any more (`archival_leaving_values.sql`); those
//! who were saving records at that moment are waited for; then nothing is missed by who looks for records that have them.

use std::{collections::HashSet, future::Future, time::Duration};

use serde_json::{Value, json};
use store::{
    Session, StoreError,
    statements::{
        archives::RECORD_WRITERS,
        writes::{BEGIN_TO_LEAVE, STAY_LISTED},
    },
};
use tokio::time::{Instant, sleep};

use crate::{model::listed::places_of_list, refusal::Refusal};

/// How long those who are saving records are waited for. Large imports take longer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is looked whether they still are.
const MOMENT: Duration = Duration::from_millis(20);

/// Removes values from a list with `remove`, when nobody can save a record with one of them any more. If it fails, they stay.
/// Three round trips and those of `remove`; more while records are being saved.
///
/// # Errors
/// Those of `remove`; records are being saved for too long.
pub(super) async fn leaving<T>(
    session: &Session,
    list: &str,
    values: &[&str],
    remove: impl Future<Output = Result<T, Refusal>>,
) -> Result<T, Refusal> {
    let places: Value =
        places_of_list(list).into_iter().map(|(kind, path)| json!({"kind": kind, "path": path})).collect();
    session.execute(BEGIN_TO_LEAVE, &[&list, &values, &places]).await?;
    let removed = async {
        wait(session).await?;
        remove.await
    };
    match removed.await {
        Ok(removed) => Ok(removed),
        Err(refusal) => {
            session.execute(STAY_LISTED, &[&list, &values]).await?;
            Err(refusal)
        }
    }
}

/// Waits for those who are saving records now.
async fn wait(session: &Session) -> Result<(), Refusal> {
    let before = writers(session).await?;
    let end = Instant::now() + PATIENCE;
    while !before.is_empty() && !before.is_disjoint(&writers(session).await?) {
        if Instant::now() > end {
            let text = "Records are being saved that may have the value; try again when that is done";
            return Err(Refusal::Conflict(text.to_owned()));
        }
        sleep(MOMENT).await;
    }
    Ok(())
}

async fn writers(session: &Session) -> Result<HashSet<String>, StoreError> {
    Ok(session.values(RECORD_WRITERS, &[]).await?.into_iter().collect())
}
