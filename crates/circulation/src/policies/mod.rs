//! Policies, read from stored records (docs/folio/policies.md). Only members that decisions use are read; missing or
//! invalid values are handled where they are used.

pub mod lost_item;
pub mod notice;

use std::collections::HashMap;

use jiff::{SignedDuration, Span, Timestamp};
use refusals::{Refusal, Wording};
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer};
use uuid::Uuid;

use crate::dates::{Moment, parse_date_time};

/// A period as policies write it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Period {
    /// Number of intervals.
    pub duration: Option<i64>,
    /// `Minutes`, `Hours`, `Days`, `Weeks` or `Months`; lost item policies also allow `Years`.
    pub interval_id: Option<String>,
}

/// Reads a whole number. FOLIO stores it as a decimal, and some clients write `3.0`.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let number = Option::<f64>::deserialize(deserializer)?;
    Ok(number.map(|number| number.trunc() as i64))
}

/// Why a period is unusable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PeriodFault {
    /// Duration or interval is missing.
    Incomplete,
    /// Unknown interval.
    Interval(String),
    /// The duration cannot be added to a date.
    Duration(i64),
}

impl PeriodFault {
    /// Picks the wording for an incomplete period, a wrong interval or a wrong duration.
    pub(crate) fn refusal(self, [incomplete, interval, duration]: [&'static Wording; 3]) -> Refusal {
        match self {
            PeriodFault::Incomplete => incomplete.into(),
            PeriodFault::Interval(name) => interval.with("interval", name),
            PeriodFault::Duration(number) => duration.with("duration", number),
        }
    }
}

impl Period {
    /// Converts the period to a span of calendar units.
    pub fn span(&self) -> Result<Span, PeriodFault> {
        self.span_of_at_least(1)
    }

    /// The same of a period that may be 0: from a due date to its first reminder (mod-circulation `RemindersPolicy`), and on a hold
    /// shelf (`UpdateRequestQueue`).
    pub(crate) fn span_from_zero(&self) -> Result<Span, PeriodFault> {
        self.span_of_at_least(0)
    }

    fn span_of_at_least(&self, least: i64) -> Result<Span, PeriodFault> {
        let (Some(interval), Some(duration)) = (&self.interval_id, self.duration) else {
            return Err(PeriodFault::Incomplete);
        };
        if duration < least {
            return Err(PeriodFault::Duration(duration));
        }
        let span = Span::new();
        match interval.as_str() {
            "Minutes" => span.try_minutes(duration),
            "Hours" => span.try_hours(duration),
            "Days" => span.try_days(duration),
            "Weeks" => span.try_weeks(duration),
            "Months" => span.try_months(duration),
            "Years" => span.try_years(duration),
            other => return Err(PeriodFault::Interval(other.to_owned())),
        }
        .map_err(|_| PeriodFault::Duration(duration))
    }

    /// Adds the period to a moment, counting in the moment's own offset.
    pub fn after(&self, moment: Moment) -> Result<Timestamp, PeriodFault> {
        let too_long = |_| PeriodFault::Duration(self.duration.unwrap_or_default());
        let end = moment.zoned().checked_add(self.span()?).map_err(too_long)?;
        Ok(end.timestamp())
    }

    /// Converts the period to clock time with 31 days to a month; zero if the period is unusable.
    pub(crate) fn clock_time(&self) -> SignedDuration {
        let minutes = match self.interval_id.as_deref() {
            Some("Minutes") => 1,
            Some("Hours") => 60,
            Some("Days") => 1_440,
            Some("Weeks") => 10_080,
            Some("Months") => 44_640,
            Some("Years") => 525_600,
            _ => 0,
        };
        let total = self.duration.unwrap_or_default().saturating_mul(minutes);
        SignedDuration::from_secs(total.saturating_mul(60).clamp(0, 1 << 40))
    }

    /// True for periods in minutes or hours.
    pub fn is_short(&self) -> bool {
        let interval = self.interval_id.as_deref().unwrap_or_default();
        ["Minutes", "Hours"].iter().any(|short| short.eq_ignore_ascii_case(interval))
    }
}

/// A loan policy.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoanPolicy {
    /// ID of the policy.
    pub id: Uuid,
    /// Name of the policy.
    #[serde(default)]
    pub name: String,
    /// Whether items may be checked out.
    #[serde(default)]
    pub loanable: bool,
    /// Whether loans may be renewed.
    #[serde(default)]
    pub renewable: bool,
    /// Loan period and item limit; may be absent if items are not loanable by the policy.
    pub loans_policy: Option<LoansPolicy>,
    /// Renewal limit and period.
    #[serde(default)]
    pub renewals_policy: RenewalsPolicy,
    /// How requests change loans.
    #[serde(default)]
    pub request_management: RequestManagement,
}

