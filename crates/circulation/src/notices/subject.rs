//! Everything a notice is about, as one statement reads it (`notice_subject`).

use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::policy::NoticePolicy;
use crate::{
    configuration::Configuration,
    policies::choice::{Borrowing, choose},
    records::{Instance, Item, Loan, Patron, RequestRecord},
    rules::PolicyKind,
};

/// What a notice is about.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Subject {
    /// The loan.
    pub loan: Option<Map<String, Value>>,
    /// The request.
    pub request: Option<Map<String, Value>>,
    /// What was done about a fee.
    pub action: Option<Map<String, Value>>,
    /// The fee.
    pub account: Option<Map<String, Value>>,
    /// How it was charged.
    pub charge: Option<Map<String, Value>>,
    /// The template that the fee's type, or its owner, has for what was done.
    pub fee_template: Option<Uuid>,
    /// The item.
    pub item: Option<Item>,
    /// What it is a copy of, or the title that is asked for.
    pub instance: Option<Instance>,
    /// The borrower, or who asks.
    pub user: Option<Patron>,
    /// Who acts for them, with the relationship.
    pub proxies: Option<Vec<Proxy>>,
    /// What staff last wrote for the patron on the loan.
    pub comment: Option<String>,
    /// Why a request was cancelled.
    pub reason: Option<Reason>,
    /// Fees for the lost item were charged.
    pub lost_fees: bool,
}

/// Somebody who acts for a patron.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Proxy {
    /// The record of it.
    pub relationship: Value,
    /// The person.
    pub user: Option<Patron>,
}

/// Why a request was cancelled.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Reason {
    /// Its name.
    pub name: Option<String>,
    /// What patrons are told.
    pub public_description: Option<String>,
}

impl Subject {
    /// The loan.
    pub fn loan(&self) -> Option<Loan> {
        self.loan.clone().map(Loan::new)
    }

    /// A member of the request as text.
    pub fn asked(&self, member: &str) -> Option<&str> {
        self.request.as_ref()?.get(member)?.as_str()
    }

    /// The members of the request that decisions look at.
    pub fn request_record(&self) -> RequestRecord {
        let record = self.request.clone().map(Value::Object);
        record
            .and_then(|record| serde_json::from_value(record).ok())
            .unwrap_or_default()
    }

    /// Who is told: the proxy, if the patron wants it so.
    pub fn recipient(&self, now: jiff::Timestamp) -> Option<&Patron> {
        let proxies = self.proxies.iter().flatten();
        let mut told = proxies.filter(|proxy| {
            let record = crate::records::ProxyRelationship::deserialize(&proxy.relationship);
            let active = record.is_ok_and(|relationship| relationship.is_active(now));
            active && notifications_to(&proxy.relationship) == Some("Proxy")
        });
        told.find_map(|proxy| proxy.user.as_ref())
            .or(self.user.as_ref())
    }

    /// The notice policy that the circulation rules choose, with its id.
    pub fn policy<'c>(&self, configuration: &'c Configuration) -> Option<(Uuid, &'c NoticePolicy)> {
        let borrowing = Borrowing::new(self.item.as_ref()?, self.user.as_ref()).ok()?;
        let chosen = choose(PolicyKind::Notice, borrowing, configuration).ok()?;
        let policy = configuration.notice_policies.get(&chosen.id)?;
        Some((chosen.id, policy))
    }
}

/// mod-users keeps it beside the other members, older records in `meta`.
fn notifications_to(relationship: &Value) -> Option<&str> {
    let member = relationship.get("notificationsTo");
    member
        .or_else(|| relationship.pointer("/meta/notificationsTo"))?
        .as_str()
}
