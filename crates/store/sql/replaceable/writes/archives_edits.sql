-- Notes who is editing which record: [{uri, kind, id, operator, at}]. Who has not said so for half a minute has stopped.
-- Returns {uri: {edited_by: {operator: when}, lock_version}} of all records being edited.
-- Statement: SELECT note_archives_edits($1, $2)
CREATE OR REPLACE FUNCTION note_archives_edits(edits jsonb, now timestamptz) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM archives_edit e WHERE e.at < now - interval '30 seconds';
  INSERT INTO archives_edit AS e (uri, kind, id, operator, at)
  SELECT n->>'uri', min(n->>'kind'), min((n->>'id')::bigint), n->>'operator', max((n->>'at')::timestamptz)
  FROM jsonb_array_elements(edits) n
  WHERE (n->>'at')::timestamptz >= now - interval '30 seconds'
  GROUP BY n->>'uri', n->>'operator'
  ORDER BY n->>'uri', n->>'operator'
  ON CONFLICT (uri, operator) DO UPDATE SET at = greatest(e.at, EXCLUDED.at);
  RETURN coalesce((
    SELECT jsonb_object_agg(o.uri, o.record)
    FROM (SELECT e.uri, jsonb_build_object(
            'edited_by', jsonb_object_agg(e.operator, to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')),
            'lock_version', min(r.lock_version)) AS record
          FROM archives_edit e LEFT JOIN archival_record r ON r.kind = e.kind AND r.id = e.id
          GROUP BY e.uri) o), '{}');
END $$;
