//! Automated patron blocks (docs/folio/patron-blocks.md#automated-blocks), computed from what the patron has now: the
//! cost is the same for any history.

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use uuid::{Uuid, uuid};

use crate::{
    configuration::{BlockLimit, Configuration},
    dates::parse_date_time,
};

/// Condition: too many items out.
pub const ITEMS_CHARGED_OUT: Uuid = uuid!("3d7c52dc-c732-4223-8bf8-e5917801386f");
/// Condition: too many items lost.
pub const LOST_ITEMS: Uuid = uuid!("72b67965-5b73-4840-bc0b-be8f3f6e047e");
/// Condition: too many items overdue.
pub const OVERDUE_ITEMS: Uuid = uuid!("584fbd4f-6a34-4730-a6ca-73a6a6a9d845");
/// Condition: too many recalled items overdue.
pub const OVERDUE_RECALLS: Uuid = uuid!("e5b45031-a202-4abb-917b-e1df9346fe2c");
/// Condition: a recalled item overdue for too long.
pub const RECALL_OVERDUE_DAYS: Uuid = uuid!("08530ac4-07f2-48e6-9dda-a97bc2bf7053");
/// Condition: too much to pay.
pub const FEE_BALANCE: Uuid = uuid!("cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a");

const MINUTES_PER_DAY: i64 = 1_440;

/// What a patron has now. Items that the patron claims to have returned do not count, nor do their fees.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Standing {
    /// Items out.
    pub open_loans: i64,
    /// Items that the patron claims to have returned.
    pub claimed_returned: i64,
    /// Of the items out, lost.
    pub lost: i64,
    /// Of the items out, past their due date.
    pub past_due: Vec<PastDue>,
    /// What is owed.
    pub fee_balance: Decimal,
}

impl Standing {
    /// True for a patron that no limit applies to, not even one of 0: FOLIO computes blocks from a summary, and who has
    /// no item and no debt has none.
    fn is_blank(&self) -> bool {
        self.open_loans == 0 && self.claimed_returned == 0 && self.fee_balance.is_zero()
    }
}

/// A loan past its due date.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PastDue {
    /// When it was due, as stored.
    pub due_date: String,
    /// Its loan policy, which may grant a grace period.
    pub loan_policy_id: Option<Uuid>,
    /// A recall brought the due date forward.
    pub recall: bool,
}

/// A block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    /// The condition behind it.
    pub patron_block_condition_id: Uuid,
    /// From borrowing.
    pub block_borrowing: bool,
    /// From renewing.
    pub block_renewals: bool,
    /// From requesting.
    pub block_requests: bool,
    /// What the staff is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The blocks of a patron of `group` with that standing, in the order of the limits.
pub fn automated_blocks(
    standing: &Standing,
    group: Option<Uuid>,
    configuration: &Configuration,
    now: Timestamp,
) -> Vec<Block> {
    let of_group = |limit: &&BlockLimit| Some(limit.patron_group_id) == group;
    let mut limits = configuration
        .block_limits
        .iter()
        .filter(of_group)
        .peekable();
    if standing.is_blank() || limits.peek().is_none() {
        return Vec::new();
    }
    let overdue = overdue_minutes(standing, configuration, now);
    limits
        .filter_map(|limit| block(limit, standing, &overdue, configuration))
        .collect()
}

fn block(
    limit: &BlockLimit,
    standing: &Standing,
    overdue: &[Overdue],
    configuration: &Configuration,
) -> Option<Block> {
    let condition = configuration.block_conditions.get(&limit.condition_id)?;
    let reached = reached(limit, standing, overdue)?;
    let block = Block {
        patron_block_condition_id: condition.id,
        block_borrowing: condition.block_borrowing && reached.borrowing,
        block_renewals: condition.block_renewals && reached.others,
        block_requests: condition.block_requests && reached.others,
        message: condition.message.clone(),
    };
    (block.block_borrowing || block.block_renewals || block.block_requests).then_some(block)
}

/// What a limit forbids: borrowing, and renewing and requesting.
struct Reached {
    borrowing: bool,
    others: bool,
}

fn reached(limit: &BlockLimit, standing: &Standing, overdue: &[Overdue]) -> Option<Reached> {
    let value = limit.value?;
    let recalls = || overdue.iter().filter(|loan| loan.recall);
    let number = match limit.condition_id {
        ITEMS_CHARGED_OUT => {
            let loans = Decimal::from(standing.open_loans);
            return Some(Reached {
                borrowing: loans >= value,
                others: loans > value,
            });
        }
        LOST_ITEMS => Decimal::from(standing.lost),
        OVERDUE_ITEMS => Decimal::from(overdue.len()),
        OVERDUE_RECALLS => Decimal::from(recalls().count()),
        RECALL_OVERDUE_DAYS => Decimal::from(recalls().map(Overdue::days).max().unwrap_or(0)),
        FEE_BALANCE => standing.fee_balance,
        _ => return None,
    };
    Some(Reached {
        borrowing: number > value,
        others: number > value,
    })
}

/// A loan past its due date and its grace period.
struct Overdue {
    minutes: i64,
    recall: bool,
}

impl Overdue {
    fn days(&self) -> i64 {
        (self.minutes + MINUTES_PER_DAY - 1) / MINUTES_PER_DAY
    }
}

fn overdue_minutes(
    standing: &Standing,
    configuration: &Configuration,
    now: Timestamp,
) -> Vec<Overdue> {
    let overdue = standing.past_due.iter().filter_map(|loan| {
        let due = parse_date_time(&loan.due_date)?;
        let minutes = now.duration_since(due).as_mins();
        let recall = loan.recall;
        (minutes > grace_minutes(loan, configuration)).then_some(Overdue { minutes, recall })
    });
    overdue.collect()
}

fn grace_minutes(loan: &PastDue, configuration: &Configuration) -> i64 {
    let policy = loan
        .loan_policy_id
        .and_then(|id| configuration.loan_policies.get(&id));
    let grace = policy
        .and_then(|policy| policy.loans_policy.as_ref())
        .and_then(|loans| loans.grace_period.as_ref());
    grace.map_or(0, |period| period.clock_time().as_mins())
}
