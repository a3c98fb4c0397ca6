-- A patron's PIN and the library's settings for failures. Parameter: user id.
SELECT (SELECT p.doc->>'pin' FROM patronpin p WHERE p.id = $1) AS pin, login_failure_settings() AS limits
