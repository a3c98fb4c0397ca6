//! Known delays are measured correctly, and a stall shows although the closed loop paused.

use std::{path::PathBuf, sync::Mutex, time::Duration};

use lab::{
    progress::{Now, Progress, Silent},
    results::{
        file, jtl,
        model::{Arrivals, Correction, Figures, Results, Stage},
    },
    run::{INTERRUPTED, options::Plan, run},
    watch::{Reading, Readings, Sampler, Watch},
};
use tokio::sync::watch;

use crate::{
    stub::{Behaviour, Stub},
    support::{get, measure, named, only, options},
};

const STALL: Behaviour = Behaviour {
    delay: |_| Duration::from_millis(5),
    stall: Some((100, Duration::from_secs(2))),
    records: 1,
    instead: |_| None,
    expiring: true,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_known_delay_of_50_ms_is_measured_as_50_ms() {
    let behaviour = Behaviour { delay: |_| Duration::from_millis(50), ..Behaviour::default() };
    let stub = Stub::start(behaviour).await;
    let folder = tempfile::tempdir().expect("a folder");
    let outcome = measure(get("/plain"), options(&stub.url, folder.path(), 3_000)).await.expect("measured");
    let figures = named(&only(&outcome.results).requests, "GET it");
    // On a busy machine the stub's own timer may take longer than 50 ms, which is not the lab's error.
    let really = stub.median("/plain").as_secs_f64() * 1000.0;
    for latency in [&figures.measured, &figures.corrected] {
        assert!((latency.p50_ms - really).abs() <= 2.0, "{} read, {really} really", latency.p50_ms);
    }
    assert!(really >= 50.0 && figures.measured.p50_ms >= 50.0, "{}", figures.measured.p50_ms);
    assert_eq!(figures.failed(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stall_shows_in_the_percentiles_of_a_closed_loop_that_paused() {
    let stub = Stub::start(STALL).await;
    let folder = tempfile::tempdir().expect("a folder");
    let outcome = measure(get("/plain"), options(&stub.url, folder.path(), 4_000)).await.expect("measured");
    let stage = only(&outcome.results);
    let figures = named(&stage.transactions, "Get");
    assert!(matches!(stage.correction, Correction::ExpectedInterval { .. }));
    assert!(figures.measured.p99_ms < 200.0, "as measured it hides: {:?}", figures.measured);
    assert!(figures.corrected.p95_ms > 1_000.0, "{:?}", figures.corrected);
    assert!(figures.corrected.max_ms >= 1_990.0, "{:?}", figures.corrected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stall_shows_in_an_open_load_and_with_a_pace() {
    for paced in [false, true] {
        let stub = Stub::start(STALL).await;
        let folder = tempfile::tempdir().expect("a folder");
        let mut options = options(&stub.url, folder.path(), 4_000);
        if paced {
            options.pace = Some(Duration::from_millis(20));
        } else {
            options.plan = Plan::Rates(vec![100.0]);
        }
        let outcome = measure(get("/plain"), options).await.expect("measured");
        let stage = only(&outcome.results);
        let figures = named(&stage.transactions, "Get");
        assert_eq!(stage.correction, Correction::IntendedStart);
        assert!(figures.corrected.p90_ms > 1_000.0, "{paced}: {:?}", figures.corrected);
        assert_eq!(figures.corrected.count, figures.measured.count, "nothing is made up");
        let expected = if paced { 200 } else { 400 };
        assert!(figures.count.abs_diff(expected) <= 2, "{paced}: {} sessions", figures.count);
        assert_eq!(outcome.results.workload.arrivals == Arrivals::Open, !paced);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pauses_are_no_part_of_a_latency_and_warm_up_does_not_count() {
    let stub = Stub::start(Behaviour::default()).await;
    let folder = tempfile::tempdir().expect("a folder");
    let text = "name = \"pause\"\ntitle = \"A pause\"\nprotocol = \"plain\"\n[[transaction]]\nname = \"Pause\"\n\
         [[transaction.step]]\nthink = [0.2, 0.2]\n[[transaction.step.request]]\nname = \"GET\"\npath = \"/plain\"\n";
    let workload = lab::workload::parse("pause.toml", text).expect("sound");
    let mut options = options(&stub.url, folder.path(), 1_000);
    (options.think_time, options.warm_up) = (true, Duration::from_millis(1_000));
    let outcome = measure(workload, options).await.expect("measured");
    let stage = only(&outcome.results);
    let figures = named(&stage.transactions, "Pause");
    assert!((4..=6).contains(&figures.count), "{} in a second", figures.count);
    assert!(figures.measured.p50_ms < 100.0, "{:?}", figures.measured);
    assert!((9..=11).contains(&stub.requests()), "{} in two seconds", stub.requests());
    let timeline = &outcome.results.timeline.transactions["Pause"];
    assert!(timeline.count.iter().sum::<u32>() >= 9, "the timeline has the warm-up, too");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_series_has_a_stage_for_each_number_of_users() {
    let behaviour = Behaviour { delay: |_| Duration::from_millis(20), ..Behaviour::default() };
    let stub = Stub::start(behaviour).await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut options = options(&stub.url, folder.path(), 1_000);
    options.plan = Plan::Users(vec![1, 4]);
    let results = measure(get("/plain"), options).await.expect("measured").results;
    let users: Vec<_> = results.stages.iter().map(|stage| stage.users).collect();
    assert_eq!(users, [Some(1), Some(4)]);
    let rates: Vec<_> = results.stages.iter().map(|stage| stage.transactions_per_second).collect();
    assert!((2.5..6.0).contains(&(rates[1] / rates[0])), "four users do four times as much: {rates:?}");
    assert_eq!(results.stages[0].ends_at, results.stages[1].begins_at);
    assert_eq!(file::read(folder.path()).expect("written"), results);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stage_ends_after_its_number_of_transactions() {
    let stub = Stub::start(Behaviour::default()).await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut options = options(&stub.url, folder.path(), 60_000);
    (options.transactions, options.plan) = (Some(500), Plan::Users(vec![8]));
    let outcome = measure(get("/plain"), options).await.expect("measured");
    assert_eq!(named(&only(&outcome.results).transactions, "Get").count, 500);
    assert_eq!(stub.requests(), 500);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_run_has_its_hours() {
    let behaviour = Behaviour { delay: |_| Duration::from_millis(10), ..Behaviour::default() };
    let stub = Stub::start(behaviour).await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut options = options(&stub.url, folder.path(), 3_500);
    options.hour = Duration::from_secs(1);
    let (_running, stop) = watch::channel(false);
    let outcome = run(get("/plain"), options, Watch::of(vec![Box::new(Steps(0.0))]), &Silent, stop).await;
    let results = outcome.expect("measured").results;
    let (hours, stage) = (&results.hours, only(&results));
    let numbers: Vec<_> = hours.iter().map(|hour| hour.hour).collect();
    assert!(numbers == [1, 2, 3] || numbers == [1, 2, 3, 4], "{numbers:?}");
    assert!(hours.windows(2).all(|pair| pair[0].to == pair[1].from));
    let counts: Vec<_> = hours.iter().map(|hour| named(&hour.transactions, "Get").count).collect();
    let all = named(&stage.transactions, "Get").count;
    assert!(counts.iter().sum::<u64>().abs_diff(all) <= 60, "{counts:?} of {all}");
    let last: Vec<_> = hours.iter().map(|hour| hour.watch["steps"].last).collect();
    assert!(last.is_sorted() && last[0] >= 1.0, "{last:?}");
}

struct Steps(f64);

impl Sampler for Steps {
    fn sample(&mut self) -> Readings<'_> {
        self.0 += 1.0;
        Box::pin(std::future::ready(vec![Reading::new("steps", "steps", self.0)]))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_run_has_partial_results_with_watched_series_on_the_same_axis() {
    let behaviour = Behaviour { delay: |_| Duration::from_millis(10), ..Behaviour::default() };
    let stub = Stub::start(behaviour).await;
    let folder = tempfile::tempdir().expect("a folder");
    let (interrupt, stop) = watch::channel(false);
    let options = options(&stub.url, folder.path(), 3_600_000);
    let running = run(get("/plain"), options, Watch::of(vec![Box::new(Steps(0.0))]), &Silent, stop);
    let interrupting = async {
        while stub.requests() < 150 {
            tokio::task::yield_now().await;
        }
        interrupt.send(true).expect("it runs");
    };
    let (outcome, ()) = tokio::join!(running, interrupting);
    let results = outcome.expect("results").results;
    assert_eq!(results.run.cut_short.as_deref(), Some(INTERRUPTED));
    assert!(named(&only(&results).transactions, "Get").count >= 140);
    let seconds = results.timeline.users.len();
    assert_eq!(results.watch["steps"].values.len(), seconds);
    assert_eq!(results.watch["steps"].values[0], Some(1.0));
    assert_eq!(results.timeline.transactions["Get"].count.len(), seconds);
    assert_eq!(file::read(folder.path()).expect("written"), results);
}

/// Stops the run at the first checkpoint, and keeps it.
struct AtCheckpoint {
    folder: PathBuf,
    found: Mutex<Option<Results>>,
    interrupt: watch::Sender<bool>,
}

impl Progress for AtCheckpoint {
    fn note(&self, text: &str) {
        assert!(!text.contains("cannot be written"), "{text}");
    }

    fn second(&self, _: &Now) {
        let mut found = self.found.lock().expect("no panic");
        if found.is_none()
            && let Ok(results) = file::read(&self.folder)
        {
            *found = Some(results);
            // The run listens.
            let _ = self.interrupt.send(true);
        }
    }

    fn stage(&self, _: &Stage) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_run_has_left_the_results_so_far() {
    let behaviour = Behaviour { delay: |_| Duration::from_millis(10), ..Behaviour::default() };
    let stub = Stub::start(behaviour).await;
    let folder = tempfile::tempdir().expect("a folder");
    let (interrupt, stop) = watch::channel(false);
    let mut options = options(&stub.url, folder.path(), 3_600_000);
    options.checkpoint = Duration::from_millis(1);
    let progress = AtCheckpoint { folder: folder.path().to_owned(), found: Mutex::new(None), interrupt };
    let watched = Watch::of(vec![Box::new(Steps(0.0))]);
    watched.notes.warn("something could not be watched");
    let outcome = run(get("/plain"), options, watched, &progress, stop).await;
    let ended = outcome.expect("results").results;
    let left = progress.found.into_inner().expect("no panic").expect("a checkpoint");
    assert_eq!(left.run.cut_short.as_deref(), Some("still running"));
    assert!(named(&only(&left).transactions, "Get").count > 0);
    assert_eq!(left.watch["steps"].values[0], Some(1.0));
    let warnings = |results: &Results| results.warnings.iter().filter(|w| w.contains("could not be watched")).count();
    assert_eq!((warnings(&left), warnings(&ended)), (1, 1));
    assert_eq!(file::read(folder.path()).expect("written"), ended, "the last word is the end's");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_that_counts_is_a_line_of_the_jtl() {
    let stub = Stub::start(Behaviour::default()).await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut options = options(&stub.url, folder.path(), 1_000);
    let jtl = folder.path().join("samples.jtl");
    options.jtl = Some(jtl.clone());
    let outcome = measure(get("/plain"), options).await.expect("measured");
    let read = jtl::read::read(&jtl).expect("a JTL");
    let (ours, theirs) = (only(&outcome.results), only(&read));
    for (measured, read) in [(&ours.requests, &theirs.requests), (&ours.transactions, &theirs.transactions)] {
        let counts = |figures: &[Figures]| -> Vec<(String, u64, u64)> {
            let counts = figures.iter().map(|one| (one.name.clone(), one.count, one.failed()));
            counts.collect()
        };
        assert_eq!(counts(measured), counts(read));
    }
    assert_eq!(theirs.users, Some(1));
}
