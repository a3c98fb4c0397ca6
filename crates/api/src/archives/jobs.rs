//! The routes of jobs (contract 3.5), and what runs them.

use std::sync::Arc;

use ::archives::{
    import::{Progress, types::IMPORTS},
    jobs::{self as kept, Ended, KIND, Setting, TYPES},
    model::Checked,
    records::Listing,
    refusal::Refusal,
};
use bytes::Bytes;
use futures_util::TryStreamExt;
use http::{HeaderValue, Method, header};
use jobs::{Failure, Kinds, Outcome, Run};
use serde_json::{Value, json};

use super::{
    call::{Call, parsed, saved, updated},
    endpoint::{Answer, Endpoints},
    records as generic,
};
use crate::{
    answer::{Problem, Reply},
    app::Place,
};

const ALL: &str = "/repositories/{repo_id}/jobs";
/// A job whose process dies this often is given up.
const ATTEMPTS: i32 = 4;
/// How often a running job is looked after.
const MOMENT: std::time::Duration = std::time::Duration::from_secs(1);

pub(super) fn routes(endpoints: &mut Endpoints) {
    let (view, create, cancels): (&[&str], &[&str], &[&str]) = (&["view_repository"], &["create_job"], &["cancel_job"]);
    let one = format!("{ALL}/{{id}}");
    endpoints
        .add(Method::GET, "/job_types", &[], job_types)
        .summary("List the types of jobs with the permissions for them")
        .gives(":object");
    endpoints.add(Method::GET, ALL, view, list).paginated();
    endpoints.add(Method::POST, ALL, create, add).takes_record().refuses(&[404]);
    endpoints
        .add(Method::POST, &format!("{ALL}_with_files"), create, add_with_files)
        .summary("Add a job with files")
        .takes_form("job*, files*[]")
        .gives(":Saved");
    endpoints
        .add(Method::GET, &format!("{ALL}/active"), view, active)
        .asks("resolve:texts")
        .summary("List the jobs that run or wait")
        .gives("[Job]");
    endpoints
        .add(Method::GET, &format!("{ALL}/archived"), view, archived)
        .paginated()
        .summary("List the jobs that are over")
        .gives(":Job");
    endpoints
        .add(Method::GET, &format!("{ALL}/import_types"), &[], import_types)
        .summary("List the formats that jobs import")
        .gives("[{name*, description*}]");
    endpoints.add(Method::GET, &one, view, get).asks("resolve:texts");
    endpoints.add(Method::DELETE, &one, cancels, |call| generic::remove(call, KIND));
    endpoints.add(Method::POST, &format!("{one}/cancel"), cancels, cancel).summary("Cancel a job").gives(":Updated");
    endpoints
        .add(Method::GET, &format!("{one}/log"), view, log)
        .streams()
        .asks("offset:int")
        .summary("Read what a job told, from a byte on")
        .gives_text();
    endpoints
        .add(Method::GET, &format!("{one}/output_files"), view, files)
        .summary("List the files that a job made")
        .gives("[int]");
    endpoints
        .add(Method::GET, &format!("{one}/output_files/{{file_id}}"), view, file)
        .streams()
        .summary("Read a file that a job made")
        .gives_media("application/octet-stream");
    endpoints
        .add(Method::GET, &format!("{one}/records"), view, made)
        .paginated()
        .summary("List the records that a job made or changed")
        .gives("record*:Link");
}

async fn job_types(_: Call) -> Answer {
    let told = TYPES
        .iter()
        .filter(|of| !of.hidden)
        .map(|of| (of.name.to_owned(), json!({"create_permissions": of.create, "cancel_permissions": of.cancel})));
    Ok(Reply::json(&Value::Object(told.collect())))
}

async fn import_types(_: Call) -> Answer {
    let told = IMPORTS.iter().map(|of| json!({"name": of.name, "description": of.description}));
    Ok(Reply::json(&told.collect()))
}

async fn add(call: Call) -> Answer {
    let checked = call.record(KIND)?;
    enter(&call, checked, &[]).await
}

async fn enter(call: &Call, mut job: Checked, files: &[Bytes]) -> Answer {
    if !call.rights.can("view_suppressed", call.repository) {
        kept::without_suppressed(&mut job.record);
    }
    let work = job.record.get("job").unwrap_or(&Value::Null);
    needs(call, kept::type_of(work)?.create)?;
    let (of_report, about) = kept::report_needs(&Value::Object(job.record.clone()));
    needs(call, of_report)?;
    if about.is_some() && !call.rights.can("view_repository", about) {
        return Err(Refusal::Denied.into());
    }
    let warnings = job.warnings.clone();
    let id = kept::add(&call.session, call.repository.unwrap_or_default(), job, files, &call.author()).await?;
    call.app.bell.ring(&call.tenant.tenant.id);
    Ok(saved("Created", call.place(KIND), id, 0, &warnings))
}

