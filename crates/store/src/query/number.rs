//! `/number`: compares value and term as numbers (docs/folio/cql.md#numbers).

use cql::{Error, Relation};

use super::condition::Condition;
use super::sql::{Fragment, Parameter};
use super::target::Target;

/// More digits than any number of a record has, within PostgreSQL's limits.
const LONGEST: usize = 60;

/// The value is a number with that relation to one of the terms.
///
/// # Errors
/// A term that is not a number.
pub(crate) fn compares(target: &Target, relation: &Relation, terms: &[&str]) -> Result<Condition, Error> {
    let operator = match relation {
        Relation::Exact => "=",
        other => other.spelling(),
    };
    if let Some(term) = terms.iter().find(|term| !is_number(term)) {
        return Err(Error::invalid(format!("CQL: Invalid number: {term}")));
    }
    let value = format!("carrel.number({}) {operator} ", target.text);
    let number = |term: &&str| (*term).to_owned();
    let sql = match terms {
        [term] => Fragment::new(value).bind(Parameter::Number(number(term))),
        _ => {
            Fragment::new(value + "ANY(").bind(Parameter::Texts(terms.iter().map(number).collect())).sql("::numeric[])")
        }
    };
    Ok(Condition::test(sql))
}

/// `[+-]digits[.digits][e[+-]digits]`, with a digit on at least one side of the point.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent_is_fine = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        (1..=3).contains(&exponent.len()) && digits(exponent)
    });
    (1..=LONGEST).contains(&(whole.len() + fraction.len())) && digits(whole) && digits(fraction) && exponent_is_fine
}

#[cfg(test)]
mod tests {
    use super::is_number;

    #[test]
    fn numbers_are_those_of_postgresql() {
        for good in ["0", "12", "-1.5", "+.5", "3.", "1e5", "1E-5", "-0.0e+10"] {
            assert!(is_number(good), "{good}");
        }
        let long = "1".repeat(61);
        for bad in ["", ".", "-", "1e", "e5", "1e1000", "0x1", "1 2", "NaN", "١", "--1", &long] {
            assert!(!is_number(bad), "{bad}");
        }
    }
}
