//! Entering and running jobs.

use jobs::Runner;
use store::jobs::{Claimant, claim, enqueue_in, forget};
use tokio::sync::oneshot;

use super::*;

#[tokio::test]
async fn a_job_runs_once_its_transaction_has_committed() {
    let fixture = Fixture::new().await;
    let undone = fixture.session.begin().await.unwrap();
    let payload = json!({"loan": 1});
    enqueue_in(&undone, &NewJob::new("note", &payload)).await.unwrap();
    assert_eq!(fixture.run().await, 0, "not before");
    drop(undone);
    assert_eq!(fixture.run().await, 0, "not when it was undone");
    let kept = fixture.session.begin().await.unwrap();
    enqueue_in(&kept, &NewJob::new("note", &payload)).await.unwrap();
    kept.commit().await.unwrap();
    assert_eq!(fixture.run().await, 1);
    assert_eq!(fixture.run().await, 0, "and only once");
    assert_eq!((fixture.ran(), fixture.jobs().await), (vec![payload], vec![done()]));
}

#[tokio::test]
async fn sql_enters_jobs_too() {
    let fixture = Fixture::new().await;
    let sql = "SELECT enqueue_job('note', '{\"loan\": 2}')";
    fixture.session.query(sql, &[]).await.unwrap();
    assert_eq!(fixture.run().await, 1);
    assert_eq!(fixture.ran(), [json!({"loan": 2})]);
}

#[tokio::test]
async fn a_job_waits_for_its_time() {
    let fixture = Fixture::new().await;
    let later = fixture.now() + SignedDuration::from_secs(60);
    let job = NewJob { run_after: Some(later), ..NewJob::new("note", &Value::Null) };
    enqueue(&fixture.session, &job).await.unwrap();
    fixture.pass(59);
    assert_eq!(fixture.run().await, 0);
    fixture.pass(1);
    assert_eq!(fixture.run().await, 1);
}

#[tokio::test]
async fn several_processes_never_run_the_same_job() {
    let fixture = Fixture::new().await;
    for number in 0..60 {
        fixture.enter(&json!(number)).await;
    }
    let mut runners: Vec<_> = (0..4).map(|_| fixture.runner()).collect();
    let running = runners.iter_mut().map(Runner::run_due);
    for ran in futures_util::future::join_all(running).await {
        ran.unwrap();
    }
    let mut ran = fixture.ran();
    ran.sort_by_key(Value::as_i64);
    assert_eq!(ran, (0..60).map(Value::from).collect::<Vec<_>>());
}

#[tokio::test]
async fn jobs_with_one_key_run_one_at_a_time() {
    let fixture = Fixture::new().await;
    let enter = async |kind| {
        let job = NewJob { key: Some("patron 1"), ..NewJob::new(kind, &Value::Null) };
        enqueue(&fixture.session, &job).await.unwrap()
    };
    let first = enter("note").await;
    assert_eq!(enter("note").await, first, "it waits already");
    assert_ne!(enter("other").await, first, "another kind of work");
    let claimant = |kinds| Claimant {
        process: "elsewhere",
        kinds,
        now: fixture.now(),
        lease_ends: fixture.now() + SignedDuration::from_secs(120),
    };
    let names = ["note".to_owned()];
    let claimed = claim(&fixture.session, claimant(&names), 9).await.unwrap();
    assert_eq!(claimed.len(), 1);
    let second = enter("note").await;
    assert_ne!(second, first, "what happens during a run needs another one");
    let beside = claim(&fixture.session, claimant(&names), 9).await.unwrap();
    assert_eq!(beside, [], "but not beside it");
    // The first process has died: its job runs again, then the second.
    fixture.pass(120);
    assert_eq!(fixture.run().await, 3);
    assert!(fixture.jobs().await.iter().all(|(state, ..)| state == "done"));
}

#[tokio::test]
async fn the_bell_and_a_stop_reach_a_running_runner() {
    let fixture = Fixture::new().await;
    let (began, mut begins) = tokio::sync::mpsc::unbounded_channel();
    let mut kinds = Kinds::default();
    kinds.add("endless", move |run: Run<Log>| {
        let began = began.clone();
        async move {
            began.send(run.attempt).unwrap();
            std::future::pending().await
        }
    });
    let (stop, stopped) = oneshot::channel::<()>();
    let bell = Bell::default();
    let program =
        Program { app: Arc::clone(&fixture.library.app), log: Arc::clone(&fixture.log), scheduled: Vec::new() };
    let runner = Runner::new(program, kinds, bell.clone()).grace(std::time::Duration::ZERO);
    let running = tokio::spawn(runner.run(async move { drop(stopped.await) }));
    enqueue(&fixture.session, &NewJob::new("endless", &Value::Null)).await.unwrap();
    bell.ring("test");
    assert_eq!(begins.recv().await, Some(1));
    stop.send(()).unwrap();
    running.await.unwrap();
    let waiting = ("waiting".to_owned(), 0, None);
    assert_eq!(fixture.jobs().await, [waiting], "given back as if it had not been begun");
}

#[tokio::test]
async fn a_run_shows_its_progress_and_notices_a_stop() {
    let fixture = Fixture::new().await;
    let (reported, report) = oneshot::channel();
    let (go_on, goes_on) = oneshot::channel::<()>();
    let once = Mutex::new(Some((reported, goes_on)));
    let mut kinds = Kinds::default();
    kinds.add("long", move |run: Run<Log>| {
        let taken = once.lock().unwrap().take();
        async move {
            run.report(&json!({"loans": 500})).await?;
            let (reported, goes_on) = taken.expect("it runs once");
            reported.send(()).unwrap();
            goes_on.await.unwrap();
            run.report(&json!({"loans": 1000})).await
        }
    });
    let (stop, stopped) = oneshot::channel::<()>();
    let runner = fixture.runner_of(kinds, Vec::new());
    enqueue(&fixture.session, &NewJob::new("long", &Value::Null)).await.unwrap();
    let running = tokio::spawn(runner.run(async move { drop(stopped.await) }));
    report.await.unwrap();
    let progress = "SELECT progress FROM job WHERE kind = 'long'";
    let row = fixture.session.get(progress, &[]).await.unwrap();
    assert_eq!(row.get::<_, Value>(0), json!({"loans": 500}));
    stop.send(()).unwrap();
    tokio::task::yield_now().await;
    go_on.send(()).unwrap();
    running.await.unwrap();
    assert_eq!(fixture.jobs().await[0].0, "waiting", "it stopped at its second report");
}

#[tokio::test]
async fn finished_jobs_are_deleted_after_a_time() {
    let fixture = Fixture::new().await;
    fixture.enter(&json!({})).await;
    fixture.enter(&json!({"fail": "never"})).await;
    fixture.run().await;
    let hours = SignedDuration::from_hours;
    let forget = async |done, failed| {
        let now = fixture.now();
        forget(&fixture.session, now - hours(done), now - hours(failed), 10).await.unwrap()
    };
    assert_eq!(forget(0, 0).await, 0, "not in the moment they end");
    fixture.pass(25 * 3600);
    fixture.run().await;
    assert_eq!(fixture.jobs().await.len(), 1, "the failed one stays longer");
    fixture.pass(30 * 24 * 3600);
    fixture.run().await;
    assert_eq!(fixture.jobs().await, []);
}
