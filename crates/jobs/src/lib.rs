//! Work that is done later, or again and again: a queue in each tenant's schema, handlers in Rust, and the runner that brings
//! the two together, safe with several processes and after the sudden end of one.
//!
//! * A job is entered in the transaction of the change that makes it necessary ([`store::jobs::enqueue_in`], or
//!   `enqueue_job(…)` in SQL), so it exists if and only if the change does. Afterwards [`Bell::ring`] spares it the wait.
//! * Its kind has a handler ([`Kinds::add`]). **A handler may run more than once for one job**: it is run again when its
//!   process died or its lease was over. It must find done what has been done.
//! * One that fails is tried again after a growing time, and in the end kept as failed, with the reason.
//! * A kind with a [`Schedule`] has one job that returns to the queue after each run, so it runs once for all processes
//!   and never beside itself.

mod bell;
mod forget;
mod kinds;
mod run;
mod runner;
mod schedule;
mod settlement;
mod work;

pub use bell::Bell;
pub use kinds::{Kind, Kinds, Outcome};
pub use run::{Failure, Run};
pub use runner::{Host, Runner, Scheduled};
pub use schedule::Schedule;
