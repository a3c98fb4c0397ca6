//! A run, from the first connection to the target to the final results.
//!
//! - [`options`]: what to do.
//! - [`stage`]: one number of users or one rate, from its first user to its last.
//! - [`figures`]: the results of a stage.
//! - [`hours`]: hour by hour results of a long stage.
//! - [`watching`]: asks the samplers once a second.
//! - [`target`]: the target's product, version and number of records.
//! - [`machine`]: the generator's machine, and its use of it.
//! - [`error`]: failures, and their exit codes.

pub mod error;
mod figures;
mod hours;
mod machine;
pub mod options;
mod stage;
mod target;
mod watching;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use jiff::Timestamp;
use tokio::task::JoinHandle;

use crate::{
    access::Access,
    client::Target,
    data::{self, pool::Pool},
    progress::Progress,
    results::{
        drift,
        file::{self, FileError},
        model::{self, Results, SCHEMA},
    },
    virtual_users::{Run, chooser::Chooser, clock::Clock, log::Log, pulse::Pulse},
    watch::{Notes, Watch},
    workload::Workload,
};
use error::RunError;
use options::{Options, Plan};
use watching::Watching;

pub use stage::{INTERRUPTED, Stop};

/// The outcome of a run.
#[derive(Debug)]
pub struct Outcome {
    pub results: Results,
    /// The results file.
    pub file: PathBuf,
    /// Why the run counts as failed although it has results: [`RunError::NothingSucceeded`].
    pub failed: Option<RunError>,
}

/// Runs a workload and writes its results into a folder: partial ones every minute, and the complete ones at the end.
///
/// # Errors
/// [`RunError`]. Once the load has begun, all results that could be written are there.
pub async fn run(
    workload: Workload,
    options: Options,
    watch: Watch,
    progress: &dyn Progress,
    mut stop: Stop,
) -> Result<Outcome, RunError> {
    let began = Timestamp::now();
    let id = format!("{}-{}", began.strftime("%Y%m%dT%H%M%SZ"), workload.name);
    let (id, folder) = folder(&options, &id)?;
    progress.note("logging in");
    let target = Target::parse(&options.url)?;
    let access = Access::open(target, workload.protocol, options.credentials.clone(), options.timeout).await?;
    progress.note("looking at the target");
    let about = target::inspect(&access, &options.url, workload.protocol).await;
    let (pools, drawn) = data::gather(&workload, &access, &options.files, progress).await?;
    let log = log(&options)?;
    let run = Arc::new(prepared(workload, access, pools, log, &options));
    let Watch { samplers, notes } = watch;
    let mut recording = Recording {
        drawn,
        results: head(&run, &options, about, id),
        folder,
        watching: Watching::start(samplers, run.pulse.began()),
        notes,
        writing: None,
        run: Arc::clone(&run),
    };
    let fresh = tokio::spawn({
        let run = Arc::clone(&run);
        async move { run.access.keep_fresh().await }
    });
    stage::all(&run, &options, progress, &mut recording, &mut stop).await;
    fresh.abort();
    progress.end();
    recording.finish().await
}

/// Creates the folder of the run: better to fail before an hour of load than after it.
fn folder(options: &Options, id: &str) -> Result<(String, PathBuf), RunError> {
    let made = |folder: &PathBuf| {
        let made = fs::create_dir_all(folder);
        made.map_err(|source| RunError::Results(FileError::Io { path: folder.clone(), source }))
    };
    if let Some(folder) = &options.folder {
        made(folder)?;
        return Ok((id.to_owned(), folder.clone()));
    }
    let root = PathBuf::from("lab-results");
    let ids = std::iter::once(id.to_owned()).chain((2_u64..).map(|number| format!("{id}-{number}")));
    let mut free = ids.filter(|id| !root.join(id).exists());
    let id = free.next().unwrap_or_else(|| id.to_owned());
    let folder = root.join(&id);
    made(&folder)?;
    Ok((id, folder))
}

/// Creates the log of every request, if requested.
fn log(options: &Options) -> Result<Option<Log>, RunError> {
    let Some(path) = &options.jtl else {
        return Ok(None);
    };
    let made =
        Log::create(path).map_err(|source| RunError::Results(file::FileError::Io { path: path.clone(), source }));
    made.map(Some)
}

fn prepared(workload: Workload, access: Access, pools: Vec<Pool>, log: Option<Log>, options: &Options) -> Run {
    let names = workload.transactions.iter().map(|t| t.name.clone()).collect();
    let shares = workload.shares().map(|(_, share)| share).collect();
    let absent = workload.kinds.iter().map(|_| AtomicBool::new(false));
    Run {
        absent: absent.collect(),
        workload,
        access,
        pools,
        clock: Clock::default(),
        chooser: Chooser::new(shares),
        pulse: Pulse::new(names),
        log,
        think_time: options.think_time,
        timeout: options.timeout,
    }
}

