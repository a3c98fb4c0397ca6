//! `carrel lab`: the performance lab.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use anyhow::Context;
use clap::{Args, Subcommand};
use lab::{
    access::Credentials,
    progress::Terminal,
    results::summary,
    run::{
        INTERRUPTED, Outcome, Stop,
        error::RunError,
        options::{CHECKPOINT, HOUR, Options, Plan},
        run as run_workload,
    },
    watch::{Watch, sources::Sources},
    workload::{self, shipped},
};
use tokio::sync::watch;

use crate::{
    config::SettingFlags,
    lab_report::{self, CompareOptions, Format, NotKept, ReportOptions, Reporting},
    lab_time::time,
    stop::StopSignal,
};

/// The variable with the password if there is no flag, so that it need not be in the shell's history.
const PASSWORD: &str = "CARREL_LAB_PASSWORD";

#[derive(Debug, Subcommand)]
pub enum LabCommand {
    /// Put load on a running server and measure it: Carrel, FOLIO or ArchivesSpace.
    ///
    /// Exit codes: 0 done; 2 the command line, the workload or a file of data has an error; 3 the target is
    /// unreachable, refuses the log-in or speaks another protocol; 4 it has too few records to work with; 5 the results
    /// cannot be written; 6 not one transaction succeeded; 7 a threshold was not met; 130 interrupted (the results so
    /// far are written).
    Run(Box<RunOptions>),
    /// Make the report of a run: one page to read and print, Markdown, and files for other tools (CSV,
    /// HdrHistogram, JUnit).
    Report(ReportOptions),
    /// Compare runs: the figures side by side, each judged better, worse, stable or unstable.
    Compare(CompareOptions),
    /// Print the results that FOLIO and ArchivesSpace have published for the same workloads.
    Published {
        /// Output format.
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// List the shipped workloads, or print one.
    Workloads {
        /// Print this one: a file to start from.
        name: Option<String>,
    },
    /// Check a workload's file.
    Check {
        /// The file, or the name of a shipped workload.
        #[arg(value_name = "NAME|FILE")]
        workload: String,
    },
}

/// Options of a run.
#[derive(Debug, Args)]
pub struct RunOptions {
    /// What the virtual users do: a shipped workload, or a file.
    #[arg(long, value_name = "NAME|FILE", default_value = "check-in-check-out")]
    pub workload: String,
    /// Address of the server.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:9130")]
    pub url: String,
    /// Tenant (FOLIO).
    #[arg(long, value_name = "ID", default_value = "diku")]
    pub tenant: String,
    /// User name.
    #[arg(long, value_name = "NAME", default_value = "diku_admin")]
    pub user: String,
    /// Password; by default that in CARREL_LAB_PASSWORD.
    #[arg(long, value_name = "TEXT")]
    pub password: Option<String>,
    /// Numbers of virtual users, a stage for each: 1,5,8,20,50.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub users: Vec<u32>,
    /// Sessions per second, a stage for each rate, instead of numbers of users.
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = rate, conflicts_with = "users")]
    pub rate: Vec<f64>,
    /// Counted time of each stage: 60s, 10m, 16h.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    pub duration: Duration,
    /// End a stage after this many transactions instead.
    #[arg(long, value_name = "N", conflicts_with = "duration")]
    pub transactions: Option<u64>,
    /// The time over which the users of a stage start; does not count.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = time)]
    pub ramp_up: Duration,
    /// Further time at the start of each stage that does not count.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = time)]
    pub warm_up: Duration,
    /// Let users not pause between requests.
    #[arg(long)]
    pub no_think_time: bool,
    /// Time between the intended starts of a user's sessions; latency then counts from the intended start.
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "rate")]
    pub pace: Option<Duration>,
    /// Time limit for an answer.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time)]
    pub timeout: Duration,
    /// Rows for a data set of the workload, from a CSV file with column names.
    #[arg(long, value_name = "NAME=FILE", value_parser = named_file)]
    pub data: Vec<(String, PathBuf)>,
    /// Folder for the results; by default lab-results/<id of the run>.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write every counted request and transaction to this file, in JMeter's format (JTL).
    #[arg(long, value_name = "FILE")]
    pub jtl: Option<PathBuf>,
    /// Name of the run in reports.
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,
    /// Commit of the server, for the report; runs of one commit without labels count as repetitions.
    #[arg(long, value_name = "ID")]
    pub commit: Option<String>,
    /// Threads of the generator; by default as many as the machine has processors.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub threads: Option<u16>,
    /// Address of the server's metrics (Prometheus), for its pool, its round trips and, if it runs elsewhere, its
    /// processor time and memory: http://127.0.0.1:8080/metrics. With --database-url (postgres://…, also that of a
    /// FOLIO) its database is watched, too. A Carrel on another machine requires its --metrics-token.
    #[arg(long, value_name = "URL")]
    pub metrics_url: Option<String>,
    #[command(flatten)]
    pub reporting: Reporting,
}

