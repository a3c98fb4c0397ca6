-- Resources. $1 repository, $2 whether suppressed ones are among them.
SELECT json_build_object(
  'record_title', r.doc->>'title', 'identifier', archival_report_identifier(r.doc), 'level', r.doc->>'level',
  'resource_type', r.doc->>'resource_type', 'publish', CASE WHEN r.publish THEN 'Yes' ELSE 'No' END,
  'restrictions', archival_report_flag(r.doc->'restrictions'),
  'date', (SELECT coalesce(json_agg(json_build_object(
             'expression', d->>'expression', 'begin', d->>'begin', 'end', d->>'end', 'date_type', d->>'date_type') ORDER BY n), '[]')
           FROM jsonb_array_elements(r.doc->'dates') WITH ORDINALITY AS e (d, n)),
  'extent', (SELECT coalesce(json_agg(json_build_object(
               'number', d->>'number', 'extent_type', d->>'extent_type', 'portion', d->>'portion',
               'container_summary', d->>'container_summary') ORDER BY n), '[]')
             FROM jsonb_array_elements(r.doc->'extents') WITH ORDINALITY AS e (d, n))) AS row
FROM archival_record r
WHERE r.kind = 'resource' AND r.repository = $1 AND ($2 OR NOT r.suppressed) ORDER BY r.id
