//! Scheduled jobs.

use super::*;

#[tokio::test]
async fn a_scheduled_job_runs_once_for_all_processes() {
    let fixture = Fixture::new().await;
    let mut runners: Vec<_> = (0..3).map(|_| fixture.runner_of(kinds(), vec![every("note", 60)])).collect();
    for round in 0..3 {
        for runner in &mut runners {
            runner.run_due().await.unwrap();
        }
        assert_eq!(fixture.ran().len(), round);
        fixture.pass(60);
    }
    assert_eq!(fixture.jobs().await.len(), 1, "always the same job");
}

#[tokio::test]
async fn a_schedule_may_change_or_end() {
    let fixture = Fixture::new().await;
    let run_with = async |scheduled| {
        let mut runner = fixture.runner_of(kinds(), scheduled);
        runner.run_due().await.unwrap();
        fixture.ran().len()
    };
    run_with(vec![every("note", 3600)]).await;
    run_with(vec![every("note", 10)]).await;
    fixture.pass(10);
    assert_eq!(run_with(vec![every("note", 10)]).await, 1);
    assert_eq!(run_with(vec![]).await, 1);
    assert_eq!(fixture.jobs().await, []);
    fixture.pass(3600);
    assert_eq!(run_with(vec![]).await, 1);
}

#[tokio::test]
async fn a_failing_scheduled_job_is_retried_early_and_never_abandoned() {
    let fixture = Fixture::new().await;
    let mut runner = fixture.runner_of(kinds(), vec![every("note", 3600)]);
    runner.run_due().await.unwrap();
    let fail = "UPDATE job SET payload = '{\"fail\": \"away\"}' WHERE kind = 'note'";
    fixture.session.execute(fail, &[]).await.unwrap();
    for (wait, ran) in [(3600, 1), (15, 2), (30, 3), (60, 3), (3540, 4), (15, 5)] {
        fixture.pass(wait);
        runner.run_due().await.unwrap();
        assert_eq!(fixture.ran().len(), ran, "after {wait} s");
    }
    let (state, _, error) = fixture.jobs().await.remove(0);
    assert_eq!((state.as_str(), error.as_deref()), ("waiting", Some("away")));
}

#[tokio::test]
async fn a_missed_time_is_made_up_for_once() {
    let fixture = Fixture::new().await;
    let mut runner = fixture.runner_of(kinds(), vec![every("note", 60)]);
    runner.run_due().await.unwrap();
    fixture.pass(24 * 3600);
    runner.run_due().await.unwrap();
    assert_eq!(fixture.ran().len(), 1);
}
