//! Automated patron blocks (docs/folio/patron-blocks.md#automated-blocks), computed from current loans and fees, so the
//! cost does not grow with the patron's history. SQL counts these: `patron_standing` in
//! `store/sql/replaceable/reads/patron_standing.sql`.

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use uuid::{Uuid, uuid};

use crate::{
    configuration::{BlockLimit, Configuration},
    dates::parse_date_time,
    trace::{LimitCheck, Passed, Step, Trace},
};

/// Condition: maximum number of items charged out.
pub const ITEMS_CHARGED_OUT: Uuid = uuid!("3d7c52dc-c732-4223-8bf8-e5917801386f");
/// Condition: maximum number of lost items.
pub const LOST_ITEMS: Uuid = uuid!("72b67965-5b73-4840-bc0b-be8f3f6e047e");
/// Condition: maximum number of overdue items.
pub const OVERDUE_ITEMS: Uuid = uuid!("584fbd4f-6a34-4730-a6ca-73a6a6a9d845");
/// Condition: maximum number of overdue recalls.
pub const OVERDUE_RECALLS: Uuid = uuid!("e5b45031-a202-4abb-917b-e1df9346fe2c");
/// Condition: a recalled item is overdue by the maximum number of days.
pub const RECALL_OVERDUE_DAYS: Uuid = uuid!("08530ac4-07f2-48e6-9dda-a97bc2bf7053");
/// Condition: maximum outstanding fee/fine balance.
pub const FEE_BALANCE: Uuid = uuid!("cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a");

const MINUTES_PER_DAY: i64 = 1_440;

/// A patron's current loans and debts. Items claimed returned, and their fees, do not count.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Standing {
    /// Items checked out.
    pub open_loans: i64,
    /// Items claimed returned.
    pub claimed_returned: i64,
    /// Lost items among those checked out.
    pub lost: i64,
    /// Loans past their due date.
    pub past_due: Vec<PastDue>,
    /// Outstanding fees and fines.
    pub fee_balance: Decimal,
}

impl Standing {
    /// All open loans, those of items claimed returned, too.
    pub fn all_open_loans(&self) -> i64 {
        self.open_loans + self.claimed_returned
    }

    /// Whether no limit applies, not even a limit of 0: FOLIO computes blocks from a patron summary, and a patron
    /// without items and debts has none.
    fn is_blank(&self) -> bool {
        self.open_loans == 0 && self.claimed_returned == 0 && self.fee_balance.is_zero()
    }
}

/// A loan past its due date.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PastDue {
    /// The due date as stored.
    pub due_date: String,
    /// The loan policy, which may grant a grace period.
    pub loan_policy_id: Option<Uuid>,
    /// Whether a recall brought the due date forward.
    pub recall: bool,
}

/// An automated block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    /// The condition that causes it.
    pub patron_block_condition_id: Uuid,
    /// Whether it blocks borrowing.
    pub block_borrowing: bool,
    /// Whether it blocks renewals.
    pub block_renewals: bool,
    /// Whether it blocks requests.
    pub block_requests: bool,
    /// The message for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The automated blocks of a patron with this standing, in the order of the patron group's limits.
pub fn automated_blocks(
    standing: &Standing,
    group: Option<Uuid>,
    configuration: &Configuration,
    now: Timestamp,
) -> Vec<Block> {
    let reached = reached_limits(standing, group, configuration, now, Trace::OFF);
    reached.into_iter().map(|limit| limit.block).collect()
}

/// A block with the figures behind it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReachedLimit {
    /// The block.
    pub block: Block,
    /// The limit of the patron group.
    pub limit: Decimal,
    /// What the patron has.
    pub has: Decimal,
}

/// The same with the figures behind each block. Every limit that is compared is noted, also one that blocks nothing.
pub(crate) fn reached_limits(
    standing: &Standing,
    group: Option<Uuid>,
    configuration: &Configuration,
    now: Timestamp,
    trace: Trace<'_>,
) -> Vec<ReachedLimit> {
    let of_group = |limit: &&BlockLimit| Some(limit.patron_group_id) == group;
    let mut limits = configuration.block_limits.iter().filter(of_group).peekable();
    if standing.is_blank() || limits.peek().is_none() {
        return Vec::new();
    }
    let overdue = overdue_minutes(standing, configuration, now);
    limits.filter_map(|limit| block(limit, standing, &overdue, configuration, trace)).collect()
}

