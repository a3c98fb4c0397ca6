-- The settings of a group of the audit, and how many. $1 the group.
SELECT coalesce(json_agg(doc - 'id' ORDER BY doc->>'key'), '[]')::text, count(*)
FROM audit_setting WHERE doc->>'groupId' = $1
