//! Random sequences of everything that writes the desk's tables: afterwards the doctor finds nothing, and the history has
//! each version of each loan once.

mod fees;
mod requests;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use testkit::Answer;

use super::disagreements;
use crate::circulation::{
    lending_library::{LendingLibrary, id},
    webhooks,
};

const ITEMS: usize = 5;
const PATRONS: usize = 3;
const STEPS: usize = 140;

/// Notes each write of a loan, whichever statement makes it.
const WATCH: &str = "
CREATE TABLE written (operation text, doc jsonb);
CREATE FUNCTION note_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO written VALUES (left(TG_OP, 1), coalesce(doc(NEW), doc(OLD)));
  RETURN NULL;
END $$;
CREATE TRIGGER note_written AFTER INSERT OR UPDATE OR DELETE ON loan FOR EACH ROW EXECUTE FUNCTION note_written();";

/// Writes without exactly one version in the history, and versions without a write. A loan declared lost has a version that
/// only history keeps, and one that is deleted says so. Anonymization removes the borrower from both.
const UNLIKE: &str = r#"
WITH written AS (
  SELECT operation, CASE operation WHEN 'D' THEN jsonb_set(doc, '{action}', '"deleted"', false) ELSE doc END
         - 'userId' - 'proxyUserId' AS doc, count(*) AS times
  FROM written GROUP BY 1, 2),
kept AS (
  SELECT doc->>'operation' AS operation, (doc->'loan') - 'userId' - 'proxyUserId' AS doc, count(*) AS times
  FROM loan_history_record GROUP BY 1, 2)
SELECT format('%s written %s times, kept %s times: %s', operation, w.times, k.times, doc)
FROM written w FULL JOIN kept k USING (operation, doc)
WHERE w.times IS DISTINCT FROM k.times
  AND NOT (w.times IS NULL AND doc->>'action' IN ('declaredLost', 'closedLoan'))"#;

/// A sequence of numbers that looks random, and is the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).expect("a small number")
    }
}

/// A library with items and patrons, and the dice.
struct Play {
    library: LendingLibrary,
    items: Vec<String>,
    patrons: Vec<String>,
    dice: Dice,
    /// What was done, for the message of a failure.
    done: Vec<String>,
    /// The kinds of calls that succeeded.
    succeeded: BTreeSet<&'static str>,
}

impl Play {
    async fn new(seed: u64) -> Self {
        let library = webhooks::library().await;
        let ageing = json!({"name": "Lost soon", "itemAgedLostOverdue": {"duration": 1, "intervalId": "Days"},
            "patronBilledAfterAgedLost": {"duration": 1, "intervalId": "Days"},
            "chargeAmountItem": {"chargeType": "anotherCost", "amount": 10.0}, "lostItemProcessingFee": 1.0,
            "chargeAmountItemPatron": true, "chargeAmountItemSystem": true, "lostItemReturned": "Charge"});
        let path = format!("/lost-item-fees-policies/{}", library.lost_policy);
        library.desk.put(&path, &ageing).await.expect(204);
        library.owner("Desk").await;
        let path = format!("/loan-policy-storage/loan-policies/{}", library.loan_policy);
        let mut policy = library.desk.get(&path).await.expect(200).json();
        policy["renewalsPolicy"] = json!({"unlimited": true, "renewFromId": "CURRENT_DUE_DATE"});
        library.desk.put(&path, &policy).await.expect(204);
        library.allow_titles().await;
        let (mut items, mut patrons) = (Vec::new(), Vec::new());
        for number in 0..ITEMS {
            items.push(library.item(&format!("i-{number}"), json!({})).await);
        }
        for number in 0..PATRONS {
            patrons.push(library.patron(&format!("p-{number}"), json!({})).await);
        }
        for setting in [
            json!({"name": "printEventLogFeature", "value": {"enablePrintLog": "true"}}),
            json!({"name": "requestAnonymization", "value": {"mode": "immediately"}}),
        ] {
            library.desk.create("/circulation/settings", &setting).await;
        }
        library.session().batch(WATCH).await.expect("a trigger");
        Self { library, items, patrons, dice: Dice(seed), done: Vec::new(), succeeded: BTreeSet::new() }
    }

    /// One of the records that the query finds.
    async fn any(&mut self, path: &str, list: &str, cql: &str) -> Option<Value> {
        let found = self.library.desk.query(path, cql).await.expect(200).json();
        let found = found[list].as_array().cloned().unwrap_or_default();
        (!found.is_empty()).then(|| found[self.dice.below(found.len())].clone())
    }