fn block(
    limit: &BlockLimit,
    standing: &Standing,
    overdue: &[Overdue],
    configuration: &Configuration,
    trace: Trace<'_>,
) -> Option<ReachedLimit> {
    let condition = configuration.block_conditions.get(&limit.condition_id)?;
    let Measured { limit, has, borrowing, others } = measured(limit, standing, overdue)?;
    let stops = [
        borrowing.filter(|_| condition.block_borrowing),
        others.filter(|_| condition.block_renewals),
        others.filter(|_| condition.block_requests),
    ];
    trace.note(|| Step::Limit(LimitCheck { condition: condition.id, limit, has, stops }));
    let [block_borrowing, block_renewals, block_requests] = stops.map(|stop| stop.is_some());
    let block = Block {
        patron_block_condition_id: condition.id,
        block_borrowing,
        block_renewals,
        block_requests,
        message: condition.message.clone(),
    };
    stops.iter().any(Option::is_some).then_some(ReachedLimit { block, limit, has })
}

/// A limit beside what the patron has, and whether that is too much for borrowing, and for renewals and requests.
struct Measured {
    limit: Decimal,
    has: Decimal,
    borrowing: Option<Passed>,
    others: Option<Passed>,
}

fn measured(limit: &BlockLimit, standing: &Standing, overdue: &[Overdue]) -> Option<Measured> {
    let most = limit.value?;
    let recalls = || overdue.iter().filter(|loan| loan.recall);
    let items = |number: Decimal| (number, (number - most).ceil());
    let (has, less) = match limit.condition_id {
        ITEMS_CHARGED_OUT => {
            let (has, less) = items(standing.open_loans.into());
            // The limit itself already stops borrowing, so that of no items stops it whatever comes back.
            let one_more = (has - most).floor() + Decimal::ONE;
            let attainable = Some(one_more).filter(|less| *less <= has);
            let borrowing = (has >= most).then_some(Passed { less: attainable });
            return Some(Measured { limit: most, has, borrowing, others: passed(has, most, less) });
        }
        LOST_ITEMS => items(standing.lost.into()),
        OVERDUE_ITEMS => items(overdue.len().into()),
        OVERDUE_RECALLS => items(recalls().count().into()),
        RECALL_OVERDUE_DAYS => {
            let days = recalls().map(Overdue::days);
            let longer = days.clone().filter(|days| Decimal::from(*days) > most).count();
            (days.max().unwrap_or(0).into(), longer.into())
        }
        FEE_BALANCE => (standing.fee_balance, standing.fee_balance - most),
        _ => return None,
    };
    let exceeded = passed(has, most, less);
    Some(Measured { limit: most, has, borrowing: exceeded, others: exceeded })
}

fn passed(has: Decimal, most: Decimal, less: Decimal) -> Option<Passed> {
    (has > most).then_some(Passed { less: Some(less) })
}

/// A loan overdue beyond its grace period.
struct Overdue {
    minutes: i64,
    recall: bool,
}

impl Overdue {
    fn days(&self) -> i64 {
        (self.minutes + MINUTES_PER_DAY - 1) / MINUTES_PER_DAY
    }
}

fn overdue_minutes(standing: &Standing, configuration: &Configuration, now: Timestamp) -> Vec<Overdue> {
    let overdue = standing.past_due.iter().filter_map(|loan| {
        let due = parse_date_time(&loan.due_date)?;
        let minutes = now.duration_since(due).as_mins();
        let recall = loan.recall;
        (minutes > grace_minutes(loan, configuration)).then_some(Overdue { minutes, recall })
    });
    overdue.collect()
}

fn grace_minutes(loan: &PastDue, configuration: &Configuration) -> i64 {
    let policy = loan.loan_policy_id.and_then(|id| configuration.loan_policies.get(&id));
    let grace = policy.and_then(|policy| policy.loans_policy.as_ref()).and_then(|loans| loans.grace_period.as_ref());
    grace.map_or(0, |period| period.clock_time().as_mins())
}