/// The caller needs what the type of job asks for, too.
fn needs(call: &Call, codes: &[&str]) -> Result<(), Refusal> {
    if codes.iter().all(|code| call.rights.can(code, call.repository)) { Ok(()) } else { Err(Refusal::Denied) }
}

/// A form with the member `job` and files, however their fields are numbered.
async fn add_with_files(call: Call) -> Answer {
    let (job, files) = form(call.media.as_deref().unwrap_or_default(), &call.body).await?;
    let missing = |name: &str| Refusal::parameter(name, "Parameter required but no value provided");
    let job = parsed(job.ok_or_else(|| missing("job"))?.as_bytes())?;
    if files.is_empty() {
        return Err(missing("files").into());
    }
    let job = call.checked(KIND, job)?;
    enter(&call, job, &files).await
}

async fn form(media: &str, body: &Bytes) -> Result<(Option<String>, Vec<Bytes>), Problem> {
    let broken = |error: multer::Error| Problem::bad_request(format!("The form cannot be read: {error}"));
    let boundary = multer::parse_boundary(media).map_err(broken)?;
    let whole = futures_util::stream::once(std::future::ready(Ok::<_, std::convert::Infallible>(body.clone())));
    let mut fields = multer::Multipart::new(whole, boundary);
    let (mut job, mut files) = (None, Vec::new());
    while let Some(field) = fields.next_field().await.map_err(broken)? {
        match field.name() {
            Some("job") => job = Some(field.text().await.map_err(broken)?),
            Some(name) if name.starts_with("files") => files.push(field.bytes().await.map_err(broken)?),
            _ => {}
        }
    }
    Ok((job, files))
}

async fn list(call: Call) -> Answer {
    let (listing, since) = call.listing()?;
    let place = call.place(KIND);
    let mut found = ::archives::records::list(&call.session, place, &listing, since, call.seen()).await?;
    let jobs = if found.get("results").is_some() { &mut found["results"] } else { &mut found };
    kept::tell_progress(&call.session, jobs).await?;
    call.resolved(found).await
}

async fn get(call: Call) -> Answer {
    let mut job = ::archives::records::get(&call.session, call.place(KIND), call.id(), call.seen()).await?;
    kept::tell_progress(&call.session, &mut job).await?;
    call.resolved(job).await
}

async fn active(call: Call) -> Answer {
    let repository = call.repository.unwrap_or_default();
    // Nobody looks at more.
    let (_, jobs) = kept::with_status(&call.session, repository, kept::ACTIVE, (0, 1_000)).await?;
    call.resolved(jobs).await
}

async fn archived(call: Call) -> Answer {
    let repository = call.repository.unwrap_or_default();
    let of = |jobs: &Value| -> Vec<i64> {
        let id = |job: &Value| job["uri"].as_str()?.rsplit('/').next()?.parse().ok();
        jobs.as_array().into_iter().flatten().filter_map(id).collect()
    };
    match call.listing()?.0 {
        Listing::Page(page) => {
            let skipped = (page.number - 1).saturating_mul(page.size);
            let shown = (skipped, page.size);
            let (total, jobs) = kept::with_status(&call.session, repository, kept::ARCHIVED, shown).await?;
            call.resolved(page_of(page.number, page.size, total, jobs)).await
        }
        Listing::AllIds(_) => {
            let (_, jobs) = kept::with_status(&call.session, repository, kept::ARCHIVED, (0, 10_000)).await?;
            Ok(Reply::json(&json!(of(&jobs))))
        }
        Listing::Ids(..) => {
            let (listing, since) = call.listing()?;
            let found =
                ::archives::records::list(&call.session, call.place(KIND), &listing, since, call.seen()).await?;
            let is_over = |job: &Value| job["status"].as_str().is_some_and(|status| kept::ARCHIVED.contains(&status));
            let found = found.as_array().cloned().unwrap_or_default();
            call.resolved(found.into_iter().filter(is_over).collect()).await
        }
    }
}

fn page_of(number: i64, size: i64, total: i64, results: Value) -> Value {
    let last = if size == 0 { 1 } else { (total + size - 1) / size };
    json!({"first_page": 1, "last_page": last.max(1), "this_page": number, "total": total, "results": results})
}

