//! A tenant's configuration of the desk in memory: an immutable snapshot with a version.
//!
//! It is read by one statement and replaced as a whole when the version that the statements of the
//! desk return is another one.

mod fee_owner;
mod notices;
mod place;
mod reading;
mod self_checks;

use std::collections::HashMap;

use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use serde::Deserialize;
use uuid::Uuid;

pub use fee_owner::{FeeOwner, OwnedServicePoint};
pub use notices::TitleTemplates;
pub use place::{Location, ServicePoint};
pub use self_checks::{SelfCheckRules, SelfChecks, StationRules};

use crate::{
    calendars::Openings,
    lost_items::policy::LostItemPolicy,
    notices::NoticePolicy,
    policies::{FixedDueDateSchedule, LoanPolicy, OverdueFinePolicy, RequestPolicy},
    rules::{self, Facts, Matcher, Place, PolicyKind},
};

/// Everything about a library that its desk decides by.
#[derive(Debug, Clone, Default)]
pub struct Configuration {
    /// Raised by each change.
    pub version: i64,
    /// The circulation rules.
    pub rules: Rules,
    /// Loan policies.
    pub loan_policies: HashMap<Uuid, LoanPolicy>,
    /// Schedules of fixed due dates.
    pub schedules: HashMap<Uuid, FixedDueDateSchedule>,
    /// Request policies.
    pub request_policies: HashMap<Uuid, RequestPolicy>,
    /// Overdue fine policies.
    pub overdue_fine_policies: HashMap<Uuid, OverdueFinePolicy>,
    /// Lost item policies.
    pub lost_item_policies: HashMap<Uuid, LostItemPolicy>,
    /// Who charges fees and fines, in the order of the records.
    pub fee_owners: Vec<FeeOwner>,
    /// Patron notice policies.
    pub notice_policies: HashMap<Uuid, NoticePolicy>,
    /// Templates of notices about titles of which no copy is chosen yet.
    pub title_templates: TitleTemplates,
    /// How many scheduled notices are sent in one go; all, when nobody has set it.
    pub notices_at_once: Option<i64>,
    /// After how many minutes without a check-out or check-in a patron has left the desk.
    pub session_minutes: i64,
    /// Service points.
    pub service_points: HashMap<Uuid, ServicePoint>,
    /// Locations.
    pub locations: HashMap<Uuid, Location>,
    /// Opening hours of service points that have a calendar.
    pub openings: HashMap<Uuid, Openings>,
    /// Patron groups.
    pub patron_groups: HashMap<Uuid, PatronGroup>,
    /// Names of material types.
    pub material_types: HashMap<Uuid, String>,
    /// Names of loan types.
    pub loan_types: HashMap<Uuid, String>,
    /// Names of identifier types.
    pub identifier_types: HashMap<Uuid, String>,
    /// Names of departments.
    pub departments: HashMap<Uuid, String>,
    /// Names of address types.
    pub address_types: HashMap<Uuid, String>,
    /// When patrons are blocked.
    pub block_conditions: HashMap<Uuid, BlockCondition>,
    /// From which number on, in the order of the records.
    pub block_limits: Vec<BlockLimit>,
    /// The library's time zone.
    pub time_zone: Zone,
    /// Requests for titles are allowed.
    pub title_level_requests: bool,
    /// A hold of a title needs a copy that the circulation rules let the requester hold.
    pub title_holds_follow_rules: bool,
    /// Search slips are printed for holds.
    pub search_slips: bool,
    /// A patron whom a client has locked borrows nothing meanwhile.
    pub check_out_lock: bool,
    /// What self-checks may do and say.
    pub self_checks: SelfChecks,
    /// Items may be lent to be read in the library: the operator's choice, not the library's.
    pub use_at_location: bool,
}

/// A patron group.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct PatronGroup {
    /// Its name.
    pub group: String,
    /// What it is for.
    pub desc: Option<String>,
}

/// The library's time zone; UTC when nobody said otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone(pub TimeZone);

