//! `/_/proxy/tenants/{tenant}/timers`.

use super::*;

#[tokio::test]
async fn timers_are_listed_and_changed() {
    let library = library().await;
    let path = "/_/proxy/tenants/test/timers";
    let timers = library.open.get(path).await.expect(200).json();
    let aging = |timers: &Value| {
        let timers = timers.as_array().unwrap().clone();
        let aging = |timer: &&Value| timer["routingEntry"]["pathPattern"] == "/circulation/scheduled-age-to-lost";
        timers.iter().find(aging).unwrap().clone()
    };
    let mut timer = aging(&timers);
    assert_eq!(timer["modified"], false);
    timer["routingEntry"]["delay"] = "1".into();
    timer["routingEntry"]["unit"] = "second".into();
    library.open.patch(path, &timer).await.expect(204);
    let changed = aging(&library.open.get(path).await.expect(200).json());
    assert_eq!((&changed["modified"], &changed["routingEntry"]["delay"]), (&json!(true), &json!("1")));
    let back = json!({"id": timer["id"], "routingEntry": {}});
    library.open.patch(path, &back).await.expect(204);
    assert_eq!(aging(&library.open.get(path).await.expect(200).json())["modified"], false);
    library.open.patch(path, &json!({"id": "mod-nothing_0"})).await.expect(404);
    library.open.patch(path, &json!({})).await.expect(400);
    let one = format!("{path}/{}", timer["id"].as_str().unwrap());
    library.open.patch(&one, &json!({"routingEntry": {"delay": "x"}})).await.expect(400);
    // With the id in the path, the body may be the routing entry alone.
    library.open.patch(&one, &json!({"unit": "minute", "delay": "0"})).await.expect(204);
    let stopped = library.open.get(&one).await.expect(200).json();
    assert_eq!((&stopped["modified"], &stopped["routingEntry"]["delay"]), (&json!(true), &json!("0")));
    library.open.patch(&one, &json!({})).await.expect(204);
    assert_eq!(library.open.get(&one).await.expect(200).json()["modified"], false);
    let elsewhere = json!({"routingEntry": {"schedule": {"cron": "1 1 1 1 *", "zone": "GMT+04:00"}}});
    library.open.patch(&one, &elsewhere).await.expect(204);
    library.open.get(&one).await.expect(200);
}

#[tokio::test]
async fn a_timer_runs_its_job_when_it_is_due() {
    let library = library().await;
    let user = json!({"username": "reader", "active": true, "expirationDate": "2020-01-01T00:00:00.000+00:00",
        "personal": {"lastName": "Reader"}});
    let id = library.open.create("/users", &user).await["id"].clone();
    let path = format!("/users/{}", id.as_str().unwrap());
    library.run_jobs().await;
    library.clock.advance(jiff::SignedDuration::from_secs(59));
    assert_eq!(library.run_jobs().await, 0);
    library.clock.advance(jiff::SignedDuration::from_secs(1));
    assert!(library.run_jobs().await > 0);
    assert_eq!(library.open.get(&path).await.json()["active"], false);
    assert_eq!(library.run_jobs().await, 0, "another process need not run it again");
}

#[tokio::test]
async fn a_timer_runs_by_the_schedule_a_client_gave_it_and_not_when_stopped() {
    let library = library().await;
    let path = "/_/proxy/tenants/test/timers";
    let timers = library.open.get(path).await.expect(200).json();
    let change = async |id: &str, routing: Value| {
        let patch = json!({"id": id, "routingEntry": routing});
        library.open.patch(path, &patch).await.expect(204);
    };
    for timer in timers.as_array().unwrap() {
        change(timer["id"].as_str().unwrap(), json!({"delay": "0"})).await;
    }
    change("mod-users_0", json!({"delay": "1", "unit": "second"})).await;
    library.run_jobs().await;
    library.clock.advance(jiff::SignedDuration::from_secs(1));
    assert_eq!(library.run_jobs().await, 1, "the only timer that is not stopped");
    change("mod-users_0", json!({"schedule": {"cron": "0 12 * * *", "zone": "UTC"}})).await;
    library.run_jobs().await;
    library.clock.set("2030-06-01T11:59:59Z".parse().unwrap());
    library.run_jobs().await;
    library.clock.set("2030-06-01T12:00:00Z".parse().unwrap());
    assert!(library.run_jobs().await > 0);
}
