//! Lists of records: what has changed, then what was deleted.

use jiff::Timestamp;
use serde_json::Value;
use store::{
    Session,
    statements::archives::{HARVEST_DELETIONS, HARVEST_LEVELS, HARVEST_PAGE},
};

use super::{
    Here, Parts, Wrong,
    answer::Answer,
    config,
    request::{Format, Request, Verb},
    single::{Records, around_ead},
    token::{Position, Token, moment},
};
use crate::refusal::Refusal;

const NO_MATCH: Wrong = ("noRecordsMatch", "Nothing that is offered fits the dates and the set.");
/// How many deletions a list gives at once.
const DELETIONS: usize = 100;

/// The levels of which records are offered. One round trip.
pub(super) async fn levels(session: &Session) -> Result<Vec<String>, Refusal> {
    Ok(session.values(HARVEST_LEVELS, &[]).await?)
}

/// Which records are in a set; none of the three: all.
#[derive(Debug, Default)]
struct InSet {
    level: Option<String>,
    repositories: Option<Vec<String>>,
    sponsors: Option<Vec<String>>,
}

/// A record or a deletion in a list.
struct Entry {
    kind: &'static str,
    id: i64,
    repository: i64,
    address: String,
    time: Timestamp,
}

/// The records of a set, by its name; `None`: there is no such set. One round trip if a set is asked for.
async fn in_set(session: &Session, set: Option<&str>, config: &Value) -> Result<Option<InSet>, Refusal> {
    let Some(set) = set else { return Ok(Some(InSet::default())) };
    if levels(session).await?.iter().any(|level| level == set) {
        return Ok(Some(InSet { level: Some(set.to_owned()), ..InSet::default() }));
    }
    if let Some(configured) = config::repositories(config).filter(|configured| configured.name == set) {
        return Ok(Some(InSet { repositories: Some(configured.members), ..InSet::default() }));
    }
    let sponsors = config::sponsors(config).filter(|configured| configured.name == set);
    Ok(sponsors.map(|configured| InSet { sponsors: Some(configured.members), ..InSet::default() }))
}

/// A page of a list. At most ten round trips.
pub(super) async fn page(
    session: &Session,
    request: Request,
    here: &Here,
    mut answer: Answer,
) -> Result<Parts, Refusal> {
    let config = config::read(session).await?;
    let mut token = request.token;
    let Some(set) = in_set(session, token.set.as_deref(), &config).await? else {
        answer.error(NO_MATCH);
        return Ok(answer.end());
    };
    let entries = changed(session, request.format, &set, &mut token).await?;
    let mut deletions = Vec::new();
    let mut more = true;
    if let Position::Deletion(_) = token.at {
        // Behind the last records it is only asked whether there are any.
        let most = if entries.is_empty() { DELETIONS } else { 0 };
        (deletions, more) = deleted(session, request.format, most, &mut token).await?;
    }
    if entries.is_empty() && deletions.is_empty() {
        answer.error(NO_MATCH);
        return Ok(answer.end());
    }
    let prefix = config["oai_record_prefix"].as_str().unwrap_or_default().to_owned();
    let next = more.then(|| token.text());
    let rest = |answer: &mut Answer, element: &str| {
        answer.token(next.as_deref());
        answer.close(element);
    };
    if request.verb == Verb::ListIdentifiers {
        answer.open("ListIdentifiers");
        entries.iter().for_each(|entry| answer.header(&prefix, &entry.address, entry.time, false));
        deletions.iter().for_each(|entry| answer.header(&prefix, &entry.address, entry.time, true));
        rest(&mut answer, "ListIdentifiers");
        return Ok(answer.end());
    }
    answer.open("ListRecords");
    for entry in &deletions {
        answer.open("record");
        answer.header(&prefix, &entry.address, entry.time, true);
        answer.close("record");
    }
    match (request.format, entries.first()) {
        (Format::Ead, Some(entry)) => {
            answer.open("record");
            answer.header(&prefix, &entry.address, entry.time, false);
            let rest = |answer: &mut Answer| {
                answer.close("record");
                rest(answer, "ListRecords");
            };
            return around_ead(session, (entry.repository, entry.id), here, answer, rest).await;
        }
        (Format::Of(format), Some(_)) => {
            let which: Vec<(&str, i64)> = entries.iter().map(|entry| (entry.kind, entry.id)).collect();
            let records = Records::read(session, &which).await?;
            records.each(format, here, |address, element| {
                let entry = entries.iter().find(|entry| entry.address == address);
                let Some(entry) = entry else { return };
                answer.open("record");
                answer.header(&prefix, &entry.address, entry.time, false);
                answer.metadata(element);
                answer.close("record");
            });
        }
        _ => {}
    }
    rest(&mut answer, "ListRecords");
    Ok(answer.end())
}

/// The next records; the token is then behind them, or at the deletions if there are no more. A round trip for each type.
async fn changed(session: &Session, format: Format, set: &InSet, token: &mut Token) -> Result<Vec<Entry>, Refusal> {
    let mut entries: Vec<Entry> = Vec::new();
    while let Position::Record(place, time, id) = token.at {
        let Some(kind) = format.kinds().get(place).copied() else {
            token.at = Position::Deletion(0);
            break;
        };
        let room = format.page().saturating_sub(entries.len());
        let asked = i64::try_from(room).unwrap_or(0) + 1;
        let (from, before, last) = (token.from(), token.before(), moment(time));
        let parameters: [store::db::Parameter<'_>; 9] =
            [&kind, &from, &before, &last, &id, &set.level, &set.repositories, &set.sponsors, &asked];
        let rows = session.query(HARVEST_PAGE, &parameters).await?;
        let folder = if kind == "resource" { "resources" } else { "archival_objects" };
        entries.extend(rows.iter().take(room).map(|row| {
            let (id, repository): (i64, i64) = (row.get("id"), row.get("repository"));
            let address = format!("/repositories/{repository}/{folder}/{id}");
            Entry { kind, id, repository, address, time: row.get("system_mtime") }
        }));
        if rows.len() <= room {
            token.at = Position::Record(place + 1, 0, 0);
            continue;
        }
        if let Some(last) = entries.last().filter(|last| last.kind == kind) {
            token.at = Position::Record(place, last.time.as_microsecond(), last.id);
        }
        break;
    }
    Ok(entries)
}

/// The next deletions, and whether there are more behind them; the token is then behind them. One round trip.
async fn deleted(
    session: &Session,
    format: Format,
    most: usize,
    token: &mut Token,
) -> Result<(Vec<Entry>, bool), Refusal> {
    let Position::Deletion(last) = token.at else { return Ok((Vec::new(), false)) };
    let pattern = match format {
        Format::Ead => r"^/repositories/\d+/resources/\d+$",
        Format::Of(_) => r"^/repositories/\d+/(resources|archival_objects)/\d+$",
    };
    let asked = i64::try_from(most).unwrap_or(0) + 1;
    let parameters: [store::db::Parameter<'_>; 5] = [&pattern, &token.from(), &token.before(), &last, &asked];
    let rows = session.query(HARVEST_DELETIONS, &parameters).await?;
    let entries = rows.iter().take(most).map(|row| {
        token.at = Position::Deletion(row.get("seq"));
        Entry { kind: "", id: 0, repository: 0, address: row.get("uri"), time: row.get("deleted") }
    });
    let entries: Vec<Entry> = entries.collect();
    Ok((entries, rows.len() > most))
}
