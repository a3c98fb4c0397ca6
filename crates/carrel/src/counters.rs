//! Counters of rare troubles begin at 0 when Carrel starts. An alarm on a counter that is not there before the first trouble misses
//! that trouble.

use crate::listeners::Listeners;

const OF_ALL: [&str; 5] = [
    "carrel_statements_abandoned_total",
    "carrel_answers_broken_off_total",
    "carrel_events_delivered_total",
    "carrel_events_refused_total",
    "carrel_log_lines_dropped_total",
];
const OF_SELF_CHECKS: [&str; 3] =
    ["carrel_sip2_turned_away_total", "carrel_sip2_unreadable_total", "carrel_sip2_resent_total"];
/// What terminals do off line (check-ins, check-outs, renewals), and how it may end.
const OFF_LINE: [&str; 3] = ["09", "11", "29"];
const RESULTS: [&str; 3] = ["done", "refused", "failed"];

/// Begins the counters of the ports that are served. The metrics' recorder must be installed.
pub fn begin(listeners: &Listeners) {
    OF_ALL.into_iter().for_each(|name| metrics::counter!(name).increment(0));
    let archives = listeners.archives.is_some().then_some("archives");
    for port in ["folio", "staff"].into_iter().chain(archives) {
        metrics::counter!("carrel_http_turned_away_total", "port" => port).increment(0);
    }
    if listeners.sip2.is_none() {
        return;
    }
    OF_SELF_CHECKS.into_iter().for_each(|name| metrics::counter!(name).increment(0));
    for message in OFF_LINE {
        for result in RESULTS {
            metrics::counter!("carrel_sip2_offline_total", "message" => message, "result" => result).increment(0);
        }
    }
}
