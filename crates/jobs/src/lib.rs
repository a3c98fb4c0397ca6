//! Background jobs: a queue in each tenant's schema, handlers in Rust, and the runner that connects the two. Safe with
//! several processes and after a crash.
//!
//! * A job is entered in the transaction of the change that makes it necessary ([`store::jobs::enqueue_in`], or
//!   `enqueue_job(…)` in SQL), so it exists if and only if the change does. Then [`Bell::ring`] starts it without
//!   delay.
//! * Its kind has a handler ([`Kinds::add`]). **A handler may run more than once for one job**: it runs again if its
//!   process died or its lease ended. It must recognize work that is already done.
//! * A failed job is retried after growing delays, and finally kept as failed, with the reason.
//! * A kind with a [`Schedule`] has one job that returns to the queue after each run, so it runs once for all processes
//!   and never concurrently with itself.

mod bell;
mod forget;
mod host;
mod kinds;
mod run;
mod runner;
mod schedule;
mod settlement;
mod work;

pub use bell::Bell;
pub use host::Host;
pub use kinds::{Kind, Kinds, Outcome};
pub use run::{Failure, Run};
pub use runner::Runner;
pub use schedule::{Schedule, Scheduled};
