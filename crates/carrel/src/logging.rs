//! The log: on standard error, as text or as JSON.

use std::{
    io::{self, IsTerminal},
    time::Duration,
};

use anyhow::Context;
use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

use crate::{
    config::{Config, LogFormat},
    log_queue::LogQueue,
};

/// How long a stop waits for an output that takes nothing.
const LAST_LINES: Duration = Duration::from_secs(5);
/// The same at a panic, after which most of Carrel goes on.
const AT_A_PANIC: Duration = Duration::from_secs(1);

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
        LogFormat::Json => log.json().flatten_event(true).init(),
        LogFormat::Text => log.with_ansi(io::stderr().is_terminal()).with_target(false).init(),
    }
    Ok(())
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
