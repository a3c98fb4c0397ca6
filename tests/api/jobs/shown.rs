//! `/_/proxy/tenants/{tenant}/jobs`: jobs can be listed, run now and retried.

use super::*;

const PATH: &str = "/_/proxy/tenants/test/jobs";
const AGEING: &str = "/circulation/scheduled-age-to-lost";

async fn shown(fixture: &Fixture, kind: &str) -> Value {
    let listed = fixture.library.open.get(PATH).await.expect(200).json();
    let all = listed["jobs"].as_array().expect("a list").clone();
    all.into_iter().find(|job| job["kind"] == kind).unwrap_or_default()
}

#[tokio::test]
async fn the_job_of_a_timer_is_shown_and_run_on_request() {
    let fixture = Fixture::new().await;
    fixture.library.run_jobs().await;
    let before = shown(&fixture, AGEING).await;
    assert_eq!(before["schedule"]["everySeconds"], 1800.0, "{before}");
    assert_eq!(before["lastRun"], Value::Null, "{before}");
    fixture.pass(60);
    let run = format!("{PATH}/run");
    let asked = fixture.library.open.post(&run, &json!({"kind": AGEING})).await;
    assert_eq!(asked.expect(202).json()["kind"], AGEING);
    assert!(fixture.library.run_jobs().await > 0);
    let after = shown(&fixture, AGEING).await;
    assert_eq!(after["lastRun"]["state"], "waiting", "{after}");
    assert_eq!(after["lastRun"]["error"], Value::Null, "{after}");
    assert!(after["nextRun"].as_str() > before["nextRun"].as_str(), "{after}");
    let nothing = json!({"kind": "/nothing"});
    let refused = fixture.library.open.post(&run, &nothing).await.expect(404);
    assert_eq!(refused.text, "Waiting job of a timer /nothing not found");
    fixture.library.open.post(&run, &json!({})).await.expect(400);
}

#[tokio::test]
async fn failed_jobs_are_shown_with_their_reason_and_retried() {
    let fixture = Fixture::new().await;
    fixture.enter(&json!({"fail": "never"})).await;
    fixture.run().await;
    let failed = shown(&fixture, "note").await;
    assert_eq!(failed["failed"], 1, "{failed}");
    assert_eq!(failed["lastRun"]["error"], "it cannot be done");
    let retry = format!("{PATH}/retry");
    let kind = json!({"kind": "note"});
    let retried = fixture.library.open.post(&retry, &kind).await.expect(202);
    assert_eq!(retried.json(), json!({"retried": 1}));
    assert_eq!(fixture.run().await, 1);
    let elsewhere = fixture.library.open.get("/_/proxy/tenants/nowhere/jobs").await;
    elsewhere.expect(404);
}
