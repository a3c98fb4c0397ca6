-- Changes an audit setting. $1 its group, $2 its key, $3 the changed members, $4 the stamp of its `metadata`.
UPDATE audit_setting
SET doc = (doc - 'description') || $3 || jsonb_build_object('metadata', coalesce(doc->'metadata', '{}') || $4)
WHERE doc->>'groupId' = $1 AND doc->>'key' = $2
