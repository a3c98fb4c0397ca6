//! The files that authorities come from, such as that of the Library of Congress, and the numbers that a library's own give
//! (contract 10.2).

use refusals::Refused;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    statements::authorities::{ADD_SOURCE_FILE, CHANGE_SOURCE_FILE, NEXT_NUMBER, REMOVE_SOURCE_FILE, SOURCE_FILE_USES},
};
use uuid::Uuid;

use crate::{
    Failed,
    refusal::{
        CODE_INVALID, HAS_AUTHORITIES, IS_FOLIOS, NO_NUMBERS, NOT_PATCHABLE, SOURCE_FILE_ARCHIVED,
        SOURCE_FILE_CODE_TAKEN, SOURCE_FILE_EXISTS, SOURCE_FILE_IN_USE, SOURCE_FILE_NAME_TAKEN, SOURCE_FILE_UNKNOWN,
        SOURCE_FILE_URL_TAKEN, STALE, URL_INVALID, URL_WITHOUT_PROTOCOL,
    },
};

/// A source file and what refers to it.
struct Used {
    record: Map<String, Value>,
    has_authorities: bool,
    is_archived: bool,
}

impl Used {
    async fn read(session: &Session, id: Uuid) -> Result<Self, Failed> {
        let row = session.find(SOURCE_FILE_USES, &[&id]).await?;
        let row = row.ok_or_else(|| SOURCE_FILE_UNKNOWN.with("id", id))?;
        let record = match row.get("doc") {
            Value::Object(record) => record,
            _ => Map::new(),
        };
        Ok(Self { record, has_authorities: row.get("has_authorities"), is_archived: row.get("is_archived") })
    }

    fn is_folios(&self) -> bool {
        self.record.get("source").is_some_and(|source| source == "folio")
    }

    fn version(&self) -> i64 {
        self.record.get("_version").and_then(Value::as_i64).unwrap_or_default()
    }
}

/// A new source file of the library's own, from what was sent: with one code, and the number that its numbers begin with.
///
/// # Errors
/// [`Refused`] if the code or the address is none.
pub fn made(mut sent: Map<String, Value>) -> Result<Map<String, Value>, Refused> {
    let code = sent.remove("code").unwrap_or_default();
    sent.insert("codes".to_owned(), json!([checked_code(&code)?]));
    sent.insert("source".to_owned(), json!("local"));
    sent.insert("_version".to_owned(), json!(0));
    let start = sent.get("hridManagement").and_then(|numbers| numbers["startNumber"].as_i64()).unwrap_or(1);
    sent.insert("hridManagement".to_owned(), json!({"startNumber": start}));
    address(&mut sent)?;
    sent.retain(|_, value| !value.is_null());
    Ok(sent)
}

fn checked_code(code: &Value) -> Result<&str, Refused> {
    let code = code.as_str().unwrap_or_default();
    match !code.is_empty() && code.chars().all(char::is_alphabetic) {
        true => Ok(code),
        false => Err(CODE_INVALID.with("code", code).into()),
    }
}

/// Brings the address into its form: protocol, host and path, with a slash at the end. An empty one is none.
fn address(record: &mut Map<String, Value>) -> Result<(), Refused> {
    let Some(sent) = record.get("baseUrl").and_then(Value::as_str) else { return Ok(()) };
    if sent.trim().is_empty() {
        record.remove("baseUrl");
        return Ok(());
    }
    let (protocol, rest) = sent.split_once(':').ok_or(URL_WITHOUT_PROTOCOL)?;
    let rest = rest.strip_prefix("//").filter(|_| matches!(protocol, "http" | "https"));
    let rest = rest.ok_or_else(|| URL_INVALID.with("protocol", protocol))?;
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let slash = if path.is_empty() || path.ends_with('/') { "" } else { "/" };
    record.insert("baseUrl".to_owned(), format!("{protocol}://{host}/{path}{slash}").into());
    Ok(())
}

