//! Policies as the desk uses them, read from the stored records (docs/folio/policies.md). Members that no
//! decision looks at are left out; what is missing or odd is dealt with where it matters.

pub mod choice;

use std::collections::HashMap;

use jiff::{SignedDuration, Span, Timestamp};
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer};
use uuid::Uuid;

use crate::dates::{Moment, parse_date_time};

/// A length of time as libraries count it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Period {
    /// How many.
    pub duration: Option<i64>,
    /// Of what: `Minutes`, `Hours`, `Days`, `Weeks` or `Months`; of lost items `Years`, too.
    pub interval_id: Option<String>,
}

/// A whole number, which FOLIO keeps as a decimal one and some clients write as `3.0`.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let number = Option::<f64>::deserialize(deserializer)?;
    Ok(number.map(|number| number.trunc() as i64))
}

/// Why a period cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PeriodFault {
    /// Duration or interval is missing.
    Incomplete,
    /// Not an interval that libraries use.
    Interval(String),
    /// Not a duration that can be added to a date.
    Duration(i64),
}

impl PeriodFault {
    /// What FOLIO says about the period of a loan or a renewal.
    pub fn of_loan_period(&self) -> String {
        match self {
            PeriodFault::Incomplete => {
                "the loan period in the loan policy is not recognised".to_owned()
            }
            PeriodFault::Interval(interval) => {
                format!("the interval \"{interval}\" in the loan policy is not recognised")
            }
            PeriodFault::Duration(duration) => {
                format!("the duration \"{duration}\" in the loan policy is invalid")
            }
        }
    }
}

impl Period {
    /// The period as a span of calendar units.
    ///
    /// # Errors
    /// [`PeriodFault`].
    pub fn span(&self) -> Result<Span, PeriodFault> {
        let (Some(interval), Some(duration)) = (&self.interval_id, self.duration) else {
            return Err(PeriodFault::Incomplete);
        };
        if duration <= 0 {
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

    /// The moment this long after another, counted in the offset it was written with.
    ///
    /// # Errors
    /// [`PeriodFault`].
    pub fn after(&self, moment: Moment) -> Result<Timestamp, PeriodFault> {
        let too_long = |_| PeriodFault::Duration(self.duration.unwrap_or_default());
        let end = moment.zoned().checked_add(self.span()?).map_err(too_long)?;
        Ok(end.timestamp())
    }

    /// The period as time on a clock, a month counting 31 days; zero when it cannot be counted.
    pub fn clock_time(&self) -> SignedDuration {
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

    /// Counted in minutes or hours, not in days.
    pub fn is_short(&self) -> bool {
        let interval = self.interval_id.as_deref().unwrap_or_default();
        ["Minutes", "Hours"]
            .iter()
            .any(|short| short.eq_ignore_ascii_case(interval))
    }
}

/// A loan policy.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoanPolicy {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Items may be lent at all.
    #[serde(default)]
    pub loanable: bool,
    /// Loans may be renewed at all.
    #[serde(default)]
    pub renewable: bool,
    /// How long, and how many.
    pub loans_policy: Option<LoansPolicy>,
    /// How often, and for how long.
    #[serde(default)]
    pub renewals_policy: RenewalsPolicy,
    /// What requests change.
    #[serde(default)]
    pub request_management: RequestManagement,
}

/// How long items are lent, and how many.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LoansPolicy {
    /// `Rolling` or `Fixed`, in any case.
    pub profile_id: Option<String>,
    /// Length of a rolling loan.
    pub period: Option<Period>,
    /// What happens when the library is closed on the due date.
    pub closed_library_due_date_management_id: Option<String>,
    /// How long after the due date a loan is not yet overdue.
    pub grace_period: Option<Period>,
    /// How long after opening an item is due.
    pub opening_time_offset: Option<Period>,
    /// The schedule of a fixed loan, or the cap of a rolling one.
    pub fixed_due_date_schedule_id: Option<Uuid>,
    /// How many items of a kind a patron may have.
    pub item_limit: Option<i64>,
    /// Items are read in the library.
    pub for_use_at_location: bool,
    /// How long an item that is read in the library waits for its reader.
    pub hold_shelf_expiry_period_for_use_at_location: Option<Period>,
}

/// How often loans are renewed, and for how long.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RenewalsPolicy {
    /// As often as the patron likes.
    pub unlimited: bool,
    /// How often; never, when it is missing.
    #[serde(deserialize_with = "whole")]
    pub number_allowed: Option<i64>,
    /// `SYSTEM_DATE` or `CURRENT_DUE_DATE`.
    pub renew_from_id: Option<String>,
    /// For another period than that of the loan.
    pub different_period: bool,
    /// That period.
    pub period: Option<Period>,
    /// The schedule of a renewal for a different period.
    pub alternate_fixed_due_date_schedule_id: Option<Uuid>,
}

