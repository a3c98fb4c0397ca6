//! `/feefine-reports`: refunds, the cash drawer, and all transactions in detail (docs/folio/fees-fines.md#reports).

use circulation::fees::{
    report::{self, Row, Totals},
    request::Action,
};
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use store::{
    fees::{self, Movements},
    record::{Schema, print_instant},
};

use super::{
    refusals::{DATES_INVALID, NO_START},
    report_stream::{self, Entry},
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Form, Routes},
};

const PATH: &str = "/feefine-reports";
const REFUNDS: &str = "startDate, endDate, feeFineOwners[uuid]";
const DRAWER: &str = "startDate*, endDate, createdAt*:uuid, sources[]";
const SOURCES: &str = "createdAt*:uuid";
const TRANSACTIONS: &str = "feeFineOwner*:uuid, createdAt[uuid], startDate*, endDate";

const REPORTED: [Action; 5] = [Action::Pay, Action::Waive, Action::Transfer, Action::Refund, Action::Cancel];

/// The types of these actions, as they are recorded.
fn names(actions: &[Action]) -> Vec<&'static str> {
    actions.iter().flat_map(|action| action.results()).map(|result| result.name()).collect()
}

pub(super) fn routes(routes: &mut Routes) {
    let (drawer, sources) = ("cash-drawer-reconciliation", "cash-drawer-reconciliation/sources");
    routes
        .post(&format!("{PATH}/refund"), refunds)
        .summary("Report refunds")
        .streams()
        .takes(REFUNDS)
        .gives(&shape(report::refund, None))
        .refuses(&[422])
        .refuses_as(422, Form::Text);
    routes
        .post(&format!("{PATH}/{drawer}"), cash_drawer)
        .summary("Report payments at a service point")
        .streams()
        .takes(DRAWER)
        .gives(&shape(report::payment, Some(Totals::of(&report::OF_PAYMENTS))))
        .refuses(&[422])
        .refuses_as(422, Form::Text);
    routes
        .post(&format!("{PATH}/{sources}"), drawer_sources)
        .summary("List who took payments at a service point")
        .takes(SOURCES)
        .gives("sources*[]")
        .refuses(&[422])
        .refuses_as(422, Form::Text);
    routes
        .post(&format!("{PATH}/financial-transactions-detail"), transactions)
        .summary("Report transactions of an owner in detail")
        .streams()
        .takes(TRANSACTIONS)
        .gives(&shape(report::transaction, Some(Totals::of(&report::OF_TRANSACTIONS))))
        .refuses(&[422])
        .refuses_as(422, Form::Text);
}

/// A report's declaration. All its rows have the members of an empty one, and only texts.
fn shape(entry: Entry, totals: Option<Totals>) -> String {
    let members = |value: Value, kind: &str| {
        let names = value.as_object().into_iter().flatten();
        names.map(|(name, _)| format!("{name}*{kind}, ")).collect::<String>()
    };
    let row = members(entry(&Row::default(), &|moment| moment.to_string()), "");
    let lines = |totals: Totals| {
        let lines = members(totals.into_value(), "[{name*, totalAmount*, totalCount*}]");
        format!("reportStats*{{{lines}}}")
    };
    format!("reportData*[{{{row}}}], {}", totals.map(lines).unwrap_or_default())
}

/// POST of a report of refunds. Two round trips.
async fn refunds(call: Call) -> Answer {
    let body = accepted(&call, REFUNDS)?;
    if !body.contains_key("startDate") && body.contains_key("endDate") {
        return Err(NO_START.into());
    }
    let configuration = call.tenant.desk.current(&call.session).await?;
    let wanted = Movements {
        types: names(&[Action::Refund]),
        owners: texts(&body, "feeFineOwners"),
        with_payments: true,
        ..between(&body, configuration.zone())?
    };
    report_stream::reply(&call, &wanted, configuration, report::refund, None).await
}

/// POST of a report of payments. Two round trips.
async fn cash_drawer(call: Call) -> Answer {
    let body = accepted(&call, DRAWER)?;
    let configuration = call.tenant.desk.current(&call.session).await?;
    let wanted = Movements {
        types: names(&[Action::Pay]),
        service_points: texts(&body, "createdAt"),
        sources: texts(&body, "sources"),
        by_owner: true,
        ..between(&body, configuration.zone())?
    };
    let totals = Some(Totals::of(&report::OF_PAYMENTS));
    report_stream::reply(&call, &wanted, configuration, report::payment, totals).await
}

/// POST of a detailed report. Two round trips.
async fn transactions(call: Call) -> Answer {
    let body = accepted(&call, TRANSACTIONS)?;
    let configuration = call.tenant.desk.current(&call.session).await?;
    let wanted = Movements {
        types: [names(&REPORTED), vec![report::STAFF_INFO]].concat(),
        service_points: texts(&body, "createdAt"),
        owners: texts(&body, "feeFineOwner"),
        ..between(&body, configuration.zone())?
    };
    let totals = Some(Totals::of(&report::OF_TRANSACTIONS));
    report_stream::reply(&call, &wanted, configuration, report::transaction, totals).await
}

/// POST of a query. One round trip.
async fn drawer_sources(call: Call) -> Answer {
    let body = accepted(&call, SOURCES)?;
    let service_point = body["createdAt"].as_str().unwrap_or_default();
    let sources = fees::payment_sources(&call.session, service_point).await?;
    Ok(Reply::json(&json!({"sources": sources})))
}

fn accepted(call: &Call, members: &str) -> Result<Map<String, Value>, Problem> {
    Ok(Schema::declare(members).accept(call.json()?)?)
}

/// The transactions in the client's date range.
fn between(body: &Map<String, Value>, zone: &TimeZone) -> Result<Movements, Problem> {
    let bound = |member: &str, days| match body.get(member).and_then(Value::as_str) {
        None => Ok(None),
        Some(text) => match report::day(text, zone, days) {
            Some(day) => Ok(Some(print_instant(day))),
            None => Err(DATES_INVALID),
        },
    };
    Ok(Movements { from: bound("startDate", 0)?, before: bound("endDate", 1)?, ..Movements::default() })
}

/// The texts of a member that is one text or a list; `None` if empty.
fn texts(body: &Map<String, Value>, member: &str) -> Option<Vec<String>> {
    let values = match body.get(member)? {
        Value::Array(values) => values.clone(),
        one => vec![one.clone()],
    };
    let texts: Vec<_> = values.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect();
    (!texts.is_empty()).then_some(texts)
}
