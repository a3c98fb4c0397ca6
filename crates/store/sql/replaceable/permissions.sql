-- Which permissions contain a permission, and which permission users hold it: computed when asked for, so
-- that granting a permission rewrites no row that many users share.
CREATE OR REPLACE FUNCTION permission_parents(name text) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT coalesce(jsonb_agg(p.doc->'permissionName' ORDER BY p.seq), '[]')
        FROM permissions p WHERE (p.doc->'subPermissions') @> to_jsonb(name));

CREATE OR REPLACE FUNCTION permission_holders(name text) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT coalesce(jsonb_agg(u.id ORDER BY u.seq), '[]')
        FROM permissions_users u WHERE (u.doc->'permissions') @> to_jsonb(name));
