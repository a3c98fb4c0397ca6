//! Background jobs: the kinds of job, when each tenant runs them, and this process's job runner.
//!
//! To add a kind, write a handler `async fn(Run<Place>) -> Outcome` in its area and list it in [`all_kinds`]. Add jobs
//! with [`store::jobs::enqueue_in`] or SQL's `enqueue_job(…)`, in the transaction that makes them necessary, and call
//! [`Call::wake_jobs`](crate::call::Call::wake_jobs) after the commit. A recurring job is a timer of its module
//! ([`crate::platform::timers`]) or, where FOLIO has none, a line of [`ALWAYS`].

use std::{collections::BTreeMap, sync::Arc};

use http::Method;
use jiff::{SignedDuration, Timestamp};
use jobs::{Failure, Host, Kinds, Outcome, Run, Runner, Schedule, Scheduled};
use store::{Database, Session, StoreError, platform as kept};

use crate::{
    app::{App, Place},
    archives,
    call::Call,
    folio::{
        circulation::{self, notice_jobs},
        messages::emails,
    },
    inside,
    platform::timers,
};

/// Carrel's own recurring jobs: the kind, the product the tenant must have enabled, and the interval in seconds.
const ALWAYS: &[(&str, &str, i64)] =
    &[(notice_jobs::EVENTS, "mod-circulation", 60), (emails::EMAILS, "mod-email", 300)];

/// Every kind of job, including those run by a timer's route.
#[must_use]
pub(crate) fn all_kinds(app: &App) -> Kinds<Place> {
    let mut kinds = Kinds::default();
    for path in timers::paths().filter(|path| is_served(app, path)) {
        kinds.add(path, move |run| run_route(path, run));
    }
    circulation::jobs(&mut kinds);
    kinds.add(notice_jobs::EVENTS, notice_jobs::deal_with_events);
    kinds.add(emails::EMAILS, emails::work);
    archives::jobs::kinds(&mut kinds);
    kinds
}

/// Creates this process's job runner.
pub fn runner(app: Arc<App>) -> Runner<Background> {
    let (kinds, bell) = (all_kinds(&app), app.bell.clone());
    Runner::new(Background(app), kinds, bell)
}

fn is_served(app: &App, path: &str) -> bool {
    app.routes.find(&Method::POST, path).is_some()
}

/// Runs a timer's job by calling its route as a client's POST would. The scheduler needs no permission.
async fn run_route(path: &'static str, run: Run<Place>) -> Outcome {
    let Place { app, tenant } = run.context;
    let Some((route, path)) = app.routes.find(&Method::POST, path) else {
        return Err(Failure::Never(format!("nothing serves POST {path}")));
    };
    let call = Call {
        request_id: format!("job/{}", run.id),
        ..inside::bare(&app, &tenant, run.session, (Arc::clone(&route), path), run.now)
    };
    match route.run(call).await {
        Ok(_) => Ok(()),
        Err(problem) => Err(Failure::Later(problem.to_string())),
    }
}

/// The application, as the job runner uses it.
pub struct Background(Arc<App>);

impl Host for Background {
    type Context = Place;

    fn now(&self) -> Timestamp {
        (self.0.clock)()
    }

    fn database(&self) -> &Database {
        &self.0.database
    }

    fn session(&self, tenant: &str) -> Option<Session> {
        self.0.session(&*self.0.tenant(tenant)?).ok()
    }

    fn context(&self, tenant: &str) -> Option<Place> {
        Some(Place { app: Arc::clone(&self.0), tenant: self.0.tenant(tenant)? })
    }

    async fn schedules(&self) -> Result<BTreeMap<String, Vec<Scheduled>>, StoreError> {
        let changed = kept::all_changed_timers(&self.0.database).await?;
        let wanted = self.0.all_tenants().into_iter().map(|tenant| {
            let changed = changed.get(&tenant.tenant.id).map_or(&[][..], Vec::as_slice);
            let timers = timers::of_tenant(&tenant.tenant, changed).into_iter();
            let timers = timers.filter(|timer| is_served(&self.0, timer.path));
            let timed = timers.filter_map(|timer| {
                let kind = timer.path.to_owned();
                timer.schedule.map(|schedule| Scheduled { kind, schedule })
            });
            let own = ALWAYS.iter().filter(|(_, product, _)| tenant.has_module(product));
            let own = own.map(|(kind, _, seconds)| Scheduled {
                kind: (*kind).to_owned(),
                schedule: Schedule::Every(SignedDuration::from_secs(*seconds)),
            });
            (tenant.tenant.id.clone(), timed.chain(own).collect())
        });
        Ok(wanted.collect())
    }
}
