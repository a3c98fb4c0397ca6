//! JTL: JMeter's log of samples as comma-separated values, one line for each request and each transaction.
//!
//! - [`write`]: the lab's requests, so that JMeter's listeners and other reporting tools read them.
//! - [`read`]: a log from elsewhere, which can then be reported and compared like a run of the lab.

pub mod read;
mod tally;
pub mod write;

/// The columns, as JMeter writes them when nothing else is configured.
pub const COLUMNS: [&str; 17] = [
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

/// What JMeter's transaction controller says in `responseMessage`.
const TRANSACTION: &str = "Number of samples in transaction";
