//! What the circulation rules allow a patron to request.

use refusals::Refusal;
use uuid::Uuid;

use super::kind::RequestKind;
use crate::{
    configuration::Configuration,
    policies::RequestPolicy,
    policy_choice::{Borrowing, choose_and_note},
    records::{Item, Patron},
    refusal::not_applicable,
    rules::PolicyKind,
    trace::Trace,
};

/// The request policy for an item and the requester.
///
/// # Errors
/// [`RULES_NOT_APPLICABLE`](crate::refusal::RULES_NOT_APPLICABLE) if the rules cannot be applied.
pub(crate) fn request_policy<'c>(
    item: &Item,
    patron: Option<&Patron>,
    configuration: &'c Configuration,
    trace: Trace<'_>,
) -> Result<&'c RequestPolicy, Refusal> {
    let borrowing = Borrowing::new(item, patron)?;
    let chosen = choose_and_note(PolicyKind::Request, borrowing, configuration, trace)?;
    let policy = configuration.request_policies.get(&chosen.id);
    policy.ok_or_else(|| {
        let id = chosen.id;
        not_applicable(format!("Request policy {id} could not be found, please check circulation rules"))
    })
}

impl RequestPolicy {
    /// True if the policy allows the request type.
    pub(crate) fn allows(&self, kind: RequestKind) -> bool {
        let same = |name: &String| name.eq_ignore_ascii_case(kind.name());
        self.request_types.iter().any(same)
    }

    /// True if the policy allows pickup of this request type at the service point.
    pub(crate) fn allows_service_point(&self, kind: RequestKind, service_point: Option<Uuid>) -> bool {
        let Some(allowed) = self.allowed_service_points.get(kind.name()) else {
            return true;
        };
        service_point.is_some_and(|id| allowed.contains(&id))
    }
}
