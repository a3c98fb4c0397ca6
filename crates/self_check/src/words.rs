//! What patrons read on the screen. A library can reword each text with the setting `selfCheckMessages`, and each
//! refusal of the desk by its FOLIO code (`ITEM_NOT_LOANABLE`).

use std::{collections::HashMap, sync::Arc};

use api::answer::Problem;
use circulation::configuration::Configuration;
use serde_json::Value;

/// A text for the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    NotSignedIn,
    /// The terminal's user lacks a permission.
    NotPermitted,
    /// The library has switched this off for the terminal.
    NotHere,
    PatronUnknown,
    PatronInactive,
    WrongPassword,
    Blocked,
    ItemUnknown,
    /// Item properties are not stored.
    PropertiesNotKept,
    BarcodeMissing,
    OnLoanToOther,
    OnLoanToPatron,
    NotOnLoan,
    OnHold,
    /// The item belongs elsewhere; `{place}`.
    SendTo,
    /// A check-in cannot be undone.
    CannotUndo,
    /// Items in this status are checked in by staff; `{status}`.
    NotTakenBack,
    /// The amount is missing or cannot be paid.
    AmountInvalid,
    /// More than is owed; `{owed}`.
    PaidTooMuch,
    WrongCurrency,
    FeeUnknown,
    HoldUnknown,
    /// No such pickup service point.
    PlaceUnknown,
    DateInvalid,
    /// It happened offline and was not recorded.
    NotRecorded,
    /// The item was checked out again after this return.
    LentSince,
    /// More loans than one message renews.
    MoreLoans,
    /// Stands in for a refusal worded for programs.
    NotDone,
    Failed,
}

impl Text {
    /// Its name in the setting, and the default text.
    fn default(self) -> (&'static str, &'static str) {
        match self {
            Text::NotSignedIn => ("notSignedIn", "This terminal is not signed in."),
            Text::NotPermitted => ("notPermitted", "This terminal may not do that."),
            Text::NotHere => ("notHere", "That is not possible at this terminal."),
            Text::PatronUnknown => (
                "patronUnknown",
                "Your library card number cannot be located. Please see a staff member for assistance.",
            ),
            Text::PatronInactive => {
                ("patronInactive", "Your library card is not active. Please see a staff member for assistance.")
            }
            Text::WrongPassword => ("wrongPassword", "The password or PIN is wrong."),
            Text::Blocked => {
                ("blocked", "There are unresolved issues with your account. Please see a staff member for assistance.")
            }
            Text::ItemUnknown => ("itemUnknown", "This item is not known here."),
            Text::PropertiesNotKept => ("propertiesNotKept", "The library keeps no properties of items."),
            Text::BarcodeMissing => ("barcodeMissing", "The barcode could not be read."),
            Text::OnLoanToOther => ("onLoanToOther", "This item is on loan to somebody else."),
            Text::OnLoanToPatron => ("onLoanToPatron", "You have borrowed this item already."),
            Text::NotOnLoan => ("notOnLoan", "This item is not on loan."),
            Text::OnHold => ("onHold", "This item is on hold. Please hand it to the staff."),
            Text::SendTo => ("sendTo", "This item belongs to {place}."),
            Text::CannotUndo => ("cannotUndo", "A return cannot be undone here."),
            Text::NotTakenBack => ("notTakenBack", "An item with the status {status} is not taken back here."),
            Text::AmountInvalid => ("amountInvalid", "The amount is not valid."),
            Text::PaidTooMuch => ("paidTooMuch", "No more than {owed} is owed."),
            Text::WrongCurrency => ("wrongCurrency", "The library does not take this currency."),
            Text::FeeUnknown => ("feeUnknown", "There is no such fee to pay."),
            Text::HoldUnknown => ("holdUnknown", "You have no such request."),
            Text::PlaceUnknown => ("placeUnknown", "Items cannot be fetched there."),
            Text::DateInvalid => ("dateInvalid", "The date is not valid."),
            Text::NotRecorded => ("notRecorded", "This was done while the terminal was off line. It is not recorded."),
            Text::LentSince => ("lentSince", "This item has been lent again since."),
            Text::MoreLoans => ("moreLoans", "Not all loans could be renewed at once. Please try again."),
            Text::NotDone => ("notDone", "That could not be done. Please see a staff member for assistance."),
            Text::Failed => ("failed", "The library system does not answer. Please try again or see a staff member."),
        }
    }
}

/// Refusals worded differently for patrons than for staff.
const REFUSALS: [(&str, Text); 5] = [
    ("USER_BARCODE_NOT_FOUND", Text::PatronUnknown),
    ("ITEM_BARCODE_NOT_FOUND", Text::ItemUnknown),
    ("USER_IS_BLOCKED_MANUALLY", Text::Blocked),
    ("ITEM_CHECKED_OUT_TO_DIFFERENT_USER", Text::OnLoanToOther),
    ("USER_NOT_FOUND", Text::PatronUnknown),
];

