//! Runs the stages: one number of users or one rate after the other.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{
    sync::watch,
    task::JoinSet,
    time::{Instant as Tick, Interval, interval_at},
};

use super::{
    Recording,
    figures::{self, About},
    hours::Hours,
    machine,
    options::{Asked, Options},
};
use crate::{
    progress::{Now, Progress},
    virtual_users::{Run, Stage, closed, closed::Closed, open, tally::Tallies},
};

/// Becomes true when the run is to end with the results it has.
pub type Stop = watch::Receiver<bool>;

/// `cut_short` of a run that the user stopped.
pub const INTERRUPTED: &str = "interrupted";
const GONE: &str = "the target was gone";
const STARVED: &str = "the data ran out";

/// Time for requests under way after an interruption.
const PATIENCE: Duration = Duration::from_secs(3);
/// Seconds without a reachable target after which the run ends.
const GONE_SECONDS: u64 = 30;
/// Seconds without free rows after which the run ends.
const STARVED_SECONDS: u64 = 10;
/// Duration of a stage that ends by its number of transactions.
const LONG: Duration = Duration::from_secs(30 * 24 * 3600);

/// Runs all stages and adds them to the recording.
pub(super) async fn all(
    run: &Arc<Run>,
    options: &Options,
    progress: &dyn Progress,
    recording: &mut Recording,
    stop: &mut Stop,
) {
    let asked = options.plan.stages();
    let first = Tick::from_std(run.pulse.began()) + Duration::from_secs(1);
    let mut ticks = interval_at(first, Duration::from_secs(1));
    for (number, &one) in asked.iter().enumerate() {
        let about = About {
            asked: one,
            paced: options.pace.is_some(),
            threads: options.threads,
            cpu: None,
            begins_at: run.pulse.seconds(),
        };
        let stage = Arc::new(begun(run, options));
        let mut under_way = UnderWay {
            hours: Hours::of(&stage, options.duration, options.hour),
            stage,
            about,
            number,
            stages: asked.len(),
            whole: options.transactions.is_none().then(|| options.whole_time()),
            checkpoint: options.checkpoint,
            written: Instant::now(),
            idle: 0,
        };
        let cut_short = under_way.last(options, progress, recording, &mut ticks, stop).await;
        under_way.hour(recording, under_way.ended(), true);
        let ended = figures::of(&under_way.stage, under_way.about, under_way.ended());
        progress.stage(&ended);
        recording.results.stages.push(ended);
        if cut_short.is_some() {
            recording.results.run.cut_short = cut_short.map(str::to_owned);
            break;
        }
    }
    run.pulse.beat(0);
}

fn begun(run: &Arc<Run>, options: &Options) -> Stage {
    let began = Instant::now();
    let counts_from = began + options.ramp_up + options.warm_up;
    let lasts = if options.transactions.is_some() { LONG } else { options.duration };
    Stage {
        run: Arc::clone(run),
        began,
        counts_from,
        ends: counts_from + lasts,
        tallies: Tallies::new(run.workload.transactions.len(), run.workload.kinds.len()),
        stop: AtomicBool::new(false),
        left: AtomicU64::new(options.transactions.unwrap_or(u64::MAX)),
        active: AtomicU32::new(0),
        intended: AtomicU64::new(0),
        late: AtomicU64::new(0),
        missed: AtomicU64::new(0),
        starved: AtomicU64::new(0),
        stopped: std::sync::OnceLock::new(),
    }
}

/// A running stage.
struct UnderWay {
    stage: Arc<Stage>,
    hours: Option<Hours>,
    about: About,
    number: usize,
    stages: usize,
    /// Duration of the whole run, if it is limited by time.
    whole: Option<Duration>,
    /// Interval of partial results.
    checkpoint: Duration,
    /// Time of the last partial result.
    written: Instant,
    /// Seconds in which nothing ended for lack of rows.
    idle: u64,
}

impl UnderWay {
    /// Runs the stage to its end; returns why the run should end with it, if so.
    async fn last(
        &mut self,
        options: &Options,
        progress: &dyn Progress,
        recording: &mut Recording,
        ticks: &mut Interval,
        stop: &mut Stop,
    ) -> Option<&'static str> {
        let mut users = self.start(options);
        let mut cut_short = None;
        let mut patience = None;
        loop {
            tokio::select! {
                joined = users.join_next() => if joined.is_none() { return cut_short },
                _ = ticks.tick() => {
                    let problem = self.second(progress, recording).await;
                    cut_short = cut_short.or(problem);
                }
                () = stop_requested(stop), if patience.is_none() => cut_short = cut_short.or(Some(INTERRUPTED)),
            }
            if cut_short.is_some() {
                self.stage.halt();
                let until = *patience.get_or_insert_with(|| Instant::now() + PATIENCE);
                if Instant::now() >= until {
                    users.shutdown().await;
                    return cut_short;
                }
            }
        }
    }

    fn start(&self, options: &Options) -> JoinSet<()> {
        match self.about.asked {
            Asked::Users(users) => {
                closed::start(&self.stage, Closed { users, ramp_up: options.ramp_up, pace: options.pace })
            }
            Asked::Rate(rate) => open::start(&self.stage, rate),
        }
    }

    fn ended(&self) -> Instant {
        self.stage.stopped.get().copied().unwrap_or_else(Instant::now)
    }

    /// Records an hour that has passed.
    fn hour(&mut self, recording: &mut Recording, now: Instant, over: bool) {
        if let Some(hours) = &mut self.hours {
            let counting = figures::counting(&self.stage, self.about);
            let passed = hours.passed(&self.stage, &recording.watching, counting, now, over);
            recording.results.hours.extend(passed);
        }
    }

    /// Handles the end of a second; returns why the run should end, if so.
    async fn second(&mut self, progress: &dyn Progress, recording: &mut Recording) -> Option<&'static str> {
        let now = Instant::now();
        self.beat(progress, now);
        self.hour(recording, now, false);
        if self.written.elapsed() >= self.checkpoint {
            self.written = now;
            let stage = figures::of(&self.stage, self.about, now);
            if let Some(problem) = recording.checkpoint(stage).await {
                progress.note(&format!("the results so far cannot be written: {problem}"));
            }
        }
        match () {
            () if self.stage.run.pulse.gone_for() >= GONE_SECONDS => Some(GONE),
            () if self.idle >= STARVED_SECONDS => Some(STARVED),
            () => None,
        }
    }

    /// Closes the last second and shows it.
    fn beat(&mut self, progress: &dyn Progress, now: Instant) {
        let (stage, pulse) = (&self.stage, &self.stage.run.pulse);
        let counts = now >= stage.counts_from;
        if counts && self.about.cpu.is_none() {
            self.about.cpu = Some(machine::processor_time());
        }
        let active = stage.active.load(Ordering::Relaxed);
        let last = pulse.beat(active);
        let starved = stage.starved.swap(0, Ordering::Relaxed) > 0 && last.count == 0;
        self.idle = if starved { self.idle + 1 } else { 0 };
        let left = self.whole.map(|whole| whole.saturating_sub(pulse.began().elapsed()));
        let (stage, stages) = (self.number + 1, self.stages);
        progress.second(&Now { stage, stages, counts, active, last, left });
    }
}

/// Waits until the run is to stop; forever, if the sender is gone.
async fn stop_requested(stop: &mut Stop) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending().await
    }
}
