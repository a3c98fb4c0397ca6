//! Fees and fines: their owners and types, what each patron owes, and what was done about it
//! (docs/folio/fees-fines.md). Paying and waiving are actions upon accounts
//! (docs/folio/fees-fines.md#actions-upon-accounts).

use store::collection::{Collection, IndexKind};
use vocabulary::PaymentStatus;

use crate::refusal::NOT_MADE;

/// FOLIO's text for a missing record.
const NOT_FOUND: &str = "Record Not Found";

pub(super) fn collections() -> Vec<Collection> {
    let mut all = vec![owners(), fee_fines(), accounts(), actions()];
    all.extend(means());
    all.into_iter().map(Collection::with_versioned_ids).collect()
}

fn owners() -> Collection {
    Collection::new(
        "/owners",
        "owners",
        "owners",
        "owner, desc, servicePointOwner[{value*:uuid, label, ...}], defaultChargeNoticeId:uuid,
         defaultActionNoticeId:uuid",
    )
    .folded(&["owner"])
    .index(&IndexKind::Elements, &["servicePointOwner"])
    .not_found(NOT_FOUND)
    .not_found_at_read("OwnerObject does not exist")
    .refused_in_general(NOT_MADE)
    .configuration()
}

fn fee_fines() -> Collection {
    Collection::new(
        "/feefines",
        "feefines",
        "feefines",
        "automatic:bool=false, feeFineType*, defaultAmount:number, chargeNoticeId:uuid, actionNoticeId:uuid,
         ownerId:uuid",
    )
    .reference("ownerId", "owners")
    .unique(&["feeFineType", "ownerId"])
    .folded(&["feeFineType"])
    .with_result_info()
    .not_found(NOT_FOUND)
    .not_found_at_read("FeefineObject does not exist")
    .refused_in_general(NOT_MADE)
    .configuration()
    .without(&["post", "put", "delete"])
}

/// The item's holdings and instance are looked up when the account is read; without the item it shows those it was sent.
const ACCOUNT_WITH_ITEM: &str = "r.doc || coalesce((SELECT jsonb_build_object('holdingsRecordId', h.id, \
    'instanceId', h.instanceid) FROM item i JOIN holdings_record h ON h.id = i.holdingsrecordid \
    WHERE i.id = (r.doc->>'itemId')::uuid), '{}')";

/// Accounts. The index of the open ones is in `store/sql/replaceable/tables/fees.sql`.
fn accounts() -> Collection {
    let paid = PaymentStatus::one_of();
    let members = format!(
        "amount*:number, remaining*:number, dateCreated:datetime, dateUpdated:datetime,
         status*{{name*, ...}}, paymentStatus*{{name*:({paid}), ...}}, feeFineType, feeFineOwner, title, callNumber,
         barcode, materialType, itemStatus{{name*, ...}}, location, dueDate:datetime, returnedDate:datetime,
         loanId:uuid, userId*:uuid, itemId:uuid, materialTypeId:uuid, feeFineId*:uuid, ownerId*:uuid,
         holdingsRecordId:uuid, instanceId:uuid, contributors[{{name*}}], loanPolicyId:uuid,
         overdueFinePolicyId:uuid, lostItemFeePolicyId:uuid, processId:uuid"
    );
    Collection::new("/accounts", "accounts", "accounts", &members)
        .with_required_id()
        // A patron's page.
        .loose_reference("userId")
        // The fees of a loan: lost items, anonymization, the page of the loan. Clients ask for those of an item together
        // with the patron, and for those of an owner or a fee type not at all.
        .loose_reference("loanId")
        .plain()
        .written_as("accounts")
        .keys(&IndexKind::Folded, &["status.name"])
        .represented(ACCOUNT_WITH_ITEM)
        .with_result_info()
        .not_found(NOT_FOUND)
        .not_found_at_read("AccountObject does not exist")
}

fn actions() -> Collection {
    Collection::new(
        "/feefineactions",
        "feefineactions",
        "feefineactions",
        "dateAction:datetime, typeAction, comments, notify:bool, amountAction:number, balance:number,
         transactionInformation, createdAt:uuid, originalCreatedAt, source, paymentMethod, accountId*:uuid,
         userId*:uuid",
    )
    .loose_reference("accountId")
    .loose_reference("userId")
    .folded(&["typeAction"])
    .not_found(NOT_FOUND)
    .not_found_at_read("FeefineactionObject does not exist")
    .without_metadata()
}

/// path, collection, table, members, FOLIO's text for a GET of an unknown one
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str);

/// The ways in which accounts are paid, waived, refunded and transferred.
const MEANS: &[Row] = &[
    (
        "/payments",
        "payments",
        "payments",
        "nameMethod*, allowedRefundMethod:bool, ownerId:uuid",
        "PaymentObject does not exist",
    ),
    ("/waives", "waivers", "waives", "nameReason*, description, accountId:uuid", "WaiveObject does not exist"),
    ("/refunds", "refunds", "refunds", "nameReason*, description, accountId:uuid", "RefundObject does not exist"),
    ("/transfers", "transfers", "transfers", "accountName*, desc, ownerId:uuid", "TransferObject does not exist"),
    (
        "/comments",
        "comments",
        "comments",
        "paid:bool, waived:bool, refunded:bool, transferredManually:bool",
        "CommentObject does not exist",
    ),
    (
        "/transfer-criterias",
        "transferCriterias",
        "transfer_criteria",
        "criteria, type, value:number, interval",
        "TransferCriteriaObject does not exist",
    ),
];

fn means() -> impl Iterator<Item = Collection> {
    MEANS.iter().map(|(path, list, table, members, unknown)| {
        let means = Collection::new(path, list, table, members)
            .not_found(NOT_FOUND)
            .not_found_at_read(unknown)
            .refused_in_general(NOT_MADE)
            .near_static();
        // Only the list of criteria has no `resultInfo`.
        match *list {
            "transferCriterias" => means,
            _ => means.with_result_info(),
        }
    })
}
