//! Subjects, the terms they are made of, and the vocabularies of both (contract 3.3, 4.8).

use serde_json::{Map, Value, json};
use store::{
    Session,
    statements::{
        archives::{FIND_TERMS, READ_RECORDS, VOCABULARIES, VOCABULARY_TERMS},
        writes::WRITE_SUBJECT,
    },
};

use crate::{
    model::{Checked, Uri},
    records::{self, Author, Place},
    refusal::Refusal,
};

const SUBJECTS: Place = Place { kind: "subject", repository: None };
const TERMS: Place = Place { kind: "term", repository: None };
/// How many terms a search shows.
const SHOWN: i64 = 20;

/// Adds a subject, and those of its terms that there are not yet; returns its id. One round trip, and one more if the
/// subject names terms by their addresses.
pub async fn add(session: &Session, checked: Checked, author: &Author) -> Result<i64, Refusal> {
    let (subject, terms) = prepared(session, checked.record).await?;
    let (id, version): (Option<i64>, i32) = (None, 0);
    let (name, now) = (&author.name, &author.now);
    records::first_id(session.value(WRITE_SUBJECT, &[&subject, &id, &version, &terms, name, now]).await)
}

/// Replaces a subject of the version that the client read; returns the new version. Round trips as of [`add`].
pub async fn change(session: &Session, id: i64, checked: Checked, author: &Author) -> Result<i64, Refusal> {
    let version = Refusal::read_version(checked.lock_version)?;
    let (subject, terms) = prepared(session, checked.record).await?;
    let version = i32::try_from(version).unwrap_or(-1);
    let (id, name, now) = (Some(id), &author.name, &author.now);
    let written = session.value(WRITE_SUBJECT, &[&subject, &id, &version, &terms, name, now]).await;
    records::changed(written, SUBJECTS.kind)
}

/// A subject and its terms, as `write_subject` takes them.
async fn prepared(session: &Session, mut record: Map<String, Value>) -> Result<(Value, Value), Refusal> {
    let sent = record.get("terms").and_then(Value::as_array).cloned().unwrap_or_default();
    let terms = whole_terms(session, sent).await?;
    let entries: Result<Vec<_>, _> = terms.iter().map(|term| records::prepare(TERMS, term.clone())).collect();
    record.insert("terms".to_owned(), json!(terms));
    Ok((records::prepare(SUBJECTS, record)?, Value::Array(entries?)))
}

/// Terms with what tells them apart, each sent whole or as its address.
async fn whole_terms(session: &Session, sent: Vec<Value>) -> Result<Vec<Map<String, Value>>, Refusal> {
    let addresses: Vec<&str> = sent.iter().filter_map(Value::as_str).collect();
    let mut ids = Vec::with_capacity(addresses.len());
    for address in &addresses {
        let target = Uri::parse(address).filter(|target| target.kind.name == TERMS.kind);
        ids.push(target.ok_or_else(|| Refusal::MissingReference((*address).to_owned()))?.id);
    }
    let kinds = vec![TERMS.kind; ids.len()];
    let read: Vec<Value> =
        if ids.is_empty() { Vec::new() } else { session.values(READ_RECORDS, &[&kinds, &ids]).await? };
    let whole = |term: &Value| -> Result<Map<String, Value>, Refusal> {
        let found = match term.as_str() {
            None => Some(term),
            // An address may have a fragment.
            Some(address) => read.iter().find(|one| one["uri"].as_str() == address.split('#').next()),
        };
        let found = found.ok_or_else(|| Refusal::MissingReference(term.as_str().unwrap_or_default().to_owned()))?;
        let member = |name: &str| Some((name.to_owned(), found.get(name)?.clone()));
        Ok(["term", "term_type", "vocabulary"].into_iter().filter_map(member).collect())
    };
    sent.iter().map(whole).collect()
}

/// The first terms that begin with a text, as a page of a list. One round trip.
pub async fn find_terms(session: &Session, beginning: &str) -> Result<Value, Refusal> {
    // A sign of patterns, and so no part of what clients look for.
    let beginning = beginning.replace('%', "");
    let found = session.get(FIND_TERMS, &[&beginning, &SHOWN]).await?;
    let (total, records): (i64, Value) = (found.get("total"), found.get("records"));
    let last = ((total + SHOWN - 1) / SHOWN).max(1);
    Ok(json!({"first_page": 1, "last_page": last, "this_page": 1, "total": total, "results": records}))
}

/// All terms of a vocabulary. One round trip.
pub async fn terms_of(session: &Session, vocabulary: i64) -> Result<Value, Refusal> {
    let terms: Vec<Value> = session.values(VOCABULARY_TERMS, &[&format!("/vocabularies/{vocabulary}")]).await?;
    Ok(terms.into())
}

/// All vocabularies, or the one with an identifier of another system. One round trip.
pub async fn vocabularies(session: &Session, ref_id: Option<&str>) -> Result<Value, Refusal> {
    let found: Vec<Value> = session.values(VOCABULARIES, &[&ref_id]).await?;
    Ok(found.into())
}
