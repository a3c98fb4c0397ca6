//! Makes a report (`report_job`).

use std::{collections::HashMap, io};

use futures_util::TryStreamExt;
use serde_json::{Map, Value};
use store::{
    db::Parameter,
    statements::archives::{LISTED_TEXTS, reports::RECORDS},
};

use crate::{
    jobs::running::{Done, Ended, Failure, Running},
    model::record_type,
    records::{self, Place, Seen},
    refusal::Refusal,
    reports::{
        FORMATS, Of, Report,
        custom::{Rows, Template, listed_ids},
        find,
        table::{Format, Table},
    },
};

use super::sheets::{failed, text};

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

fn unwritten(error: io::Error) -> Failure {
    Failure::Failed(format!("The report cannot be written: {error}"))
}

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    running.log.line("Generating report");
    let work = running.work.as_object().cloned().unwrap_or_default();
    check(&work).map_err(failed)?;
    let report = text(&running.work["report_type"]).as_deref().and_then(find);
    let format = text(&running.work["format"]).as_deref().and_then(Format::of);
    let (Some(report), Some(format)) = (report, format) else { return Err(failed(Refusal::no("report"))) };
    let folder = running.setting.folder.as_deref();
    let mut table = Table::begin(format, folder).map_err(unwritten)?;
    let mut info = match report.of {
        Of::Template => custom(running, &mut table).await?,
        _ => rows(running, report, &mut table).await?,
    };
    info.insert("total_count".to_owned(), table.many().into());
    let place = Place { kind: "repository", repository: None };
    let repository = records::get(running.session, place, running.repository, Seen::All).await.map_err(failed)?;
    info.insert("repository".to_owned(), repository["name"].clone());
    let file = table.finish(report.title, &info, folder).map_err(unwritten)?;
    running.log.line("Adding report file.\nDone.");
    let transaction = running.session.begin().await?;
    running.finish(transaction, Done { files: vec![file], ..Done::default() }).await
}

/// Whether suppressed records are in the report: only if the client says so.
fn with_suppressed(running: &Running<'_>) -> bool {
    let wanted = &running.parameters["include_suppressed"];
    *wanted == true || ["true", "1", "on"].iter().any(|text| wanted == text)
}

/// The rows of a report that a statement makes, one after the other.
async fn rows(running: &Running<'_>, report: &Report, table: &mut Table) -> Result<Map<String, Value>, Failure> {
    let suppressed = with_suppressed(running);
    let today = (running.setting.now)().to_zoned(jiff::tz::TimeZone::UTC).date().to_string();
    let day = |name: &str| text(&running.parameters[name]).map(|day| day.chars().take(10).collect::<String>());
    let (from, to) = (day("from").unwrap_or_else(|| today.clone()), day("to").unwrap_or(today));
    let parameters: Vec<Parameter<'_>> = match report.of {
        Of::Period => vec![&running.repository, &suppressed, &from, &to],
        Of::Repository => vec![&running.repository, &suppressed],
        Of::Library | Of::Template => Vec::new(),
    };
    let rows = running.session.stream(report.statement, &parameters).await?;
    let mut rows = std::pin::pin!(rows);
    while let Some(row) = rows.try_next().await? {
        if let Value::Object(row) = row.get("row") {
            table.row(&report.shown(row)).map_err(unwritten)?;
        }
        if running.setting.progress.is_canceled() {
            return Err(Failure::Canceled);
        }
    }
    let mut info = Map::new();
    if report.of == Of::Period {
        info.insert("scoped_by_date_range".to_owned(), format!("{from} & {to}").into());
    }
    Ok(info)
}

/// The rows of a report that staff put together.
async fn custom(running: &Running<'_>, table: &mut Table) -> Result<Map<String, Value>, Failure> {
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
    let parameters: [Parameter<'_>; 3] = [&template.kinds, &repository, &suppressed];
    let stream = running.session.stream(RECORDS, &parameters).await?;
    let mut stream = std::pin::pin!(stream);
    let mut rows = Rows::default();
    while let Some(row) = stream.try_next().await? {
        if !rows.take(&template, row.get("kind"), &row.get::<_, Value>("doc")) {
            break;
        }
        if running.setting.progress.is_canceled() {
            return Err(Failure::Canceled);
        }
    }
    for row in rows.finish(&template) {
        table.row(&row).map_err(unwritten)?;
    }
    Ok(template.info)
}
