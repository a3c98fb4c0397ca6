-- Whether the log-in log is enabled, for one event type or as a whole. $1 the type or null.
SELECT login_events_wanted($1)
