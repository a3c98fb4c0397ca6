-- What other records show of records. $1 types, $2 ids.
SELECT jsonb_strip_nulls(jsonb_build_object(
  'uri', archival_uri(r.kind, r.repository, r.id), 'jsonmodel_type', r.kind, 'publish', r.publish,
  'title', r.doc->'title', 'display_string', r.doc->'display_string', 'name', r.doc#>'{display_name,sort_name}',
  'names', CASE WHEN jsonb_array_length(r.doc->'names') > 1 THEN jsonb_path_query_array(r.doc, '$.names[*].sort_name') END,
  'code', r.doc->'repo_code', 'location_profile', CASE WHEN r.kind = 'location' THEN (
    SELECT p.doc->'display_string' FROM archival_record p WHERE p.kind = 'location_profile'
      AND p.id = substring(r.doc#>>'{location_profile,ref}' FROM '[0-9]+$')::bigint) END,
  -- What components below it show of it.
  'inherited', CASE WHEN r.kind IN ('archival_object', 'resource') THEN jsonb_build_object(
    'title', r.doc->'title', 'dates', r.doc->'dates',
    'notes', jsonb_path_query_array(r.doc, '$.notes[*] ? (@.type == "accessrestrict")')) END)) AS named
FROM unnest($1::text[], $2::bigint[]) AS a (kind, id)
-- PostgreSQL expects so many that it would read the whole table; the limit leaves it the key.
CROSS JOIN LATERAL (SELECT * FROM archival_record r WHERE r.kind = a.kind AND r.id = a.id LIMIT 1) r