/// A source file with what a client changes of it.
fn patched(used: &Used, sent: &Map<String, Value>) -> Result<Map<String, Value>, Refused> {
    let start = sent.get("hridManagement").map(|numbers| &numbers["startNumber"]).filter(|start| !start.is_null());
    if used.is_folios() || used.has_authorities {
        let name = sent.get("name").filter(|_| used.is_folios());
        let members = [("name", name), ("code", sent.get("code")), ("hridManagement.startNumber", start)];
        let kept = members.into_iter().filter_map(|(member, value)| {
            let value = value.filter(|value| !value.is_null())?;
            Some((member, value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        });
        if let Some(refusal) = NOT_PATCHABLE.about_all(kept) {
            return Err(refusal.into());
        }
    }
    let mut record = used.record.clone();
    for member in ["name", "type", "baseUrl", "selectable"] {
        if let Some(value) = sent.get(member).filter(|value| !value.is_null()) {
            record.insert(member.to_owned(), value.clone());
        }
    }
    if let Some(code) = sent.get("code").filter(|code| !code.is_null()) {
        record.insert("codes".to_owned(), json!([checked_code(code)?]));
    }
    if let Some(start) = start {
        record.insert("hridManagement".to_owned(), json!({"startNumber": start}));
    }
    address(&mut record)?;
    Ok(record)
}

fn taken(error: StoreError) -> Failed {
    let StoreError::Duplicate { constraint, .. } = &error else { return error.into() };
    let wording = match constraint.as_str() {
        "authority_source_file_pkey" => SOURCE_FILE_EXISTS,
        "authority_source_file_name_key" => SOURCE_FILE_NAME_TAKEN,
        "authority_source_file_host_key" => SOURCE_FILE_URL_TAKEN,
        "authority_source_file_code_pkey" => SOURCE_FILE_CODE_TAKEN,
        _ => return error.into(),
    };
    wording.into()
}

/// Adds a source file. One round trip.
///
/// # Errors
/// [`Failed::Refused`] if its id, name, address or code is another's.
pub async fn add(session: &Session, id: Uuid, record: &Map<String, Value>) -> Result<(), Failed> {
    let added = session.execute(ADD_SOURCE_FILE, &[&id, &Value::Object(record.clone())]).await;
    added.map(|_| ()).map_err(taken)
}

/// Changes some members of a source file. A new start of its numbers counts from then on. Two round trips.
///
/// # Errors
/// [`Failed::Refused`] if there is none, it has changed since, the members are not to be changed, or a value is another's.
pub async fn patch(session: &Session, id: Uuid, sent: &Map<String, Value>, metadata: &Value) -> Result<(), Failed> {
    let used = Used::read(session, id).await?;
    let changed = patched(&used, sent)?;
    let (stored, version) = (used.version(), sent.get("_version").and_then(Value::as_i64).unwrap_or_default());
    let stale = |stored: i64| STALE.with("id", id).with("stored", stored).with("sent", version);
    if version < stored {
        return Err(stale(stored).into());
    }
    let written = session.execute(CHANGE_SOURCE_FILE, &[&id, &Value::Object(changed), &stored, metadata]).await;
    match written.map_err(taken)? {
        // Somebody was faster.
        0 => Err(stale(stored + 1).into()),
        _ => Ok(()),
    }
}

/// Deletes a source file. Two round trips.
///
/// # Errors
/// [`Failed::Refused`] if there is none, it is FOLIO's, or authorities are of it.
pub async fn delete(session: &Session, id: Uuid) -> Result<(), Failed> {
    let used = Used::read(session, id).await?;
    if used.has_authorities {
        return Err(HAS_AUTHORITIES.into());
    }
    if used.is_folios() {
        return Err(IS_FOLIOS.with("source", "FOLIO").into());
    }
    if used.is_archived {
        return Err(SOURCE_FILE_ARCHIVED.into());
    }
    match session.execute(REMOVE_SOURCE_FILE, &[&id]).await {
        Ok(_) => Ok(()),
        Err(StoreError::ForeignKey { .. }) => Err(SOURCE_FILE_IN_USE.into()),
        Err(error) => Err(error.into()),
    }
}

/// The next number of a source file, after its code. One round trip.
///
/// # Errors
/// [`Failed::Refused`] if there is none, or it gives no numbers.
pub async fn next_number(session: &Session, id: Uuid) -> Result<String, Failed> {
    let row = session.find(NEXT_NUMBER, &[&id]).await?.ok_or_else(|| SOURCE_FILE_UNKNOWN.with("id", id))?;
    let number: Option<String> = row.get("number");
    number.ok_or_else(|| NO_NUMBERS.with("id", id).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_address(sent: &str) -> Result<Value, Refused> {
        let mut record = Map::from_iter([("baseUrl".to_owned(), Value::from(sent))]);
        address(&mut record).map(|()| record.remove("baseUrl").unwrap_or_default())
    }

    #[test]
    fn addresses_have_one_form() {
        for (sent, stored) in [
            ("http://id.loc.gov/authorities/names/", json!("http://id.loc.gov/authorities/names/")),
            ("https://www.example.org:8080/a?b#c", json!("https://example.org/a/")),
            ("https://example.org", json!("https://example.org/")),
            (" ", Value::Null),
        ] {
            assert_eq!(with_address(sent), Ok(stored), "{sent}");
        }
        assert_eq!(with_address("example.org"), Err(URL_WITHOUT_PROTOCOL.into()));
        assert_eq!(with_address("gopher://x"), Err(URL_INVALID.with("protocol", "gopher").into()));
    }

    #[test]
    fn codes_are_letters() {
        let sent = |code: &str| json!({"name": "Own", "code": code}).as_object().cloned().unwrap_or_default();
        let made_of = made(sent("own")).map(Value::Object);
        assert_eq!(
            made_of,
            Ok(json!({"name": "Own", "codes": ["own"], "source": "local", "_version": 0,
                "hridManagement": {"startNumber": 1}}))
        );
        for code in ["", "a1", "a b", "-"] {
            assert!(made(sent(code)).is_err_and(|refused| refused.has(&[CODE_INVALID])), "{code}");
        }
    }

    #[test]
    fn what_is_in_use_keeps_its_code() {
        let used = |source: &str, has_authorities| Used {
            record: json!({"name": "A", "codes": ["a"], "source": source}).as_object().cloned().unwrap_or_default(),
            has_authorities,
            is_archived: false,
        };
        let sent = json!({"name": "B", "code": "b", "selectable": true, "hridManagement": {"startNumber": 5}});
        let sent = sent.as_object().cloned().unwrap_or_default();
        let changed = patched(&used("local", false), &sent).map(Value::Object);
        assert_eq!(
            changed,
            Ok(json!({"name": "B", "codes": ["b"], "source": "local", "selectable": true,
                "hridManagement": {"startNumber": 5}}))
        );
        let kept = |used: &Used| {
            let entries = patched(used, &sent).expect_err("members that stay").entries();
            let [entry] = entries.as_slice() else { panic!("{entries:?}") };
            entry.parameters.iter().map(|(member, _)| member.clone()).collect::<Vec<_>>()
        };
        assert_eq!(kept(&used("folio", false)), ["name", "code", "hridManagement.startNumber"]);
        assert_eq!(kept(&used("local", true)), ["code", "hridManagement.startNumber"]);
        let only_switch = json!({"selectable": true, "name": null}).as_object().cloned().unwrap_or_default();
        assert!(patched(&used("folio", true), &only_switch).is_ok());
    }
}