async fn cancel(call: Call) -> Answer {
    let job = found(&call).await?;
    needs(&call, kept::type_of(&job["job"])?.cancel)?;
    let version = kept::cancel(&call.session, call.repository.unwrap_or_default(), call.id(), call.now).await?;
    Ok(updated(call.id(), version))
}

/// The job of the path, which must exist.
async fn found(call: &Call) -> Result<Value, Refusal> {
    ::archives::records::get(&call.session, call.place(KIND), call.id(), call.seen()).await
}

async fn log(call: Call) -> Answer {
    found(&call).await?;
    let offset = call.parameters.count("offset")?.unwrap_or_default();
    let parts = kept::log(&call.session, call.id(), offset).await?;
    let body = call.app.spools.body(parts).await?;
    Ok(Reply::typed("text/plain", body))
}

async fn files(call: Call) -> Answer {
    found(&call).await?;
    Ok(Reply::json(&json!(kept::files(&call.session, call.id()).await?)))
}

async fn file(call: Call) -> Answer {
    found(&call).await?;
    let wanted = call.in_path("file_id").parse().ok();
    let exists = kept::files(&call.session, call.id()).await?.into_iter().any(|id| Some(id) == wanted);
    if !exists {
        return Err(Refusal::NotFound("JobFile not found".to_owned()).into());
    }
    let parts = kept::file(&call.session, call.id(), wanted).await?.map_ok(|(_, part)| part);
    let body = call.app.spools.body(parts).await?;
    let reply = Reply::typed("application/octet-stream", body);
    let name = format!("attachment; filename=\"job_{}_file_{}\"", call.id(), wanted.unwrap_or_default());
    let mut reply = reply;
    reply.headers.extend(HeaderValue::from_str(&name).ok().map(|name| (header::CONTENT_DISPOSITION, name)));
    Ok(reply)
}

/// What the job made, in the forms of a list.
async fn made(call: Call) -> Answer {
    found(&call).await?;
    let shown = |uris: Vec<String>| -> Value { uris.iter().map(|uri| json!({"record": {"ref": uri}})).collect() };
    let found = match call.listing()?.0 {
        Listing::Page(page) => {
            let skipped = (page.number - 1).saturating_mul(page.size);
            let (total, uris) = kept::made(&call.session, call.id(), skipped, page.size).await?;
            page_of(page.number, page.size, total, shown(uris))
        }
        Listing::AllIds(_) => {
            let (total, _) = kept::made(&call.session, call.id(), 0, 0).await?;
            (1..=total).collect()
        }
        Listing::Ids(places, _) => shown(kept::made_at(&call.session, call.id(), &places).await?),
    };
    call.resolved(found).await
}

/// Adds what runs the jobs to the kinds of jobs of this program.
pub(crate) fn kinds(kinds: &mut Kinds<Place>) {
    kinds.add(kept::QUEUED, work);
}

/// The import has a connection of its own, so that the other work in the background goes on.
async fn work(run: Run<Place>) -> Outcome {
    let Place { app, tenant } = &run.context;
    let id = run.payload["job"].as_i64().unwrap_or_default();
    if run.attempt > ATTEMPTS {
        kept::give_up(&run.session, id, (app.clock)()).await?;
        return Ok(());
    }
    let database = app.database.with_connections(1);
    let session = database.session(&tenant.schema)?;
    let progress = Arc::new(Progress::default());
    let setting = Setting {
        lists: tenant.archives.lists(&run.session, run.now).await?,
        folder: app.settings.spool.directory.clone(),
        most_pages: app.settings.most_printed_pages,
        progress: Arc::clone(&progress),
        now: Arc::clone(&app.clock),
        arks: app.settings.arks.clone(),
    };
    let stopping = async {
        let mut moments = tokio::time::interval(MOMENT);
        loop {
            moments.tick().await;
            let (written, total) = progress.written();
            let told = json!({"read": progress.read(), "written": written, "total": total});
            match run.report(&told).await {
                // A database that is away for a moment is no reason to end.
                Ok(()) | Err(Failure::Later(_) | Failure::Never(_)) => {}
                Err(Failure::Stopped) => break,
            }
        }
        progress.cancel();
        std::future::pending::<()>().await;
    };
    let ended = tokio::select! {
        ended = kept::run(&session, &run.session, id, &setting) => ended?,
        () = stopping => Ended::Stopped,
    };
    // Who sees that the job is over finds its records by the next search.
    tenant.archives.wrote();
    match ended {
        Ended::Over => Ok(()),
        Ended::WithNewValues => {
            tenant.archives.forget_lists();
            Ok(())
        }
        Ended::Stopped => Err(Failure::Stopped),
    }
}
