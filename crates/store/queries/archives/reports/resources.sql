-- Resources. $1 repository, $2 whether suppressed ones are among them.
SELECT json_build_object(
  'record_title', r.doc->>'title', 'identifier', archival_report_identifier(r.doc), 'level', r.doc->>'level',
  'resource_type', r.doc->>'resource_type', 'publish', CASE WHEN r.publish THEN 'Yes' ELSE 'No' END,
  'restrictions', archival_report_flag(r.doc->'restrictions'),
  'date', (SELECT json_agg(json_build_object(
             '_label', d->>'label',
             '_date', concat_ws(', ', nullif(concat_ws(' - ', d->>'begin', d->>'end'), ''), d->>'expression')) ORDER BY n)
           FROM jsonb_array_elements(r.doc->'dates') WITH ORDINALITY AS e (d, n)),
  'extent', (SELECT json_agg(json_build_object(
               'portion', d->>'portion', 'container_summary', d->>'container_summary',
               'physical_details', d->>'physical_details', 'dimensions', d->>'dimensions',
               'extent_number', d->>'number', 'extent_type', d->>'extent_type') ORDER BY n)
             FROM jsonb_array_elements(r.doc->'extents') WITH ORDINALITY AS e (d, n))) AS row
FROM archival_record r
WHERE r.kind = 'resource' AND r.repository = $1 AND ($2 OR NOT r.suppressed) ORDER BY r.id
