//! What happens to jobs that fail, or whose process dies.

use store::jobs::{Claimant, claim, retry};

use super::*;

#[tokio::test]
async fn a_failing_job_is_retried_and_finally_kept_with_its_reason() {
    let fixture = Fixture::new().await;
    fixture.enter(&json!({"fail": "no mail server"})).await;
    for (wait, attempts) in [(0, 1), (15, 2), (30, 3)] {
        if wait > 0 {
            fixture.pass(wait - 1);
            assert_eq!(fixture.run().await, 0, "too early for attempt {attempts}");
            fixture.pass(1);
        }
        assert_eq!(fixture.run().await, 1);
        let state = if attempts == 3 { "failed" } else { "waiting" };
        let expected = (state.to_owned(), attempts, Some("no mail server".to_owned()));
        assert_eq!(fixture.jobs().await, [expected]);
    }
    fixture.pass(24 * 3600);
    assert_eq!(fixture.run().await, 1, "only the queue's own work");
    assert_eq!(retry(&fixture.session, "note", fixture.now()).await.unwrap(), 1);
    assert_eq!(fixture.run().await, 1, "it was retried by hand");
}

#[tokio::test]
async fn impossible_and_broken_jobs_do_not_harm_others() {
    let fixture = Fixture::new().await;
    for payload in [json!({"fail": "never"}), json!({"fail": "panic"}), json!({})] {
        fixture.enter(&payload).await;
    }
    assert_eq!(fixture.run().await, 3);
    let jobs = fixture.jobs().await;
    assert_eq!(jobs[0], ("failed".into(), 1, Some("it cannot be done".into())));
    assert_eq!(jobs[1], ("waiting".into(), 1, Some("a defect: the job's code panicked".into())));
    assert_eq!(jobs[2], done());
}

#[tokio::test]
async fn a_job_of_a_dead_process_runs_again_after_its_lease() {
    let fixture = Fixture::new().await;
    fixture.enter(&json!({})).await;
    let names = ["note".to_owned()];
    let die_with_it = async || {
        let now = fixture.now();
        let lease_ends = now + SignedDuration::from_secs(120);
        let process = "that dies";
        let claimant = Claimant { process, kinds: &names, now, lease_ends };
        claim(&fixture.session, claimant, 9).await.unwrap()
    };
    for attempt in 1..=3 {
        assert_eq!(die_with_it().await[0].attempts, attempt);
        fixture.pass(119);
        assert_eq!(fixture.run().await, 0, "its process may still live");
        fixture.pass(1);
    }
    assert_eq!(fixture.run().await, 1, "taken over");
    assert_eq!(fixture.ran(), [] as [Value; 0], "but it kills its process, so it is given up");
    let reason = "given up: 3 times its process ended in the midst of it".to_owned();
    assert_eq!(fixture.jobs().await, [("failed".to_owned(), 4, Some(reason))]);
}

#[tokio::test]
async fn a_process_leaves_unknown_kinds_to_others() {
    let fixture = Fixture::new().await;
    let job = NewJob::new("of a newer program", &Value::Null);
    enqueue(&fixture.session, &job).await.unwrap();
    assert_eq!(fixture.run().await, 0);
    assert_eq!(fixture.jobs().await[0].0, "waiting");
}
