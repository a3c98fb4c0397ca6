//! Anonymizing, from the read of what the library has set to the write: batches of loans and requests, each one statement.

use circulation::{
    dates::stored,
    loans::anonymization::{LoanHistory, request_delay},
};
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    statements::circulation::{ANONYMIZE_DUE_LOANS, ANONYMIZE_DUE_REQUESTS, READ_ANONYMIZATION},
};
use uuid::Uuid;

use crate::Columns;

/// How many loans or requests one transaction looks at: few enough that the desk never waits long.
const BATCH: i32 = 5_000;

/// After every date as it is stored.
const END_OF_TIME: &str = "~";

/// What the library has set.
#[derive(Debug, Clone, PartialEq)]
pub struct Forgets {
    /// For loans.
    pub loans: LoanHistory,
    /// How long after its end a request forgets who asked, as SQL writes it; `None` for never.
    pub requests: Option<String>,
}

/// What became of the loans that were looked at.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Anonymized {
    /// Those that no longer name anybody.
    pub loans: Vec<Uuid>,
    /// The others, by the reasons why they do.
    pub kept: Vec<(String, Vec<Value>)>,
}

/// Reads what the library has set. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn forgets(session: &Session) -> Result<Forgets, StoreError> {
    let row = session.get(READ_ANONYMIZATION, &[]).await?;
    let read = |column| -> Result<Option<Value>, StoreError> {
        let text: Option<String> = row.column(column)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    };
    let loans = match read(0)? {
        Some(setting) => setting,
        None => read(1)?.unwrap_or_default(),
    };
    Ok(Forgets {
        loans: LoanHistory::read(&loans),
        requests: request_delay(&read(2)?.unwrap_or_default()),
    })
}

/// The loans of a library that still name their borrowers, a batch at a time, those returned first in front.
pub struct PastLoans {
    rules: Value,
    now: String,
    before: String,
    after: (String, Uuid),
}

impl PastLoans {
    /// All that may have to be anonymized.
    #[must_use]
    pub fn due(history: &LoanHistory, now: Timestamp) -> Self {
        Self {
            rules: history.rules(),
            now: stored(now).to_string(),
            before: history
                .nothing_from(now)
                .unwrap_or_else(|| END_OF_TIME.into()),
            after: (String::new(), Uuid::nil()),
        }
    }

    /// Anonymizes those of the next batch that the rules let go; `None` when there are no more. One round trip.
    ///
    /// # Errors
    /// [`StoreError`]. What has been anonymized by then stays so.
    pub async fn next(&mut self, session: &Session) -> Result<Option<Anonymized>, StoreError> {
        let (date, id) = &self.after;
        let parameters: [store::db::Parameter<'_>; 6] =
            [&self.rules, &self.now, &self.before, date, id, &BATCH];
        let row = session.get(ANONYMIZE_DUE_LOANS, &parameters).await?;
        let examined: i64 = row.column(2)?;
        if examined == 0 {
            return Ok(None);
        }
        self.after = (row.column(3)?, row.column(4)?);
        let kept: Value = row.column(1)?;
        let kept = kept.as_object().into_iter().flatten();
        let kept =
            kept.map(|(reason, ids)| (reason.clone(), ids.as_array().cloned().unwrap_or_default()));
        Ok(Some(Anonymized {
            loans: row.column(0)?,
            kept: kept.collect(),
        }))
    }

    /// From now on also those that cannot be due yet, to be told why.
    fn go_on_with_others(&mut self) {
        self.before = END_OF_TIME.into();
    }
}

/// Anonymizes what is due, looking at so many loans and a batch more, and tells of each what became of it. One round trip for
/// the settings, then one for every five thousand loans.
///
/// # Errors
/// [`StoreError`]. What has been anonymized by then stays so.
pub async fn anonymize_and_tell(
    session: &Session,
    at_most: usize,
    now: Timestamp,
) -> Result<Anonymized, StoreError> {
    let history = forgets(session).await?.loans;
    let mut all = Anonymized::default();
    if history.is_off() {
        return Ok(all);
    }
    let mut loans = PastLoans::due(&history, now);
    let (mut told, mut due) = (0, true);
    while all.loans.len() < at_most && (due || told < at_most) {
        match loans.next(session).await? {
            Some(batch) => told += all.add(batch, at_most.saturating_sub(told)),
            None if due => {
                due = false;
                loans.go_on_with_others();
            }
            None => break,
        }
    }
    Ok(all)
}

impl Anonymized {
    /// Adds a batch, and of those that keep their borrower at most so many; how many these were.
    fn add(&mut self, batch: Anonymized, at_most: usize) -> usize {
        self.loans.extend(batch.loans);
        let mut added = 0;
        for (reason, mut ids) in batch.kept {
            ids.truncate(at_most - added);
            added += ids.len();
            match self.kept.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, known)) => known.extend(ids),
                None => self.kept.push((reason, ids)),
            }
        }
        added
    }
}

/// Takes the people out of the next batch of closed requests whose time has come; `None` when there are no more. One round
/// trip.
///
/// # Errors
/// [`StoreError`].
pub async fn anonymize_requests(
    session: &Session,
    delay: &str,
    now: Timestamp,
) -> Result<Option<i64>, StoreError> {
    let at = stored(now).to_string();
    let stamp = json!({"updatedDate": at});
    let row = session
        .get(ANONYMIZE_DUE_REQUESTS, &[&at, &delay, &stamp, &BATCH])
        .await?;
    let anonymized: i64 = row.column(0)?;
    Ok(Some(anonymized).filter(|anonymized| *anonymized > 0))
}
