-- Subjects that records have.
SELECT json_build_object('term', r.doc->>'title', 'type', archival_report_texts(r.doc->'terms', 'term_type'),
                         'source', r.doc->>'source') AS row
FROM archival_record r
WHERE r.kind = 'subject'
  AND EXISTS (SELECT FROM archival_reference x WHERE x.target_kind = r.kind AND x.target_id = r.id) ORDER BY r.id
