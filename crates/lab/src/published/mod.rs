//! Published results for the same workloads, as data with sources.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{
    document::{
        Block, Document, Section, number,
        table::{Cell, Table},
    },
    results::model::{Figures, Results, Stage},
};

const DATA: &str = include_str!("published.toml");

/// A published report.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The measured product: `FOLIO`.
    pub product: String,
    /// Its release or part.
    pub release: String,
    pub year: u16,
    /// The equivalent shipped workload.
    pub workload: String,
    pub source: String,
    /// Average seconds of each transaction, by number of users.
    #[serde(default)]
    pub mean_seconds: BTreeMap<String, BTreeMap<u32, f64>>,
    /// Other findings, in sentences.
    #[serde(default)]
    pub findings: Vec<String>,
}

impl Report {
    /// Product, release and year.
    pub fn name(&self) -> String {
        format!("{} {} ({})", self.product, self.release, self.year)
    }

    fn users(&self) -> impl Iterator<Item = u32> {
        self.mean_seconds.values().flat_map(|by_users| by_users.keys().copied())
    }
}

#[derive(Deserialize)]
struct Data {
    report: Vec<Report>,
}

/// All reports, oldest first for each workload.
///
/// # Errors
/// The data is invalid: a bug.
pub fn reports() -> Result<Vec<Report>, toml::de::Error> {
    toml::from_str::<Data>(DATA).map(|data| data.report)
}

/// All reports, for `carrel lab published`.
pub fn document(reports: &[Report]) -> Document {
    let mut workloads: Vec<&str> = Vec::new();
    for report in reports {
        if !workloads.contains(&report.workload.as_str()) {
            workloads.push(&report.workload);
        }
    }
    let section = |workload: &&str| {
        let of: Vec<&Report> = reports.iter().filter(|report| report.workload == **workload).collect();
        let findings =
            of.iter().flat_map(|report| report.findings.iter().map(|finding| format!("{}: {finding}", report.name())));
        let sources = of.iter().map(|report| format!("{}: {}", report.name(), report.source));
        let mut blocks: Vec<Block> = table(&of, None).map(Block::Table).into_iter().collect();
        blocks.push(Block::List(findings.collect()));
        blocks.push(Block::Text(format!("Sources. {}.", sources.collect::<Vec<_>>().join("; "))));
        Section::of(workload, blocks)
    };
    Document {
        title: "Published figures".to_owned(),
        about: "What other systems' own performance reports say of the workloads that the lab has".to_owned(),
        sections: workloads.iter().filter_map(section).collect(),
    }
}

/// Published results for this run's workload beside those of the run, for its numbers of users.
pub fn beside(reports: &[Report], results: &Results) -> Vec<Block> {
    let same = reports.iter().filter(|report| report.workload == results.workload.name);
    let same: Vec<&Report> = same.collect();
    let findings =
        same.iter().flat_map(|report| report.findings.iter().map(|finding| format!("{}: {finding}", report.name())));
    let Some(table) = table(&same, Some(results)) else {
        return vec![Block::List(findings.collect())];
    };
    let note = "Published figures were measured on other machines, with other data and over other networks. They show \
        what staff waited for then; they are not a race on one track.";
    vec![Block::Table(table), Block::List(findings.collect()), Block::Text(note.to_owned())]
}

/// One row per report and for the run, one column per number of users; `None` if there is nothing to show.
fn table(reports: &[&Report], results: Option<&Results>) -> Option<Table> {
    let mut users: Vec<u32> = reports.iter().flat_map(|report| report.users()).collect();
    users.sort_unstable();
    users.dedup();
    users.retain(|users| results.is_none_or(|results| at(results, *users).is_some()));
    let names = reports.iter().flat_map(|report| report.mean_seconds.keys());
    let names: std::collections::BTreeSet<&String> = names.collect();
    if users.is_empty() {
        return None;
    }
    let mut table = Table::new("Average seconds by number of users", &["Measured"]);
    for name in &names {
        for users in &users {
            let plural = if *users == 1 { "user" } else { "users" };
            table.number(&format!("{users} {plural}"), Some(name));
        }
    }
    for report in reports.iter().filter(|report| !report.mean_seconds.is_empty()) {
        let cells = row(&names, &users, |name, users| report.mean_seconds.get(name)?.get(&users).copied());
        table.row([Cell::text(report.name())].into_iter().chain(cells).collect());
    }
    if let Some(results) = results {
        let cells = row(&names, &users, |name, users| {
            let latency = &figures(at(results, users)?, name)?.corrected;
            (latency.count > 0).then_some(latency.mean_ms / 1000.0)
        });
        table.row([Cell::text(this(results))].into_iter().chain(cells).collect());
    }
    Some(table)
}

fn row(
    names: &std::collections::BTreeSet<&String>,
    users: &[u32],
    seconds: impl Fn(&str, u32) -> Option<f64>,
) -> Vec<Cell> {
    let cell = |seconds: f64| Cell::text(number::number(seconds, 3));
    let all = names.iter().flat_map(|name| users.iter().map(move |users| (name, *users)));
    all.map(|(name, users)| seconds(name, users).map_or_else(Cell::none, cell)).collect()
}

fn at(results: &Results, users: u32) -> Option<&Stage> {
    results.stages.iter().find(|stage| stage.users == Some(users))
}

fn figures<'a>(stage: &'a Stage, name: &str) -> Option<&'a Figures> {
    stage.transactions.iter().find(|figures| figures.name == name)
}

fn this(results: &Results) -> String {
    let product = results.target.product.as_deref().unwrap_or("The target");
    let version = results.target.version.as_deref().unwrap_or_default();
    let year = results.run.began.strftime("%Y");
    let name = format!("{product} {version}");
    format!("This run: {} ({year})", name.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        document::text,
        results::sample::{self, latencies, stage},
        workload,
    };

    #[test]
    fn the_published_figures() {
        insta::assert_snapshot!(text::render(&document(&reports().expect("sound"))));
    }

    #[test]
    fn each_report_is_of_a_workload_and_its_transactions() {
        for report in reports().expect("sound") {
            let workload = workload::load(&report.workload).expect("shipped");
            for (name, by_users) in &report.mean_seconds {
                assert!(workload.transactions.iter().any(|one| one.name == *name), "{name}");
                assert!(by_users.values().all(|seconds| *seconds > 0.0));
            }
            assert!(!(report.mean_seconds.is_empty() && report.findings.is_empty()));
        }
    }

    #[test]
    fn a_run_is_beside_published_ones_with_the_same_users() {
        let mut results = sample::results();
        results.stages.push(stage(7, vec![sample::figures("Check-in", None, latencies([5]))], Vec::new()));
        let blocks = beside(&reports().expect("sound"), &results);
        let Some(Block::Table(table)) = blocks.first() else { panic!("a table") };
        assert_eq!(table.columns.len(), 3, "1 user, check-in and check-out");
        let last: Vec<&str> = table.rows[table.rows.len() - 1].iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(last, ["This run: Carrel 0.1.0 (2026)", "0.051", "0.052"]);
    }

    #[test]
    fn other_workloads_have_nothing_beside_them() {
        let mut results = sample::results();
        results.workload.name = "smoke".to_owned();
        let blocks = beside(&reports().expect("sound"), &results);
        assert!(Section::of("Published", blocks).is_none());
    }
}
