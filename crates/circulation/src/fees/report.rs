//! Financial reports (docs/folio/fees-fines.md#reports): refunds, cash drawer reconciliation and transaction details.
//! Each row is a fee/fine action with its related records; missing values are empty strings.

use jiff::{Timestamp, tz::TimeZone};
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use super::{account::Account, money, request::Action};
use crate::{dates::parse_date_time, records::Loan};

/// The type of an action that only adds a comment of staff.
pub const STAFF_INFO: &str = "Staff info only";

/// A fee/fine action with its related records, as read from the database.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    /// The fee/fine action.
    pub movement: Value,
    /// The account it belongs to.
    pub account: Account,
    /// The account's patron.
    pub patron: Value,
    /// The name of the patron group.
    pub patron_group: Option<String>,
    /// An object with `item`, `instanceId`, `title` and `contributors`.
    pub item: Value,
    /// The name of the item's location.
    pub location: Option<String>,
    /// The loan.
    pub loan: Loan,
    /// The action that charged the account.
    pub charge: Value,
    /// Payments and transfers before this action.
    pub payments: Value,
    /// Name of the service point of the charge.
    pub charged_at: Option<String>,
    /// Name of the service point of the action.
    pub made_at: Option<String>,
    /// Policy names as `loan`, `overdue` and `lost`.
    pub policies: Value,
}