pub fn run(flags: &SettingFlags, command: &LabCommand) -> anyhow::Result<()> {
    match command {
        LabCommand::Run(options) => measure(flags, options),
        LabCommand::Report(options) => lab_report::report(options),
        LabCommand::Compare(options) => lab_report::compare(options),
        LabCommand::Published { format } => lab_report::published(*format),
        LabCommand::Workloads { name: Some(name) } => {
            let workload = shipped::text(name);
            let workload =
                workload.with_context(|| format!("no workload {name:?} is shipped; try `carrel lab workloads`"))?;
            print!("{workload}");
            Ok(())
        }
        LabCommand::Workloads { name: None } => {
            for (name, _) in shipped::SHIPPED {
                println!("{name}: {}", workload::load(name)?.title);
            }
            Ok(())
        }
        LabCommand::Check { workload } => {
            let workload = workload::load(workload).map_err(RunError::from)?;
            let (transactions, kinds) = (workload.transactions.len(), workload.kinds.len());
            println!("{}: {transactions} transactions, {kinds} kinds of requests", workload.name);
            Ok(())
        }
    }
}

/// The exit code of an error of the lab; `None` for other errors.
pub fn exit_code(error: &anyhow::Error) -> Option<u8> {
    let not_kept = error.is::<NotKept>().then_some(lab_report::NOT_KEPT);
    not_kept.or_else(|| error.downcast_ref().map(RunError::exit_code))
}

fn measure(flags: &SettingFlags, given: &RunOptions) -> anyhow::Result<()> {
    let watched = watched(flags, given)?;
    let workload = workload::load(&given.workload).map_err(RunError::from)?;
    let options = options(given);
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(options.threads).enable_all().build();
    let Outcome { results, file, failed } = runtime.context("cannot start the threads")?.block_on(async {
        let progress = Terminal::default();
        anyhow::Ok(run_workload(workload, options, watched, &progress, stop()?).await?)
    })?;
    print!("{}", summary::text(&results));
    println!("\nResults: {}", file.display());
    let folder = file.parent().unwrap_or(&file);
    let verdicts = lab_report::write(&results, &given.reporting, folder)?;
    if let Some(failed) = failed {
        return Err(failed.into());
    }
    match results.run.cut_short.as_deref() {
        Some(INTERRUPTED) => Err(RunError::Interrupted { file }.into()),
        Some(why) => anyhow::bail!("the run ended early: {why}"),
        None => lab_report::kept(&verdicts),
    }
}

/// What is watched beside the load. Only a database given by flag counts: a settings file may belong to another server.
fn watched(flags: &SettingFlags, given: &RunOptions) -> anyhow::Result<Watch> {
    let sources = Sources {
        target: given.url.clone(),
        metrics: given.metrics_url.clone(),
        metrics_token: flags.given.get("metrics_token").cloned(),
        database: flags.given.get("database_url").cloned(),
    };
    Ok(sources.open().map_err(RunError::Watch)?)
}

/// Becomes true at Ctrl-C; a second one ends the process at once.
fn stop() -> anyhow::Result<Stop> {
    let signal = StopSignal::listen(|| ()).context("cannot listen for signals")?;
    let (tell, stop) = watch::channel(false);
    tokio::spawn(async move {
        signal.requested().await;
        // The run may have ended meanwhile.
        let _ = tell.send(true);
    });
    Ok(stop)
}

fn options(given: &RunOptions) -> Options {
    let password = given.password.clone().or_else(|| std::env::var(PASSWORD).ok());
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    Options {
        url: given.url.clone(),
        credentials: Credentials {
            tenant: given.tenant.clone(),
            user: given.user.clone(),
            password: password.unwrap_or_else(|| "admin".to_owned()),
        },
        plan: if given.rate.is_empty() { Plan::Users(given.users.clone()) } else { Plan::Rates(given.rate.clone()) },
        think_time: !given.no_think_time,
        ramp_up: given.ramp_up,
        warm_up: given.warm_up,
        duration: given.duration,
        transactions: given.transactions,
        pace: given.pace,
        timeout: given.timeout,
        files: given.data.iter().cloned().collect::<BTreeMap<_, _>>(),
        folder: given.out.clone(),
        label: given.label.clone(),
        commit: given.commit.clone(),
        command: without_password(std::env::args()),
        hour: HOUR,
        checkpoint: CHECKPOINT,
        jtl: given.jtl.clone(),
        threads: given.threads.map_or_else(cores, usize::from),
    }
}

/// Flags whose values contain a password.
const SECRET: [&str; 3] = ["--password", "--database-url", "--admin-password"];

/// The command line, with asterisks for passwords.
fn without_password(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let mut secret = false;
    let masked = arguments.map(|argument| {
        let hidden = std::mem::replace(&mut secret, SECRET.contains(&argument.as_str()));
        match argument.split_once('=') {
            _ if hidden => "***".to_owned(),
            Some((flag, _)) if SECRET.contains(&flag) => format!("{flag}=***"),
            _ => argument,
        }
    });
    masked.collect()
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (0.001..=1_000_000.0).contains(rate));
    rate.ok_or_else(|| "a number of sessions a second, above 0".to_owned())
}

fn named_file(text: &str) -> Result<(String, PathBuf), String> {
    let (name, file) = text.split_once('=').ok_or("the data set, an equals sign, the file")?;
    Ok((name.to_owned(), PathBuf::from(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_do_not_get_into_the_results() {
        let line = [
            "carrel",
            "lab",
            "--password",
            "secret",
            "--password=secret",
            "--url=x",
            "--database-url",
            "postgres://me:secret@db/x",
        ];
        let masked = without_password(line.into_iter().map(str::to_owned));
        assert_eq!(
            masked,
            ["carrel", "lab", "--password", "***", "--password=***", "--url=x", "--database-url", "***"]
        );
    }
}
