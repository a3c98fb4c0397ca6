//! Template contexts for notices (docs/folio/notices.md#tokens). Item, user and request match those of staff slips.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::subject::Subject;
use crate::{
    configuration::Configuration,
    dates::{computed, parse_date_time},
    fees::money,
    records::Loan,
    slips,
};

const UNLIMITED: &str = "unlimited";

/// The context for a notice about a loan, or a fee on a loan.
pub fn of_loan(subject: &Subject, configuration: &Configuration) -> Map<String, Value> {
    let mut context = of_loan_without_user(subject, configuration);
    insert_user(&mut context, subject, configuration);
    context
}

/// The same for one loan of a bundle.
pub(crate) fn of_loan_without_user(subject: &Subject, configuration: &Configuration) -> Map<String, Value> {
    let mut context = Map::new();
    context.insert("item".into(), item(subject, configuration));
    if let Some(loan) = &subject.loan {
        context.insert("loan".into(), self::loan(loan, subject, configuration));
    }
    if subject.account.is_some() {
        context.insert("feeCharge".into(), fee_charge(subject));
    }
    context
}

/// The context for a notice about a request.
pub fn of_request(subject: &Subject, configuration: &Configuration) -> Map<String, Value> {
    let mut context = Map::new();
    insert_user(&mut context, subject, configuration);
    context.insert("request".into(), request(subject, configuration));
    context.insert("item".into(), item(subject, configuration));
    if let Some(loan) = &subject.loan {
        context.insert("loan".into(), self::loan(loan, subject, configuration));
    }
    context
}

/// The context for several loans or fees of one patron: `user`, and the list in `token`.
pub(crate) fn of_bundle(token: &str, subjects: &[&Subject], configuration: &Configuration) -> Map<String, Value> {
    let mut context = Map::new();
    if let Some(first) = subjects.first() {
        insert_user(&mut context, first, configuration);
    }
    let each = subjects.iter();
    let each: Value = each.map(|subject| Value::Object(of_loan_without_user(subject, configuration))).collect();
    context.insert(token.into(), each);
    context
}

/// `feeAction`: the change to a fee.
pub(crate) fn fee_action(subject: &Subject) -> Value {
    let action = subject.action.as_ref();
    let date = action.and_then(|action| date(action.get("dateAction")));
    known(json!({
        "type": action.and_then(|action| action.get("typeAction")),
        "actionDate": date,
        "actionDateTime": date,
        "amount": amount(action.and_then(|action| action.get("amountAction"))),
        "remainingAmount": amount(action.and_then(|action| action.get("balance"))),
        "additionalInfo": comment(action),
    }))
}

fn insert_user(context: &mut Map<String, Value>, subject: &Subject, configuration: &Configuration) {
    if let Some(user) = &subject.user {
        let user = slips::requester(user, None, configuration);
        context.insert("user".into(), user);
    }
}

fn item(subject: &Subject, configuration: &Configuration) -> Value {
    let instance = subject.instance.clone().unwrap_or_default();
    Value::Object(match &subject.item {
        Some(item) => slips::describe(item, &instance, configuration),
        None => slips::describe_title(&instance),
    })
}

fn request(subject: &Subject, configuration: &Configuration) -> Value {
    let request = subject.request.clone().unwrap_or_default();
    let mut shown = slips::request(&request, configuration);
    let reason = subject.reason.as_ref();
    let reason = reason.and_then(|reason| reason.public_description.as_ref().or(reason.name.as_ref()));
    if let (Some(reason), Value::Object(shown)) = (reason, &mut shown) {
        shown.insert("reasonForCancellation".into(), reason.clone().into());
    }
    shown
}

fn loan(loan: &Loan, subject: &Subject, configuration: &Configuration) -> Value {
    let moment = |moment: Option<Timestamp>| Some(computed(moment?).to_string());
    let taken = loan.renewals();
    let policy = loan.loan_policy_id();
    let policy = policy.and_then(|id| configuration.loan_policies.get(&id));
    let renewals = policy.map(|policy| &policy.renewals_policy);
    let of_limit = |count: fn(i64, i64) -> i64| {
        renewals.map(|terms| match terms.unlimited {
            true => UNLIMITED.to_owned(),
            false => count(terms.number_allowed.unwrap_or_default(), taken).to_string(),
        })
    };
    known(json!({
        "initialBorrowDate": moment(loan.loan_date().map(|date| date.timestamp)),
        "dueDate": moment(loan.due_date()),
        "checkedInDate": moment(loan.return_date()),
        "numberOfRenewalsTaken": taken.to_string(),
        "numberOfRenewalsAllowed": of_limit(|allowed, _| allowed),
        "numberOfRenewalsRemaining": of_limit(|allowed, taken| (allowed - taken).max(0)),
        "additionalInfo": subject.comment,
    }))
}

fn fee_charge(subject: &Subject) -> Value {
    let Some(account) = &subject.account else {
        return json!({});
    };
    let created = account.date_created().and_then(parse_date_time).or(account.created_date());
    let created = created.map(|moment| computed(moment).to_string());
    known(json!({
        "owner": account.owner(),
        "type": account.fee_type(),
        "paymentStatus": account.payment_status_text(),
        "amount": account.known_amount().map(money::printed),
        "remainingAmount": account.known_remaining().map(money::printed),
        "chargeDate": created,
        "chargeDateTime": created,
        "additionalInfo": comment(subject.charge.as_ref()),
    }))
}

/// The patron's part of a fee comment. `STAFF : …` and `PATRON : …` mark the parts, each on its own line.
fn comment(movement: Option<&Map<String, Value>>) -> Option<&str> {
    let mut parts = movement?.get("comments")?.as_str()?.split(" \n ");
    parts.find_map(|part| part.strip_prefix("PATRON : "))
}

fn amount(value: Option<&Value>) -> Option<String> {
    value.map(|amount| money::printed(money::read(Some(amount))))
}

fn date(value: Option<&Value>) -> Option<String> {
    let moment: Timestamp = parse_date_time(value?.as_str()?)?;
    Some(computed(moment).to_string())
}

/// Removes members without a value.
fn known(context: Value) -> Value {
    Value::Object(crate::fees::changes::object(context))
}
