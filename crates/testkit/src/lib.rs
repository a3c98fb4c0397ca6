//! The foundation of tests: a real PostgreSQL, a database for each test, Carrel running on free ports, clients, and a
//! clock that tests move.
//!
//! ```ignore
//! let library = testkit::library().await;
//! let answer = library.open.get("/material-types").await;
//! answer.expect_status(200);
//! ```

mod boot;
mod client;
mod clock;
mod conformance;
mod exchanges;
mod hook;
mod library;
mod plans;
mod server;

pub use boot::routes;
pub use client::{Answer, Client};
pub use clock::TestClock;
pub use exchanges::{Api, Exchange};
pub use hook::{Hook, Sent};
pub use library::{Library, library, library_with};
pub use plans::{PlanLog, Planned, Planning};