/// Loan period and item limit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LoansPolicy {
    /// `Rolling` or `Fixed`, in any case.
    pub profile_id: Option<String>,
    /// Loan period of a rolling policy.
    pub period: Option<Period>,
    /// How to adjust a due date on which the library is closed.
    pub closed_library_due_date_management_id: Option<String>,
    /// Grace period after the due date, during which the loan is not overdue.
    pub grace_period: Option<Period>,
    /// How long after opening an item is due.
    pub opening_time_offset: Option<Period>,
    /// Schedule of a fixed policy, or the latest due dates of a rolling one.
    pub fixed_due_date_schedule_id: Option<Uuid>,
    /// Maximum number of items of one kind per patron.
    pub item_limit: Option<i64>,
    /// Items are for use in the library only.
    pub for_use_at_location: bool,
    /// How long an item for use at location stays on hold for its borrower.
    pub hold_shelf_expiry_period_for_use_at_location: Option<Period>,
}

/// Renewal limit and period.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RenewalsPolicy {
    /// No limit on the number of renewals.
    pub unlimited: bool,
    /// Maximum number of renewals; absent means none.
    #[serde(deserialize_with = "whole")]
    pub number_allowed: Option<i64>,
    /// `SYSTEM_DATE` or `CURRENT_DUE_DATE`.
    pub renew_from_id: Option<String>,
    /// Renewals use a period of their own instead of the loan period.
    pub different_period: bool,
    /// Renewal period, if it differs.
    pub period: Option<Period>,
    /// Schedule for renewals with a different period.
    pub alternate_fixed_due_date_schedule_id: Option<Uuid>,
}

impl LoanPolicy {
    /// Adds the policy's ID and name to a refusal.
    pub(crate) fn named_in(&self, refusal: impl Into<Refusal>) -> Refusal {
        let refusal: Refusal = refusal.into();
        let refusal = refusal.with("loanPolicyId", self.id);
        refusal.with("loanPolicyName", &self.name)
    }

    /// Maximum number of items of one kind per patron; `None` if unlimited.
    pub(crate) fn item_limit(&self) -> Option<i64> {
        self.loans_policy.as_ref()?.item_limit
    }

    /// True if items are for use in the library only.
    pub(crate) fn is_for_use_at_location(&self) -> bool {
        let loans = self.loans_policy.as_ref();
        loans.is_some_and(|loans| loans.for_use_at_location)
    }

    /// How long an item for use at location stays on hold for its borrower; `None` if not set.
    pub(crate) fn hold_at_location(&self) -> Option<&Period> {
        let loans = self.loans_policy.as_ref();
        let loans = loans.filter(|loans| loans.for_use_at_location)?;
        loans.hold_shelf_expiry_period_for_use_at_location.as_ref()
    }

    /// `Rolling` or `Fixed`, as stored.
    pub fn profile(&self) -> &str {
        let loans = self.loans_policy.as_ref();
        loans.and_then(|loans| loans.profile_id.as_deref()).unwrap_or_default()
    }

    /// True if the loan period is rolling.
    pub(crate) fn is_rolling(&self) -> bool {
        self.profile().eq_ignore_ascii_case("Rolling")
    }

    /// True if a schedule sets the due date.
    pub fn is_fixed(&self) -> bool {
        self.profile().eq_ignore_ascii_case("Fixed")
    }

    /// True if renewals have a period of their own.
    pub(crate) fn has_renewal_period(&self) -> bool {
        self.renewals_policy.different_period && self.renewals_policy.period.is_some()
    }
}

/// How requests change loans.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RequestManagement {
    /// Effect of a recall.
    pub recalls: Recalls,
    /// Effect of pending holds.
    pub holds: Holds,
}

/// Effect of a recall on a loan.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Recalls {
    /// Minimum time the borrower keeps the item.
    pub minimum_guaranteed_loan_period: Option<Period>,
    /// How soon the item must be returned after the recall.
    pub recall_return_interval: Option<Period>,
    /// A recall may extend an overdue loan.
    pub allow_recalls_to_extend_overdue_loans: bool,
    /// Recall return interval for overdue loans, if they may be extended.
    pub alternate_recall_return_interval: Option<Period>,
}

/// Effect of pending holds on a loan.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Holds {
    /// Loan period while a hold is pending.
    pub alternate_checkout_loan_period: Option<Period>,
    /// Whether an item with a pending hold may be renewed.
    pub renew_items_with_request: bool,
    /// Renewal period while a hold is pending.
    pub alternate_renewal_loan_period: Option<Period>,
}

/// A fixed due date schedule: due dates for loans made within date ranges.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FixedDueDateSchedule {
    /// ID of the schedule.
    pub id: Uuid,
    /// Date ranges, in the order of the record.
    #[serde(default)]
    pub schedules: Vec<ScheduleRange>,
}

