//! Tests of the shipped workloads for FOLIO.

use std::{sync::Mutex, time::Duration};

use lab::{
    progress::{Now, Progress},
    results::model::Stage,
    run::run,
    watch::Watch,
    workload::parse,
};

use crate::{
    stub::{Behaviour, Stub},
    support::{named, only, options, shipped},
};

#[tokio::test(flavor = "multi_thread")]
async fn check_outs_and_check_ins_are_equally_frequent() {
    let behaviour = Behaviour {
        delay: |path| Duration::from_millis(if path.starts_with("/automated") { 30 } else { 0 }),
        ..Behaviour::default()
    };
    let stub = Stub::start(behaviour).await;
    let results = shipped("check-in-check-out", &stub.url, |_| {}).await.expect("measured");
    let stage = only(&results);
    let (lent, back) = (named(&stage.transactions, "Check-out"), named(&stage.transactions, "Check-in"));
    assert!(lent.count > 3 && lent.count.abs_diff(back.count) <= 2, "{} and {}", lent.count, back.count);
    // The stub refuses one item, which is then retired.
    assert_eq!((lent.failed(), back.failed()), (1, 0), "{:?}", results.warnings);
    assert_eq!(lent.errors["status 422"], 1);
    let warned = |text: &str| results.warnings.iter().any(|warning| warning.contains(text));
    assert!(warned("POST check-out: status 422, for example: {\"errors\":[{\"message\":\"Item is not lendable\"}]}"));
    assert!(warned("1 rows of \"available\" were refused"), "{:?}", results.warnings);
    assert!(stub.lent() <= 2, "{} are still lent", stub.lent());
    let blocks = named(&stage.requests, "GET automated patron blocks");
    assert!(blocks.measured.p50_ms >= 30.0, "{:?}", blocks.measured);
    assert_eq!(blocks.path.as_deref(), Some("/automated-patron-blocks/{{patron.id}}?limit=100"));
    assert!(named(&stage.requests, "GET open loans").measured.p50_ms < 20.0);
    assert!(lent.measured.p50_ms >= 60.0, "blocks are read before and after: {:?}", lent.measured);
    assert_eq!(results.workload.shares["Check-in"], 0.5);
    assert_eq!(results.target.records["items"], 50);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_release_is_measured_without_the_routes_it_lacks() {
    let stub = Stub::start(Behaviour {
        instead: |path| {
            let absent = path == "/circulation/settings";
            absent.then_some((404, "No suitable module found for path /circulation/settings"))
        },
        ..Behaviour::default()
    })
    .await;
    let results = shipped("check-in-check-out", &stub.url, |options| {
        options.transactions = Some(20);
    })
    .await
    .expect("measured");
    let stage = only(&results);
    let back = named(&stage.transactions, "Check-in");
    assert!(back.count > 3 && back.failed() == 0, "{:?}", back.errors);
    let left_out = "GET circulation settings: left out, because the target does not serve it (status 404; it came with \
                    Ramsons)";
    assert!(results.warnings.iter().any(|warning| warning == left_out), "{:?}", results.warnings);
    assert_eq!(stub.asked("/circulation/settings").len(), 1);
    let kinds = stage.requests.iter();
    let mut kinds = kinds.filter(|kind| kind.name == "GET circulation settings");
    assert!(kinds.next().is_none(), "it is in no table");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_404_of_a_route_in_every_release_is_an_error() {
    let stub = Stub::start(Behaviour {
        instead: |path| (path == "/groups").then_some((404, "No suitable module found")),
        ..Behaviour::default()
    })
    .await;
    let error = shipped("check-in-check-out", &stub.url, |options| {
        options.transactions = Some(4);
    })
    .await;
    let error = error.expect_err("nothing succeeds").to_string();
    assert!(error.contains("GET groups: status 404"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_drawn_from_id_to_id_and_never_by_offset() {
    let stub = Stub::start(Behaviour { records: 3_500, ..Behaviour::default() }).await;
    let results = shipped("uuid-batch", &stub.url, |options| {
        options.transactions = Some(18);
    })
    .await
    .expect("measured");
    assert!(results.warnings.is_empty(), "{:?}", results.warnings);
    let pages = stub.asked("/item-storage/items?query=");
    let drawn = pages.iter().filter(|path| path.contains("sortby id"));
    assert_eq!(drawn.count(), 4, "{pages:?}");
    assert!(stub.asked("offset=").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn drawing_from_a_slow_target_ends_early_and_the_report_says_so() {
    let stub = Stub::start(Behaviour {
        records: 1_000_000,
        delay: |path| {
            let slow = path == "/item-storage/items";
            Duration::from_millis(if slow { 50 } else { 0 })
        },
        ..Behaviour::default()
    })
    .await;
    let text = "name = \"slow\"\ntitle = \"Items\"\nprotocol = \"folio\"\n[[data]]\nname = \"items\"\n\
        path = \"/item-storage/items\"\nlist = \"/items\"\ncolumns = { id = \"/id\" }\nmost = 1000000\n\
        within = 0.2\n[[transaction]]\nname = \"Get\"\n[[transaction.step]]\n[[transaction.step.request]]\n\
        name = \"GET it\"\npath = \"/groups\"\n";
    let folder = tempfile::tempdir().expect("a folder");
    let workload = parse("slow.toml", text).expect("sound");
    let heard = Heard::default();
    let (_running, stop) = tokio::sync::watch::channel(false);
    let options = options(&stub.url, folder.path(), 100);
    let outcome = run(workload, options, Watch::default(), &heard, stop).await;
    let warnings = outcome.expect("measured").results.warnings;
    assert!(warnings[0].contains("rows of \"items\" were drawn"), "{warnings:?}");
    assert!(stub.asked("sortby id").len() < 100);
    let heard = heard.0.lock().expect("whole");
    assert_eq!(heard[0], "drawing \"items\"");
    assert!(heard.last().is_some_and(|last| last.contains(" rows of \"items\" in ")), "{heard:?}");
}

/// Collects the progress messages of drawing rows.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Progress for Heard {
    fn note(&self, _: &str) {}
    fn drawing(&self, text: &str) {
        self.0.lock().expect("whole").push(text.to_owned());
    }
    fn second(&self, _: &Now) {}
    fn stage(&self, _: &Stage) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn records_by_ids_are_counted_by_call_and_by_record() {
    let behaviour = Behaviour { records: 1_500, expiring: false, ..Behaviour::default() };
    let stub = Stub::start(behaviour).await;
    let results = shipped("uuid-batch", &stub.url, |options| {
        options.duration = Duration::from_secs(30);
        options.transactions = Some(72);
    })
    .await
    .expect("measured");
    let stage = only(&results);
    assert_eq!(stage.requests.len(), 36);
    for size in [1, 10, 1_000] {
        for which in ["same", "new"] {
            for (kind, list) in [("items", "Items"), ("holdings", "Holdings")] {
                let figures = named(&stage.requests, &format!("GET {kind} by {size} ids, {which}"));
                assert_eq!(figures.records, Some(figures.count * size), "{}", figures.name);
                let record = figures.per_record_ms.expect("records") * size as f64;
                assert!((record - figures.measured.mean_ms).abs() < 0.01, "{record}");
                named(&stage.transactions, &format!("{list} by {size} ids, {which}"));
            }
        }
    }
    assert!(results.warnings.is_empty(), "{:?}", results.warnings);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_reads_instances_their_holdings_and_their_items() {
    let stub = Stub::start(Behaviour { records: 250, ..Behaviour::default() }).await;
    let results = shipped("data-export", &stub.url, |options| options.transactions = Some(3)).await.expect("measured");
    let stage = only(&results);
    for name in ["GET instances by ids", "GET holdings of instances", "GET items of holdings"] {
        let figures = named(&stage.requests, name);
        assert_eq!((figures.count, figures.records), (3, Some(300)), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn smoke_is_a_little_of_everything() {
    let stub = Stub::start(Behaviour { records: 1_200, ..Behaviour::default() }).await;
    let results = shipped("smoke", &stub.url, |options| options.transactions = Some(120)).await.expect("measured");
    let stage = only(&results);
    for name in ["Check-in", "Check-out", "Items by 1000 ids, new", "Export of 100 instances"] {
        named(&stage.transactions, name);
    }
    let desk = named(&stage.transactions, "Check-in").count + named(&stage.transactions, "Check-out").count;
    assert!((38..=42).contains(&desk), "a third of 120, not {desk}");
}
