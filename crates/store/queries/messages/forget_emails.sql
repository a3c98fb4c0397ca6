-- Deletes e-mails of status $3 (null: any) written before $2. If $2 is null, the limit is as many hours before $1 (now)
-- as the tenant has set, by default $4. E-mails still to be sent stay.
DELETE FROM email_statistics e
WHERE e.next_attempt IS NULL
  AND ($3::text IS NULL OR e.doc->>'status' = $3)
  AND (e.doc->>'date') COLLATE "C" < coalesce(
    $2::text,
    to_char((($1::text)::timestamptz - make_interval(hours => coalesce(
              (SELECT (doc->>'expirationHours')::numeric::int FROM smtp_configuration LIMIT 1), $4::bigint)::int))
            AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'))
