//! The kinds of jobs that a program knows, each with its handler.

use std::{collections::BTreeMap, future::Future, pin::Pin, sync::Arc};

use crate::run::{Failure, Run};

/// The result of a handler.
pub type Outcome = Result<(), Failure>;

type Handler<C> = Arc<dyn Fn(Run<C>) -> Pin<Box<dyn Future<Output = Outcome> + Send>> + Send + Sync>;

/// How often a job is attempted unless its kind says otherwise: for a little over four hours in all.
const ATTEMPTS: i32 = 12;

/// One kind of job.
pub struct Kind<C> {
    pub(crate) handler: Handler<C>,
    pub(crate) attempts: i32,
}

impl<C> Kind<C> {
    /// Sets how often a job of this kind is attempted.
    pub fn attempts(&mut self, attempts: u16) -> &mut Self {
        self.attempts = i32::from(attempts.max(1));
        self
    }
}

/// The kinds of jobs by name. `C` is the context of the handlers: the application, the tenant.
pub struct Kinds<C> {
    by_name: BTreeMap<String, Kind<C>>,
}

impl<C> Default for Kinds<C> {
    fn default() -> Self {
        let by_name = BTreeMap::new();
        Self { by_name }
    }
}

impl<C> Kinds<C> {
    /// Adds a kind. Its handler must tolerate running again after it has done all or part of its work.
    pub fn add<H, F>(&mut self, name: &str, handler: H) -> &mut Kind<C>
    where
        H: Fn(Run<C>) -> F + Send + Sync + 'static,
        F: Future<Output = Outcome> + Send + 'static,
    {
        let kind = Kind { handler: Arc::new(move |run| Box::pin(handler(run))), attempts: ATTEMPTS };
        let entry = self.by_name.entry(name.to_owned());
        entry.insert_entry(kind).into_mut()
    }

    /// The kind with that name.
    pub fn find(&self, name: &str) -> Option<&Kind<C>> {
        self.by_name.get(name)
    }

    pub fn names(&self) -> Vec<String> {
        self.by_name.keys().cloned().collect()
    }
}
