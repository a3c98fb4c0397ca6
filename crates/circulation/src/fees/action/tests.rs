use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::json;

use super::*;

const USER: &str = "00000000-0000-4000-8000-0000000000b1";

fn account(id: &str, cents: i64) -> Subject {
    let amount = money::stored(Decimal::new(cents, 2));
    let record = json!({"id": id, "userId": USER, "amount": amount, "remaining": amount,
        "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"}});
    let Value::Object(record) = record else { unreachable!() };
    Subject { account: Account::new(record), movements: Vec::new() }
}

fn request(amount: &str) -> ActionRequest {
    ActionRequest {
        amount: Some(amount.into()),
        comments: Some("STAFF : thanks".into()),
        transaction_info: Some("receipt 1".into()),
        notify: Some(false),
        service_point: Some("desk".into()),
        user_name: Some("Librarian".into()),
        payment_method: Some("Cash".into()),
        cancellation_reason: None,
        in_order: false,
    }
}

fn now() -> Timestamp {
    "2026-06-01T10:00:00Z".parse().expect("a date")
}

/// Accounts on which the tests perform one action after another.
struct Desk(Vec<(String, Option<Subject>)>);

impl Desk {
    fn new(cents: &[i64]) -> Desk {
        let accounts = cents.iter().enumerate();
        Desk(
            accounts
                .map(|(place, cents)| {
                    let id = format!("a{place}");
                    (id.clone(), Some(account(&id, *cents)))
                })
                .collect(),
        )
    }

    fn act(&mut self, action: Action, request: &ActionRequest) -> Result<Decision, Refusal> {
        let decision = decide(action, &self.0, request, now())?;
        for ((_, subject), after) in self.0.iter_mut().zip(&decision.accounts) {
            let subject = subject.as_mut().expect("a known account");
            subject.account = after.clone();
            let own = decision.movements.iter();
            let own = own.filter(|m| m["accountId"] == after.id());
            subject.movements.extend(own.cloned());
        }
        Ok(decision)
    }

    fn state(&self, place: usize) -> (String, bool, String) {
        let account = &self.0[place].1.as_ref().expect("a known account").account;
        let remaining = money::printed(account.remaining());
        let status = account.payment_status_text().unwrap_or_default().to_owned();
        (remaining, account.is_closed(), status)
    }
}

fn told(decision: &Decision) -> Vec<(String, String, String, String)> {
    let shown = |m: &Map<String, Value>, member: &str| match &m[member] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let movements = decision.movements.iter();
    movements
        .map(|m| {
            (shown(m, "typeAction"), shown(m, "amountAction"), shown(m, "balance"), shown(m, "transactionInformation"))
        })
        .collect()
}

fn line(a: &str, b: &str, c: &str, d: &str) -> (String, String, String, String) {
    (a.into(), b.into(), c.into(), d.into())
}

#[test]
fn what_is_paid_waived_and_transferred_is_owed_no_more() {
    for (action, partially, fully) in [
        (Action::Pay, "Paid partially", "Paid fully"),
        (Action::Waive, "Waived partially", "Waived fully"),
        (Action::Transfer, "Transferred partially", "Transferred fully"),
    ] {
        let mut desk = Desk::new(&[1000]);
        let decision = desk.act(action, &request("3.995")).expect("allowed");
        assert_eq!(told(&decision), [line(partially, "4.0", "6.0", "receipt 1")], "{action:?}");
        assert_eq!(desk.state(0), ("6.00".into(), false, partially.into()));
        desk.act(action, &request("6")).expect("allowed");
        assert_eq!(desk.state(0), ("0.00".into(), true, fully.into()));
    }
}

#[test]
fn refusals_come_in_the_contracts_order() {
    let refused = |text: &str| Err(text.to_owned());
    let paid = {
        let mut desk = Desk::new(&[500]);
        desk.act(Action::Pay, &request("5")).expect("allowed");
        desk.0
    };
    let open = Desk::new(&[500]).0;
    let unknown = vec![("a9".to_owned(), None)];
    let refund = "Refund amount must be greater than zero and less than or equal to Selected amount";
    for (action, subjects, amount, expected) in [
        (Action::Pay, &unknown, "x", refused("Fee/fine ID a9 not found")),
        (Action::Pay, &paid, "x", refused("Invalid amount entered")),
        (Action::Waive, &paid, "0.001", refused("Amount must be positive")),
        (Action::Refund, &paid, "-1", refused("Amount must be positive")),
        (Action::Transfer, &paid, "9", refused("Fee/fine is already closed")),
        (Action::Pay, &open, "5.01", refused("Requested amount exceeds remaining amount")),
        (Action::Refund, &open, "0.01", refused(refund)),
        (Action::Refund, &paid, "5.01", refused(refund)),
        (Action::Refund, &paid, "5.004", Ok("0.00")),
        (Action::Pay, &open, "1.5", Ok("3.50")),
    ] {
        let found = check(action, subjects, amount).map(|a| money::printed(a.remaining));
        let found = found.map_err(|refusal| refusal.message());
        assert_eq!(found, expected.map(str::to_owned), "{action:?} {amount}");
    }
}

