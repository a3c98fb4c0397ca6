//! Answers questions about a patron (23, 63). One round trip, and one more to check a password.

use circulation::fees::money;
use serde_json::Value;
use sip2::{Code, Kind, Message, Part, field};
use store::self_check::{List, Piece};

use crate::{
    blocks::limits,
    patron::{Account, Password},
    transaction::{Answered, Transaction},
    words::Text,
};

/// The longest list in an answer.
const LISTED_AT_MOST: i64 = 1_000;

/// The lists by their position in the request's summary, each with the field of its entries. The seventh is an
/// extension by edge-sip2: fees with all details.
const LISTS: [(List, Code); 7] = [
    (List::Holds, field::HOLD_ITEM),
    (List::Overdue, field::OVERDUE_ITEM),
    (List::Charged, field::CHARGED_ITEM),
    (List::Fees, field::FINE_ITEM),
    (List::Recalled, field::RECALL_ITEM),
    (List::Unavailable, field::UNAVAILABLE_HOLD),
    (List::Fees, field::FEE_ID),
];

/// May the patron use the terminal (23)?
pub async fn status(transaction: &Transaction<'_>) -> Answered {
    about(transaction, None).await
}

/// The same with counts and one list (63).
pub async fn information(transaction: &Transaction<'_>) -> Answered {
    let summary = transaction.request.part(Part::Summary);
    let chosen = summary.chars().position(|letter| letter == 'Y');
    let chosen = chosen.and_then(|place| LISTS.get(place).copied());
    about(transaction, chosen).await
}

async fn about(transaction: &Transaction<'_>, chosen: Option<(List, Code)>) -> Answered {
    let piece = chosen.map(|(list, _)| piece(transaction.request, list));
    let account = Account::named(transaction, piece).await?;
    if account.patron.is_active(transaction.insider.now) != Some(true) {
        return Err(transaction.refuse(Text::PatronInactive));
    }
    let password = account.password(transaction, true).await;
    let password = password.map_err(|error| transaction.failed(error))?;
    let answer = described(transaction, &account, password);
    let needed = transaction.configuration.self_checks.rules.password_required;
    if needed && password == Password::Wrong {
        // Without the right password the answer has no patron data.
        let text = transaction.words().say(Text::WrongPassword);
        return Ok(bare(transaction, password).with_each(field::SCREEN_MESSAGE, [text]));
    }
    Ok(match chosen {
        Some((_, code)) => listed(transaction, answer, &account.listed, code),
        None => answer,
    })
}

/// An answer that says only that the patron exists.
pub fn bare(transaction: &Transaction<'_>, password: Password) -> Message {
    let answer = transaction.begin().with(field::PERSONAL_NAME, "").with(field::VALID_PATRON, "Y");
    valid_password(answer, password)
}

fn valid_password(answer: Message, password: Password) -> Message {
    let letter = match password {
        Password::NotAsked => None,
        Password::Right => Some("Y"),
        Password::Wrong => Some("N"),
    };
    answer.with_some(field::VALID_PASSWORD, letter)
}

/// The part that all answers about a patron share, including those about blocks.
pub fn described(transaction: &Transaction<'_>, account: &Account, password: Password) -> Message {
    let blocks = &account.blocks;
    let mut answer = transaction
        .begin()
        .with_part(Part::PatronStatus, &blocks.flags())
        .with_number(Part::HoldCount, account.count("holds"))
        .with_number(Part::OverdueCount, account.count("overdue"))
        .with_number(Part::ChargedCount, account.count("charged"))
        .with_number(Part::FineCount, account.count("fees"))
        .with_number(Part::RecallCount, account.count("recalled"))
        .with_number(Part::UnavailableHoldCount, account.count("unavailable"))
        .with(field::PERSONAL_NAME, account.name())
        .with(field::VALID_PATRON, "Y");
    answer = valid_password(answer, password);
    // The answer to lifting a block has no fields for money.
    if answer.kind != Kind::PatronEnableResponse {
        let currency = &transaction.configuration.self_checks.currency;
        answer = answer.with(field::CURRENCY, currency).with(field::FEE_AMOUNT, money::printed(account.owed));
    }
    if answer.kind == Kind::PatronInformationResponse {
        let limits = limits(account.patron.patron_group, &transaction.configuration);
        answer = limits.into_iter().fold(answer, |answer, (code, limit)| answer.with(code, limit));
        answer = personal(transaction, answer, account);
    }
    let mut texts = blocks.messages.clone();
    if blocks.any() && texts.is_empty() {
        texts.push(transaction.words().say(Text::Blocked));
    }
    answer.with_each(field::SCREEN_MESSAGE, texts)
}

