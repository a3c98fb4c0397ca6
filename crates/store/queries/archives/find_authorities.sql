-- Agents and subjects by number, and by their whole titles. $1 kinds and $2 ids, $3 kinds and $4 titles.
SELECT r.kind, r.id, coalesce(r.doc->>'title', '') AS title, r.doc->>'source' AS source,
       r.doc#>>'{terms,0,term_type}' AS term_type
FROM unnest($1::text[], $2::bigint[]) AS a (kind, id)
JOIN archival_record r ON r.kind = a.kind AND r.id = a.id
UNION
SELECT r.kind, r.id, r.doc->>'title', r.doc->>'source', r.doc#>>'{terms,0,term_type}'
FROM unnest($3::text[], $4::text[]) AS a (kind, title)
JOIN archival_record r ON r.kind = a.kind AND r.doc->>'title' = a.title
  AND r.kind IN ('agent_corporate_entity', 'agent_family', 'agent_person', 'subject')
ORDER BY 1, 2
