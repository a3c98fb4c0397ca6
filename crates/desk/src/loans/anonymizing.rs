//! Anonymization by the library's settings: batches of loans and requests, one statement each. The rule runs in the
//! database: `store/sql/replaceable/set_rules/anonymizing.sql`.

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

/// Loans or requests per transaction, small enough to keep desk operations from waiting long.
const BATCH: i32 = 5_000;

/// Sorts after every stored date.
const END_OF_TIME: &str = "~";

/// The library's anonymization settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Forgets {
    /// Settings for loans.
    pub loans: LoanHistory,
    /// How long closed requests keep their requester, as an SQL interval; `None` keeps it forever.
    pub requests: Option<String>,
}

/// Result of anonymizing loans.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Anonymized {
    /// IDs of the anonymized loans.
    pub loans: Vec<Uuid>,
    /// IDs of the other loans, by the reason they keep their borrower.
    pub kept: Vec<(String, Vec<Value>)>,
}

/// Reads the library's anonymization settings. One round trip.
pub async fn forgets(session: &Session) -> Result<Forgets, StoreError> {
    let row = session.get(READ_ANONYMIZATION, &[]).await?;
    let read = |column| -> Result<Option<Value>, StoreError> {
        let text: Option<String> = row.column(column)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    };
    let loans = match read("loans")? {
        Some(setting) => setting,
        None => read("older_loans")?.unwrap_or_default(),
    };
    Ok(Forgets { loans: LoanHistory::read(&loans), requests: request_delay(&read("requests")?.unwrap_or_default()) })
}

/// Loans that still name their borrowers, in batches, earliest return first.
pub struct PastLoans {
    rules: Value,
    now: String,
    before: String,
    after: (String, Uuid),
}

impl PastLoans {
    /// Starts with the loans that may be due for anonymization.
    pub fn due(history: &LoanHistory, now: Timestamp) -> Self {
        Self {
            rules: history.rules(),
            now: stored(now).to_string(),
            before: history.nothing_from(now).unwrap_or_else(|| END_OF_TIME.into()),
            after: (String::new(), Uuid::nil()),
        }
    }

    /// Anonymizes the loans of the next batch that the rules release; `None` after the last batch. One round trip.
    ///
    /// # Errors
    /// [`StoreError`]. Earlier batches stay anonymized.
    pub async fn next(&mut self, session: &Session) -> Result<Option<Anonymized>, StoreError> {
        let (date, id) = &self.after;
        let parameters: [store::db::Parameter<'_>; 6] = [&self.rules, &self.now, &self.before, date, id, &BATCH];
        let row = session.get(ANONYMIZE_DUE_LOANS, &parameters).await?;
        let examined: i64 = row.column("examined")?;
        if examined == 0 {
            return Ok(None);
        }
        self.after = (row.column("last_date")?, row.column("last_id")?);
        let kept: Value = row.column("kept")?;
        let kept = kept.as_object().into_iter().flatten();
        let kept = kept.map(|(reason, ids)| (reason.clone(), ids.as_array().cloned().unwrap_or_default()));
        Ok(Some(Anonymized { loans: row.column("anonymized")?, kept: kept.collect() }))
    }

    /// Continues with the loans that cannot be due yet, to report why.
    fn go_on_with_others(&mut self) {
        self.before = END_OF_TIME.into();
    }
}

/// Anonymizes due loans, stopping within one batch after `at_most` loans, and reports the result for each loan. One
/// round trip for the settings, then one per five thousand loans.
///
/// # Errors
/// [`StoreError`]. Earlier batches stay anonymized.
pub async fn anonymize_and_tell(session: &Session, at_most: usize, now: Timestamp) -> Result<Anonymized, StoreError> {
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
    /// Adds a batch with at most `at_most` of its kept loans; returns the number of kept loans added.
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

/// Anonymizes the next batch of closed requests that are due; `None` after the last batch. One round trip.
pub async fn anonymize_requests(session: &Session, delay: &str, now: Timestamp) -> Result<Option<i64>, StoreError> {
    let at = stored(now).to_string();
    let stamp = json!({"updatedDate": at});
    let anonymized: i64 = session.value(ANONYMIZE_DUE_REQUESTS, &[&at, &delay, &stamp, &BATCH]).await?;
    Ok(Some(anonymized).filter(|anonymized| *anonymized > 0))
}
