-- Replaces a permission user, if it still holds what the change was decided on; who created it and when is
-- kept. Parameters: id, record, permissions it held.
UPDATE permissions_users
SET doc = $2::jsonb || jsonb_build_object('metadata', ($2::jsonb->'metadata')
            || (coalesce(doc->'metadata', '{}') - 'updatedDate' - 'updatedByUserId'))
WHERE id = $1 AND (doc->'permissions') = $3