#[derive(Debug, Clone, Default)]
pub struct Words {
    configuration: Option<Arc<Configuration>>,
}

impl Words {
    /// The texts of a library, or the defaults.
    pub fn of(configuration: Option<&Arc<Configuration>>) -> Self {
        Self { configuration: configuration.cloned() }
    }

    fn own(&self, name: &str) -> Option<&str> {
        let messages: &HashMap<String, String> = &self.configuration.as_ref()?.self_checks.messages;
        messages.get(name).map(String::as_str)
    }

    pub fn say(&self, text: Text) -> String {
        let (name, default) = text.default();
        self.own(name).unwrap_or(default).to_owned()
    }

    /// A text with a placeholder filled in.
    #[must_use]
    pub(crate) fn say_with(&self, text: Text, name: &str, value: &str) -> String {
        self.say(text).replace(&format!("{{{name}}}"), value)
    }

    /// The texts for a refusal, without duplicates. Sentences of the desk are shown as they are. Plain-text refusals
    /// and other modules' errors are meant for programs and may come from the database, so patrons get a general text.
    #[must_use]
    pub(crate) fn of_problem(&self, problem: &Problem) -> Vec<String> {
        match problem {
            Problem::Internal(_) => vec![self.say(Text::Failed)],
            Problem::Text(status, _) if status.is_server_error() => vec![self.say(Text::Failed)],
            Problem::Text(status, _) if *status == http::StatusCode::FORBIDDEN => {
                vec![self.say(Text::NotPermitted)]
            }
            Problem::Text(..) | Problem::Unquoted(..) => vec![self.say(Text::NotDone)],
            Problem::Json(_, body) => self.of_errors(body, false),
            Problem::Pretty(_, body) => self.of_errors(body, true),
        }
    }

    fn of_errors(&self, body: &Value, for_people: bool) -> Vec<String> {
        let mut said: Vec<String> = Vec::new();
        for error in body["errors"].as_array().into_iter().flatten() {
            let code = error["code"].as_str().unwrap_or_default();
            let message = error["message"].as_str().unwrap_or_default();
            let plain = REFUSALS.iter().find(|(known, _)| *known == code);
            let text = match (self.own(code), plain) {
                (Some(own), _) => own.to_owned(),
                (None, Some((_, text))) => self.say(*text),
                (None, None) if for_people => message.to_owned(),
                (None, None) => self.say(Text::NotDone),
            };
            if !text.is_empty() && !said.contains(&text) {
                said.push(text);
            }
        }
        if let (true, Some(message)) = (said.is_empty(), body["errorMessage"].as_str()) {
            said.push(message.to_owned());
        }
        if said.is_empty() {
            said.push(self.say(Text::Failed));
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use http::StatusCode;
    use serde_json::json;

    use super::*;

    #[test]
    fn the_librarys_words_come_first_then_ours_then_folios() {
        let mut configuration = Configuration::default();
        let own = ("ITEM_NOT_LOANABLE".to_owned(), "Nur im Lesesaal".to_owned());
        configuration.self_checks.messages.extend([own]);
        let words = Words::of(Some(&Arc::new(configuration)));
        let errors = json!({"errors": [
            {"message": "Item is not loanable", "code": "ITEM_NOT_LOANABLE"},
            {"message": "Patron blocked from borrowing", "code": "USER_IS_BLOCKED_MANUALLY"},
            {"message": "Cannot check out to inactive user"},
            {"message": "Cannot check out to inactive user"},
        ]});
        let said = words.of_problem(&Problem::Pretty(StatusCode::UNPROCESSABLE_ENTITY, errors));
        let expected = ["Nur im Lesesaal", Text::Blocked.default().1, "Cannot check out to inactive user"];
        assert_eq!(said, expected);
    }

    #[test]
    fn patrons_never_read_internal_errors() {
        let words = Words::default();
        for problem in [
            Problem::Internal("relation loan does not exist".into()),
            Problem::Text(StatusCode::SERVICE_UNAVAILABLE, "timeout at 10.0.0.1".into()),
            Problem::Pretty(StatusCode::UNPROCESSABLE_ENTITY, json!({})),
        ] {
            assert_eq!(words.of_problem(&problem), [Text::Failed.default().1]);
        }
        let key = "duplicate key value violates unique constraint \"users_barcode\"";
        let errors = json!({"errors": [{"message": key, "code": "-1"}]});
        for problem in [Problem::bad_request(key), Problem::Json(StatusCode::UNPROCESSABLE_ENTITY, errors)] {
            assert_eq!(words.of_problem(&problem), [Text::NotDone.default().1]);
        }
        let forbidden = Problem::Text(StatusCode::FORBIDDEN, "Access for user 'x'".into());
        assert_eq!(words.of_problem(&forbidden), [Text::NotPermitted.default().1]);
        let said = words.say_with(Text::SendTo, "place", "Main Library");
        assert_eq!(said, "This item belongs to Main Library.");
    }
}