/// The moment in the library's time zone at which the requested date, plus `days`, begins; `None` if the text is not a
/// date.
pub fn day(text: &str, zone: &TimeZone, days: i64) -> Option<Timestamp> {
    let date: jiff::civil::Date = text.get(..10)?.parse().ok()?;
    let date = date.checked_add(jiff::Span::new().days(days)).ok()?;
    zone.to_timestamp(date.at(0, 0, 0, 0)).ok()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// What a record may not have, as text; empty if missing.
fn shown(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// How the library writes an instant.
pub type Print<'p> = &'p dyn Fn(Timestamp) -> String;

/// A date as the library writes it; empty if missing.
fn date(moment: Option<Timestamp>, print: Print<'_>) -> String {
    moment.map(print).unwrap_or_default()
}

/// When an action was taken, in the report's format.
fn acted(movement: &Value, print: Print<'_>) -> String {
    date(movement["dateAction"].as_str().and_then(parse_date_time), print)
}

fn amount(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        value => money::printed(money::read(Some(value))),
    }
}

/// The part of a comment addressed to staff (`STAFF`) or to the patron (`PATRON`).
fn said_to(whom: &str, movement: &Value) -> String {
    let comments = movement["comments"].as_str().unwrap_or_default();
    let mut parts = comments.split(" \n ").filter_map(|part| part.split_once(" : "));
    parts.find(|(to, _)| *to == whom).map_or(String::new(), |(_, said)| said.to_owned())
}

fn is(movement: &Value, action: Action) -> bool {
    movement["typeAction"].as_str().is_some_and(|name| action.is_called(name))
}

/// The method of an action of this kind; empty for other kinds.
fn method(movement: &Value, action: Action) -> String {
    match is(movement, action) {
        true => text(&movement["paymentMethod"]),
        false => String::new(),
    }
}

fn patron_name(patron: &Value) -> String {
    let personal = &patron["personal"];
    let names = [&personal["firstName"], &personal["middleName"]].map(|name| name.as_str().unwrap_or_default());
    let given: Vec<_> = names.into_iter().filter(|name| !name.is_empty()).collect();
    match given.is_empty() {
        true => text(&personal["lastName"]),
        false => format!("{}, {}", text(&personal["lastName"]), given.join(" ")),
    }
}

/// The only value, or `otherwise` if there are several.
fn only(values: &[String], otherwise: &str) -> String {
    match values {
        [] => String::new(),
        [one] => one.clone(),
        _ => otherwise.to_owned(),
    }
}

/// Payments, or transfers, before an action.
struct Before {
    amount: Decimal,
    methods: Vec<String>,
    infos: Vec<String>,
}

fn before(row: &Row, action: Action) -> Before {
    let earlier = row.payments.as_array().into_iter().flatten();
    let earlier: Vec<_> = earlier.filter(|m| is(m, action)).collect();
    Before {
        amount: money::sum(earlier.iter().map(|m| money::read(m.get("amountAction")))),
        methods: earlier.iter().map(|m| text(&m["paymentMethod"])).collect(),
        infos: earlier.iter().map(|m| text(&m["transactionInformation"])).collect(),
    }
}

/// A row of the refund report.
pub fn refund(row: &Row, print: Print<'_>) -> Value {
    let (movement, account) = (&row.movement, &row.account);
    let (paid, transferred) = (before(row, Action::Pay), before(row, Action::Transfer));
    let info = movement["transactionInformation"].as_str().unwrap_or_default();
    let of_paid = |shown: String| {
        if info == "Refunded to Bursar" { String::new() } else { shown }
    };
    let of_transferred = |shown: String| {
        if info == "Refunded to patron" { String::new() } else { shown }
    };
    json!({
        "patronName": patron_name(&row.patron), "patronBarcode": text(&row.patron["barcode"]),
        "patronId": text(&movement["userId"]), "patronGroup": row.patron_group.clone().unwrap_or_default(),
        "feeFineType": shown(account.fee_type()), "billedAmount": shown(account.known_amount().map(money::printed)),
        "dateBilled": date(account.created_date(), print),
        "paidAmount": of_paid(money::printed(paid.amount)),
        "paymentMethod": of_paid(only(&paid.methods, "Multiple")),
        "transactionInfo": of_paid(only(&paid.infos, "See Fee/fine details page")),
        "transferredAmount": of_transferred(money::printed(transferred.amount)),
        "transferAccount": of_transferred(only(&transferred.methods, "Multiple")),
        "feeFineId": text(&movement["accountId"]), "refundDate": acted(movement, print),
        "refundAmount": amount(&movement["amountAction"]), "refundAction": text(&movement["typeAction"]),
        "refundReason": text(&movement["paymentMethod"]), "staffInfo": said_to("STAFF", movement),
        "patronInfo": said_to("PATRON", movement), "itemBarcode": text(&row.item["item"]["barcode"]),
        "instance": text(&row.item["title"]), "actionCompletionDate": "", "staffMemberName": "",
        "actionTaken": "", "feeFineOwner": shown(account.owner()),
    })
}

/// A row of the cash drawer reconciliation.
pub fn payment(row: &Row, print: Print<'_>) -> Value {
    let (movement, account) = (&row.movement, &row.account);
    json!({
        "source": text(&movement["source"]), "paymentMethod": text(&movement["paymentMethod"]),
        "paidAmount": amount(&movement["amountAction"]), "feeFineOwner": shown(account.owner()),
        "feeFineType": shown(account.fee_type()), "paymentDate": acted(movement, print),
        "paymentStatus": text(&movement["typeAction"]),
        "transactionInfo": text(&movement["transactionInformation"]),
        "additionalStaffInfo": said_to("STAFF", movement),
        "additionalPatronInfo": said_to("PATRON", movement),
        "patronId": text(&movement["userId"]), "feeFineId": text(&movement["accountId"]),
    })
}

/// The name of an action in the transaction details.
fn named(movement: &Value) -> &'static str {
    const NAMES: [(Action, &str); 5] = [
        (Action::Pay, "Payment"),
        (Action::Waive, "Waive"),
        (Action::Refund, "Refund"),
        (Action::Transfer, "Transfer"),
        (Action::Cancel, "Cancelled"),
    ];
    if movement["typeAction"] == STAFF_INFO {
        return STAFF_INFO;
    }
    let found = NAMES.iter().find(|(action, _)| is(movement, *action));
    found.map_or("", |(_, name)| name)
}

/// A row of the transaction details.
pub fn transaction(row: &Row, print: Print<'_>) -> Value {
    let mut entry = Map::new();
    for part in [action_part(row, print), account_part(row, print), loan_part(row, print)] {
        if let Value::Object(members) = part {
            entry.extend(members);
        }
    }
    Value::Object(entry)
}

fn action_part(row: &Row, print: Print<'_>) -> Value {
    let (movement, charge) = (&row.movement, &row.charge);
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    json!({
        "dateBilled": acted(charge, print), "feeFineCreatedAt": name(&row.charged_at),
        "feeFineSource": text(&charge["source"]),
        "action": named(movement), "actionAmount": amount(&movement["amountAction"]),
        "actionDate": acted(movement, print), "actionCreatedAt": name(&row.made_at),
        "actionSource": text(&movement["source"]), "actionStatus": text(&movement["typeAction"]),
        "actionAdditionalStaffInfo": said_to("STAFF", movement),
        "actionAdditionalPatronInfo": said_to("PATRON", movement),
        "paymentMethod": method(movement, Action::Pay),
        "transactionInfo": text(&movement["transactionInformation"]),
        "waiveReason": method(movement, Action::Waive), "refundReason": method(movement, Action::Refund),
        "transferAccount": method(movement, Action::Transfer),
    })
}

