//! What the metrics of `/metrics` mean: their `# HELP` lines. `docs/operations/monitoring.md` says more about some.

use metrics::{describe_counter, describe_gauge, describe_histogram};

const COUNTERS: [(&str, &str); 15] = [
    ("carrel_answers_broken_off_total", "Streamed answers that did not reach their end"),
    ("carrel_events_delivered_total", "Events delivered to subscribers"),
    ("carrel_events_refused_total", "Events that a subscriber refused or did not take"),
    ("carrel_http_turned_away_total", "Connections refused at the limit"),
    ("carrel_jobs_total", "Background jobs that ended"),
    ("carrel_log_lines_dropped_total", "Log lines lost because the log could not be written fast enough"),
    ("carrel_pool_connections_taken_total", "Database connections taken from a pool"),
    ("carrel_pool_wait_microseconds_total", "Time waited for database connections"),
    ("carrel_round_trips_total", "Round trips to the database"),
    ("carrel_sip2_offline_total", "Check-outs, check-ins and renewals that terminals did off line"),
    ("carrel_sip2_resent_total", "Messages of terminals that arrived again"),
    ("carrel_sip2_turned_away_total", "Terminals refused at the limit"),
    ("carrel_sip2_unreadable_total", "Messages of terminals that could not be read"),
    ("carrel_statements_abandoned_total", "Statements cancelled because their client went away"),
    ("carrel_statements_prepared_total", "Statements prepared"),
];

const GAUGES: [(&str, &str); 13] = [
    ("carrel_database_connections", "Database connections"),
    ("carrel_database_idle_connections", "Database connections that are idle"),
    ("carrel_database_waiting_requests", "Requests that wait for a database connection"),
    ("carrel_http_connections", "Open connections"),
    ("carrel_jobs_running", "Background jobs that run"),
    ("carrel_search_building", "1 while a new search index is built"),
    ("carrel_search_documents", "Documents that are searched"),
    ("carrel_search_documents_behind", "Known changes that are not in the search index yet"),
    ("carrel_search_failing", "1 while the search index cannot be kept up to date"),
    ("carrel_search_records_read", "Records read for a new search index"),
    ("carrel_search_seconds_behind", "Seconds since the search index was last complete"),
    ("carrel_search_segments", "Segments of the search index"),
    ("carrel_sip2_terminals", "Connected terminals"),
];

const HISTOGRAMS: [(&str, &str); 3] = [
    ("carrel_job_seconds", "Duration of background jobs"),
    ("carrel_request_seconds", "Duration of requests"),
    ("carrel_sip2_seconds", "Duration of transactions of terminals"),
];

/// Describes all metrics to the recorder, which must be installed.
pub fn describe() {
    COUNTERS.into_iter().for_each(|(name, help)| describe_counter!(name, help));
    GAUGES.into_iter().for_each(|(name, help)| describe_gauge!(name, help));
    HISTOGRAMS.into_iter().for_each(|(name, help)| describe_histogram!(name, help));
}
