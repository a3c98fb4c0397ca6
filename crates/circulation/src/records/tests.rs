//! Members are read as they were written, and members unknown to the server are kept.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;

/// Values of every kind.
pub(crate) fn pool() -> Vec<Value> {
    let names = ItemStatus::ALL.iter().map(|status| status.name());
    let names = names.chain(LoanAction::ALL.iter().map(|action| action.name()));
    let names = names.chain(LoanStatus::ALL.iter().map(|status| status.name()));
    let names = names.chain(PaymentStatus::ALL.iter().map(|status| status.name()));
    let names = names.chain(RequestStatus::ALL.iter().map(|status| status.name()));
    let others = [json!(true), json!(false), json!(0), json!(7), json!(4.25), json!({"a": [1]})];
    let texts = ["", "2026-06-01T10:00:00.000Z", "3d7c52dc-c732-4223-8bf8-e5917801386f"];
    names.chain(texts).map(Value::from).chain(others).collect()
}

/// A record that has `others`, also in each object along the path.
pub(crate) fn beside(others: &Map<String, Value>, path: &str) -> Map<String, Value> {
    let mut record = others.clone();
    if let Some((first, rest)) = path.split_once('.') {
        record.insert(first.to_owned(), beside(others, rest).into());
    }
    record
}

/// Sets, reads and removes one member in each way its kind allows.
macro_rules! check_member {
    ($record:ident, $others:expr, $get:ident, $set:ident, $kind:ty, $path:literal) => {
        let pool = $crate::records::tests::pool();
        let values = pool.iter().filter_map(<$kind as $crate::records::typed::Kind>::read);
        let values: Vec<_> = values.collect();
        assert!(!values.is_empty(), "{} has no value to test", $path);
        for value in values {
            let before = $crate::records::tests::beside($others, $path);
            let mut record = $record::new(before.clone());
            record.$set(value.clone());
            assert_eq!(record.$get(), Some(value), "{}", $path);
            record.$set(None);
            assert_eq!(record.$get(), None, "{}", $path);
            assert_eq!(record.record(), &before, "{}", $path);
        }
    };
}
pub(crate) use check_member;

/// Members that no record declares.
pub(crate) fn unknown() -> impl Strategy<Value = Map<String, Value>> {
    let value = prop_oneof![any::<bool>().prop_map(Value::from), "[ -~]{0,8}".prop_map(Value::from)];
    let members = prop::collection::btree_map("x[A-Za-z]{0,6}", value, 0..5);
    members.prop_map(|members| members.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn members_are_read_as_written_and_leave_others_alone(others in unknown()) {
        Loan::check_members(&others);
        Request::check_members(&others);
    }
}

#[test]
fn a_member_of_another_kind_is_not_read() {
    let record = json!({"dueDate": 7, "status": "Open", "renewalCount": "1", "userId": "x", "action": ""});
    let loan = Loan::new(record.as_object().cloned().expect("an object"));
    assert_eq!((loan.due_date(), loan.status(), loan.action()), (None, None, None));
    assert_eq!((loan.renewals(), loan.user_id()), (0, None));
}
