//! JTL: JMeter's log of samples as CSV, one line per request and transaction.
//!
//! - [`write`]: logs the lab's requests, for JMeter's listeners and other reporting tools.
//! - [`read`]: reads a log of another tool, which can then be reported and compared like a run of the lab.

pub mod read;
mod samples;
mod tally;
pub mod write;

/// JMeter's default columns.
pub(crate) const COLUMNS: [&str; 17] = [
    "timeStamp",
    "elapsed",
    "label",
    "responseCode",
    "responseMessage",
    "threadName",
    "dataType",
    "success",
    "failureMessage",
    "bytes",
    "sentBytes",
    "grpThreads",
    "allThreads",
    "URL",
    "Latency",
    "IdleTime",
    "Connect",
];

/// Start of `responseMessage` in samples of JMeter's transaction controller.
const TRANSACTION: &str = "Number of samples in transaction";
