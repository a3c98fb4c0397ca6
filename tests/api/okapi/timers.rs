//! `/_/proxy/tenants/{tenant}/timers`.

use super::*;

#[tokio::test]
async fn timers_are_listed_and_changed() {
    let library = library().await;
    let path = "/_/proxy/tenants/test/timers";
    let timers = library.open.get(path).await.expect(200).json();
    let aging = |timers: &Value| {
        let timers = timers.as_array().unwrap().clone();
        let aging = |timer: &&Value| {
            timer["routingEntry"]["pathPattern"] == "/circulation/scheduled-age-to-lost"
        };
        timers.iter().find(aging).unwrap().clone()
    };
    let mut timer = aging(&timers);
    assert_eq!(timer["modified"], false);
    timer["routingEntry"]["delay"] = "1".into();
    timer["routingEntry"]["unit"] = "second".into();
    library.open.patch(path, &timer).await.expect(204);
    let changed = aging(&library.open.get(path).await.expect(200).json());
    assert_eq!(
        (&changed["modified"], &changed["routingEntry"]["delay"]),
        (&json!(true), &json!("1"))
    );
    let back = json!({"id": timer["id"], "routingEntry": {}});
    library.open.patch(path, &back).await.expect(204);
    assert_eq!(
        aging(&library.open.get(path).await.expect(200).json())["modified"],
        false
    );
    library
        .open
        .patch(path, &json!({"id": "mod-nothing_0"}))
        .await
        .expect(404);
    library.open.patch(path, &json!({})).await.expect(400);
    let one = format!("{path}/{}", timer["id"].as_str().unwrap());
    library
        .open
        .patch(&one, &json!({"routingEntry": {"delay": "x"}}))
        .await
        .expect(400);
    library.open.get(&one).await.expect(200);
}

#[tokio::test]
async fn a_timer_runs_its_job_when_it_is_due() {
    let library = library().await;
    let user = json!({"username": "reader", "active": true, "expirationDate": "2020-01-01T00:00:00.000+00:00",
        "personal": {"lastName": "Reader"}});
    let id = library.open.create("/users", &user).await["id"].clone();
    let path = format!("/users/{}", id.as_str().unwrap());
    let mut timers = api::platform::timers::Timers::default();
    timers.run_due(&library.app).await.unwrap();
    library.clock.advance(jiff::SignedDuration::from_secs(59));
    assert!(timers.run_due(&library.app).await.unwrap().is_empty());
    library.clock.advance(jiff::SignedDuration::from_secs(1));
    for job in timers.run_due(&library.app).await.unwrap() {
        job.await.unwrap();
    }
    assert_eq!(library.open.get(&path).await.json()["active"], false);

    // Another process that is as far does not run it again.
    let mut others = api::platform::timers::Timers::default();
    library.clock.advance(jiff::SignedDuration::from_secs(-60));
    others.run_due(&library.app).await.unwrap();
    library.clock.advance(jiff::SignedDuration::from_secs(60));
    assert!(others.run_due(&library.app).await.unwrap().is_empty());
}
