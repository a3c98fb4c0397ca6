-- Removes a permission from a permission user. Parameters: id, name.
UPDATE permissions_users SET doc = jsonb_set(doc, '{permissions}', (doc->'permissions') - $2::text) WHERE id = $1
