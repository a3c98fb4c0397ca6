-- Ends a session. $1 digest of its token.
DELETE FROM archives_session WHERE digest = $1
