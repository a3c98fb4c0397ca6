//! Amounts of money: decimals with two digits, rounded half to even (docs/folio/fees-fines.md#money). Automatic charges
//! are first rounded half up, as in mod-circulation.

use std::str::FromStr;

use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::{Number, Value};

/// Rounds to cents, half to even.
pub fn cents(amount: Decimal) -> Decimal {
    amount.round_dp(2)
}

/// Rounds an automatic charge to cents, half up.
pub fn charged(amount: Decimal) -> Decimal {
    amount.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

/// Parses an amount that a client sent and rounds it to cents; `None` if it is not a number.
pub fn parse(text: &str) -> Option<Decimal> {
    let read = Decimal::from_str(text).or_else(|_| Decimal::from_scientific(text));
    read.ok().map(cents)
}

/// Reads a stored amount and rounds it to cents; zero if it is not an amount.
pub fn read(value: Option<&Value>) -> Decimal {
    let text = match value {
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::String(text)) => text.clone(),
        _ => return Decimal::ZERO,
    };
    parse(&text).unwrap_or_default()
}

/// The amount in its stored form: `5.0`, `4.25`.
pub fn stored(amount: Decimal) -> Value {
    let number = cents(amount).to_string().parse().ok();
    number.and_then(Number::from_f64).map_or(Value::Null, Value::Number)
}

/// The amount as the responses to actions print it: `5.00`.
pub fn printed(amount: Decimal) -> String {
    format!("{:.2}", cents(amount))
}

/// The sum of the amounts, or the largest decimal if it overflows.
pub fn sum(amounts: impl IntoIterator<Item = Decimal>) -> Decimal {
    amounts.into_iter().fold(Decimal::ZERO, Decimal::saturating_add)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn amounts_are_read_as_clients_write_them() {
        for (text, expected) in [
            ("5", Some("5.00")),
            ("5.125", Some("5.12")),
            ("5.135", Some("5.14")),
            ("1e1", Some("10.00")),
            ("-0.5", Some("-0.50")),
            ("", None),
            ("five", None),
            ("1,50", None),
            ("1e400", None),
        ] {
            assert_eq!(parse(text).map(printed).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_desk_charges_half_a_cent_as_a_cent() {
        for (amount, expected) in [("5.125", "5.13"), ("5.124", "5.12"), ("0.005", "0.01")] {
            let amount = Decimal::from_str(amount).expect("an amount");
            assert_eq!(printed(charged(amount)), expected);
        }
    }

    #[test]
    fn stored_amounts_are_numbers_with_a_fraction() {
        assert_eq!(stored(Decimal::new(500, 2)).to_string(), "5.0");
        assert_eq!(stored(Decimal::new(425, 2)).to_string(), "4.25");
        for value in [json!(4.25), json!("4.25")] {
            assert_eq!(read(Some(&value)), Decimal::new(425, 2));
        }
        assert_eq!(read(Some(&json!(1e300))), Decimal::ZERO);
    }

    #[test]
    fn sums_do_not_overflow() {
        assert_eq!(sum([Decimal::MAX, Decimal::MAX]), Decimal::MAX);
    }
}
