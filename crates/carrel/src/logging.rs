//! The log: on standard error, as text or as JSON.

use std::{
    io::{self, IsTerminal},
    time::Duration,
};

use anyhow::Context;
use tracing::{Level, Metadata};
use tracing_subscriber::{
    EnvFilter, filter::filter_fn, fmt::MakeWriter, layer::SubscriberExt as _, util::SubscriberInitExt as _,
};

use crate::{
    config::{Config, LogFormat},
    log_queue::LogQueue,
};

/// How long a stop waits for an output that takes nothing.
const LAST_LINES: Duration = Duration::from_secs(5);
/// The same at a panic, after which most of Carrel goes on.
const AT_A_PANIC: Duration = Duration::from_secs(1);

/// Carrel's own crates, as the log names them.
const OWN: &[&str] = &[
    "api",
    "archives",
    "authorities",
    "bench",
    "carrel",
    "catalogue",
    "circulation",
    "cql",
    "desk",
    "ead",
    "events",
    "identity",
    "indexing",
    "inventory",
    "jobs",
    "lab",
    "load",
    "messages",
    "metadata",
    "patrons",
    "print",
    "priority",
    "record_xml",
    "refusals",
    "sample",
    "search",
    "self_check",
    "sip2",
    "store",
    "testkit",
    "vocabulary",
];

/// Starts the log of a command, whose lines are written at once.
pub fn start(config: &Config) -> anyhow::Result<()> {
    start_with(config, io::stderr)
}

/// Starts the log of a server, whose lines are written in batches by a thread of their own.
pub fn start_for_server(config: &Config) -> anyhow::Result<LastLines> {
    let queue = LogQueue::start(io::stderr(), tell_dropped).context("cannot start the log's thread")?;
    start_with(config, queue.clone())?;
    let (last, report) = (queue.clone(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        last.flush(AT_A_PANIC);
        report(panic);
    }));
    Ok(LastLines { queue })
}

fn start_with<W>(config: &Config, writer: W) -> anyhow::Result<()>
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let filter = EnvFilter::builder()
        .parse(&config.log_level)
        .with_context(|| format!("the setting `log_level` ({}) cannot be used", config.log_level))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer);
    match config.log_format {
        LogFormat::Json => log.json().flatten_event(true).finish().with(filter_fn(tells_no_secret)).init(),
        LogFormat::Text => {
            let log = log.with_ansi(io::stderr().is_terminal()).with_target(false);
            log.finish().with(filter_fn(tells_no_secret)).init();
        }
    }
    Ok(())
}

/// Whether a line may be logged, whatever level is set: in their details, libraries tell what they send and receive, passwords and
/// patrons' records too.
fn tells_no_secret(line: &Metadata<'_>) -> bool {
    let of = line.target().split("::").next().unwrap_or_default();
    *line.level() <= Level::INFO || OWN.contains(&of)
}

fn tell_dropped(lines: u64) {
    metrics::counter!("carrel_log_lines_dropped_total").increment(lines);
    tracing::warn!(lines, "the log could not be written fast enough; lines are missing");
}

/// Writes the lines that still wait when it is dropped, at the end of the server.
pub struct LastLines {
    queue: LogQueue,
}

impl LastLines {
    /// The same for an end that drops nothing.
    pub fn writing(&self) -> impl FnOnce() + Send + 'static {
        let queue = self.queue.clone();
        move || {
            queue.flush(LAST_LINES);
        }
    }
}

impl Drop for LastLines {
    fn drop(&mut self) {
        self.queue.flush(LAST_LINES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_of_all_own_crates_can_be_logged() {
        let folders = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).expect("the crates");
        let mut names: Vec<_> =
            folders.map(|one| one.expect("a crate").file_name().into_string().expect("a name")).collect();
        names.sort();
        assert_eq!(names, OWN);
    }
}
