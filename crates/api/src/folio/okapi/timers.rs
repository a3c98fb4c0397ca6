//! `/_/proxy/tenants/{tenant}/timers`: schedules for the jobs of a tenant's modules (docs/folio/okapi.md#timers).

use serde::Deserialize;
use serde_json::{Map, Value};
use store::platform as kept;

use super::{
    missing,
    refusals::{SCHEDULE_INVALID, TIMER_MISSING},
    tenants,
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    platform::timers::{Timer, of_tenant, read_schedule},
    route::{Answer, RUN_TIMERS, Routes},
};

const PATH: &str = "/_/proxy/tenants/{tenant}/timers";
/// When a timer runs: at an interval, or by a pattern.
const SCHEDULE: &str = "unit, delay, schedule{cron, zone}";

pub(super) fn routes(routes: &mut Routes) {
    let one = &format!("{PATH}/{{timer}}");
    let timer = format!("id*, routingEntry*{{methods*[], pathPattern*, {SCHEDULE}}}, modified*:bool");
    routes
        .get(PATH, list)
        .needs(&["okapi.proxy.tenants.timers.list"])
        .needs_of_own_tenant(&[])
        .summary("List the timers of a tenant")
        .gives(&format!("[{{{timer}}}]"));
    routes
        .patch(PATH, change)
        .needs(&["okapi.proxy.tenants.timers.patch"])
        .needs_of_own_tenant(&[RUN_TIMERS])
        .summary("Change when a timer runs")
        .takes(&format!("id*, routingEntry{{{SCHEDULE}}}"));
    routes
        .get(one, get)
        .needs(&["okapi.proxy.tenants.timers.get"])
        .needs_of_own_tenant(&[])
        .summary("Read a timer")
        .gives(&timer);
    routes
        .patch(one, change)
        .needs(&["okapi.proxy.tenants.timers.patch"])
        .needs_of_own_tenant(&[RUN_TIMERS])
        .summary("Change when a timer runs")
        .takes(&format!("id, routingEntry{{{SCHEDULE}}}, {SCHEDULE}"));
}

async fn timers(call: &Call) -> Result<Vec<Timer>, Problem> {
    let tenant = tenants::find(call).await?;
    let changed = kept::changed_timers(&call.app.database, &tenant.id).await?;
    Ok(of_tenant(&tenant, &changed))
}

async fn list(call: Call) -> Answer {
    let timers = timers(&call).await?;
    Ok(Reply::pretty(&timers.iter().map(Timer::shown).collect()))
}

async fn get(call: Call) -> Answer {
    let id = call.param("timer");
    let timers = timers(&call).await?;
    let timer = timers.iter().find(|timer| timer.id == id);
    timer.map(|timer| Reply::pretty(&timer.shown())).ok_or_else(|| missing(id))
}

#[derive(Deserialize)]
struct Sent {
    id: Option<String>,
    #[serde(rename = "routingEntry")]
    routing: Option<Value>,
    /// The members of a routing entry that is sent alone.
    #[serde(flatten)]
    alone: Map<String, Value>,
}

async fn change(call: Call) -> Answer {
    let sent: Sent = call.parse()?;
    let named = Some(call.param("timer")).filter(|id| !id.is_empty());
    // With the id in the path, Okapi takes the routing entry alone.
    let routing = sent.routing.or_else(|| named.map(|_| Value::Object(sent.alone)));
    let id = named.map(ToOwned::to_owned).or(sent.id);
    let id = id.ok_or(TIMER_MISSING)?;
    let known = timers(&call).await?;
    let timer = known.iter().find(|timer| timer.id == id);
    let timer = timer.ok_or_else(|| missing(&id))?;
    let routing = read_schedule(timer, routing.as_ref());
    let routing = routing.map_err(|fault| SCHEDULE_INVALID.with("fault", fault))?;
    let tenant = call.param("tenant");
    kept::change_timer(&call.app.database, tenant, &id, routing.as_ref()).await?;
    call.app.bell.ring_for_schedules();
    Ok(Reply::no_content())
}
