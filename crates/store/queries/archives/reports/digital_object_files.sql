-- Files of digital objects, with all files of the object and its components. $1 repository, $2 whether suppressed ones are among them.
SELECT json_build_object(
  'digital_object_id', r.id, 'digital_object_identifier', r.doc->>'digital_object_id', 'digital_object_title', r.doc->>'title',
  'digital_object_uri', f->>'file_uri',
  'file_versions', (
    SELECT json_agg(json_build_object(
      'file_uri', e->>'file_uri', 'digital_object_title', CASE h.kind WHEN 'digital_object' THEN h.doc->>'title' END,
      'digital_object_component_title',
      CASE h.kind WHEN 'digital_object_component' THEN h.doc->>'title' END) ORDER BY h.kind, h.id, m)
    FROM (SELECT r.kind, r.id, r.doc
          UNION ALL
          SELECT n.kind, n.id, n.doc FROM archival_record n
          WHERE n.kind = 'digital_object_component' AND n.root_kind = r.kind AND n.root = r.id AND ($2 OR NOT n.suppressed)) h
    CROSS JOIN LATERAL jsonb_array_elements(h.doc->'file_versions') WITH ORDINALITY AS l (e, m))) AS row
FROM archival_record r
CROSS JOIN LATERAL jsonb_array_elements(r.doc->'file_versions') WITH ORDINALITY AS v (f, n)
WHERE r.kind = 'digital_object' AND r.repository = $1 AND ($2 OR NOT r.suppressed) ORDER BY r.id, n
