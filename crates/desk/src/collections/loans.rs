//! Loans and their history (docs/folio/loans.md#stored-loans).

use std::{collections::HashSet, sync::LazyLock};

use circulation::records::{Loan, LoanStatus};
use refusals::Refused;
use serde_json::{Map, Value};
use store::{
    StoreError,
    collection::{Collection, IndexKind},
    db::Row,
    query::Composed,
    record::read_instant,
};

use crate::Columns;

use super::refusal::{BORROWER_UNKNOWN, DATE_UNREADABLE, ITEM_OF_LOAN_UNKNOWN, ITEM_ON_LOAN, OPEN_WITHOUT_BORROWER};

/// The members of a stored loan.
pub const LOAN_MEMBERS: &str = "userId:uuid, proxyUserId:uuid, itemId*:uuid,
    itemEffectiveLocationIdAtCheckOut:uuid, status{name}, forUseAtLocation{status:(In use|Held|Returned),
    statusDate:datetime, holdShelfExpirationDate:datetime}, loanDate*, dueDate:datetime, returnDate,
    systemReturnDate:datetime, action*, actionComment, itemStatus, renewalCount:int, loanPolicyId:uuid,
    overdueFinePolicyId:uuid, lostItemPolicyId:uuid, checkoutServicePointId:uuid, checkinServicePointId:uuid,
    patronGroupIdAtCheckout:uuid, dueDateChangedByRecall:bool, isDcb:bool, declaredLostDate:datetime,
    claimedReturnedDate:datetime, agedToLostDelayedBilling{lostItemHasBeenBilled:bool,
    dateLostItemShouldBeBilled:datetime, agedToLostDate:datetime, ...},
    dueDateChangedByHold:bool, dueDateChangedByNearExpireUser:bool,
    reminders{lastFeeBilled{number:int, date:datetime}}";

/// The members that nearly every loan has.
const KEPT: &str = "userId:uuid, proxyUserId:uuid, itemId:uuid, itemEffectiveLocationIdAtCheckOut:uuid, status.name,
    loanDate=loandate_exact, dueDate=duedate_exact, returnDate, systemReturnDate, action, itemStatus,
    renewalCount:int, loanPolicyId:uuid, overdueFinePolicyId:uuid, lostItemPolicyId:uuid, checkoutServicePointId:uuid, checkinServicePointId:uuid, patronGroupIdAtCheckout:uuid,
    metadata.createdDate, metadata.createdByUserId:uuid, metadata.updatedDate, metadata.updatedByUserId:uuid";

/// The members that a return changes: `check_in::close_loan` of the rules does, and `check_in.sql` writes their columns.
const CHANGED_BY_RETURN: [&str; 9] = [
    "status",
    "action",
    "actionComment",
    "itemStatus",
    "returnDate",
    "systemReturnDate",
    "checkinServicePointId",
    "forUseAtLocation",
    "metadata",
];

/// Makes loans of their columns.
static COMPOSED: LazyLock<Composed> = LazyLock::new(|| Composed::of(&loans()));

/// The loan of a row with the columns of one.
pub(crate) fn loan(row: &Row) -> Result<Option<Loan>, StoreError> {
    Ok(COMPOSED.record(row)?.map(Loan::new))
}

/// An SQL expression for the columns of the loan `r`, from which [`loan_of_columns`] makes the loan.
pub fn loan_columns() -> String {
    COMPOSED.columns("r")
}

/// The loan of which these are the columns.
pub fn loan_of_columns(columns: Map<String, Value>) -> Loan {
    Loan::new(COMPOSED.record_of(columns))
}

/// Whether a return changes only columns of the loan in this row, and nothing in its rest.
pub(crate) fn is_returned_in_columns(row: &Row) -> Result<bool, StoreError> {
    let rest: Option<Map<String, Value>> = row.record("rest")?;
    Ok(rest.is_none_or(|rest| !CHANGED_BY_RETURN.iter().any(|name| rest.contains_key(*name))))
}

/// What the columns of a loan that the desk makes do not have; `None` if they have all.
pub(crate) fn rest(loan: &Loan) -> Option<Value> {
    static KEPT_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let names = loans().compact.into_iter().filter_map(|kept| kept.path.split('.').next());
        names.chain(["id"]).collect()
    });
    let others = loan.record().iter().filter(|(name, _)| !KEPT_NAMES.contains(name.as_str()));
    let others: Map<String, Value> = others.map(|(name, value)| (name.clone(), value.clone())).collect();
    (!others.is_empty()).then_some(Value::Object(others))
}

