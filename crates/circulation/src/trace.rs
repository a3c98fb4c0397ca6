//! What a decision notes while it is made. "Why?" is answered by the function that decides and by no second one, so that
//! the answer cannot disagree with the decision (decision 70). The desk itself notes nothing: [`Trace::OFF`].

use std::cell::RefCell;

use jiff::Timestamp;
use refusals::Refusal;
use rust_decimal::Decimal;
use uuid::Uuid;
use vocabulary::ItemStatus;

use crate::{
    calendars::{Day, closed_library::Strategy},
    policies::{Period, ScheduleRange},
    rules::PolicyKind,
};

/// Where a decision notes its steps, if anywhere.
#[derive(Debug, Clone, Copy, Default)]
pub struct Trace<'t>(Option<&'t RefCell<Vec<Step>>>);

impl Trace<'_> {
    /// Notes nothing.
    pub(crate) const OFF: Trace<'static> = Trace(None);

    /// Notes a step; when nobody asks, it is not even made.
    pub(crate) fn note(self, step: impl FnOnce() -> Step) {
        if let Some(steps) = self.0 {
            steps.borrow_mut().push(step());
        }
    }
}

/// Runs a decision and returns it with its steps, in order.
pub(crate) fn traced<T>(decide: impl FnOnce(Trace<'_>) -> T) -> (T, Vec<Step>) {
    let steps = RefCell::new(Vec::new());
    let decided = decide(Trace(Some(&steps)));
    (decided, steps.into_inner())
}

/// A step of a decision.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// The circulation rules chose a policy.
    Rule {
        /// The kind of policy.
        kind: PolicyKind,
        /// The line of the rule, from 1.
        line: u32,
        /// The policy.
        policy: Uuid,
    },
    /// A due date followed from a date. The first such step begins with the start of the period, each other one with
    /// the date that the one before it arrived at.
    Date {
        /// The date before.
        from: Timestamp,
        /// The date after, which may be the same.
        to: Timestamp,
        /// What it follows from.
        by: Mover,
    },
    /// A refusal whose sentence does not say all of what caused it.
    Refused {
        /// The refusal.
        refusal: Refusal,
        /// What caused it.
        by: Blocker,
    },
    /// A limit of the patron group was compared with what the patron has.
    Limit(LimitCheck),
    /// How late an item is, as an overdue fine counts it.
    Late(Lateness),
    /// What being late costs.
    Fine(FineSum),
    /// Why there is no overdue fine.
    NoFine(NoFine),
}

/// What a due date follows from.
#[derive(Debug, Clone, PartialEq)]
pub enum Mover {
    /// A period of the loan policy.
    Period {
        /// Which of them.
        which: WhichPeriod,
        /// The period.
        period: Period,
    },
    /// The range of a fixed due date schedule that contains the date of the loan or of the renewal.
    Schedule(ScheduleRange),
    /// The same schedule, because the policy's own date would be later.
    ScheduleCap(ScheduleRange),
    /// The opening hours of the service point, by the policy's closed-library strategy.
    Calendar {
        /// The strategy.
        strategy: Strategy,
        /// The last open day before the date, its day, and the first open day after it.
        days: Box<[Day; 3]>,
    },
    /// The end of the patron's registration.
    PatronExpires(Timestamp),
    /// A recall that may not extend the loan, and so leaves the date as it is.
    RecallKeeps,
    /// A recall without a return interval: back now.
    RecallNow,
    /// Staff, who overrode the policy.
    Staff,
}

/// A period of a loan policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichPeriod {
    /// The loan period.
    Loan,
    /// The loan period while a hold waits.
    LoanForHolds,
    /// The loan period, counted again from the current due date or from today.
    Renewal,
    /// The policy's own period for renewals.
    DifferentRenewal,
    /// The renewal period while a hold waits.
    RenewalForHolds,
    /// How soon a recalled item is wanted back.
    RecallReturn,
    /// The same of an overdue loan.
    AlternateRecallReturn,
    /// What a recall leaves the patron at least.
    MinimumGuaranteed,
}