    async fn loan(&mut self, cql: &str) -> Option<Value> {
        self.any("/loan-storage/loans", "loans", cql).await
    }

    fn judge(&mut self, kind: &'static str, what: &str, answer: &Answer) {
        assert!(answer.status < 500, "{kind} {what}: {}\nafter {:#?}", answer.text, self.done);
        if answer.status < 300 {
            self.succeeded.insert(kind);
        }
        self.done.push(format!("{kind} {what}: {}", answer.status));
    }

    async fn renew(&mut self) {
        if let Some(loan) = self.loan("status.name==Open").await {
            let body = json!({"itemId": loan["itemId"], "userId": loan["userId"]});
            let answer = self.library.desk.post("/circulation/renew-by-id", &body).await;
            self.judge("renew", &loan["id"].to_string(), &answer);
        }
    }

    async fn step(&mut self) {
        let (item, patron) = (self.dice.below(ITEMS), self.dice.below(PATRONS));
        let (barcode, borrower) = (format!("i-{item}"), format!("p-{patron}"));
        let (item_id, patron_id) = (self.items[item].clone(), self.patrons[patron].clone());
        match self.dice.below(26) {
            0..5 => {
                let answer = self.library.check_out(&barcode, &borrower, json!({})).await;
                self.judge("check out", &format!("{barcode} to {borrower}"), &answer);
            }
            5..8 => {
                let answer = self.library.check_in(&barcode, json!({})).await;
                self.judge("check in", &barcode, &answer);
            }
            8 => {
                let elsewhere = json!({"servicePointId": self.library.branch});
                let answer = self.library.check_in(&barcode, elsewhere).await;
                self.judge("check in elsewhere", &barcode, &answer);
            }
            9 => self.renew().await,
            10..12 => self.ask(&item_id, &patron_id).await,
            12 => self.cancel().await,
            13 | 14 => self.change_loan_record(&item_id, &patron_id).await,
            15 => self.lose().await,
            16 => self.age().await,
            17 => {
                let path = format!("/loan-storage/loans/anonymize/{patron_id}");
                let answer = self.library.desk.post(&path, &json!({})).await;
                self.judge("anonymize", &borrower, &answer);
            }
            18 => {
                let path = format!("/item-storage/items/{item_id}");
                let mut record = self.library.desk.get(&path).await.expect(200).json();
                record["copyNumber"] = "2".into();
                if self.dice.below(3) == 0 {
                    record["status"] = json!({"name": "Available"});
                }
                let answer = self.library.desk.put(&path, &record).await;
                self.judge("change an item", &barcode, &answer);
            }
            20..23 => self.change_request().await,
            23..26 => self.change_fees().await,
            _ => {
                let record = json!({"itemId": item_id, "occurredDateTime": "2026-11-20T10:00:00Z",
                    "servicePointId": self.library.service_point, "performedByUserId": self.library.librarian});
                let answer = self.library.desk.post("/check-in-storage/check-ins", &record).await;
                self.judge("record a check-in", &barcode, &answer);
            }
        }
    }

    async fn ask(&mut self, item: &str, patron: &str) {
        let kind = ["Page", "Hold", "Recall"][self.dice.below(3)];
        let answer = match self.dice.below(2) {
            0 => self.library.ask(kind, item, patron, json!({})).await,
            _ => self.library.ask_title(kind, patron).await,
        };
        self.judge("request", &format!("{kind} of {item} for {patron}"), &answer);
    }

    async fn cancel(&mut self) {
        let open = "status==\"Open*\"";
        if let Some(mut request) = self.any("/request-storage/requests", "requests", open).await {
            let path = format!("/circulation/requests/{}", id(&request));
            let answer = if self.dice.below(2) == 0 {
                self.library.desk.delete(&path).await
            } else {
                request["status"] = "Closed - Cancelled".into();
                self.library.desk.put(&path, &request).await
            };
            self.judge("cancel", "a request", &answer);
        }
    }

