-- Replaces a permission user if its permissions are still those the decision was based on; keeps who created it and
-- when. Parameters: id, record, previous permissions.
UPDATE permissions_users
SET doc = $2::jsonb || jsonb_build_object('metadata', ($2::jsonb->'metadata')
            || (coalesce(doc->'metadata', '{}') - 'updatedDate' - 'updatedByUserId'))
WHERE id = $1 AND (doc->'permissions') = $3