fn account_part(row: &Row, print: Print<'_>) -> Value {
    let (account, patron) = (&row.account, &row.patron);
    json!({
        "feeFineOwner": shown(account.owner()), "feeFineType": shown(account.fee_type()),
        "billedAmount": shown(account.known_amount().map(money::printed)), "feeFineId": account.id(),
        "patronId": shown(account.user_id()), "patronName": patron_name(patron),
        "patronBarcode": text(&patron["barcode"]),
        "patronGroup": row.patron_group.clone().unwrap_or_default(),
        "patronEmail": text(&patron["personal"]["email"]),
        "dueDate": date(account.due_date(), print), "returnDate": date(account.returned_date(), print),
    })
}

fn loan_part(row: &Row, print: Print<'_>) -> Value {
    let (item, loan, policies) = (&row.item["item"], &row.loan, &row.policies);
    let contributors = row.item["contributors"].as_array().into_iter().flatten();
    let contributors: Vec<_> = contributors.map(|c| text(&c["name"])).collect();
    json!({
        "instance": text(&row.item["title"]), "contributors": contributors.join(", "),
        "itemBarcode": text(&item["barcode"]),
        "callNumber": text(&item["effectiveCallNumberComponents"]["callNumber"]),
        "effectiveLocation": row.location.clone().unwrap_or_default(), "loanDate": date(loan.loan_date().map(|date| date.timestamp), print),
        "loanPolicyId": shown(loan.loan_policy_id()), "loanPolicyName": text(&policies["loan"]),
        "overdueFinePolicyId": shown(loan.overdue_fine_policy_id()),
        "overdueFinePolicyName": text(&policies["overdue"]),
        "lostItemPolicyId": shown(loan.lost_item_policy_id()), "lostItemPolicyName": text(&policies["lost"]),
        "loanId": shown(loan.id()), "holdingsRecordId": text(&item["holdingsRecordId"]),
        "instanceId": text(&row.item["instanceId"]), "itemId": text(&item["id"]),
    })
}

/// A category of statistics: the property in the report, the label of the total, and the label of a row.
pub(crate) type Category = (&'static str, &'static str, fn(&Row) -> String);

const BY_OWNER: Category = ("byFeeFineOwner", "Fee/fine owner totals", |row| shown(row.account.owner()));
const BY_TYPE: Category = ("byFeeFineType", "Fee/fine type totals", |row| shown(row.account.fee_type()));
const BY_PAYMENT: Category = ("byPaymentMethod", "Payment method totals", |row| method(&row.movement, Action::Pay));

/// The statistics of the cash drawer reconciliation.
pub const OF_PAYMENTS: [Category; 4] =
    [("bySource", "Source totals", |row| text(&row.movement["source"])), BY_PAYMENT, BY_TYPE, BY_OWNER];

/// The statistics of the transaction details.
pub const OF_TRANSACTIONS: [Category; 7] = [
    BY_OWNER,
    BY_TYPE,
    ("byAction", "Action totals", |row| named(&row.movement).to_owned()),
    BY_PAYMENT,
    ("byWaiveReason", "Waive reason totals", |row| method(&row.movement, Action::Waive)),
    ("byRefundReason", "Refund reason totals", |row| method(&row.movement, Action::Refund)),
    ("byTransferAccount", "Transfer account totals", |row| method(&row.movement, Action::Transfer)),
];

/// Statistics of a report, accumulated row by row.
#[derive(Debug, Clone)]
pub struct Totals(Vec<(Category, Vec<Line>)>);

/// A label, its sum and its number of rows.
type Line = (String, Decimal, usize);

impl Totals {
    /// Empty statistics for these categories.
    pub fn of(categories: &[Category]) -> Totals {
        Totals(categories.iter().map(|c| (*c, Vec::new())).collect())
    }