    /// Through the storage API, as other modules do.
    async fn change_loan_record(&mut self, item: &str, patron: &str) {
        let path = "/loan-storage/loans";
        let found = self.loan("cql.allRecords=1").await;
        match (self.dice.below(4), found) {
            (0, Some(loan)) => {
                let answer = self.library.desk.delete(&format!("{path}/{}", id(&loan))).await;
                self.judge("delete a loan", "", &answer);
            }
            (1 | 2, Some(mut loan)) => {
                match self.dice.below(3) {
                    0 => loan["status"] = json!({"name": "Closed"}),
                    1 => loan["dueDate"] = "2026-10-01T10:00:00.000+00:00".into(),
                    _ => loan["itemStatus"] = "Claimed returned".into(),
                }
                let answer = self.library.desk.put(&format!("{path}/{}", id(&loan)), &loan).await;
                self.judge("change a loan", "", &answer);
            }
            _ => {
                let loan = json!({"itemId": item, "userId": patron, "loanDate": "2026-11-01T10:00:00Z",
                    "dueDate": "2026-11-10T10:00:00Z", "action": "checkedout", "itemStatus": "Checked out",
                    "status": {"name": (["Open", "Closed"][self.dice.below(2)])}});
                let answer = self.library.desk.post(path, &loan).await;
                self.judge("add a loan", "", &answer);
            }
        }
    }

    async fn lose(&mut self) {
        if let Some(loan) = self.loan("status.name==Open").await {
            let (action, body) = match self.dice.below(2) {
                0 => (
                    "declare-item-lost",
                    json!({"servicePointId": self.library.service_point,
                        "declaredLostDateTime": "2026-11-20T10:00:00Z"}),
                ),
                _ => ("claim-item-returned", json!({"itemClaimedReturnedDateTime": "2026-11-20T10:00:00Z"})),
            };
            let path = format!("/circulation/loans/{}/{action}", id(&loan));
            let answer = self.library.desk.post(&path, &body).await;
            self.judge(action, "", &answer);
        }
    }

    async fn age(&mut self) {
        if let Some(mut loan) = self.loan("status.name==Open").await {
            loan["dueDate"] = "2026-10-01T10:00:00.000+00:00".into();
            let path = format!("/loan-storage/loans/{}", id(&loan));
            let answer = self.library.desk.put(&path, &loan).await;
            self.judge("make overdue", "", &answer);
        }
        for job in ["scheduled-age-to-lost", "scheduled-age-to-lost-fee-charging", "scheduled-anonymize-processing"] {
            let answer = self.library.desk.post(&format!("/circulation/{job}"), &json!({})).await;
            self.judge(job, "", &answer);
        }
    }

    async fn check(&self) {
        let wrong = disagreements(&self.library.library).await;
        assert!(wrong.is_empty(), "{wrong:#?}\nafter {:#?}", self.done);
        let unlike: Vec<String> = self.library.session().values(UNLIKE, &[]).await.expect("the history");
        assert!(unlike.is_empty(), "{unlike:#?}\nafter {:#?}", self.done);
    }
}

/// What must have succeeded at least once.
const KINDS: [&str; 34] = [
    "add a loan",
    "add a request",
    "anonymize",
    "anonymize requests",
    "cancel",
    "cancel a fee",
    "change a loan",
    "change a request",
    "change an account",
    "change an item",
    "charge a fee",
    "check in",
    "check in elsewhere",
    "check out",
    "claim-item-returned",
    "declare-item-lost",
    "delete a loan",
    "delete a request",
    "delete an account",
    "expire requests",
    "make overdue",
    "move a request",
    "print a slip",
    "record a check-in",
    "refund",
    "renew",
    "reorder a queue",
    "replace requests",
    "request",
    "scheduled-age-to-lost",
    "scheduled-age-to-lost-fee-charging",
    "scheduled-anonymize-processing",
    "settle a fee",
    "settle several fees",
];

/// Plays a sequence for each seed.
async fn play(seeds: &[u64], with_listener: bool) {
    let mut succeeded = BTreeSet::new();
    for seed in seeds {
        let mut play = Play::new(*seed).await;
        let events = ["ITEM_CHECKED_OUT", "ITEM_CHECKED_IN", "LOG_RECORD"];
        let _hook = if with_listener { Some(webhooks::listen(&play.library, &events).await) } else { None };
        for step in 0..STEPS {
            play.step().await;
            if step % 10 == 9 {
                play.check().await;
            }
        }
        succeeded.append(&mut play.succeeded);
    }
    assert_eq!(succeeded.into_iter().collect::<Vec<_>>(), KINDS);
}

#[tokio::test]
async fn ordinary_writes_leave_nothing_that_disagrees() {
    play(&[0x0dd5_eed1, 0x0dd5_eed2, 0x0dd5_eed3, 0x0dd5_eed8], false).await;
}

#[tokio::test]
async fn writes_that_are_announced_leave_nothing_that_disagrees() {
    play(&[0x0dd5_eed4, 0x0dd5_eed5, 0x0dd5_eed6, 0x0dd5_eed7], true).await;
}
