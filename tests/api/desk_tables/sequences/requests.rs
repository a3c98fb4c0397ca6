//! What happens to requests after they were placed.

use serde_json::{Value, json};

use super::{ITEMS, PATRONS, Play};
use crate::circulation::lending_library::id;

const STORED: &str = "/request-storage/requests";

impl Play {
    async fn a_request(&mut self, cql: &str) -> Option<Value> {
        self.any(STORED, "requests", cql).await
    }

    pub(super) async fn change_request(&mut self) {
        match self.dice.below(8) {
            0 => self.move_request().await,
            1 => self.reorder().await,
            2 => self.expire().await,
            3 => self.anonymize_requests().await,
            4 => self.print().await,
            5 => self.replace_requests().await,
            _ => self.change_request_record().await,
        }
    }

    async fn move_request(&mut self) {
        let destination = self.items[self.dice.below(ITEMS)].clone();
        if let Some(request) = self.a_request("status==\"Open - Not yet filled\" and itemId=\"\"").await {
            let path = format!("/circulation/requests/{}/move", id(&request));
            let kind = ["Page", "Hold", "Recall"][self.dice.below(3)];
            let body = json!({"destinationItemId": destination, "requestType": kind});
            let answer = self.library.desk.post(&path, &body).await;
            self.judge("move a request", kind, &answer);
        }
    }

    /// Puts the last request of the queue first.
    async fn reorder(&mut self) {
        let path = format!("/circulation/requests/queue/instance/{}", self.library.instance);
        let queue = self.library.desk.get(&path).await.expect(200).json();
        let mut waiting: Vec<&Value> = queue["requests"].as_array().expect("a queue").iter().collect();
        waiting.sort_by_key(|request| request["position"].as_u64());
        if waiting.len() > 1 {
            waiting.rotate_right(1);
            let order = waiting.iter().zip(1..);
            let order: Vec<_> = order.map(|(one, place)| json!({"id": one["id"], "newPosition": place})).collect();
            let body = json!({"reorderedQueue": order});
            let answer = self.library.desk.post(&format!("{path}/reorder"), &body).await;
            self.judge("reorder a queue", "", &answer);
        }
    }

    async fn expire(&mut self) {
        if let Some(mut request) = self.a_request("status==\"Open*\"").await {
            request["requestExpirationDate"] = "2026-10-01T10:00:00.000+00:00".into();
            request["holdShelfExpirationDate"] = "2026-10-01T10:00:00.000+00:00".into();
            let answer = self.library.desk.put(&format!("{STORED}/{}", id(&request)), &request).await;
            self.judge("change a request", "its expiration", &answer);
            let answer = self.library.desk.post("/scheduled-request-expiration", &json!({})).await;
            self.judge("expire requests", "", &answer);
        }
    }

    async fn anonymize_requests(&mut self) {
        if let Some(request) = self.a_request("status==\"Closed*\" and requesterId=\"\"").await {
            let path = match self.dice.below(2) {
                0 => format!("/request-anonymization/{}", id(&request)),
                _ => "/circulation/scheduled-request-anonymize-processing".to_owned(),
            };
            let answer = self.library.desk.post(&path, &json!({})).await;
            self.judge("anonymize requests", &path, &answer);
        }
    }

    async fn print(&mut self) {
        if let Some(request) = self.a_request("cql.allRecords=1").await {
            let body = json!({"requestIds": [id(&request)], "requesterId": self.library.librarian,
                "requesterName": "Librarian", "printEventDate": "2026-11-20T10:00:00Z"});
            let answer = self.library.desk.post("/circulation/print-events-entry", &body).await;
            self.judge("print a slip", "", &answer);
        }
    }

    fn record(&mut self) -> Value {
        let (item, patron) = (self.dice.below(ITEMS), self.dice.below(PATRONS));
        json!({"id": uuid::Uuid::new_v4(), "requestLevel": "Item", "requestType": "Hold", "itemId": self.items[item],
            "instanceId": self.library.instance, "holdingsRecordId": self.library.holdings,
            "requesterId": self.patrons[patron], "requestDate": "2026-11-01T00:00:00Z",
            "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": self.library.service_point,
            "status": (["Open - Not yet filled", "Closed - Filled", "Closed - Cancelled"][self.dice.below(3)])})
    }

    /// One that exists, if there is one, and one that does not, in one batch.
    async fn replace_requests(&mut self) {
        let mut requests = vec![self.record()];
        requests[0]["status"] = "Closed - Filled".into();
        requests.extend(self.a_request("cql.allRecords=1").await);
        let answer = self.library.desk.post("/request-storage-batch/requests", &json!({"requests": requests})).await;
        self.judge("replace requests", "", &answer);
    }

    /// Through the storage API, as other modules do.
    async fn change_request_record(&mut self) {
        let found = self.a_request("cql.allRecords=1").await;
        match (self.dice.below(4), found) {
            (0, Some(request)) => {
                let answer = self.library.desk.delete(&format!("{STORED}/{}", id(&request))).await;
                self.judge("delete a request", "", &answer);
            }
            (1 | 2, Some(mut request)) => {
                match self.dice.below(3) {
                    0 => request["status"] = "Closed - Unfilled".into(),
                    1 => request["requestDate"] = "2026-11-02T10:00:00.000+00:00".into(),
                    _ => request["proxyUserId"] = self.patrons[self.dice.below(PATRONS)].clone().into(),
                }
                let answer = self.library.desk.put(&format!("{STORED}/{}", id(&request)), &request).await;
                self.judge("change a request", "", &answer);
            }
            _ => {
                let mut record = self.record();
                if record["status"] == "Open - Not yet filled" {
                    // Far behind all others.
                    record["position"] = (1_000 + self.done.len()).into();
                }
                let answer = self.library.desk.post(STORED, &record).await;
                self.judge("add a request", "", &answer);
            }
        }
    }
}
