//! The requirements for new passwords: mod-password-validator's rules, a pure decision.

use fancy_regex::RegexBuilder;
use serde::Deserialize;

/// Stands for the user name in an expression.
const USERNAME: &str = "<USER_NAME>";
/// An expression that needs more steps counts as not met.
const STEPS: usize = 100_000;

/// How a rule is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Kind {
    /// The whole password must match an expression.
    RegExp,
    /// Another module decides: the only one checks the password history.
    Programmatic,
    /// A list of leaked passwords outside the library, which Carrel does not query.
    PwnedPassword,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    #[serde(rename = "type")]
    pub kind: Kind,
    /// `Strong`: if it is not met, later rules are not checked.
    #[serde(default)]
    pub validation_type: String,
    /// For a [`Kind::RegExp`].
    #[serde(default)]
    pub expression: String,
    /// The error message.
    #[serde(default)]
    pub err_message_id: String,
}

impl Rule {
    fn is_met(&self, password: &str, username: &str, repeated: bool) -> bool {
        match self.kind {
            Kind::RegExp => self.expression.trim().is_empty() || matches(&self.expression, password, username),
            Kind::Programmatic => !repeated,
            Kind::PwnedPassword => true,
        }
    }
}

/// The messages of the rules that a password violates, in the rules' order; with `all`, also those after a violated
/// strong rule.
pub fn broken_rules(rules: &[Rule], password: &str, username: &str, repeated: bool, all: bool) -> Vec<String> {
    let mut messages = Vec::new();
    for rule in rules {
        if rule.is_met(password, username, repeated) {
            continue;
        }
        messages.push(rule.err_message_id.clone());
        if !all && rule.validation_type == "Strong" {
            break;
        }
    }
    messages
}

/// No password satisfies an invalid expression: a mistake must not disable a rule.
fn matches(expression: &str, password: &str, username: &str) -> bool {
    let expression = expression.replace(USERNAME, &fancy_regex::escape(username));
    RegexBuilder::new(&format!(r"\A(?:{expression})\z"))
        .backtrack_limit(STEPS)
        .build()
        .is_ok_and(|regex| regex.is_match(password).unwrap_or(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All of FOLIO's own rules.
    fn rules() -> Vec<Rule> {
        let file = include_str!("../../store/data/seed/mod-password-validator/rules.ndjson");
        let mut rules: Vec<serde_json::Value> = file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        rules.sort_by_key(|rule| rule["orderNo"].as_i64());
        rules.into_iter().map(|rule| serde_json::from_value(rule).unwrap()).collect()
    }

    #[test]
    fn folios_rules_report_the_violation() {
        for (password, message) in [
            ("Good8+pwd", None),
            ("G8+", Some("password.length.invalid")),
            ("good8+pwd", Some("password.alphabetical.invalid")),
            ("Good+pwdx", Some("password.number.invalid")),
            ("Good8pwdx", Some("password.specialCharacter.invalid")),
            ("Good8+readery", Some("password.usernameDuplicate.invalid")),
            ("Good8+qwex", Some("password.keyboardSequence.invalid")),
            ("Goood8+pwd", Some("password.repeatingSymbols.invalid")),
            ("Good8+ pwd", Some("password.whiteSpace.invalid")),
            ("Göd8+ pwdÄ", Some("password.whiteSpace.invalid")),
        ] {
            let relaxed: Vec<_> = rules()
                .into_iter()
                .filter(|rule| {
                    // `oo` is in every word above; the rule against it has its own case.
                    rule.err_message_id != "password.repeatingSymbols.invalid" || password == "Goood8+pwd"
                })
                .collect();
            let broken = broken_rules(&relaxed, password, "reader", false, false);
            assert_eq!(broken.first().map(String::as_str), message, "{password}");
            assert!(broken.len() <= 1, "a strong rule ends the check");
        }
    }

    #[test]
    fn all_messages_are_returned_on_request_and_repetition_counts() {
        let broken = broken_rules(&rules(), "x", "reader", true, true);
        assert!(broken.len() > 4, "{broken:?}");
        assert!(broken.contains(&"password.lastTenPasswords.invalid".to_owned()));
    }

    #[test]
    fn no_password_satisfies_a_broken_or_endless_expression() {
        let rule = |expression: &str| Rule {
            kind: Kind::RegExp,
            validation_type: "Strong".into(),
            expression: expression.into(),
            err_message_id: "x".into(),
        };
        for expression in ["(", "[", r"^(a+)+\1$"] {
            let password = "a".repeat(60) + "!";
            assert_eq!(broken_rules(&[rule(expression)], &password, "", false, false), ["x"]);
        }
        assert!(broken_rules(&[rule("a.c <USER_NAME>")], "abc x.y", "x.y", false, false).is_empty());
        assert!(!broken_rules(&[rule("a.c <USER_NAME>")], "abc xzy", "x.y", false, false).is_empty());
    }
}
