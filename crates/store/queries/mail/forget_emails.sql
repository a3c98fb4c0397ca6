-- Forgets e-mails of status $3 (any, when null) written before $2; when that is null, so many hours before $1 (now) as the
-- tenant has set, else $4. What is still to be sent stays.
DELETE FROM email_statistics e
WHERE e.next_attempt IS NULL
  AND ($3::text IS NULL OR e.doc->>'status' = $3)
  AND (e.doc->>'date') COLLATE "C" < coalesce(
    $2::text,
    to_char((($1::text)::timestamptz - make_interval(hours => coalesce(
              (SELECT (doc->>'expirationHours')::numeric::int FROM smtp_configuration LIMIT 1), $4::bigint)::int))
            AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'))