/// What caused a refusal.
#[derive(Debug, Clone, PartialEq)]
pub enum Blocker {
    /// The loan policy that the rules chose.
    LoanPolicy(Uuid),
    /// The request policy that the rules chose.
    RequestPolicy(Uuid),
    /// The overdue fine policy of the loan.
    OverdueFinePolicy(Uuid),
    /// Manual blocks in force: the reason of each, and when it ends.
    ManualBlocks(Vec<(String, Option<String>)>),
    /// A limit of the patron group.
    BlockLimit {
        /// The patron block condition.
        condition: Uuid,
        /// The limit.
        limit: Decimal,
        /// What the patron has.
        has: Decimal,
    },
    /// The item limit of the loan policy.
    ItemLimit {
        /// The loan policy.
        policy: Uuid,
        /// The limit.
        limit: i64,
        /// How many such items the patron has.
        has: i64,
    },
    /// The number of renewals that the loan policy allows.
    RenewalLimit {
        /// The loan policy.
        policy: Uuid,
        /// The number.
        limit: i64,
        /// How often the loan was renewed.
        has: i64,
    },
    /// A renewal that would not make the loan longer.
    NotLater {
        /// The loan policy.
        policy: Uuid,
        /// The current due date.
        due: Timestamp,
        /// The date by the policy.
        by_policy: Timestamp,
    },
    /// A request that waits for the item.
    Request(Uuid),
    /// The status of the item.
    ItemStatus {
        /// The status.
        status: ItemStatus,
        /// Since when, as stored.
        since: Option<String>,
    },
    /// A patron's claim to have returned the item.
    Claim(Box<ClaimBehind>),
    /// A hold shelf that never opens after the stay of a request.
    NoOpening {
        /// The service point of the shelf.
        service_point: Uuid,
        /// The request that the item would wait for.
        request: Uuid,
    },
    /// The item was lost, and its last loan does not say so. The check-in is recorded all the same.
    NoLostLoan {
        /// The item's status before the check-in.
        status: ItemStatus,
        /// Its last loan; absent when it never had one.
        loan: Option<Uuid>,
        /// When that loan ended.
        returned: Option<Timestamp>,
    },
}

/// A limit of the patron group, compared with what the patron has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitCheck {
    /// The patron block condition.
    pub condition: Uuid,
    /// The limit.
    pub limit: Decimal,
    /// What the patron has.
    pub has: Decimal,
    /// What it stops: borrowing, renewals, requests.
    pub stops: [Option<Passed>; 3],
}

/// A limit that is reached or passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passed {
    /// How much less would no longer be too much: items, or money; for the days of a recall, the number of items that
    /// are late for longer. Absent if nothing helps, as with a limit of no items.
    pub less: Option<Decimal>,
}

/// A patron's claim to have returned an item, and the loan it is about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClaimBehind {
    /// Since when the item has its status, as stored.
    pub since: Option<String>,
    /// The open loan.
    pub loan: Option<Uuid>,
    /// The borrower: id and name.
    pub borrower: Option<(Uuid, String)>,
    /// When the loan is due.
    pub due: Option<Timestamp>,
    /// When the patron says that the item came back.
    pub claimed: Option<Timestamp>,
    /// Who noted the claim.
    pub by: Option<String>,
    /// What they wrote.
    pub comment: Option<String>,
}

/// How late an item is, as an overdue fine counts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lateness {
    /// The due date.
    pub due: Timestamp,
    /// The moment of the return or renewal.
    pub until: Timestamp,
    /// The overdue fine policy.
    pub policy: Uuid,
    /// Whether hours count in which the library is closed.
    pub closed_hours_count: bool,
    /// The service point whose opening hours count: the primary one of the item's location.
    pub service_point: Option<Uuid>,
    /// The minutes that count.
    pub minutes: i64,
    /// The grace period in minutes: up to it, nothing is charged.
    pub grace: i64,
    /// Whether a recall set the due date, so that the policy's rate for recalled items applies.
    pub recalled: bool,
}

/// What being late costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FineSum {
    /// The price of an interval.
    pub quantity: Decimal,
    /// `minute`, `hour`, `day`, `week`, `month` or `year`.
    pub interval: String,
    /// How many intervals have begun.
    pub intervals: Decimal,
    /// Quantity times intervals.
    pub full: Decimal,
    /// The most that is charged; zero means no limit.
    pub maximum: Decimal,
    /// The fine, rounded to cents.
    pub amount: Decimal,
}

/// Why there is no overdue fine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoFine {
    /// The library itself found the item.
    FoundByLibrary,
    /// The loan has no overdue fine policy, or it no longer exists.
    NoPolicy,
    /// The policy forgives the fine when the loan is renewed.
    Forgiven,
    /// The item is not late.
    NotLate,
    /// The item was lost, and the lost item policy does not fine such items.
    Lost,
    /// The item is late by no more than the grace period.
    WithinGrace,
    /// The policy has no rate, no maximum or an unknown interval.
    NoRate,
    /// No fee owner is responsible for the item's location.
    NoOwner,
    /// The fine is zero.
    Zero,
}
