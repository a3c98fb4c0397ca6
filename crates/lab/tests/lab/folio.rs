//! The shipped workloads of FOLIO.

use std::time::Duration;

use crate::{
    stub::{Behaviour, Stub},
    support::{named, only, shipped},
};

#[tokio::test(flavor = "multi_thread")]
async fn the_desk_lends_and_takes_back_half_and_half() {
    let behaviour = Behaviour {
        delay: |path| {
            Duration::from_millis(if path.starts_with("/automated") {
                30
            } else {
                0
            })
        },
        ..Behaviour::default()
    };
    let stub = Stub::start(behaviour).await;
    let results = shipped("check-in-check-out", &stub.url, |_| {})
        .await
        .expect("measured");
    let stage = only(&results);
    let (lent, back) = (
        named(&stage.transactions, "Check-out"),
        named(&stage.transactions, "Check-in"),
    );
    assert!(
        lent.count > 3 && lent.count.abs_diff(back.count) <= 2,
        "{} and {}",
        lent.count,
        back.count
    );
    // The stub refuses one item, which is then used no more.
    assert_eq!(
        (lent.failed(), back.failed()),
        (1, 0),
        "{:?}",
        results.warnings
    );
    assert_eq!(lent.errors["status 422"], 1);
    let warned = |text: &str| {
        results
            .warnings
            .iter()
            .any(|warning| warning.contains(text))
    };
    assert!(warned(
        "POST check-out: status 422, for example: {\"errors\":[{\"message\":\"Item is not lendable\"}]}"
    ));
    assert!(
        warned("1 rows of \"available\" were refused"),
        "{:?}",
        results.warnings
    );
    assert!(stub.lent() <= 2, "{} are still lent", stub.lent());
    let blocks = named(&stage.requests, "GET automated patron blocks");
    assert!(blocks.measured.p50_ms >= 30.0, "{:?}", blocks.measured);
    assert_eq!(
        blocks.path.as_deref(),
        Some("/automated-patron-blocks/{{patron.id}}?limit=100")
    );
    assert!(named(&stage.requests, "GET open loans").measured.p50_ms < 20.0);
    assert!(
        lent.measured.p50_ms >= 60.0,
        "blocks are read before and after: {:?}",
        lent.measured
    );
    assert_eq!(results.workload.shares["Check-in"], 0.5);
    assert_eq!(results.target.records["items"], 50);
}

#[tokio::test(flavor = "multi_thread")]
async fn records_by_ids_are_counted_by_call_and_by_record() {
    let behaviour = Behaviour {
        records: 1_500,
        expiring: false,
        ..Behaviour::default()
    };
    let stub = Stub::start(behaviour).await;
    let results = shipped("uuid-batch", &stub.url, |_| {})
        .await
        .expect("measured");
    let stage = only(&results);
    assert_eq!(stage.requests.len(), 36);
    for size in [1, 10, 1_000] {
        for which in ["same", "new"] {
            for (kind, list) in [("items", "Items"), ("holdings", "Holdings")] {
                let figures = named(
                    &stage.requests,
                    &format!("GET {kind} by {size} ids, {which}"),
                );
                assert_eq!(
                    figures.records,
                    Some(figures.count * size),
                    "{}",
                    figures.name
                );
                let record = figures.per_record_ms.expect("records") * size as f64;
                assert!((record - figures.measured.mean_ms).abs() < 0.01, "{record}");
                named(
                    &stage.transactions,
                    &format!("{list} by {size} ids, {which}"),
                );
            }
        }
    }
    assert!(results.warnings.is_empty(), "{:?}", results.warnings);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_reads_instances_their_holdings_and_their_items() {
    let stub = Stub::start(Behaviour {
        records: 250,
        ..Behaviour::default()
    })
    .await;
    let results = shipped("data-export", &stub.url, |options| {
        options.transactions = Some(3)
    })
    .await
    .expect("measured");
    let stage = only(&results);
    for name in [
        "GET instances by ids",
        "GET holdings of instances",
        "GET items of holdings",
    ] {
        let figures = named(&stage.requests, name);
        assert_eq!((figures.count, figures.records), (3, Some(300)), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn smoke_is_a_little_of_everything() {
    let stub = Stub::start(Behaviour {
        records: 1_200,
        ..Behaviour::default()
    })
    .await;
    let results = shipped("smoke", &stub.url, |options| {
        options.transactions = Some(120)
    })
    .await
    .expect("measured");
    let stage = only(&results);
    for name in [
        "Check-in",
        "Check-out",
        "Items by 1000 ids, new",
        "Export of 100 instances",
    ] {
        named(&stage.transactions, name);
    }
    let desk = named(&stage.transactions, "Check-in").count
        + named(&stage.transactions, "Check-out").count;
    assert!((38..=42).contains(&desk), "a third of 120, not {desk}");
}
