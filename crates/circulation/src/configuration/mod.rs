//! A tenant's circulation configuration in memory: an immutable snapshot with a version.
//!
//! A single statement reads it. It is replaced as a whole when a circulation statement returns a different version.

mod entries;
mod fee_owner;
mod notices;
mod place;
mod reading;
mod self_checks;

use std::collections::HashMap;

use jiff::tz::TimeZone;
use refusals::Refusal;
use rust_decimal::Decimal;
use serde::Deserialize;
use uuid::Uuid;

pub use fee_owner::{FeeOwner, OwnedServicePoint};
pub use notices::TitleTemplates;
pub use place::{Location, ServicePoint};
pub use self_checks::{SelfCheckRules, SelfChecks, StationRules};

use crate::{
    calendars::Openings,
    policies::lost_item::LostItemPolicy,
    policies::notice::NoticePolicy,
    policies::{FixedDueDateSchedule, LoanPolicy, OverdueFinePolicy, RequestPolicy},
    refusal::not_applicable,
    rules::{self, Facts, Matcher, Place, PolicyKind},
};

/// The settings and reference data that circulation decides by.
#[derive(Debug, Clone, Default)]
pub struct Configuration {
    /// Increases with each change.
    pub version: i64,
    /// The circulation rules.
    pub rules: Rules,
    /// The text of the rules, as stored.
    pub rules_text: String,
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
    /// Fee/fine owners, in the order of their records.
    pub fee_owners: Vec<FeeOwner>,
    /// Patron notice policies.
    pub notice_policies: HashMap<Uuid, NoticePolicy>,
    /// Templates for notices about title-level requests without an item.
    pub title_templates: TitleTemplates,
    /// The maximum number of scheduled notices sent in one run; all when the library has not set it.
    pub notices_at_once: Option<i64>,
    /// Minutes without a check-out or check-in after which a patron's session ends.
    pub session_minutes: i64,
    /// Service points.
    pub service_points: HashMap<Uuid, ServicePoint>,
    /// Locations.
    pub locations: HashMap<Uuid, Location>,
    /// Opening hours of the service points that have calendars.
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
    /// Patron block conditions.
    pub block_conditions: HashMap<Uuid, BlockCondition>,
    /// Limits of patron groups for these conditions, in the order of their records.
    pub block_limits: Vec<BlockLimit>,
    /// The library's time zone.
    pub time_zone: Zone,
    /// The language tag of the library's locale, such as `en-US`; empty if it has none.
    pub language: String,
    /// Whether title-level requests are enabled.
    pub title_level_requests: bool,
    /// Whether a title-level hold requires an item that the circulation rules allow the requester to hold.
    pub title_holds_follow_rules: bool,
    /// Whether search slips are printed for holds.
    pub search_slips: bool,
    /// Whether a client's lock on a patron blocks check-outs.
    pub check_out_lock: bool,
    /// Settings and messages of self-check terminals.
    pub self_checks: SelfChecks,
    /// Whether loans for use at location are enabled; set by Carrel's operator, not by the library.
    pub use_at_location: bool,
    /// Whether anybody listens to the library's events, which the desk then announces with each change.
    pub has_listeners: bool,
}

/// A patron group.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct PatronGroup {
    /// The name of the group.
    pub group: String,
    /// The description.
    pub desc: Option<String>,
}

/// The library's time zone; UTC by default.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone(pub TimeZone);

impl Default for Zone {
    fn default() -> Self {
        Zone(TimeZone::UTC)
    }
}

/// The circulation rules, or why none are available.
#[derive(Debug, Clone, Default)]
pub enum Rules {
    /// The library has no rules yet.
    #[default]
    Blank,
    /// The stored text has an error.
    Broken(rules::RulesError),
    /// Ready for use.
    Ready(Matcher),
}

/// A patron block condition, and what it blocks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BlockCondition {
    /// The id, which identifies what the condition counts.
    pub id: Uuid,
    /// The name, as staff read it.
    pub name: String,
    /// Whether it blocks borrowing.
    pub block_borrowing: bool,
    /// Whether it blocks renewals.
    pub block_renewals: bool,
    /// Whether it blocks requests.
    pub block_requests: bool,
    /// The message for staff.
    pub message: Option<String>,
}

/// A patron group's limit for a patron block condition.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockLimit {
    /// The patron group.
    pub patron_group_id: Uuid,
    /// The condition.
    pub condition_id: Uuid,
    /// The limit; `None` turns the condition off.
    pub value: Option<Decimal>,
}

/// The policy of one kind that the matching rule applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The policy's name in the rules: its id.
    pub policy: String,
    /// The criteria that the matching rule tests; set for loan policies only.
    pub conditions: rules::AppliedRuleConditions,
}

impl Configuration {
    /// The smallest item limit of all loan policies; a patron with fewer items on loan has reached none.
    pub(crate) fn smallest_item_limit(&self) -> Option<i64> {
        let limits = self.loan_policies.values().filter_map(LoanPolicy::item_limit);
        limits.min()
    }

    /// The compiled rules.
    ///
    /// # Errors
    /// [`RULES_NOT_APPLICABLE`](crate::refusal::RULES_NOT_APPLICABLE) when the rules text is blank or invalid.
    pub fn matcher(&self) -> Result<&Matcher, Refusal> {
        match &self.rules {
            Rules::Ready(matcher) => Ok(matcher),
            Rules::Blank => Err(not_applicable("Cannot apply blank circulation rules")),
            Rules::Broken(error) => Err(not_applicable(error.to_string())),
        }
    }

    /// The facts that the rules test.
    pub fn facts(&self, material: Uuid, loan_type: Uuid, group: Uuid, location: Uuid) -> Facts {
        let place = self.locations.get(&location).map(|found| Place {
            institution: found.institution_id,
            campus: found.campus_id,
            library: found.library_id,
        });
        Facts { material_type: material, loan_type, patron_group: group, location, place }
    }

    /// Whether a policy named in the rules text exists.
    pub fn has_policy(&self, kind: PolicyKind, id: Uuid) -> bool {
        match kind {
            PolicyKind::Loan => self.loan_policies.contains_key(&id),
            PolicyKind::Request => self.request_policies.contains_key(&id),
            PolicyKind::Notice => self.notice_policies.contains_key(&id),
            PolicyKind::OverdueFine => self.overdue_fine_policies.contains_key(&id),
            PolicyKind::LostItem => self.lost_item_policies.contains_key(&id),
        }
    }

    /// The openings of a service point; closed every day if it has no calendar.
    pub(crate) fn openings_of(&self, service_point: Option<Uuid>) -> &Openings {
        static CLOSED: Openings = Openings::NONE;
        service_point.and_then(|id| self.openings.get(&id)).unwrap_or(&CLOSED)
    }

    /// The library's time zone.
    pub fn zone(&self) -> &TimeZone {
        &self.time_zone.0
    }

    /// The name of a material type.
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
