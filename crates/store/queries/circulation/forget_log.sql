-- Deletes the oldest entries of the circulation log that are older than as many days before $1 (now) as the circulation setting
-- circulationLog says, by default $2; at most $3 of them.
DELETE FROM circulation_log e
WHERE e.id = ANY (ARRAY(
  SELECT l.id FROM circulation_log l
  WHERE l.date_exact < to_char(
    (($1::text)::timestamptz - make_interval(days => coalesce(
      (SELECT (s.doc#>>'{value,retentionDays}')::numeric::int FROM circulation_settings s
       WHERE s.doc->>'name' = 'circulationLog' AND jsonb_typeof(s.doc#>'{value,retentionDays}') = 'number' LIMIT 1),
      $2::bigint)::int)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') COLLATE "C"
  ORDER BY l.date_exact LIMIT $3::bigint))
