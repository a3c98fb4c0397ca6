-- Whether the log of log-ins is kept, for a kind of event or as a whole. $1 the kind or null.
SELECT login_events_wanted($1)
