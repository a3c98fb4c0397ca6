//! `/_/proxy/tenants/{tenant}/install` and `/upgrade`: enable and disable modules (docs/folio/okapi.md#installation).
//! This is quick, so the job of a client that asks for an asynchronous run is already complete.

use http::StatusCode;
use identity::modules::{Action, Change, Wanted, product_of};
use serde::Deserialize;
use serde_json::{Value, json};
use store::{platform as kept, record};
use uuid::Uuid;

use super::{missing, refusals::ACTION_UNKNOWN, tenants};
use crate::{
    answer::{Problem, Reply},
    call::{Call, Query},
    platform::{Installation, install, registry},
    route::{Answer, Body, Routes},
};

const PATH: &str = "/_/proxy/tenants/{tenant}/install";
const STEPS: &str = "[{id*, action:(enable|disable), from}]";

/// Installation options.
const PARAMETERS: &str = "async:bool, purge:bool, simulate:bool, depCheck:bool, tenantParameters";
const DONE: &str = "[{id*, action*, from}]";
const JOB: &str = "id*:uuid, complete*:bool, startDate*:datetime, endDate:datetime,
    modules*[{id*, action*, from, stage*}]";

pub(super) fn routes(routes: &mut Routes) {
    let one = &format!("{PATH}/{{job}}");
    routes
        .post(PATH, carry_out)
        .needs(&["okapi.proxy.tenants.install.post"])
        .summary("Enable and disable modules of a tenant")
        .asks(PARAMETERS)
        .gives(DONE)
        .or_gives(StatusCode::CREATED, Body::json(DONE))
        .takes(STEPS);
    routes
        .post("/_/proxy/tenants/{tenant}/upgrade", upgrade)
        .needs(&["okapi.proxy.tenants.upgrade.post"])
        .summary("Give a tenant the newest versions of its modules")
        .asks(PARAMETERS)
        .gives(DONE)
        .or_gives(StatusCode::CREATED, Body::json(DONE));
    routes
        .get(PATH, jobs)
        .needs(&["okapi.proxy.tenants.install.list"])
        .summary("List the installations clients did not wait for")
        .gives(&format!("[{{{JOB}}}]"));
    routes.get(one, job).needs(&["okapi.proxy.tenants.install.get"]).summary("Read an installation").gives(JOB);
    routes.delete(PATH, forget_all).needs(&["okapi.proxy.tenants.install.delete"]).summary("Forget all installations");
    routes.delete(one, forget).needs(&["okapi.proxy.tenants.install.delete"]).summary("Forget an installation");
}

#[derive(Deserialize)]
struct Step {
    id: String,
    action: Option<String>,
}

async fn carry_out(call: Call) -> Answer {
    let sent: Vec<Step> = call.parse()?;
    let wanted: Vec<_> = sent.into_iter().map(wanted).collect::<Result<_, _>>()?;
    answer(&call, wanted).await
}

fn wanted(step: Step) -> Result<Wanted, Problem> {
    let action = match step.action.as_deref() {
        None | Some("enable" | "uptodate" | "suggest") => Action::Enable,
        Some("disable") => Action::Disable,
        Some(other) => return Err(ACTION_UNKNOWN.with("action", other).into()),
    };
    Ok(Wanted { id: step.id, action })
}

async fn upgrade(call: Call) -> Answer {
    let tenant = tenants::find(&call).await?;
    let registry = registry(&call.app).await?;
    let newest = |id: &String| {
        let module = registry.resolve(product_of(id))?;
        (module.id != *id).then(|| Wanted { id: module.id.clone(), action: Action::Enable })
    };
    let wanted = tenant.modules.iter().filter_map(newest).collect();
    answer(&call, wanted).await
}

async fn answer(call: &Call, wanted: Vec<Wanted>) -> Answer {
    let tenant = call.param("tenant");
    let request = requested(&call.query, wanted);
    let changes = install(&call.app, tenant, &request).await?;
    let steps = serde_json::to_value(&changes).unwrap_or_default();
    if !call.query.flag("async") {
        return Ok(Reply::pretty(&steps));
    }
    if request.simulate {
        return Ok(Reply::pretty(&steps).with_status(StatusCode::CREATED));
    }
    let id = Uuid::new_v4();
    let job = finished(id, &changes, &record::print_instant(call.now));
    kept::keep_install_job(&call.app.database, tenant, id, &job).await?;
    let location = format!("/_/proxy/tenants/{tenant}/install/{id}");
    Ok(Reply::pretty(&steps).created(&location))
}

fn requested(query: &Query, wanted: Vec<Wanted>) -> Installation {
    let parameters = query.get("tenantParameters").unwrap_or_default();
    let parameter = |name: &str| {
        let pairs = parameters.split(',').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().any(|(key, value)| key.trim() == name && value.trim() == "true")
    };
    Installation {
        wanted,
        load_reference: parameter("loadReference"),
        load_sample: parameter("loadSample"),
        purge: query.flag("purge"),
        simulate: query.flag("simulate"),
        unchecked: query.is_off("depCheck"),
        takes_names: false,
    }
}

fn finished(id: Uuid, changes: &[Change], now: &str) -> Value {
    let modules: Vec<_> = changes
        .iter()
        .filter_map(|change| serde_json::to_value(change).ok())
        .map(|mut change| {
            change["stage"] = "done".into();
            change
        })
        .collect();
    json!({"id": id, "complete": true, "startDate": now, "endDate": now, "modules": modules})
}

async fn jobs(call: Call) -> Answer {
    let tenant = tenants::find(&call).await?;
    let jobs = kept::install_jobs(&call.app.database, &tenant.id).await?;
    Ok(Reply::pretty(&Value::Array(jobs)))
}

async fn job(call: Call) -> Answer {
    let tenant = tenants::find(&call).await?;
    let id = call.param("job");
    let jobs = kept::install_jobs(&call.app.database, &tenant.id).await?;
    let job = jobs.iter().find(|job| job["id"] == id);
    job.map(Reply::pretty).ok_or_else(|| no_such_job(&tenant.id, id))
}

fn no_such_job(tenant: &str, id: &str) -> Problem {
    missing(format!("{tenant}/{id}"))
}

async fn forget(call: Call) -> Answer {
    let tenant = tenants::find(&call).await?;
    let text = call.param("job");
    let unknown = || no_such_job(&tenant.id, text);
    let id = text.parse().map_err(|_| unknown())?;
    if kept::forget_install_job(&call.app.database, &tenant.id, id).await? {
        Ok(Reply::no_content())
    } else {
        Err(unknown())
    }
}

async fn forget_all(call: Call) -> Answer {
    let tenant = tenants::find(&call).await?;
    kept::forget_install_jobs(&call.app.database, &tenant.id).await?;
    Ok(Reply::no_content())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenant_parameters_are_obeyed() {
        for (query, reference, sample) in [
            ("", false, false),
            ("tenantParameters=loadReference%3Dtrue%2CloadSample%3Dfalse", true, false),
            ("tenantParameters=loadSample=true,loadReference=true", true, true),
            ("tenantParameters=loadReference%3Dfalse", false, false),
            ("loadReference=true", false, false),
            ("tenantParameters=nonsense", false, false),
        ] {
            let request = requested(&Query::read(query), Vec::new());
            assert_eq!((request.load_reference, request.load_sample), (reference, sample), "{query}");
        }
    }
}