impl LoanPolicy {
    /// How many items of a kind a patron may have; none if there is no limit.
    pub fn item_limit(&self) -> Option<i64> {
        self.loans_policy.as_ref()?.item_limit
    }

    /// Items are read in the library and not taken home.
    pub fn is_for_use_at_location(&self) -> bool {
        let loans = self.loans_policy.as_ref();
        loans.is_some_and(|loans| loans.for_use_at_location)
    }

    /// How long an item that is read in the library waits for its reader; `None` means that nobody says.
    pub fn hold_at_location(&self) -> Option<&Period> {
        let loans = self.loans_policy.as_ref();
        let loans = loans.filter(|loans| loans.for_use_at_location)?;
        loans.hold_shelf_expiry_period_for_use_at_location.as_ref()
    }

    /// `Rolling` or `Fixed`, as stored.
    pub fn profile(&self) -> &str {
        let loans = self.loans_policy.as_ref();
        loans
            .and_then(|loans| loans.profile_id.as_deref())
            .unwrap_or_default()
    }

    /// Loans last for a period.
    pub fn is_rolling(&self) -> bool {
        self.profile().eq_ignore_ascii_case("Rolling")
    }

    /// Loans last until a date of a schedule.
    pub fn is_fixed(&self) -> bool {
        self.profile().eq_ignore_ascii_case("Fixed")
    }

    /// Renewals have a period of their own.
    pub fn has_renewal_period(&self) -> bool {
        self.renewals_policy.different_period && self.renewals_policy.period.is_some()
    }
}

/// How requests change loans.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RequestManagement {
    /// What a recall does to a loan.
    pub recalls: Recalls,
    /// What waiting holds do to a loan.
    pub holds: Holds,
}

/// What a recall does to a loan.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Recalls {
    /// The patron keeps the item at least so long.
    pub minimum_guaranteed_loan_period: Option<Period>,
    /// The item is wanted back within this time.
    pub recall_return_interval: Option<Period>,
    /// A recall may make an overdue loan longer.
    pub allow_recalls_to_extend_overdue_loans: bool,
    /// The return interval of overdue loans that may get longer.
    pub alternate_recall_return_interval: Option<Period>,
}

/// What waiting holds do to a loan.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Holds {
    /// Length of a loan while others wait for the item.
    pub alternate_checkout_loan_period: Option<Period>,
    /// An item that others wait for may be renewed.
    pub renew_items_with_request: bool,
    /// Length of a renewal while others wait for the item.
    pub alternate_renewal_loan_period: Option<Period>,
}

/// Dates on which loans made within a range fall due.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FixedDueDateSchedule {
    /// Its id.
    pub id: Uuid,
    /// The ranges, in the order of the record.
    #[serde(default)]
    pub schedules: Vec<ScheduleRange>,
}