    /// Adds a row to its line in each category; a category without a label for the row ignores it.
    pub fn add(&mut self, row: &Row) {
        let amount = money::read(row.movement.get("amountAction"));
        for ((.., name), lines) in &mut self.0 {
            let name = name(row);
            match lines.iter_mut().find(|(known, ..)| *known == name) {
                _ if name.is_empty() => {}
                Some((_, sum, count)) => (*sum, *count) = (sum.saturating_add(amount), *count + 1),
                None => lines.push((name, amount, 1)),
            }
        }
    }

    /// A line for each label, in order of first appearance, and a total.
    pub fn into_value(self) -> Value {
        let shown = |((member, last, _), mut lines): (Category, Vec<Line>)| {
            let all = money::sum(lines.iter().map(|(_, sum, _)| *sum));
            let count = lines.iter().map(|(_, _, count)| count).sum();
            lines.push((last.to_owned(), all, count));
            let lines = lines.into_iter().map(|(name, sum, count)| {
                json!({"name": name, "totalAmount": money::printed(sum), "totalCount": count.to_string()})
            });
            (member.to_owned(), lines.collect())
        };
        Value::Object(self.0.into_iter().map(shown).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(action: &str, cents: i64, method: &str) -> Row {
        Row {
            movement: json!({"id": action, "typeAction": action, "paymentMethod": method,
                "amountAction": money::stored(Decimal::new(cents, 2)),
                "comments": "STAFF : be kind \n PATRON : thank you"}),
            account: serde_json::from_value(json!({"feeFineOwner": "Desk", "feeFineType": "Overdue fine"}))
                .expect("an account"),
            ..Row::default()
        }
    }

    #[test]
    fn sums_are_made_for_each_name_and_for_all() {
        let rows = [
            row("Paid fully", 500, "Cash"),
            row("Paid partially", 125, "Card"),
            row("Paid fully", 100, "Cash"),
            row("Waived fully", 999, "Kindness"),
        ];
        let line = |name: &str, sum: &str, count: &str| json!({"name": name, "totalAmount": sum, "totalCount": count});
        let mut totals = Totals::of(&OF_TRANSACTIONS);
        rows.iter().for_each(|row| totals.add(row));
        let found = totals.into_value();
        assert_eq!(
            found["byPaymentMethod"],
            json!([line("Cash", "6.00", "2"), line("Card", "1.25", "1"), line("Payment method totals", "7.25", "3")])
        );
        assert_eq!(found["byAction"][1], line("Waive", "9.99", "1"));
        assert_eq!(
            found["byFeeFineOwner"],
            json!([line("Desk", "17.24", "4"), line("Fee/fine owner totals", "17.24", "4")])
        );
        assert_eq!(found["byRefundReason"], json!([line("Refund reason totals", "0.00", "0")]));
    }

    #[test]
    fn a_refund_tells_what_was_paid_before() {
        let mut refunded = row("Refunded fully", 500, "Mistake");
        refunded.movement["transactionInformation"] = "Refunded to patron".into();
        let paid = |amount: i64, method: &str| row("Paid partially", amount, method).movement;
        for (movements, sum, method) in [
            (vec![paid(500, "Cash")], "5.00", "Cash"),
            (vec![paid(300, "Cash"), paid(200, "Card")], "5.00", "Multiple"),
        ] {
            refunded.payments = movements.into();
            let entry = refund(&refunded, &|moment| moment.to_string());
            assert_eq!((&entry["paidAmount"], &entry["paymentMethod"]), (&json!(sum), &json!(method)));
            assert_eq!((&entry["staffInfo"], &entry["patronInfo"]), (&json!("be kind"), &json!("thank you")));
            assert_eq!((&entry["transferredAmount"], &entry["refundReason"]), (&json!(""), &json!("Mistake")));
        }
    }

    #[test]
    fn days_begin_and_end_in_the_library() {
        let berlin = TimeZone::get("Europe/Berlin").expect("a zone");
        for (written, days, expected) in [
            ("2026-06-01", 0, Some("2026-05-31T22:00:00Z")),
            ("2026-06-01T15:00:00.000Z", 1, Some("2026-06-01T22:00:00Z")),
            ("someday", 0, None),
            ("", 0, None),
        ] {
            let found = day(written, &berlin, days).map(|day| day.to_string());
            assert_eq!(found.as_deref(), expected, "{written}");
        }
    }
}
