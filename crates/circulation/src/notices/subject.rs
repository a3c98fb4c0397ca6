//! The records behind a notice, as one statement reads them (`notice_subject`).

use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::letter::About;
use crate::policies::notice::NoticePolicy;
use crate::{
    configuration::Configuration,
    fees::account::Account,
    policy_choice::{Borrowing, choose},
    records::{Instance, Item, Loan, Patron, Request},
    rules::PolicyKind,
};

/// The records behind a notice; those that do not apply are absent.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Subject {
    /// The loan record.
    pub loan: Option<Loan>,
    /// The request record.
    pub request: Option<Request>,
    /// The fee action: a charge, payment or other change.
    pub action: Option<Map<String, Value>>,
    /// The account of the fee.
    pub account: Option<Account>,
    /// The fee action that charged it.
    pub charge: Option<Map<String, Value>>,
    /// Notice template of the fee type or the fee owner.
    pub fee_template: Option<Uuid>,
    /// The item record.
    pub item: Option<Item>,
    /// The item's instance, or the requested one.
    pub instance: Option<Instance>,
    /// The borrower or requester.
    pub user: Option<Patron>,
    /// Proxies of the user, with their relationships.
    pub proxies: Option<Vec<Proxy>>,
    /// Latest comment by staff for the patron on the loan.
    pub comment: Option<String>,
    /// Cancellation reason of the request.
    pub reason: Option<Reason>,
    /// True if fees for the lost item were charged.
    pub lost_fees: bool,
}

/// A proxy of a patron.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Proxy {
    /// The proxy relationship record.
    pub relationship: Value,
    /// The proxy's user record.
    pub user: Option<Patron>,
}

/// A cancellation reason.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Reason {
    /// Name of the reason.
    pub name: Option<String>,
    /// Description shown to patrons.
    pub public_description: Option<String>,
}

impl Subject {
    /// The recipient: the patron, or the proxy if the patron has notices sent there.
    pub fn recipient(&self, now: jiff::Timestamp) -> Option<&Patron> {
        let proxies = self.proxies.iter().flatten();
        let mut told = proxies.filter(|proxy| {
            let record = crate::records::ProxyRelationship::deserialize(&proxy.relationship);
            let active = record.is_ok_and(|relationship| relationship.is_active(now));
            active && notifications_to(&proxy.relationship) == Some("Proxy")
        });
        told.find_map(|proxy| proxy.user.as_ref()).or(self.user.as_ref())
    }

    /// The records of the notice, for the circulation log.
    pub fn about(&self, configuration: &Configuration) -> About {
        let (loan, request, account) = (self.loan.as_ref(), self.request.as_ref(), self.account.as_ref());
        let item = request.map(Request::item_id).or(loan.map(Loan::item_id)).flatten();
        About {
            item: item.or_else(|| account?.item_id()),
            // The loan of a requested item is another patron's.
            loan: loan.filter(|_| request.is_none()).and_then(Loan::id),
            request: request.and_then(Request::known_id),
            account: account.map(|account| account.id().to_owned()),
            policy: self.policy(configuration).map(|(id, _)| id),
            service_point: match request {
                Some(request) => request.pickup_point(),
                None => loan.and_then(Loan::check_out_point),
            },
        }
    }

    /// The notice policy that the circulation rules choose, with its ID.
    pub fn policy<'c>(&self, configuration: &'c Configuration) -> Option<(Uuid, &'c NoticePolicy)> {
        let borrowing = Borrowing::new(self.item.as_ref()?, self.user.as_ref()).ok()?;
        let chosen = choose(PolicyKind::Notice, borrowing, configuration).ok()?;
        let policy = configuration.notice_policies.get(&chosen.id)?;
        Some((chosen.id, policy))
    }
}

/// mod-users stores this at the top level; older records have it in `meta`.
fn notifications_to(relationship: &Value) -> Option<&str> {
    let member = relationship.get("notificationsTo");
    member.or_else(|| relationship.pointer("/meta/notificationsTo"))?.as_str()
}
