//! Short runs.

use std::{collections::BTreeMap, path::Path, time::Duration};

use lab::{
    access::Credentials,
    progress::Silent,
    results::model::{Figures, Results, Stage},
    run::{
        Outcome,
        error::RunError,
        options::{CHECKPOINT, HOUR, Options, Plan},
        run,
    },
    watch::Watch,
    workload::{self, Workload, parse},
};
use tokio::sync::watch;

/// One user, no pauses, no warm-up.
pub fn options(url: &str, folder: &Path, millis: u64) -> Options {
    Options {
        url: url.to_owned(),
        credentials: Credentials {
            tenant: "diku".to_owned(),
            user: "diku_admin".to_owned(),
            password: "admin".to_owned(),
        },
        plan: Plan::Users(vec![1]),
        think_time: false,
        ramp_up: Duration::ZERO,
        warm_up: Duration::ZERO,
        duration: Duration::from_millis(millis),
        transactions: None,
        pace: None,
        timeout: Duration::from_secs(10),
        files: BTreeMap::new(),
        folder: Some(folder.to_owned()),
        label: None,
        commit: None,
        command: vec!["lab".to_owned()],
        threads: 2,
        hour: HOUR,
        checkpoint: CHECKPOINT,
        jtl: None,
    }
}

/// A workload of one request.
pub fn get(path: &str) -> Workload {
    let text = format!(
        "name = \"get\"\ntitle = \"One request\"\nprotocol = \"plain\"\n[[transaction]]\nname = \"Get\"\n\
         [[transaction.step]]\n[[transaction.step.request]]\nname = \"GET it\"\npath = \"{path}\"\n"
    );
    parse("get.toml", &text).expect("sound")
}

/// Runs a workload to its end; also an error if no transaction succeeded.
pub async fn measure(workload: Workload, options: Options) -> Result<Outcome, RunError> {
    let (_running, stop) = watch::channel(false);
    let mut outcome = run(workload, options, Watch::default(), &Silent, stop).await?;
    outcome.failed.take().map_or(Ok(outcome), Err)
}

/// Runs a shipped workload against a stub, in its own folder.
pub async fn shipped(name: &str, url: &str, change: impl FnOnce(&mut Options)) -> Result<Results, RunError> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut options = options(url, folder.path(), 1_000);
    change(&mut options);
    let workload = workload::load(name).expect("shipped");
    measure(workload, options).await.map(|outcome| outcome.results)
}

/// The only stage.
pub fn only(results: &Results) -> &Stage {
    let [stage] = results.stages.as_slice() else { panic!("{} stages", results.stages.len()) };
    stage
}

/// The figures with this name.
pub fn named<'a>(all: &'a [Figures], name: &str) -> &'a Figures {
    let found = all.iter().find(|figures| figures.name == name);
    found.unwrap_or_else(|| panic!("no {name} in {:?}", all.iter().map(|f| &f.name).collect::<Vec<_>>()))
}
