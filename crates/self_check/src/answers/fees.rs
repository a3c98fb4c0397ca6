//! Records a payment made at a terminal (37): for one named fee, or for the oldest debts first. A payment that does not
//! fit is refused as a whole.

use api::{folio::pay_in_order, inside};
use circulation::fees::money;
use http::Method;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use sip2::{Message, Part, field};
use store::self_check::{List, Piece};

use crate::{
    patron::{Account, verify_patron},
    transaction::{Answered, Refusal, Transaction},
    words::Text,
};

const PAY: &str = "/accounts-bulk/pay";
/// How many debts, oldest first, one payment can cover.
const DEBTS: i64 = 1_000;

/// Three round trips.
pub async fn answer(transaction: &Transaction<'_>) -> Answered {
    let amount = amount(transaction)?;
    verify_patron(transaction).await?;
    let piece = Piece { list: List::Fees, skip: 0, most: DEBTS };
    let account = Account::named(transaction, Some(piece)).await?;
    let debts = debts(transaction, &account)?;
    let owed: Decimal = debts.iter().map(|(_, left)| *left).sum();
    if amount > owed {
        let owed = money::printed(owed);
        let text = transaction.words().say_with(Text::PaidTooMuch, "owed", &owed);
        return Err(Refusal::with_text(text));
    }
    let paid = pay(transaction, amount, &debts).await?;
    Ok(response(transaction, &paid))
}

/// The amount, if its currency is the library's.
fn amount(transaction: &Transaction<'_>) -> Result<Decimal, Refusal> {
    let currency = transaction.request.part(Part::Currency).trim();
    let own = &transaction.configuration.self_checks.currency;
    if !currency.is_empty() && !currency.eq_ignore_ascii_case(own) {
        return Err(transaction.refuse(Text::WrongCurrency));
    }
    let written = transaction.request.field(field::FEE_AMOUNT);
    let amount = written.and_then(|text| text.trim().replace(',', ".").parse().ok());
    let sound = |amount: &Decimal| *amount > Decimal::ZERO && amount.normalize().scale() <= 2;
    let amount = amount.filter(sound);
    amount.ok_or_else(|| transaction.refuse(Text::AmountInvalid))
}

/// What the payment is for: the fee that the request names, or every debt.
fn debts<'a>(transaction: &Transaction<'_>, account: &'a Account) -> Result<Vec<(&'a str, Decimal)>, Refusal> {
    let debt = |fee: &'a Value| {
        let left = fee["remaining"].as_str()?.parse().ok()?;
        Some((fee["id"].as_str()?, left))
    };
    let mut debts: Vec<_> = account.listed.iter().filter_map(debt).collect();
    if let Some(named) = transaction.request.field(field::FEE_ID) {
        debts.retain(|(id, _)| id.eq_ignore_ascii_case(named.trim()));
    }
    debts.retain(|(_, left)| *left > Decimal::ZERO);
    match debts.is_empty() {
        true => Err(transaction.refuse(Text::FeeUnknown)),
        false => Ok(debts),
    }
}

async fn pay(transaction: &Transaction<'_>, amount: Decimal, debts: &[(&str, Decimal)]) -> Result<Value, Refusal> {
    let mut covered = Decimal::ZERO;
    let needed = debts.iter().take_while(|(_, left)| {
        let before = covered;
        covered += *left;
        before < amount
    });
    let ids: Vec<&str> = needed.map(|(id, _)| *id).collect();
    let request = transaction.request;
    let mut body = json!({"accountIds": ids, "amount": money::printed(amount), "notifyPatron": true,
        "servicePointId": transaction.station.service_point,
        "userName": transaction.insider.user().username, "paymentMethod": method(request)});
    if let Some(number) = request.field(field::TRANSACTION) {
        body["transactionInfo"] = number.into();
    }
    let paid = match transaction.insider.call(&Method::POST, PAY, &body) {
        Ok(call) => inside::read(pay_in_order(call).await).await,
        Err(problem) => Err(problem),
    };
    paid.map_err(|problem| transaction.problem(problem))
}

/// FOLIO's name for the way of payment.
fn method(request: &Message) -> &'static str {
    match request.part(Part::PaymentType) {
        "00" => "Cash",
        _ => "Credit Card",
    }
}

fn response(transaction: &Transaction<'_>, paid: &Value) -> Message {
    let transaction_id = transaction.request.field(field::TRANSACTION);
    let answer =
        transaction.begin().with_flag(Part::PaymentAccepted, true).with_some(field::TRANSACTION, transaction_id);
    let movements = paid["feefineactions"].as_array().into_iter().flatten();
    let money_of = |value: &Value| money::printed(money::read(Some(value)));
    movements.fold(answer, |answer, movement| {
        answer
            .with(field::FEE_ID, movement["accountId"].as_str().unwrap_or_default())
            .with(field::FEE_REMAINING, money_of(&movement["balance"]))
            .with(field::FEE_PAID, money_of(&movement["amountAction"]))
    })
}