fn personal(transaction: &Transaction<'_>, answer: Message, account: &Account) -> Message {
    let personal = &account.record["personal"];
    let group = account.patron.patron_group;
    let group = group.and_then(|id| transaction.configuration.patron_groups.get(&id));
    answer
        .with_some(field::HOME_ADDRESS, address(personal))
        .with_some(field::EMAIL, personal["email"].as_str())
        .with_some(field::PHONE, personal["phone"].as_str())
        .with_some(field::BORROWER_TYPE, group.map(|group| group.group.as_str()))
        .with_some(field::BORROWER_TYPE_NAME, group.and_then(|group| group.desc.as_deref()))
}

/// The primary address, else the first, in one line.
fn address(personal: &Value) -> Option<String> {
    let addresses = personal["addresses"].as_array()?;
    let primary = addresses.iter().find(|a| a["primaryAddress"] == true);
    let chosen = primary.or(addresses.first())?;
    let parts = ["addressLine1", "addressLine2", "city", "region", "postalCode", "countryId"];
    let parts = parts.iter().filter_map(|part| chosen[*part].as_str());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// The part of a list between the first and last entry that the request names.
fn piece(request: &Message, list: List) -> Piece {
    let number = |code| -> Option<i64> { request.field(code)?.trim().parse().ok() };
    let first = number(field::START_ITEM).unwrap_or(1).clamp(1, 1_000_000);
    let last = number(field::END_ITEM).unwrap_or(i64::MAX);
    let most = last.saturating_sub(first).saturating_add(1);
    Piece { list, skip: first - 1, most: most.clamp(0, LISTED_AT_MOST) }
}

fn listed(transaction: &Transaction<'_>, answer: Message, entries: &[Value], code: Code) -> Message {
    if code == field::FEE_ID {
        return entries.iter().fold(answer, |answer, fee| whole_fee(transaction, answer, fee));
    }
    let shown = entries.iter().filter_map(|entry| {
        let names = ["barcode", "kindName", "id"];
        names.iter().find_map(|name| entry[*name].as_str())
    });
    answer.with_each(code, shown)
}

fn whole_fee(transaction: &Transaction<'_>, answer: Message, fee: &Value) -> Message {
    let text = |name: &str| fee[name].as_str().unwrap_or_default().to_owned();
    let remaining = text("remaining").parse().unwrap_or_default();
    let charged = fee["charged"].as_str();
    let charged = charged.and_then(circulation::dates::parse_date_time);
    let zone = transaction.configuration.zone();
    let date = charged.map(|moment| moment.to_zoned(zone.clone()).strftime("%d.%m.%Y").to_string());
    answer
        .with(field::FEE_ID, text("id"))
        .with(field::FEE_REMAINING, money::printed(remaining))
        .with(field::FEE_ITEM, text("barcode"))
        .with(field::FEE_DATE, date.unwrap_or_default())
        .with(field::FEE_TITLE, text("title"))
        .with(field::FEE_KIND, text("kind"))
        .with(field::FEE_KIND_NAME, text("kindName"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_request_names_the_first_and_last_entry() {
        for (start, end, skip, most) in [
            ("", "", 0, LISTED_AT_MOST),
            ("1", "10", 0, 10),
            ("0011", "0020", 10, 10),
            ("5", "4", 4, 0),
            ("9", "1", 8, 0),
            ("-3", "x", 0, LISTED_AT_MOST),
            ("1", "99999999999999999999", 0, LISTED_AT_MOST),
        ] {
            let request =
                Message::new(Kind::PatronInformation).with(field::START_ITEM, start).with(field::END_ITEM, end);
            let list = List::Charged;
            assert_eq!(piece(&request, list), Piece { list, skip, most }, "{start}-{end}");
        }
    }

    #[test]
    fn the_primary_address_is_shown() {
        let personal = json!({"addresses": [{"city": "Elsewhere"},
            {"addressLine1": "1 Main St", "city": "Here", "postalCode": "12345", "primaryAddress": true}]});
        assert_eq!(address(&personal).as_deref(), Some("1 Main St Here 12345"));
        assert_eq!(address(&json!({"addresses": [{}]})), None);
        assert_eq!(address(&json!({})), None);
    }
}