#[test]
fn refunds_go_back_to_where_the_money_came_from() {
    let mut desk = Desk::new(&[1000]);
    desk.act(Action::Pay, &request("4")).expect("allowed");
    let transfer = ActionRequest { payment_method: Some("Bursar".into()), ..request("6") };
    desk.act(Action::Transfer, &transfer).expect("allowed");
    let first = desk.act(Action::Refund, &request("5")).expect("allowed");
    assert_eq!(
        told(&first),
        [
            line("Credited fully", "4.0", "0.0", "Refund to patron"),
            line("Credited partially", "1.0", "0.0", "Refund to Bursar"),
            line("Refunded fully", "4.0", "4.0", "Refunded to patron"),
            line("Refunded partially", "1.0", "5.0", "Refunded to Bursar"),
        ]
    );
    assert_eq!(desk.state(0), ("5.00".into(), false, "Refunded partially".into()));
    let second = desk.act(Action::Refund, &request("5")).expect("allowed");
    assert_eq!(
        told(&second),
        [
            line("Credited fully", "4.0", "5.0", "Refund to patron"),
            line("Credited partially", "1.0", "5.0", "Refund to Bursar"),
            line("Refunded fully", "4.0", "9.0", "Refunded to patron"),
            line("Refunded partially", "1.0", "10.0", "Refunded to Bursar"),
        ]
    );
    let partially = ("10.00".into(), false, "Refunded partially".into());
    assert_eq!(desk.state(0), partially);
    assert!(desk.act(Action::Refund, &request("0.01")).is_err());
}

#[test]
fn a_refund_is_full_when_it_gives_back_all_that_was_ever_paid() {
    for (refunds, expected) in [
        (vec!["10"], "Refunded fully"),
        (vec!["4"], "Refunded partially"),
        (vec!["4", "6"], "Refunded partially"),
        (vec!["4", "5"], "Refunded partially"),
    ] {
        let mut desk = Desk::new(&[1000]);
        desk.act(Action::Pay, &request("3")).expect("allowed");
        desk.act(Action::Pay, &request("7")).expect("allowed");
        for amount in &refunds {
            desk.act(Action::Refund, &request(amount)).expect("allowed");
        }
        assert_eq!(desk.state(0).2, expected, "{refunds:?}");
    }
}

#[test]
fn cancelling_closes_whatever_is_open() {
    for (reason, expected) in [
        (None, Some("Cancelled as error")),
        (Some("Cancelled item returned"), Some("Cancelled item returned")),
        (Some("Because"), None),
    ] {
        let mut desk = Desk::new(&[500, 300]);
        let asked = ActionRequest { amount: None, cancellation_reason: reason.map(str::to_owned), ..request("") };
        let decision = desk.act(Action::Cancel, &asked);
        let Some(expected) = expected else {
            assert!(decision.is_err());
            continue;
        };
        let decision = decision.expect("allowed");
        assert_eq!(decision.movements.len(), 2);
        assert_eq!(decision.movements[1]["amountAction"].to_string(), "3.0");
        assert_eq!(decision.movements[1].get("notify"), None);
        assert_eq!(desk.state(0), ("0.00".into(), true, expected.into()));
        assert_eq!(desk.act(Action::Cancel, &asked), Err(ALREADY_CLOSED.into()));
    }
}

proptest! {
    /// Whatever the actions and their order, each balance equals the charge less what came in plus what was refunded,
    /// and each action records the balance it leaves.
    #[test]
    fn balances_are_the_sum_of_movements(
        charged in proptest::collection::vec(1_i64..5_000, 1..5),
        steps in proptest::collection::vec((0_usize..4, 1_i64..8_000, any::<bool>()), 1..25),
    ) {
        let mut desk = Desk::new(&charged);
        for (action, cents, bursar) in steps {
            let action = [Action::Pay, Action::Waive, Action::Transfer, Action::Refund][action];
            let mut asked = request(&money::printed(Decimal::new(cents, 2)));
            if bursar {
                asked.payment_method = Some("Bursar".into());
            }
            if let Ok(decision) = desk.act(action, &asked) {
                let moved = decision.movements.iter();
                let moved = moved.filter(|m| !m["typeAction"].to_string().contains("Credited"));
                let moved = money::sum(moved.map(|m| money::read(m.get("amountAction"))));
                prop_assert_eq!(Some(moved), decision.amount);
            }
            for ((_, subject), charged) in desk.0.iter().zip(&charged) {
                let subject = subject.as_ref().expect("a known account");
                let mut owed = Decimal::new(*charged, 2);
                for movement in &subject.movements {
                    let amount = money::read(movement.get("amountAction"));
                    let name = movement["typeAction"].as_str().expect("a type");
                    owed += match name.split(' ').next() {
                        Some("Refunded") => amount,
                        Some("Credited") => Decimal::ZERO,
                        _ => -amount,
                    };
                    prop_assert_eq!(money::read(movement.get("balance")), owed);
                }
                prop_assert_eq!(subject.account.remaining(), owed);
                prop_assert!(owed >= Decimal::ZERO && owed <= Decimal::new(*charged, 2));
                prop_assert!(!subject.account.is_closed() || owed.is_zero());
            }
        }
    }
}
