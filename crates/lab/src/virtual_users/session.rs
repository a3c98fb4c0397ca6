//! One virtual user's way through one transaction.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream};
use rand::{Rng, SeedableRng, rngs::SmallRng};

use super::{
    Run, Stage,
    connections::Connections,
    exchange::{self, Exchange},
    given::Given,
    log::Entry,
    tally::lock,
};
use crate::{
    data::pool::Row,
    results::jtl::write::Kind,
    workload::{Step, Transaction},
};

pub struct User {
    connections: Connections,
    random: SmallRng,
    number: u64,
}

impl User {
    /// The user with this number; the same number pauses in the same way in each run.
    pub fn new(number: u64) -> Self {
        Self { connections: Connections::default(), random: SmallRng::seed_from_u64(number), number }
    }

    /// Opens its first connection.
    pub async fn warm(&self, run: &Run) {
        self.connections.warm(run).await;
    }
}

/// Chooses a transaction and takes its rows; `None` if no transaction has free rows.
pub fn choose(run: &Run) -> Option<(usize, Vec<Row>)> {
    let enough = |one: usize| run.workload.transactions[one].rows.iter().all(|row| !run.pools[row.from].is_empty());
    let chosen = run.chooser.next(enough)?;
    let transaction = &run.workload.transactions[chosen];
    let mut rows: Vec<Row> = Vec::with_capacity(transaction.rows.len());
    for used in &transaction.rows {
        let pool = &run.pools[used.from];
        match if used.to.is_some() { pool.take() } else { pool.share() } {
            Some(row) => rows.push(row),
            None => {
                give_back(run, transaction, rows);
                return None;
            }
        }
    }
    Some((chosen, rows))
}

/// Another user took one of the rows: returns the others.
fn give_back(run: &Run, transaction: &Transaction, rows: Vec<Row>) {
    for (row, used) in rows.into_iter().zip(&transaction.rows) {
        if used.to.is_some() {
            run.pools[used.from].put(row);
        }
    }
}

/// Runs a transaction that should have begun at `intended`. Returns whether the server was reachable.
pub async fn perform(stage: &Stage, user: &mut User, chosen: usize, rows: Vec<Row>, intended: Instant) -> bool {
    let run = &*stage.run;
    let transaction = &run.workload.transactions[chosen];
    let picks = transaction.picks.iter();
    let picks = picks.map(|pick| run.pools[pick.from].pick(pick.column, pick.count, pick.same, &pick.join));
    let (picks, variables) = (picks.collect(), vec![None; transaction.variables]);
    let given = Given { rows, picks, variables, me: run.access.user() };
    let mut session = Session {
        stage,
        transaction,
        given,
        retired: Vec::new(),
        moved: Vec::new(),
        counts: stage.counts(intended),
        user: user.number,
        sent: (0, 0),
    };
    let delay = intended.elapsed();
    let outcome = session.run(user, delay).await;
    session.end(chosen, delay, outcome)
}

struct Session<'a> {
    stage: &'a Stage,
    transaction: &'a Transaction,
    given: Given<'a>,
    /// Rows to retire.
    retired: Vec<usize>,
    /// Rows to move to another data set.
    moved: Vec<usize>,
    counts: bool,
    /// Number of the user.
    user: u64,
    /// Number of requests, and of failed ones.
    sent: (usize, usize),
}

/// The kind of failure that ended a session, and whether the server was unreachable.
type Ended = (String, bool);

