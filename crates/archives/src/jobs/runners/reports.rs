//! Makes a report (`report_job`).

use std::{collections::HashMap, io, pin::pin, sync::Arc};

use futures_util::TryStreamExt;
use serde_json::{Map, Value, json};
use store::{
    db::Parameter,
    statements::archives::{
        LISTED_TEXTS,
        reports::{COUNT_ACCESSIONS, PARTS, RATING_LABEL, RECORDS},
    },
};

use super::{
    print::{printer, tell_missing},
    sheets::{failed, text},
};
use crate::{
    jobs::{
        run::parameters,
        running::{Done, Ended, Failure, Running},
    },
    model::{Uri, record_type},
    records::{self, Place, Seen},
    refusal::Refusal,
    reports::{
        asked::{self, Where, is_on},
        custom::{Chosen, Rows, Template, listed_ids},
        declared::{Of, Report, find},
        formats::{FORMATS, Format, Head, NotWritten, Spool, write},
        readable::readable,
        told::{Tell, Told},
    },
};

/// The sub-reports of so many rows are read at once.
const BATCH: usize = 100;

/// Refuses a report or a format that there is not.
pub(super) fn check(work: &Map<String, Value>) -> Result<(), Refusal> {
    let text = |name: &str| work.get(name).and_then(Value::as_str).unwrap_or_default();
    if find(text("report_type")).is_none() {
        return Err(Refusal::parameter("report_type", format!("No such report: {}", text("report_type"))));
    }
    if Format::of(text("format")).is_none() {
        let wrong = format!("Invalid value '{}'.  Must be one of: {}", text("format"), FORMATS.join(", "));
        return Err(Refusal::parameter("format", wrong));
    }
    Ok(())
}

/// The permissions that a report needs in the repository of its job, beside those to make reports, and the other repository that it is
/// about, if it is. Is given the record of the job; of another type of job nothing is needed.
pub fn needs(job: &Value) -> (&'static [&'static str], Option<i64>) {
    let work = &job["job"];
    let report = work["report_type"].as_str().filter(|_| work["jsonmodel_type"] == "report_job").and_then(find);
    let needed = report.map(|report| report.needs).unwrap_or_default();
    (needed, report.and_then(|report| about(&parameters(job), report)))
}

impl From<NotWritten> for Failure {
    fn from(error: NotWritten) -> Self {
        match error {
            NotWritten::Canceled => Self::Canceled,
            other => Self::Failed(other.to_string()),
        }
    }
}

fn unwritten(error: io::Error) -> Failure {
    NotWritten::File(error).into()
}

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    running.log.line("Generating report");
    let work = running.work.as_object().cloned().unwrap_or_default();
    check(&work).map_err(failed)?;
    let report = text(&running.work["report_type"]).as_deref().and_then(find);
    let format = text(&running.work["format"]).as_deref().and_then(Format::of);
    let (Some(report), Some(format)) = (report, format) else { return Err(failed(Refusal::no("report"))) };
    let folder = running.setting.folder.clone();
    let mut spool = Spool::new(folder.as_deref()).map_err(unwritten)?;
    let mut info = match report.of {
        Of::Template => custom(running, &mut spool).await?,
        _ => rows(running, (report, format), &mut spool).await?,
    };
    if report.of != Of::Library || report.needs.is_empty() {
        let place = Place { kind: "repository", repository: None };
        let about = about(&running.parameters, report).unwrap_or(running.repository);
        let repository = records::get(running.session, place, about, Seen::All).await.map_err(failed)?;
        info.insert("repository".to_owned(), repository["name"].clone());
    }
    let head = Head {
        title: report.title,
        info,
        heading: report.heading,
        pages: report.pages,
        lists_as_json: is_on(&running.parameters["csv_show_json"]),
    };
    // A PDF takes a processor for a while, and waits for its turn as finding aids do.
    let printer = if format == Format::Pdf { Some(printer(running).await?) } else { None };
    let progress = Arc::clone(&running.setting.progress);
    let writing = tokio::task::spawn_blocking(move || {
        let rows = spool.finish()?;
        let written = write(format, &head, &rows, folder.as_deref(), || !progress.is_canceled());
        drop(printer);
        written
    });
    let written = writing.await.map_err(|error| unwritten(io::Error::other(error)))??;
    tell_missing(running, &written.missing);
    running.log.line("Adding report file.\nDone.");
    let transaction = running.session.begin().await?;
    running.finish(transaction, Done { files: vec![written.file], ..Done::default() }).await
}