fn head(run: &Run, options: &Options, target: model::Target, id: String) -> Results {
    let (now, workload) = (Timestamp::now(), &run.workload);
    let shares = workload.shares().map(|(name, share)| (name.to_owned(), share));
    Results {
        schema: SCHEMA,
        run: model::Run {
            id,
            began: now,
            ended: now,
            cut_short: None,
            command: options.command.clone(),
            lab: env!("CARGO_PKG_VERSION").to_owned(),
            label: options.label.clone(),
        },
        workload: model::Workload {
            name: workload.name.clone(),
            title: workload.title.clone(),
            sha256: workload.sha256.clone(),
            arrivals: match options.plan {
                Plan::Users(_) => model::Arrivals::Closed,
                Plan::Rates(_) => model::Arrivals::Open,
            },
            think_time: options.think_time,
            ramp_up_seconds: options.ramp_up.as_secs_f64(),
            warm_up_seconds: options.warm_up.as_secs_f64(),
            stage_seconds: options.duration.as_secs_f64(),
            shares: shares.collect(),
        },
        environment: machine::environment(run.access.target.is_here(), options.commit.clone()),
        target,
        stages: Vec::new(),
        timeline: model::Timeline::default(),
        watch: model::Named::new(),
        hours: Vec::new(),
        drift: Vec::new(),
        statements: Vec::new(),
        warnings: Vec::new(),
    }
}

/// The growing results.
struct Recording {
    /// Remarks on the drawn rows.
    drawn: Vec<String>,
    results: Results,
    folder: PathBuf,
    watching: Watching,
    notes: Notes,
    /// The checkpoint being written.
    writing: Option<JoinHandle<Result<PathBuf, FileError>>>,
    run: Arc<Run>,
}

impl Recording {
    /// The results so far.
    fn so_far(&self) -> Results {
        let mut results = self.results.clone();
        results.run.ended = Timestamp::now();
        results.timeline = self.run.pulse.timeline();
        results.watch = self.watching.values(results.timeline.users.len());
        let found = self.notes.found();
        results.environment.postgres = found.postgres;
        results.statements = found.statements;
        results.warnings.extend(self.drawn.iter().cloned());
        results.warnings.extend(figures::warnings(&self.run, &results));
        results.warnings.extend(found.warnings);
        results
    }

    /// Writes the results so far, with the current `stage`, on another thread: after many hours that takes a while.
    /// Returns why the previous checkpoint could not be written, if so.
    async fn checkpoint(&mut self, stage: model::Stage) -> Option<String> {
        let problem = match self.writing.take() {
            Some(writing) if !writing.is_finished() => {
                self.writing = Some(writing);
                return Some("the disk is slower than the minutes pass".to_owned());
            }
            Some(writing) => problem(writing).await,
            None => None,
        };
        let (mut results, folder) = (self.so_far(), self.folder.clone());
        results.stages.push(stage);
        results.run.cut_short = Some("still running".to_owned());
        self.writing = Some(tokio::task::spawn_blocking(move || {
            results.drift = drift::of(&results);
            file::write(&folder, &results)
        }));
        problem
    }

    async fn finish(mut self) -> Result<Outcome, RunError> {
        if let Some(writing) = self.writing.take() {
            // It must not be overtaken by the complete results that follow.
            let _ = writing.await;
        }
        let mut results = self.so_far();
        results.drift = drift::of(&results);
        if let Some(why) = self.run.log.as_ref().and_then(Log::end) {
            let warning = format!("the JTL ends early, because it could not be written: {why}");
            results.warnings.push(warning);
        }
        let file = file::write(&self.folder, &results)?;
        let interrupted = results.run.cut_short.as_deref() == Some(stage::INTERRUPTED);
        let failed = if interrupted { None } else { self.nothing_succeeded(&file) };
        Ok(Outcome { results, file, failed })
    }

    fn nothing_succeeded(&self, file: &Path) -> Option<RunError> {
        let (done, failed) = self.run.pulse.outcome();
        if done > 0 {
            return None;
        }
        let first = self.run.pulse.examples().into_iter().next();
        let first = first.map(|((request, kind), text)| format!("{request}: {kind}: {text}"));
        Some(RunError::NothingSucceeded {
            failed,
            first: first.unwrap_or_else(|| "nothing ended in time".to_owned()),
            file: file.to_owned(),
        })
    }
}

/// Why a checkpoint could not be written.
async fn problem(writing: JoinHandle<Result<PathBuf, FileError>>) -> Option<String> {
    match writing.await {
        Ok(written) => written.err().map(|error| error.to_string()),
        Err(broken) => Some(broken.to_string()),
    }
}
