//! What the circulation rules let a patron ask of an item.

use uuid::Uuid;

use super::kind::RequestKind;
use crate::{
    configuration::{Configuration, NotApplicable},
    policies::{
        RequestPolicy,
        choice::{Borrowing, choose},
    },
    records::{Item, Patron},
    rules::PolicyKind,
};

/// The request policy of an item and the patron who asks.
///
/// # Errors
/// [`NotApplicable`] when the rules cannot be applied.
pub(crate) fn request_policy<'c>(
    item: &Item,
    patron: Option<&Patron>,
    configuration: &'c Configuration,
) -> Result<&'c RequestPolicy, NotApplicable> {
    let borrowing = Borrowing::new(item, patron)?;
    let chosen = choose(PolicyKind::Request, borrowing, configuration)?;
    let policy = configuration.request_policies.get(&chosen.id);
    policy.ok_or_else(|| {
        let id = chosen.id;
        NotApplicable(format!(
            "Request policy {id} could not be found, please check circulation rules"
        ))
    })
}

impl RequestPolicy {
    /// Lists the type.
    pub fn allows(&self, kind: RequestKind) -> bool {
        let same = |name: &String| name.eq_ignore_ascii_case(kind.name());
        self.request_types.iter().any(same)
    }

    /// Items asked for in this way may be fetched there.
    pub fn allows_service_point(&self, kind: RequestKind, service_point: Option<Uuid>) -> bool {
        let Some(allowed) = self.allowed_service_points.get(kind.name()) else {
            return true;
        };
        service_point.is_some_and(|id| allowed.contains(&id))
    }
}