/// Whether suppressed records are in the report: only if the client says so.
fn with_suppressed(running: &Running<'_>) -> bool {
    is_on(&running.parameters["include_suppressed"])
}

/// The repository that a report is about, if it is another than that of the job.
fn about(parameters: &Value, report: &Report) -> Option<i64> {
    match asked::places(parameters) {
        Ok(Where::Repository(repository)) if report.of == Of::Holdings => Some(repository),
        _ => None,
    }
}

/// What the locations of the report must have. Two round trips at most.
async fn locations(running: &Running<'_>) -> Result<Value, Failure> {
    let equal = |member: &str, text: &str| json!([{"member": member, "low": text, "high": text}]);
    let (first, last) = match asked::places(&running.parameters).map_err(Failure::Failed)? {
        Where::Building(building) => return Ok(equal("building", &building)),
        Where::Repository(_) => return Ok(json!([])),
        Where::Between(first, last) => (first, last),
    };
    let read = async |uri: String| {
        let id = Uri::parse(&uri).filter(|uri| uri.kind.name == "location").map(|uri| uri.id);
        let id = id.ok_or_else(|| Failure::Failed(format!("No location: {uri}")))?;
        let place = Place { kind: "location", repository: None };
        let record = records::get(running.session, place, id, Seen::All).await.map_err(failed)?;
        Ok::<_, Failure>((id, record))
    };
    let (id, first) = read(first).await?;
    match last {
        Some(last) => Ok(asked::between(&first, &read(last).await?.1)),
        None => Ok(equal("id", &id.to_string())),
    }
}

/// The rows of a report that a statement makes, one after the other.
async fn rows(
    running: &Running<'_>,
    (report, format): (&Report, Format),
    spool: &mut Spool,
) -> Result<Map<String, Value>, Failure> {
    let (asked_for, suppressed) = (&running.parameters, with_suppressed(running));
    let today = (running.setting.now)().to_zoned(jiff::tz::TimeZone::UTC).date().to_string();
    let (from, to) = match report.of {
        Of::Period => asked::period(asked_for, &today),
        Of::Scope | Of::Assessments | Of::Rating => asked::scope(asked_for).map_err(Failure::Failed)?,
        _ => (None, None),
    };
    let mut info = Map::new();
    if let (Some(from), Some(to)) = (&from, &to) {
        info.insert("scoped_by_date_range".to_owned(), format!("{from} & {to}").into());
    }
    let (mut rating, mut values, mut places) = (0, Vec::new(), Value::Null);
    match report.of {
        Of::Rating => {
            (rating, values) = asked::rating(asked_for).map_err(Failure::Failed)?;
            let label: Vec<String> = running.session.values(RATING_LABEL, &[&rating]).await?;
            info.insert("scoped_by_rating".to_owned(), label.concat().into());
            info.insert("showing_values".to_owned(), values.join(", ").into());
        }
        Of::Holdings => places = locations(running).await?,
        _ => {}
    }
    let repository = about(&running.parameters, report).unwrap_or(running.repository);
    let is_table = format == Format::Csv;
    let parameters: Vec<Parameter<'_>> = match report.of {
        Of::Library | Of::Template => Vec::new(),
        Of::Repository => vec![&repository, &suppressed],
        Of::Period | Of::Scope => vec![&repository, &suppressed, &from, &to],
        Of::Assessments => vec![&repository, &suppressed, &from, &to, &is_table],
        Of::Rating => vec![&repository, &suppressed, &from, &to, &rating, &values],
        Of::Holdings => vec![&repository, &suppressed, &places],
    };
    let mut told = Told::default();
    let mut found = pin!(running.session.stream(report.statement, &parameters).await?);
    while let Some(row) = found.try_next().await? {
        if let Value::Object(row) = row.get("row") {
            told.take(&row);
            spool.row(&readable(row, report.labels)).map_err(unwritten)?;
        }
        if running.setting.progress.is_canceled() {
            return Err(Failure::Canceled);
        }
    }
    told.finish(report.tells, spool.many(), &mut info);
    if report.tells.contains(&Tell::Accessions) {
        let all: i64 = running.session.value(COUNT_ACCESSIONS, &[&repository]).await?;
        info.insert("total_count".to_owned(), all.into());
    }
    Ok(info)
}

