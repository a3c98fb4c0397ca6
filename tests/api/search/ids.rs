//! Ids of all results, at once and by jobs.

use super::*;

async fn made(all: &Searched) -> (Vec<String>, Vec<String>) {
    let (mut instances, mut holdings) = (Vec::new(), Vec::new());
    for number in 0..3 {
        let instance = all.instance(json!({"title": format!("Zzids {number}")})).await;
        for _ in 0..number {
            holdings.push(all.holdings(&instance, json!({})).await);
        }
        instances.push(instance);
    }
    instances.sort();
    holdings.sort();
    (instances, holdings)
}

fn listed(answer: &Value) -> Vec<String> {
    let mut ids: Vec<String> = answer["ids"].as_array().expect("a list").iter().map(id).collect();
    ids.sort();
    ids
}

#[tokio::test]
async fn ids_of_instances_and_holdings_are_listed() {
    let all = Searched::new().await;
    let (instances, holdings) = made(&all).await;
    for (path, expected) in [("/search/instances/ids", &instances), ("/search/holdings/ids", &holdings)] {
        let answer = all.client.query(path, "title=zzids").await.expect(200);
        assert_eq!(answer.round_trips(), 0);
        assert_eq!((listed(&answer.json()), &answer.json()["totalRecords"]), (expected.clone(), &json!(3)));
        let lines = all.client.with_header("content-type", "text/plain").query(path, "title=zzids").await.expect(200);
        let mut lines: Vec<&str> = lines.text.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, *expected);
    }
    let none = all.client.query("/search/instances/ids", "title=nothing").await.expect(200).json();
    assert_eq!(none, json!({"ids": [], "totalRecords": 0}));
}

#[tokio::test]
async fn the_ids_of_a_job_are_fetched_once() {
    let all = Searched::new().await;
    let (instances, holdings) = made(&all).await;
    for (entity, expected) in [("INSTANCE", instances), ("HOLDINGS", holdings)] {
        let sent = json!({"query": "title=zzids", "entityType": entity});
        let job = all.client.post("/search/resources/jobs", &sent).await.expect(200).json();
        assert_eq!(
            (&job["query"], &job["entityType"], &job["status"]),
            (&sent["query"], &sent["entityType"], &json!("IN_PROGRESS"))
        );
        let path = format!("/search/resources/jobs/{}", id(&job));
        let now = all.client.get(&path).await.expect(200).json();
        assert_eq!((&now["status"], &now["createdDate"]), (&json!("COMPLETED"), &job["createdDate"]));
        let ids = all.client.get(&format!("{path}/ids")).await.expect(200).json();
        assert_eq!((listed(&ids), &ids["totalRecords"]), (expected.clone(), &json!(expected.len())));
        assert_eq!(all.client.get(&path).await.expect(200).json()["status"], "DEPRECATED");
        let again = all.client.get(&format!("{path}/ids")).await.expect(400).json();
        assert_eq!(again["errors"][0]["message"], "Completed async job with query=[title=zzids] was not found.");
    }
    let wrong = json!({"query": "nothing=x", "entityType": "INSTANCE"});
    let job = all.client.post("/search/resources/jobs", &wrong).await.expect(200).json();
    let path = format!("/search/resources/jobs/{}", id(&job));
    assert_eq!(all.client.get(&path).await.expect(200).json()["status"], "ERROR");
    all.client.get(&format!("{path}/ids")).await.expect(400);
    all.client.get("/search/resources/jobs/00000000-0000-4000-8000-000000000000").await.expect(404);
    all.client.post("/search/resources/jobs", &json!({"query": "x", "entityType": "ITEM"})).await.expect(400);
    all.client.post("/search/resources/jobs", &json!({"entityType": "INSTANCE"})).await.expect(400);
}
