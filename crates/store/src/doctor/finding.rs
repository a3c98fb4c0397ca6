//! Findings of the doctor, in words.

use serde::Serialize;

/// Severity, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Not checked.
    Skip,
    Ok,
    /// Works, but not as well or as safely as it could.
    Warn,
    /// Must be fixed.
    Fail,
}

impl Level {
    /// The name in the JSON report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Name of the check: `settings`, `indexes`, …
    pub check: &'static str,
    pub level: Level,
    /// The tenant concerned, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// What is the case, in one sentence.
    pub finding: String,
    /// Why it matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What to do: a shell command or a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What to run in the database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
}

impl Finding {
    pub fn new(check: &'static str, level: Level, finding: impl Into<String>) -> Self {
        Self { check, level, tenant: None, finding: finding.into(), reason: None, command: None, sql: None }
    }

    pub fn ok(check: &'static str, finding: impl Into<String>) -> Self {
        Self::new(check, Level::Ok, finding)
    }

    /// Adds why it matters.
    #[must_use]
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.command = Some(command.into());
        self
    }

    /// Adds what to run in the database.
    #[must_use]
    pub fn sql(mut self, sql: impl Into<String>) -> Self {
        self.sql = Some(sql.into());
        self
    }

    /// Sets the tenant from the name of its schema (`t_diku`).
    #[must_use]
    pub fn of_schema(mut self, schema: &str) -> Self {
        self.tenant = schema.strip_prefix("t_").map(str::to_owned);
        self
    }
}

/// All findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The worst level.
    pub level: Level,
    pub findings: Vec<Finding>,
}

impl Report {
    pub fn new(findings: Vec<Finding>) -> Self {
        let level = findings.iter().map(|finding| finding.level).max();
        let level = level.unwrap_or(Level::Skip);
        Self { level, findings }
    }

    /// Number of findings of that level.
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }

    pub fn must_be_fixed(&self) -> bool {
        self.level == Level::Fail
    }
}

/// Formats a size for people: `1.5 GB`, of 1024 MB each.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = usize::from(unit > 0 && value < 10.0);
    format!("{value:.digits$} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_finding_is_the_level_of_the_report() {
        use Level::{Fail, Ok, Skip, Warn};
        for (levels, worst, fix) in [
            (vec![], Skip, false),
            (vec![Ok, Skip], Ok, false),
            (vec![Warn, Ok], Warn, false),
            (vec![Ok, Fail, Warn], Fail, true),
        ] {
            let findings = levels.iter().map(|&level| Finding::new("x", level, ""));
            let report = Report::new(findings.collect());
            assert_eq!((report.level, report.must_be_fixed()), (worst, fix), "{levels:?}");
        }
    }

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1536, "1.5 kB"),
            (64 << 20, "64 MB"),
            (3 << 40, "3.0 TB"),
            (9000 << 40, "9000 TB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
