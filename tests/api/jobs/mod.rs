//! The job queue: what runs, how often, after which failure, in how many processes.

mod failures;
mod queue;
mod schedules;
mod shown;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use api::app::App;
use jiff::{SignedDuration, Timestamp};
use jobs::{Bell, Failure, Host, Kinds, Outcome, Run, Runner, Schedule, Scheduled};
use serde_json::{Value, json};
use store::{
    Database, Session, StoreError,
    jobs::{NewJob, enqueue},
};
use testkit::{Library, library};

/// What the handlers of these tests did: kind and payload of each run.
type Log = Arc<Mutex<Vec<(String, Value)>>>;

/// A program with its own jobs on a library's tables.
struct Program {
    app: Arc<App>,
    log: Log,
    scheduled: Vec<Scheduled>,
}

impl Host for Program {
    type Context = Log;

    fn now(&self) -> Timestamp {
        (self.app.clock)()
    }

    fn database(&self) -> &Database {
        &self.app.database
    }

    fn session(&self, tenant: &str) -> Option<Session> {
        self.app.session(&*self.app.tenant(tenant)?).ok()
    }

    fn context(&self, _: &str) -> Option<Log> {
        Some(Arc::clone(&self.log))
    }

    async fn schedules(&self) -> Result<BTreeMap<String, Vec<Scheduled>>, StoreError> {
        Ok([("test".to_owned(), self.scheduled.clone())].into())
    }
}

/// Records the run and does what its payload says.
async fn note(kind: &'static str, run: Run<Log>) -> Outcome {
    let failure = run.payload["fail"].as_str().map(ToOwned::to_owned);
    run.context.lock().unwrap().push((kind.to_owned(), run.payload));
    match failure.as_deref() {
        None => Ok(()),
        Some("never") => Err(Failure::Never("it cannot be done".into())),
        Some("panic") => panic!("a defect"),
        Some(text) => Err(Failure::Later(text.into())),
    }
}

fn kinds() -> Kinds<Log> {
    let mut kinds = Kinds::default();
    kinds.add("note", |run| note("note", run)).attempts(3);
    kinds.add("other", |run| note("other", run));
    kinds
}

/// A library, and what has run in it.
struct Fixture {
    library: Library,
    log: Log,
    session: Session,
}

impl Fixture {
    async fn new() -> Self {
        let library = library().await;
        let tenant = library.app.tenant("test").expect("the tenant");
        let session = library.app.session(&tenant).expect("a session");
        Self { library, log: Log::default(), session }
    }

    fn runner_of(&self, kinds: Kinds<Log>, scheduled: Vec<Scheduled>) -> Runner<Program> {
        let program = Program { app: Arc::clone(&self.library.app), log: Arc::clone(&self.log), scheduled };
        Runner::new(program, kinds, Bell::default())
    }

    fn runner(&self) -> Runner<Program> {
        self.runner_of(kinds(), Vec::new())
    }

    /// Runs the due jobs; returns how many.
    async fn run(&self) -> usize {
        self.runner().run_due().await.expect("jobs")
    }

    async fn enter(&self, payload: &Value) -> i64 {
        let job = NewJob::new("note", payload);
        enqueue(&self.session, &job).await.expect("entered")
    }

    fn pass(&self, seconds: i64) {
        self.library.clock.advance(SignedDuration::from_secs(seconds));
    }

    fn now(&self) -> Timestamp {
        self.library.clock.now()
    }

    /// The payloads of all runs.
    fn ran(&self) -> Vec<Value> {
        let log = self.log.lock().unwrap();
        log.iter().map(|(_, payload)| payload.clone()).collect()
    }

    /// State, attempts and failure of each job except the queue's own, oldest first.
    async fn jobs(&self) -> Vec<(String, i32, Option<String>)> {
        let sql = "SELECT state, attempts, error FROM job WHERE kind <> 'forget-old-jobs' ORDER BY id";
        let rows = self.session.query(sql, &[]).await.expect("jobs");
        rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect()
    }
}

fn done() -> (String, i32, Option<String>) {
    ("done".into(), 1, None)
}

fn every(kind: &str, seconds: i64) -> Scheduled {
    Scheduled { kind: kind.into(), schedule: Schedule::Every(SignedDuration::from_secs(seconds)) }
}
