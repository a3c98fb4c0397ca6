//! The desk's tables: what is kept beside the records agrees with them (decision 36).

mod compact;
mod contention;
mod hot_path;
mod migration;
mod sequences;
mod ways;

use testkit::Library;

/// What `carrel doctor` finds wrong with the library.
pub(crate) async fn disagreements(library: &Library) -> Vec<String> {
    let app = &library.app;
    let collections: Vec<_> = app.collections.iter().map(|one| (**one).clone()).collect();
    let around = store::doctor::facts::Surroundings { memory: None, connections_of_a_tenant: 1, disk: None };
    let now = library.clock.now();
    let report = store::doctor::examine(&app.database, &collections, &around, &move || now).await;
    let of_tables = ["schema", "indexes", "constraints", "counters", "columns"];
    let checks: Vec<_> = report.findings.iter().filter(|finding| of_tables.contains(&finding.check)).collect();
    assert!(of_tables.iter().all(|check| checks.iter().any(|finding| finding.check == *check)), "{checks:#?}");
    let bad = checks.iter().filter(|finding| !["ok", "skip"].contains(&finding.level.name()));
    bad.map(|finding| format!("{}: {} ({:?})", finding.check, finding.finding, finding.reason)).collect()
}