/// The rows of a report that staff put together.
async fn custom(running: &Running<'_>, spool: &mut Spool) -> Result<Map<String, Value>, Failure> {
    let id = text(&running.parameters["template"]).and_then(|id| id.rsplit('/').next()?.parse::<i64>().ok());
    let id = id.ok_or_else(|| Failure::Failed("A template is needed for a custom report".to_owned()))?;
    let place = Place { kind: "custom_report_template", repository: Some(running.repository) };
    let record = records::get(running.session, place, id, Seen::All).await.map_err(failed)?;
    let data: Value = record["data"].as_str().and_then(|data| serde_json::from_str(data).ok()).unwrap_or_default();
    let found = running.session.query(LISTED_TEXTS, &[&listed_ids(&data)]).await?;
    let listed: HashMap<i64, String> = found.iter().map(|row| (row.get("id"), row.get("value"))).collect();
    let template = Template::read(&record, &|id| listed.get(&id).cloned()).map_err(Failure::Failed)?;
    let suppressed = with_suppressed(running);
    let in_repository = template.kinds.iter().filter_map(|kind| record_type(kind)).any(|of| of.is_in_repository());
    let repository = Some(running.repository).filter(|_| in_repository);
    let wanted: [Parameter<'_>; 3] = [&template.kinds, &repository, &suppressed];
    let mut chosen = Rows::default();
    {
        let mut stream = pin!(running.session.stream(RECORDS, &wanted).await?);
        while let Some(row) = stream.try_next().await? {
            let of: (&str, i64) = (row.get("kind"), row.get("id"));
            if !chosen.take(&template, of, &row.get::<_, Value>("doc")) {
                break;
            }
            if running.setting.progress.is_canceled() {
                return Err(Failure::Canceled);
            }
        }
    }
    for batch in chosen.finish(&template).chunks_mut(BATCH) {
        with_parts(running, &template, batch, spool).await?;
    }
    let mut info = template.info;
    info.insert("total_count".to_owned(), spool.many().into());
    Ok(info)
}

/// Adds rows with their sub-reports about other records. One round trip, none without such a sub-report. Memory has the lists of
/// one row at a time.
async fn with_parts(
    running: &Running<'_>,
    template: &Template,
    rows: &mut [Chosen],
    spool: &mut Spool,
) -> Result<(), Failure> {
    let names: Vec<&str> = template.around().map(|part| part.name).collect();
    let mut next = 0;
    let mut add = |rows: &mut [Chosen], before: usize| -> Result<(), Failure> {
        while next < before {
            spool.row(&std::mem::take(&mut rows[next].row)).map_err(unwritten)?;
            next += 1;
        }
        Ok(())
    };
    if !names.is_empty() {
        let of = rows.iter().map(|chosen| (chosen.kind.clone(), chosen.id));
        let (kinds, ids): (Vec<String>, Vec<i64>) = of.unzip();
        let suppressed = with_suppressed(running);
        let parameters: [Parameter<'_>; 5] = [&kinds, &ids, &names, &running.repository, &suppressed];
        let mut stream = pin!(running.session.stream(PARTS, &parameters).await?);
        while let Some(row) = stream.try_next().await? {
            if running.setting.progress.is_canceled() {
                return Err(Failure::Canceled);
            }
            let place = usize::try_from(row.get::<_, i64>("place") - 1).unwrap_or_default();
            add(rows, place)?;
            let name: &str = row.get("name");
            let list = row.get::<_, Option<Value>>("list").unwrap_or_default();
            if let (Some(part), Some(chosen)) = (template.around().find(|part| part.name == name), rows.get_mut(place))
            {
                chosen.row.insert(name.to_owned(), part.shown(list));
            }
        }
    }
    let many = rows.len();
    add(rows, many)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_about_another_repository_says_so() {
        let job = |code: &str, parameters: Value| json!({"job": {"jsonmodel_type": "report_job", "report_type": code}, "job_params": parameters.to_string()});
        let other = json!({"repository_uri": "/repositories/3"});
        assert_eq!(needs(&job("location_holdings_report", other.clone())).1, Some(3));
        assert_eq!(needs(&job("accession_report", other)).1, None);
        assert_eq!(needs(&job("user_groups_report", json!({}))).0, ["manage_users"]);
        assert_eq!(needs(&json!({"job": {"report_type": "user_groups_report"}})), ([].as_slice(), None));
    }
}
