//! Tests of reports, of a complete hand-made run and of incomplete ones.

use super::*;
use crate::{
    document::{html, markdown},
    results::{
        model::{Hour, HourWatched, Watched},
        sample::{self, figures, latencies, stage},
        threshold,
    },
};

/// A run with 1 and 20 users, errors, watched series and hours.
fn series() -> Results {
    let desk = |slower: u64| {
        let check_in = figures("Check-in", None, latencies((0..400).map(|at| slower * (20 + at % 30))));
        let check_out = figures("Check-out", None, latencies((0..400).map(|at| slower * (30 + at % 40))));
        let blocks = Some(("GET", "/automated-patron-blocks/{{patron.id}}"));
        let mut request =
            figures("GET automated patron blocks", blocks, latencies((0..400).map(|at| slower * (10 + at % 20))));
        request.errors = [("status 500".to_owned(), 4)].into();
        let loans = figures("GET open loans", Some(("GET", "/circulation/loans")), latencies([5; 400]));
        (vec![check_in, check_out], vec![request, loans])
    };
    let mut results = sample::results();
    results.stages = [(1, 1), (20, 5)]
        .map(|(users, slower)| {
            let (transactions, requests) = desk(slower);
            stage(users, transactions, requests)
        })
        .to_vec();
    results.stages[1].transactions[0].errors = [("status 500".to_owned(), 4)].into();
    let (unit, values) = ("cores".to_owned(), vec![Some(0.5), Some(1.5), None]);
    results.watch = [("server_cpu".to_owned(), Watched { unit, values })].into();
    results.hours = [1, 2].map(|hour| hour_of(hour, &results)).to_vec();
    results.warnings = vec!["Data ran out after 40 minutes.".to_owned()];
    results
}

fn hour_of(hour: u32, results: &Results) -> Hour {
    let from = u64::from(hour - 1) * 3_600;
    let watch = HourWatched { mean: 1.25, max: 2.0, last: 1.0 };
    Hour {
        hour,
        from,
        to: from + 3_600,
        transactions: results.stages[0].transactions.clone(),
        watch: [("server_cpu".to_owned(), watch)].into(),
    }
}

fn text(results: &Results, beside: &Beside<'_>) -> String {
    markdown::render(&document(results, beside))
}

#[test]
fn a_report_in_markdown() {
    insta::assert_snapshot!(text(&series(), &Beside::default()));
}

#[test]
fn a_report_shows_changes_since_the_last_run() {
    let mut now = series();
    now.stages.iter_mut().for_each(|stage| {
        stage.transactions = vec![figures("Check-in", None, latencies((0..4000).map(|at| 13 + at % 10)))];
    });
    now.environment.cores = Some(2);
    let last = Some(Group::of("the last release", series()));
    let text = text(&now, &Beside { last, ..Beside::default() });
    assert!(text.contains("Check-in is 90 % faster than the last release"), "{text}");
    assert!(text.contains("Average compared with the last release"), "{text}");
    assert!(text.contains("Not the same: the number of processors"), "{text}");
    assert!(text.contains("Single runs are compared"), "{text}");
}

#[test]
fn thresholds_are_reported() {
    let results = series();
    let thresholds = ["Check-out p95<100ms @20", "errors<5%"].map(|text| text.parse().expect("valid"));
    let verdicts = threshold::check(&results, &thresholds);
    let text = text(&results, &Beside { verdicts: &verdicts, ..Beside::default() });
    assert!(text.contains("Threshold not kept: Check-out p95\\<100ms @20: Check-out at 20 users has"), "{text}");
    assert!(text.contains("What the run had to keep"), "{text}");
}

#[test]
fn the_page_has_every_section_with_charts_and_fetches_nothing() {
    let page = html::render(&document(&series(), &Beside::default())).expect("a page");
    for section in [
        "Summary",
        "Test runs",
        "Response times",
        "Beside published figures",
        "Requests",
        "Throughput",
        "Errors",
        "Over time",
        "Percentiles",
        "Server and database",
        "Longevity",
        "Environment",
        "How latency was counted",
    ] {
        assert!(page.contains(&format!("\">{section}</h2>")), "{section}");
    }
    assert!(page.matches("<svg").count() >= 6, "charts");
    assert_eq!(page.matches("<svg").count(), page.matches("role=\"img\" aria-label=").count());
    let fetched = ["<script", " src=", "<link", "url(", "@import"];
    assert!(fetched.iter().all(|fetched| !page.contains(fetched)));
}

#[test]
fn a_run_that_measured_nothing_still_has_a_report() {
    let mut empty = series();
    empty.stages.clear();
    empty.timeline = crate::results::model::Timeline::default();
    empty.watch.clear();
    empty.hours.clear();
    empty.run.cut_short = Some("interrupted".to_owned());
    let text = text(&empty, &Beside::default());
    assert!(text.contains("The run ended early (interrupted)"), "{text}");
    let mut failed = series();
    failed.stages.iter_mut().for_each(|stage| {
        stage.transactions = vec![figures("Check-in", None, latencies([]))];
        stage.requests.clear();
    });
    let page = html::render(&document(&failed, &Beside::default())).expect("a page");
    assert!(!page.contains("NaN") && !page.contains("inf "), "{page}");
}

#[test]
fn many_transactions_have_a_row_each() {
    let mut batches = series();
    let named = |size: u64| {
        let mut one = figures(&format!("Items by {size} ids"), None, latencies([size; 40]));
        one.per_record_ms = Some(1.0);
        one
    };
    batches.stages.iter_mut().for_each(|stage| stage.transactions = (1..=8).map(named).collect());
    let text = text(&batches, &Beside::default());
    assert!(text.contains("| Transaction | Count | Failed | Average |"), "{text}");
    assert!(text.contains("| Items by 8 ids | 40 | 0 | 8.0 |"), "{text}");
}
