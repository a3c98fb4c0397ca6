//! What patrons owe, and what is done about it.

use serde_json::{Value, json};

use super::{PATRONS, Play};
use crate::circulation::lending_library::id;

const OPEN: &str = "status.name==Open";

impl Play {
    async fn an_account(&mut self, cql: &str) -> Option<Value> {
        self.any("/accounts", "accounts", cql).await
    }

    pub(super) async fn change_fees(&mut self) {
        match self.dice.below(8) {
            0 | 1 => self.charge().await,
            2 | 3 => self.settle().await,
            4 => self.settle_all().await,
            5 => self.refund().await,
            6 => self.cancel_fee().await,
            _ => self.change_account_record().await,
        }
    }

    async fn charge(&mut self) {
        let (patron, amount) = (self.patrons[self.dice.below(PATRONS)].clone(), [2.0, 5.0][self.dice.below(2)]);
        let account = json!({"id": uuid::Uuid::new_v4(), "amount": amount, "remaining": amount,
            "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"}, "userId": patron,
            "feeFineId": uuid::Uuid::new_v4(), "ownerId": uuid::Uuid::new_v4(), "feeFineType": "Damage"});
        let answer = self.library.desk.post("/accounts", &account).await;
        self.judge("charge a fee", "", &answer);
    }

    fn payment(&self, amount: &str) -> Value {
        json!({"amount": amount, "notifyPatron": false, "servicePointId": self.library.service_point,
            "userName": "Librarian", "paymentMethod": "Cash"})
    }

    /// A part of a fee, or all of it: the last fee of a lost item ends its loan.
    async fn settle(&mut self) {
        if let Some(account) = self.an_account(OPEN).await {
            let action = ["pay", "waive", "transfer"][self.dice.below(3)];
            let amount = match self.dice.below(2) {
                0 => "1".to_owned(),
                _ => account["remaining"].to_string(),
            };
            let (path, body) = (format!("/accounts/{}/{action}", id(&account)), self.payment(&amount));
            let answer = self.library.desk.post(&path, &body).await;
            self.judge("settle a fee", action, &answer);
        }
    }

    async fn settle_all(&mut self) {
        let found = self.library.desk.query("/accounts?limit=100", OPEN).await.expect(200).json();
        let open = found["accounts"].as_array().expect("accounts");
        let mut body = self.payment("1.5");
        body["accountIds"] = open.iter().map(id).collect();
        let action = ["pay", "waive", "transfer"][self.dice.below(3)];
        let answer = self.library.desk.post(&format!("/accounts-bulk/{action}"), &body).await;
        self.judge("settle several fees", action, &answer);
    }

    async fn refund(&mut self) {
        if let Some(account) = self.an_account("paymentStatus.name==(Paid* or Transferred*)").await {
            let (path, body) = (format!("/accounts/{}/refund", id(&account)), self.payment("0.5"));
            let answer = self.library.desk.post(&path, &body).await;
            self.judge("refund", "", &answer);
        }
    }

    async fn cancel_fee(&mut self) {
        if let Some(account) = self.an_account(OPEN).await {
            let body = json!({"notifyPatron": false, "servicePointId": self.library.service_point,
                "userName": "Librarian", "comments": "wrong"});
            let answer = self.library.desk.post(&format!("/accounts/{}/cancel", id(&account)), &body).await;
            self.judge("cancel a fee", "", &answer);
        }
    }

    /// Through the record's own routes, as other modules do.
    async fn change_account_record(&mut self) {
        if let Some(mut account) = self.an_account("cql.allRecords=1").await {
            let path = format!("/accounts/{}", id(&account));
            let answer = match self.dice.below(4) {
                0 => {
                    let answer = self.library.desk.delete(&path).await;
                    self.judge("delete an account", "", &answer);
                    return;
                }
                1 => {
                    account["userId"] = self.patrons[self.dice.below(PATRONS)].clone().into();
                    self.library.desk.put(&path, &account).await
                }
                2 => {
                    (account["status"], account["remaining"]) = (json!({"name": "Closed"}), json!(0));
                    self.library.desk.put(&path, &account).await
                }
                _ => {
                    account["remaining"] = json!(3.5);
                    self.library.desk.put(&path, &account).await
                }
            };
            self.judge("change an account", "", &answer);
        }
    }
}
