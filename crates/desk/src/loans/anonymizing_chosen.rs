//! Anonymizing the loans or the request that a client chooses (docs/folio/anonymization.md#by-a-client).

use circulation::{
    dates::stored,
    loans::anonymization::{INVALID_REQUEST_ID, INVALID_USER_ID, NO_VALID_LOAN_IDS, refuse_open_request},
    requests::refusal::NO_SUCH_REQUEST,
};
use jiff::Timestamp;
use serde_json::json;
use store::{Session, StoreError, record};
use uuid::Uuid;

use super::Anonymized;
use crate::Failed;

/// Anonymizes a user's closed loans without fees or fines, at most five thousand; reports the others with the reason
/// they keep their borrower. Two round trips.
pub async fn anonymize_user(session: &Session, user: &str) -> Result<Anonymized, StoreError> {
    let Some(user) = uuid(user) else {
        return Ok(Anonymized::default());
    };
    let loans = store::circulation::closed_loans_of(session, user).await?;
    let (kept, free): (Vec<_>, Vec<_>) = loans.into_iter().partition(|(_, has_fees)| *has_fees);
    let free: Vec<_> = free.into_iter().map(|(id, _)| id).collect();
    let mut done =
        Anonymized { loans: store::circulation::anonymize_loans(session, &free).await?, ..Anonymized::default() };
    if !kept.is_empty() {
        let kept = kept.iter().map(|(id, _)| json!(id)).collect();
        let reason = "haveAssociatedFeesAndFines".to_owned();
        done.kept.push((reason, kept));
    }
    Ok(done)
}

/// Anonymizes all closed loans of a user, with or without fees. One round trip.
pub async fn anonymize_all_of_user(session: &Session, user: &str) -> Result<(), Failed> {
    let id = uuid(user).ok_or_else(|| INVALID_USER_ID.with("userId", user))?;
    Ok(store::circulation::anonymize_loans_of(session, id).await?)
}

/// Anonymizes the closed loans among these IDs and returns the valid and invalid IDs. As in FOLIO, every valid ID
/// counts as done, although an open loan keeps its borrower. One round trip.
pub async fn anonymize_listed<'i>(session: &Session, ids: &[&'i str]) -> Result<(Vec<&'i str>, Vec<&'i str>), Failed> {
    let (valid, invalid): (Vec<&str>, Vec<&str>) = ids.iter().partition(|id| uuid(id).is_some());
    if valid.is_empty() {
        let listed = format!("[{}]", ids.join(", "));
        return Err(NO_VALID_LOAN_IDS.with("loanIds", listed).into());
    }
    let loans: Vec<_> = valid.iter().filter_map(|id| uuid(id)).collect();
    store::circulation::anonymize_loans(session, &loans).await?;
    Ok((valid, invalid))
}

/// Anonymizes a closed request. One round trip.
pub async fn anonymize_request(session: &Session, request: &str, now: Timestamp) -> Result<(), Failed> {
    let invalid = |_| INVALID_REQUEST_ID.with("requestId", request);
    let id = Uuid::try_parse(request).map_err(invalid)?;
    let at = stored(now).to_string();
    let status = store::circulation::anonymize_request(session, id, &at).await?;
    let status = status.ok_or_else(|| NO_SUCH_REQUEST.with("id", id))?;
    let refused = refuse_open_request(&status);
    Ok(refused.map_err(|wording| wording.with("requestId", request))?)
}

fn uuid(text: &str) -> Option<Uuid> {
    Uuid::parse_str(text).ok().filter(|_| record::is_uuid(text))
}
