//! Shows the progress of a load: a bar on a terminal, plain lines elsewhere.

use std::{
    io::IsTerminal,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use load::progress::Progress;

const STYLE: &str = "{msg:28} {bar:40} {human_pos}/{human_len} {elapsed} (about {eta} left)";
/// Minimum time between plain lines.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Shows steps on standard error.
pub struct Watcher {
    terminal: bool,
    step: Mutex<Option<Step>>,
}

struct Step {
    bar: ProgressBar,
    name: String,
    began: Instant,
    last_line: Instant,
}

impl Watcher {
    pub fn new() -> Self {
        Self { terminal: std::io::stderr().is_terminal(), step: Mutex::new(None) }
    }

    /// Ends the last step.
    pub fn end(&self) {
        let step = self.step.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(step) = step {
            step.finish(self.terminal);
        }
    }
}

impl Step {
    fn finish(&self, terminal: bool) {
        self.bar.finish();
        if !terminal {
            let parts = self.bar.position();
            eprintln!("{}: {parts} done in {:.1} s", self.name, self.began.elapsed().as_secs_f64());
        }
    }

    fn line(&mut self) {
        if self.last_line.elapsed() >= BETWEEN_LINES {
            self.last_line = Instant::now();
            let (at, of) = (self.bar.position(), self.bar.length().unwrap_or_default());
            eprintln!("{}: {at} of {of}", self.name);
        }
    }
}

impl Progress for Watcher {
    fn begin(&self, step: &str, parts: u64) {
        self.end();
        let bar = if self.terminal {
            let style = ProgressStyle::with_template(STYLE).unwrap_or(ProgressStyle::default_bar());
            ProgressBar::new(parts).with_style(style).with_message(step.to_owned())
        } else {
            // A hidden bar still counts.
            let bar = ProgressBar::hidden();
            bar.set_length(parts);
            bar
        };
        let now = Instant::now();
        let step = Step { bar, name: step.to_owned(), began: now, last_line: now };
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = Some(step);
    }

    fn advance(&self, parts: u64) {
        let mut step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(step) = step.as_mut() {
            step.bar.inc(parts);
            if !self.terminal {
                step.line();
            }
        }
    }
}