/// Loans made from the one date to the other are due on the third.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct ScheduleRange {
    /// First moment.
    #[serde(deserialize_with = "date_time")]
    pub from: Timestamp,
    /// Last moment.
    #[serde(deserialize_with = "date_time")]
    pub to: Timestamp,
    /// Due date.
    #[serde(deserialize_with = "date_time")]
    pub due: Timestamp,
}

impl FixedDueDateSchedule {
    /// The due date of a loan made at that moment.
    pub fn due_date_for(&self, loan_date: Timestamp) -> Option<Timestamp> {
        let within = |range: &&ScheduleRange| range.from <= loan_date && loan_date <= range.to;
        self.schedules.iter().find(within).map(|range| range.due)
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
    /// Its id.
    pub id: Uuid,
    /// The types it allows: `Page`, `Hold`, `Recall`.
    #[serde(default)]
    pub request_types: Vec<String>,
    /// Where items asked for by a type may be fetched; a type that is not named: wherever items are.
    #[serde(default)]
    pub allowed_service_points: HashMap<String, Vec<Uuid>>,
}

/// An overdue fine policy.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OverdueFinePolicy {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// What reminders cost.
    #[serde(default)]
    pub reminder_fees_policy: ReminderFeesPolicy,
    /// What it costs to be late.
    #[serde(flatten)]
    pub fines: FineTerms,
}

/// What it costs to be late.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FineTerms {
    /// Usually.
    pub overdue_fine: Option<FineRate>,
    /// After a recall.
    pub overdue_recall_fine: Option<FineRate>,
    /// The most that is charged; as much as it is, when it is zero; nothing, when it is missing.
    pub max_overdue_fine: Option<Decimal>,
    /// The same, after a recall.
    pub max_overdue_recall_fine: Option<Decimal>,
    /// Time in which the library is closed counts, too.
    pub count_closed: Option<bool>,
    /// Nothing is charged when the loan is renewed.
    pub forgive_overdue_fine: Option<bool>,
    /// The grace period does not count after a recall.
    pub grace_period_recall: Option<bool>,
}

/// A fine for each begun interval.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FineRate {
    /// The amount.
    pub quantity: Option<Decimal>,
    /// `minute`, `hour`, `day`, `week`, `month` or `year`.
    pub interval_id: Option<String>,
}

/// What reminders cost, and what they block.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReminderFeesPolicy {
    /// The reminders, one after the other; none means that there are no reminders.
    pub reminder_schedule: Vec<Reminder>,
    /// A reminder may go out on a day on which the library is closed.
    pub count_closed: bool,
    /// An item for whose loan a reminder was billed may still be renewed.
    pub allow_renewal_of_items_with_reminder_fees: bool,
}

/// One reminder.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Reminder {
    /// How long after the due date or the reminder before.
    #[serde(deserialize_with = "whole")]
    pub interval: Option<i64>,
    /// `minute`, `hour`, `day`, `week`, `month` or `year`.
    pub time_unit_id: Option<String>,
    /// What it costs.
    pub reminder_fee: Option<Decimal>,
    /// `Email`, `SMS` or `Print`.
    pub notice_format: Option<String>,
    /// What is sent.
    pub notice_template_id: Option<Uuid>,
}

impl Reminder {
    /// How long after the due date or the reminder before; `None` for a unit that nobody counts in.
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
        Some(Period {
            duration: Some(self.interval?.checked_mul(of_unit)?),
            interval_id: Some(interval_id.to_owned()),
        })
    }
}

impl OverdueFinePolicy {
    /// Whether a loan for which reminders were billed may not be renewed; `None` without reminders.
    pub fn reminders_block_renewal(&self) -> Option<bool> {
        let reminders = &self.reminder_fees_policy;
        let sent = !reminders.reminder_schedule.is_empty();
        sent.then_some(!reminders.allow_renewal_of_items_with_reminder_fees)
    }
}

/// A policy that the desk only names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct NamedPolicy {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    #[serde(default)]
    pub name: String,
}