impl Session<'_> {
    /// Runs the steps; returns their duration without pauses.
    async fn run(&mut self, user: &mut User, delay: Duration) -> Result<Duration, Ended> {
        let (transaction, mut took, mut late) = (self.transaction, Duration::ZERO, delay);
        for step in &transaction.steps {
            self.think(step, &mut user.random).await;
            let began = Instant::now();
            self.step(step, &user.connections, late).await?;
            took += began.elapsed();
            late = Duration::ZERO;
        }
        Ok(took)
    }

    async fn think(&self, step: &Step, random: &mut SmallRng) {
        let (shortest, longest) = step.think;
        if self.stage.run.think_time && longest > 0.0 {
            let pause = Duration::from_secs_f64(random.random_range(shortest..=longest));
            self.stage.wait(Instant::now() + pause).await;
        }
    }

    async fn step(&mut self, step: &Step, connections: &Connections, delay: Duration) -> Result<(), Ended> {
        let run = &*self.stage.run;
        let given = &self.given;
        let exchanges = match step.requests.as_slice() {
            [one] => vec![(0, exchange::send(run, one, given, connections).await)],
            several => {
                let sent = several
                    .iter()
                    .enumerate()
                    .map(async |(at, one)| (at, exchange::send(run, one, given, connections).await));
                let sent: Vec<_> = sent.collect();
                stream::iter(sent).buffer_unordered(run.workload.parallel).collect().await
            }
        };
        let mut ended = None;
        for (at, exchange) in exchanges {
            if let Some(exchange) = exchange
                && let Err(why) = self.note(step, at, exchange, delay)
            {
                ended.get_or_insert(why);
            }
        }
        ended.map_or(Ok(()), Err)
    }

    /// Counts a request and stores extracted values.
    fn note(&mut self, step: &Step, at: usize, exchange: Exchange, delay: Duration) -> Result<(), Ended> {
        let request = &step.requests[at];
        if self.stage.run.notices_absence(request, exchange.answer.as_ref()) {
            return Ok(());
        }
        let text = |place: usize| exchange.found.get(place)?.as_ref();
        let records = request.records.and_then(text).and_then(|found| found.number());
        if self.counts {
            let mut tally = lock(&self.stage.tallies.requests[request.kind]);
            match &exchange.error {
                None => tally.success(exchange.took, delay),
                Some(wrong) => tally.failure(&wrong.kind),
            }
            if let Some(answer) = &exchange.answer {
                tally.weigh(answer, records.map(|records| records as u64));
            }
            drop(tally);
            self.log_request(request.kind, &exchange, delay);
        }
        self.sent.0 += 1;
        self.sent.1 += usize::from(exchange.error.is_some());
        let Some(wrong) = exchange.error else {
            self.moved.extend(&request.acts_on);
            for &(place, variable) in &request.extracts {
                let found = exchange.found[place].as_ref();
                self.given.variables[variable] = found.and_then(|found| found.text()).map(str::to_owned);
            }
            return Ok(());
        };
        let run = &self.stage.run;
        run.pulse.example(&run.workload.kinds[request.kind].name, &wrong.kind, || wrong.detail.clone());
        if wrong.answered() {
            self.retired.extend(&request.acts_on);
        }
        if request.optional { Ok(()) } else { Err((wrong.kind, wrong.unreachable)) }
    }

    fn log_request(&self, kind: usize, exchange: &Exchange, delay: Duration) {
        let (run, kinds) = (&self.stage.run, &self.stage.run.workload.kinds);
        let Some(log) = &run.log else { return };
        let request = Kind::Request {
            url: kinds[kind].path.as_str(),
            status: exchange.answer.as_ref().map(|answer| answer.status),
            bytes: exchange.answer.as_ref().map_or(0, |answer| answer.bytes),
            sent: 0,
        };
        let failure = exchange.error.as_ref().map(|wrong| wrong.kind.as_str());
        log.write(&self.entry(&kinds[kind].name, request, exchange.took + delay, failure));
    }

    fn log_transaction(&self, delay: Duration, outcome: &Result<Duration, Ended>) {
        let Some(log) = &self.stage.run.log else {
            return;
        };
        let (requests, failed) = self.sent;
        let (took, failure) = match outcome {
            Ok(took) => (*took + delay, None),
            Err((kind, _)) => (delay, Some(kind.as_str())),
        };
        let kind = Kind::Transaction { requests, failed };
        log.write(&self.entry(&self.transaction.name, kind, took, failure));
    }

    fn entry<'b>(&self, label: &'b str, kind: Kind<'b>, elapsed: Duration, failure: Option<&'b str>) -> Entry<'b> {
        let users = self.stage.active.load(Ordering::Relaxed);
        Entry { label, kind, elapsed, failure, user: self.user, users }
    }

    /// Counts the transaction and returns its rows to their data sets.
    fn end(self, chosen: usize, delay: Duration, outcome: Result<Duration, Ended>) -> bool {
        let (run, tallies) = (&self.stage.run, &self.stage.tallies);
        let succeeded = outcome.is_ok();
        if self.counts {
            self.log_transaction(delay, &outcome);
        }
        let unreachable = match outcome {
            Ok(took) => {
                run.pulse.success(chosen, took + delay);
                if self.counts {
                    lock(&tallies.transactions[chosen]).success(took, delay);
                }
                false
            }
            Err((kind, unreachable)) => {
                run.pulse.failure(chosen, unreachable);
                if self.counts {
                    lock(&tallies.transactions[chosen]).failure(&kind);
                }
                unreachable
            }
        };
        for (at, (row, used)) in self.given.rows.into_iter().zip(&self.transaction.rows).enumerate() {
            match used.to {
                _ if self.retired.contains(&at) => run.pools[used.from].retire(&row),
                Some(to) => {
                    let moved = succeeded || self.moved.contains(&at);
                    run.pools[if moved { to } else { used.from }].put(row);
                }
                None => {}
            }
        }
        !unreachable
    }
}