/// Loans made between `from` and `to` are due on `due`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct ScheduleRange {
    /// Start of the range, inclusive.
    #[serde(deserialize_with = "date_time")]
    pub from: Timestamp,
    /// End of the range, inclusive.
    #[serde(deserialize_with = "date_time")]
    pub to: Timestamp,
    /// Due date for loans made in the range.
    #[serde(deserialize_with = "date_time")]
    pub due: Timestamp,
}

impl FixedDueDateSchedule {
    /// The range for a loan made at `loan_date`; `None` if no range contains it.
    pub(crate) fn range_of(&self, loan_date: Timestamp) -> Option<ScheduleRange> {
        let within = |range: &&ScheduleRange| range.from <= loan_date && loan_date <= range.to;
        self.schedules.iter().find(within).copied()
    }
}

fn date_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_date_time(&text).ok_or_else(|| serde::de::Error::custom(format!("no date: {text}")))
}

/// A request policy.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPolicy {
    /// ID of the policy.
    pub id: Uuid,
    /// Name of the policy.
    #[serde(default)]
    pub name: String,
    /// Allowed request types: `Page`, `Hold`, `Recall`.
    #[serde(default)]
    pub request_types: Vec<String>,
    /// Allowed pickup service points for each type; a type without an entry allows all of them.
    #[serde(default)]
    pub allowed_service_points: HashMap<String, Vec<Uuid>>,
}

/// An overdue fine policy.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OverdueFinePolicy {
    /// ID of the policy.
    pub id: Uuid,
    /// Name of the policy.
    #[serde(default)]
    pub name: String,
    /// Reminder fees.
    #[serde(default)]
    pub reminder_fees_policy: ReminderFeesPolicy,
    /// Overdue fines.
    #[serde(flatten)]
    pub fines: FineTerms,
}

/// Overdue fine rates and limits.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FineTerms {
    /// Regular fine rate.
    pub overdue_fine: Option<FineRate>,
    /// Fine rate for recalled items.
    pub overdue_recall_fine: Option<FineRate>,
    /// Maximum fine; zero means no limit, absent means no fine.
    pub max_overdue_fine: Option<Decimal>,
    /// The same for recalled items.
    pub max_overdue_recall_fine: Option<Decimal>,
    /// Also charge for time in which the library is closed.
    pub count_closed: Option<bool>,
    /// Charge no fine on renewal.
    pub forgive_overdue_fine: Option<bool>,
    /// Ignore the grace period for recalled items.
    pub grace_period_recall: Option<bool>,
}

/// A fine per started interval.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FineRate {
    /// Amount per interval.
    pub quantity: Option<Decimal>,
    /// `minute`, `hour`, `day`, `week`, `month` or `year`.
    pub interval_id: Option<String>,
}

/// Reminder fees and their effect on renewals.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReminderFeesPolicy {
    /// Reminders in order; empty means the policy sends none.
    pub reminder_schedule: Vec<Reminder>,
    /// Reminders may be sent on days on which the library is closed.
    pub count_closed: bool,
    /// A loan may still be renewed after a reminder was billed.
    pub allow_renewal_of_items_with_reminder_fees: bool,
}

/// One reminder.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Reminder {
    /// Interval after the due date or the previous reminder, in `time_unit_id`.
    #[serde(deserialize_with = "whole")]
    pub interval: Option<i64>,
    /// `minute`, `hour`, `day`, `week`, `month` or `year`.
    pub time_unit_id: Option<String>,
    /// Reminder fee.
    pub reminder_fee: Option<Decimal>,
    /// `Email`, `SMS` or `Print`.
    pub notice_format: Option<String>,
    /// ID of the notice template.
    pub notice_template_id: Option<Uuid>,
}

impl Reminder {
    /// Interval after the due date or the previous reminder; `None` for an unknown unit.
    pub fn period(&self) -> Option<Period> {
        let (of_unit, interval_id) = match self.time_unit_id.as_deref()? {
            "minute" => (1, "Minutes"),
            "hour" => (1, "Hours"),
            "day" => (1, "Days"),
            "week" => (1, "Weeks"),
            "month" => (1, "Months"),
            "year" => (12, "Months"),
            _ => return None,
        };
        Some(Period { duration: Some(self.interval?.checked_mul(of_unit)?), interval_id: Some(interval_id.to_owned()) })
    }
}

impl OverdueFinePolicy {
    /// Whether billed reminders block renewal; `None` if the policy has no reminders.
    pub(crate) fn reminders_block_renewal(&self) -> Option<bool> {
        let reminders = &self.reminder_fees_policy;
        let sent = !reminders.reminder_schedule.is_empty();
        sent.then_some(!reminders.allow_renewal_of_items_with_reminder_fees)
    }
}
