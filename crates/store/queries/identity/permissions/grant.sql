-- Grants a permission to a permission user. Parameters: id, name.
UPDATE permissions_users SET doc = jsonb_set(doc, '{permissions}', (doc->'permissions') || to_jsonb($2::text))
WHERE id = $1 AND NOT (doc->'permissions') @> to_jsonb($2::text)
