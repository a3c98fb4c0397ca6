//! Finding records by identifiers, and the feed of deleted records (contract 3.5).

use jiff::Timestamp;
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    archives::found_by,
    statements::archives::{BY_EXTERNAL_ID, DELETIONS},
};

use crate::{
    arks,
    records::{Page, Place, Seen},
    refusal::Refusal,
};

/// How many records are found at most.
const FOUND_AT_MOST: i64 = 10_000;
/// How many records with one identifier of another system are told.
const TOLD_AT_MOST: i64 = 10;
/// The parts of an identifier.
const PARTS: usize = 4;

/// The records of a repository that have one of the values in each of the members, as references, in the order of their
/// ids. One round trip.
///
/// # Errors
/// Records of the type are not found by one of the members.
pub async fn find(
    session: &Session,
    place: Place,
    wanted: &[(&str, Vec<String>)],
    seen: Seen,
) -> Result<Vec<Value>, Refusal> {
    let members: Vec<&str> = wanted.iter().map(|(member, _)| *member).collect();
    let Some(sql) = found_by(place.kind, &members) else {
        return Ok(Vec::new());
    };
    let all = seen.all();
    let mut parameters: Vec<store::db::Parameter<'_>> = vec![&place.repository, &all, &FOUND_AT_MOST];
    parameters.extend(wanted.iter().map(|(_, values)| values as store::db::Parameter<'_>));
    let uris: Vec<String> = session.values(&sql, &parameters).await?;
    Ok(uris.into_iter().map(|uri| json!({"ref": uri})).collect())
}

/// An identifier as clients write it, a JSON list of up to four parts, as it is stored: with all four. `None` for other JSON.
///
/// # Errors
/// [`Refusal`] of a bare identifier, as people write it: it would find nothing, and nobody would know why.
pub fn whole_identifier(text: &str) -> Result<Option<String>, Refusal> {
    let sent: Value = serde_json::from_str(text).map_err(|error| Refusal::unreadable(&error))?;
    Ok(whole(sent))
}

fn whole(sent: Value) -> Option<String> {
    let parts: Vec<Option<String>> = serde_json::from_value(sent).ok()?;
    let has_nul = parts.iter().flatten().any(|part| part.contains('\0'));
    if parts.is_empty() || parts.len() > PARTS || has_nul {
        return None;
    }
    let mut parts: Vec<Option<String>> = parts.into_iter().map(|part| part.filter(|part| !part.is_empty())).collect();
    parts.resize(PARTS, None);
    Some(json!(parts).to_string())
}

/// An ARK as it is looked for: from `ark:` on, whatever address is before it.
pub fn whole_ark(text: &str) -> String {
    arks::key(text)
}

/// The addresses of records with an identifier of another system, of these types or of any. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn by_external_id(
    session: &Session,
    id: &str,
    types: Option<Vec<String>>,
    seen: Seen,
) -> Result<Vec<String>, StoreError> {
    let wanted = json!([{"external_id": id}]);
    session.values(BY_EXTERNAL_ID, &[&wanted, &types, &seen.all(), &TOLD_AT_MOST]).await
}

/// The addresses of records deleted since a moment, a page of them. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn deletions(session: &Session, page: Page, since: Timestamp) -> Result<Value, StoreError> {
    let skipped = (page.number.max(1) - 1).saturating_mul(page.size);
    let row = session.get(DELETIONS, &[&since, &skipped, &page.size]).await?;
    let (total, uris): (i64, Vec<String>) = (row.get("total"), row.get("uris"));
    let mut answer = page.answer(total, json!(uris));
    if let Some(members) = answer.as_object_mut() {
        members.remove("total");
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_has_four_parts() {
        for (sent, stored) in [
            (r#"["MS","1"]"#, Some(r#"["MS","1",null,null]"#)),
            (r#"["MS","1","",null]"#, Some(r#"["MS","1",null,null]"#)),
            (r#"["a","b","c","d"]"#, Some(r#"["a","b","c","d"]"#)),
            (r#"["a","b","c","d","e"]"#, None),
            ("[]", None),
            ("MS", None),
            (r#"{"id_0": "MS"}"#, None),
        ] {
            assert_eq!(whole_identifier(sent).ok().flatten().as_deref(), stored, "{sent}");
        }
        assert!(whole_identifier("MS").is_err());
    }
}
