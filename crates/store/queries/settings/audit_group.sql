-- The settings of an audit group, and their number. $1 the group.
SELECT coalesce(json_agg(doc - 'id' ORDER BY doc->>'key'), '[]')::text AS settings, count(*) AS total
FROM audit_setting WHERE doc->>'groupId' = $1
