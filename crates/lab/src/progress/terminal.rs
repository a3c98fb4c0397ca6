//! A terminal line that is updated each second, and one line per finished stage. If standard error is not a terminal,
//! only the progress of drawing data.

use std::{io::IsTerminal, time::Duration};

use indicatif::{FormattedDuration, ProgressBar, ProgressStyle};

use super::{Now, Progress};
use crate::results::model::Stage;

pub struct Terminal {
    line: ProgressBar,
}

impl Default for Terminal {
    fn default() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let line = if terminal { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{spinner} {wide_msg}");
        line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        line.enable_steady_tick(Duration::from_millis(250));
        Self { line }
    }
}

impl Progress for Terminal {
    fn note(&self, text: &str) {
        self.line.set_message(text.to_owned());
    }

    fn drawing(&self, text: &str) {
        match self.line.is_hidden() {
            true => eprintln!("{text}"),
            false => self.note(text),
        }
    }

    fn second(&self, now: &Now) {
        self.line.set_message(status_line(now));
    }

    fn stage(&self, ended: &Stage) {
        let transactions = ended.transactions.iter();
        let each = transactions.map(|t| format!("{} p95 {:.1} ms", t.name, t.corrected.p95_ms));
        let each: Vec<_> = each.take(4).collect();
        let (asked, rate) = (ended.asked(), ended.transactions_per_second);
        self.line.println(format!("{asked}: {rate:.1} transactions/s, {}", each.join(", ")));
    }

    fn end(&self) {
        self.line.finish_and_clear();
    }
}

fn status_line(now: &Now) -> String {
    let Now { stage, stages, active, last, .. } = now;
    let warming = if now.counts { "" } else { " (warming up)" };
    let p95 = last.p95_ms.map_or_else(|| "-".to_owned(), |millis| format!("{millis:.1} ms"));
    let left = now.left.map_or_else(String::new, |left| format!(" | {} left", FormattedDuration(left)));
    format!(
        "stage {stage} of {stages}{warming} | {active} users | {}/s | p95 {p95} | {} errors{left}",
        last.count, last.errors
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::LastSecond;

    #[test]
    fn the_line_says_users_rate_p95_errors_and_time_left() {
        let now = Now {
            stage: 2,
            stages: 5,
            counts: false,
            active: 8,
            last: LastSecond { count: 120, p95_ms: Some(12.34), errors: 3 },
            left: Some(Duration::from_secs(90)),
        };
        assert_eq!(
            status_line(&now),
            "stage 2 of 5 (warming up) | 8 users | 120/s | p95 12.3 ms | 3 errors | 00:01:30 left"
        );
    }
}
