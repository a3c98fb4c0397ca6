//! A library that sends notices.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::circulation::lending_library::{LendingLibrary, id};

/// A library that checks out items and notifies its patrons.
pub struct Noticing {
    pub lending: LendingLibrary,
}

impl Noticing {
    pub async fn new() -> Noticing {
        let lending = LendingLibrary::new().await;
        Noticing { lending }
    }

    /// Creates a template whose subject is its name; returns its id.
    pub async fn template(&self, name: &str, body: &str) -> String {
        let template = json!({
            "name": name, "active": true, "outputFormats": ["text/html"], "templateResolver": "mustache",
            "localizedTemplates": {"en": {"header": name, "body": body}},
        });
        id(&self.lending.desk.create("/templates", &template).await)
    }

    /// Sets the notices of the policy that applies to everything.
    pub async fn policy(&self, loans: Value, requests: Value, fees: Value) {
        let policy = &self.lending.notice_policy;
        let path = format!("/patron-notice-policy-storage/patron-notice-policies/{policy}");
        let record = json!({"id": policy, "name": "Notices", "active": true,
            "loanNotices": loans, "requestNotices": requests, "feeFineNotices": fees});
        self.lending.desk.put(&path, &record).await.expect(204);
    }

    /// Creates a patron with an e-mail address.
    pub async fn patron(&self, name: &str) -> String {
        let personal = json!({"lastName": "Reader", "firstName": name, "email": address(name)});
        self.lending.patron(name, json!({"personal": personal})).await
    }

    /// Checks out an item; returns the loan.
    pub async fn check_out(&self, item: &str, patron: &str) -> Value {
        let now = self.now().to_string();
        self.lending.check_out(item, patron, json!({"loanDate": now})).await.expect(201).json()
    }

    /// Ends the patron's session at the desk.
    pub async fn end_session(&self, patron: &str, action: &str) {
        let body = json!({"endSessions": [{"patronId": patron, "actionType": action}]});
        let answer = self.lending.desk.post("/circulation/end-patron-action-session", &body).await;
        assert_eq!(answer.expect(204).round_trips(), 1);
    }

    /// Runs one of the notice jobs.
    pub async fn process(&self, job: &str) {
        let path = format!("/circulation/{job}");
        self.lending.desk.post(&path, &json!({})).await.expect(204);
    }

    /// Processes recorded happenings; the first notice job that runs does it. (Scheduled jobs would run the others,
    /// too.)
    async fn deal_with_events(&self) {
        self.process("fee-fine-not-real-time-scheduled-notices-processing").await;
    }

    /// All e-mails so far, oldest first: recipient, and subject and text.
    pub async fn sent(&self) -> Vec<(String, String)> {
        self.deal_with_events().await;
        let mails = self.lending.desk.get("/email?limit=1000").await.expect(200).json();
        let mails = mails["emailEntity"].as_array().cloned().unwrap_or_default();
        let text = |mail: &Value, member: &str| mail[member].as_str().unwrap_or_default().to_owned();
        mails
            .iter()
            .map(|mail| (text(mail, "to"), format!("{}: {}", text(mail, "header"), text(mail, "body"))))
            .collect()
    }

    /// The e-mails written after the first `before`.
    pub async fn sent_since(&self, before: usize) -> Vec<(String, String)> {
        self.sent().await.split_off(before)
    }

    pub fn now(&self) -> Timestamp {
        self.lending.library.clock.now()
    }

    pub fn advance(&self, by: SignedDuration) {
        self.lending.library.clock.advance(by);
    }

    /// The scheduled notices, earliest first.
    pub async fn scheduled(&self) -> Vec<Value> {
        self.deal_with_events().await;
        let path = "/scheduled-notice-storage/scheduled-notices?limit=100&query=cql.allRecords=1+sortBy+nextRunTime";
        let found = self.lending.desk.get(path).await.expect(200).json();
        found["scheduledNotices"].as_array().cloned().unwrap_or_default()
    }
}

pub fn address(name: &str) -> String {
    format!("{name}@example.org")
}

/// An e-mail to a patron.
pub fn mail(name: &str, text: &str) -> (String, String) {
    (address(name), text.to_owned())
}

/// A notice that an event triggers.
pub fn upon(event: &str, template: &str) -> Value {
    let mut options = json!({"sendWhen": event});
    // Events of a loan at the desk have no time before or after them.
    if !DESK_EVENTS.contains(&event) {
        options["sendHow"] = "Upon At".into();
    }
    json!({"name": event, "templateId": template, "format": "Email", "realTime": true, "sendOptions": options})
}

const DESK_EVENTS: [&str; 6] =
    ["Check out", "Check in", "Renewed", "Item recalled", "Manual due date change", "Hold request for item"];