/// Loans. The indexes on the columns of open loans, and the keys from an open loan to its item and borrower, are in
/// `sql/replaceable/tables/loan.sql`: one open loan for an item is allowed.
pub fn loans() -> Collection {
    Collection::new("/loan-storage/loans", "loans", "loan", LOAN_MEMBERS)
        // An index by patron and status serves it, too.
        .covered_reference("userId")
        // A proxy's loans; hardly any loan has one.
        .loose_reference("proxyUserId")
        // All loans of an item, on its page and in its history.
        .loose_reference("itemId")
        .compact(KEPT)
        .written_as("loans")
        // Lists by loan date.
        .index(&IndexKind::Exact, &["loanDate"])
        .keys(&IndexKind::Exact, &["dueDate"])
        .keys(&IndexKind::Folded, &["status.name"])
        .told_apart("status.name", &["open", "closed"])
        .column("open_item", "uuid", "CASE WHEN doc#>>'{status,name}' = 'Open' THEN (doc->>'itemId')::uuid END")
        .column("open_borrower", "uuid", "CASE WHEN doc#>>'{status,name}' = 'Open' THEN (doc->>'userId')::uuid END")
        .column("may_age", KEY, MAY_AGE)
        .column("to_bill", KEY, TO_BILL)
        .column("past_return", KEY, PAST_RETURN)
        .constraint("loan_one_open_for_an_item", ITEM_ON_LOAN)
        .constraint("loan_open_item_fkey", ITEM_OF_LOAN_UNKNOWN)
        .constraint("loan_open_borrower_fkey", BORROWER_UNKNOWN)
        .alias("item", &[("item", "id", "itemid")])
        .checked(check_loan)
        .truncated()
        .upserting()
}

/// A text compared byte by byte, as dates in stored form are.
const KEY: &str = "text COLLATE \"C\"";

/// Due date of an open loan that has not aged to lost and may.
const MAY_AGE: &str = "CASE WHEN doc#>>'{status,name}' = 'Open'
    AND coalesce(doc->>'itemStatus', '') NOT IN ('Claimed returned', 'Aged to lost', 'Declared lost')
    THEN doc->>'dueDate' END";

/// When the lost item fees of an aged loan are to be charged.
const TO_BILL: &str = "CASE WHEN doc#>>'{status,name}' = 'Open'
    AND doc#>>'{agedToLostDelayedBilling,lostItemHasBeenBilled}' = 'false'
    THEN doc#>>'{agedToLostDelayedBilling,dateLostItemShouldBeBilled}' END";

/// When a closed loan that still has a borrower was returned.
const PAST_RETURN: &str = "CASE WHEN doc#>>'{status,name}' = 'Closed' AND doc ? 'userId'
    THEN coalesce(doc->>'systemReturnDate', '') END";

fn check_loan(record: &mut Map<String, Value>) -> Result<(), Refused> {
    let mut loan = Loan::new(std::mem::take(record));
    if !loan.record().contains_key("status") {
        loan.set_status(LoanStatus::Open);
    }
    let unborrowed = loan.is_open() && !loan.record().contains_key("userId");
    *record = loan.into_record();
    if unborrowed {
        return Err(OPEN_WITHOUT_BORROWER.into());
    }
    let unreadable = [("loanDate", "loan"), ("returnDate", "return")]
        .into_iter()
        .filter(|(member, _)| {
            let text = record.get(*member).and_then(Value::as_str);
            text.is_some_and(|text| read_instant(text).is_none())
        })
        .map(|(_, which)| DATE_UNREADABLE.with("which", which))
        .collect();
    Refused(unreadable).or(())
}

/// Loan history, written with each loan.
pub fn loan_history() -> Collection {
    Collection::new(
        "/loan-storage/loan-history",
        "loansHistory",
        "loan_history",
        &format!("operation, createdDate:datetime, loan{{id:uuid, {LOAN_MEMBERS}, metadata:Metadata}}"),
    )
    .without_metadata()
    .plain()
    .composed()
    .unsequenced()
    // A loan's history, and the history by date (the circulation log).
    .loose_reference("loan.id")
    .index(&IndexKind::Exact, &["createdDate"])
    .without_routes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_open_loan_has_a_borrower_and_dates_that_are_dates() {
        let check = |mut loan: Value| {
            check_loan(loan.as_object_mut().expect("an object")).map_err(|refused| refused.to_string())
        };
        assert_eq!(
            check(json!({"status": {"name": "Open"}, "loanDate": "2026-01-01T00:00:00Z"})),
            Err("Open loan must have a user ID".into())
        );
        assert_eq!(check(json!({"status": {"name": "Closed"}, "loanDate": "2026-01-01"})), Ok(()));
        assert_eq!(
            check(json!({"userId": "x", "loanDate": "soon"})),
            Err("loan date must be a date time (in RFC3339 format)".into())
        );
        assert_eq!(
            check(json!({"userId": "x", "loanDate": "soon", "returnDate": "late"})),
            Err("loan date must be a date time (in RFC3339 format)\n\
                return date must be a date time (in RFC3339 format)"
                .into())
        );
    }
}
