-- Digital objects with the resources that they are of. $1 repository, $2 whether suppressed ones are among them.
SELECT json_build_object(
  'identifier', r.doc->>'digital_object_id', 'record_title', r.doc->>'title', 'object_type', r.doc->>'digital_object_type',
  'date_expression', archival_report_dates(r.doc->'dates'),
  'resource_identifier', (
    SELECT string_agg(DISTINCT archival_report_identifier(t.doc), ', ')
    FROM archival_reference x
    LEFT JOIN archival_record n ON n.kind = x.kind AND n.id = x.id AND n.root IS NOT NULL
    JOIN archival_record t ON t.kind = 'resource' AND t.id = coalesce(n.root, x.id) AND coalesce(n.root_kind, x.kind) = 'resource'
    WHERE x.target_kind = r.kind AND x.target_id = r.id AND x.property = 'instances/digital_object')) AS row
FROM archival_record r
WHERE r.kind = 'digital_object' AND r.repository = $1 AND ($2 OR NOT r.suppressed) ORDER BY r.id