impl Default for Zone {
    fn default() -> Self {
        Zone(TimeZone::UTC)
    }
}

/// The circulation rules, or why there are none.
#[derive(Debug, Clone, Default)]
pub enum Rules {
    /// Nobody has written any.
    #[default]
    Blank,
    /// The stored text has an error.
    Broken(rules::RulesError),
    /// Ready for use.
    Ready(Matcher),
}

/// When patrons are blocked, and from what.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BlockCondition {
    /// Its id, which says what it counts.
    pub id: Uuid,
    /// From borrowing.
    pub block_borrowing: bool,
    /// From renewing.
    pub block_renewals: bool,
    /// From requesting.
    pub block_requests: bool,
    /// What the staff is told.
    pub message: Option<String>,
}

/// The number from which on a condition blocks the patrons of a group.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockLimit {
    /// The group.
    pub patron_group_id: Uuid,
    /// The condition.
    pub condition_id: Uuid,
    /// The number; none means that the condition is off.
    pub value: Option<Decimal>,
}

/// Why rules could not be applied: FOLIO's text of a 500.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotApplicable(pub String);

/// The winning rule's policy of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// Its name in the rules: an id.
    pub policy: String,
    /// What the winning rule tests; only loan policies have it.
    pub conditions: rules::AppliedRuleConditions,
}

impl Configuration {
    /// The smallest item limit of all loan policies: who has fewer items out has reached none.
    pub fn smallest_item_limit(&self) -> Option<i64> {
        let limits = self
            .loan_policies
            .values()
            .filter_map(LoanPolicy::item_limit);
        limits.min()
    }

    /// The rules, ready for use.
    ///
    /// # Errors
    /// [`NotApplicable`] when the text is blank or wrong.
    pub fn matcher(&self) -> Result<&Matcher, NotApplicable> {
        match &self.rules {
            Rules::Ready(matcher) => Ok(matcher),
            Rules::Blank => Err(NotApplicable(
                "Cannot apply blank circulation rules".to_owned(),
            )),
            Rules::Broken(error) => Err(NotApplicable(error.to_string())),
        }
    }

    /// What the rules look at.
    pub fn facts(&self, material: Uuid, loan_type: Uuid, group: Uuid, location: Uuid) -> Facts {
        let place = self.locations.get(&location).map(|found| Place {
            institution: found.institution_id,
            campus: found.campus_id,
            library: found.library_id,
        });
        Facts {
            material_type: material,
            loan_type,
            patron_group: group,
            location,
            place,
        }
    }

    /// Whether a policy that a rules text names exists.
    pub fn has_policy(&self, kind: PolicyKind, id: Uuid) -> bool {
        match kind {
            PolicyKind::Loan => self.loan_policies.contains_key(&id),
            PolicyKind::Request => self.request_policies.contains_key(&id),
            PolicyKind::Notice => self.notice_policies.contains_key(&id),
            PolicyKind::OverdueFine => self.overdue_fine_policies.contains_key(&id),
            PolicyKind::LostItem => self.lost_item_policies.contains_key(&id),
        }
    }

    /// When a service point is open; never, when it has no calendar.
    pub fn openings_of(&self, service_point: Option<Uuid>) -> &Openings {
        static CLOSED: Openings = Openings::NONE;
        service_point
            .and_then(|id| self.openings.get(&id))
            .unwrap_or(&CLOSED)
    }

    /// The library's time zone.
    pub fn zone(&self) -> &TimeZone {
        &self.time_zone.0
    }

    /// The name of the material type with this id.
    pub fn material_type(&self, id: Option<Uuid>) -> Option<&str> {
        self.material_types.get(&id?).map(String::as_str)
    }

    /// The location with this id.
    pub fn location(&self, id: Option<Uuid>) -> Option<&Location> {
        self.locations.get(&id?)
    }

    /// The service point with this id.
    pub fn service_point(&self, id: Option<Uuid>) -> Option<&ServicePoint> {
        self.service_points.get(&id?)
    }
}
