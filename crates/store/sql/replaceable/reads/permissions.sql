-- Which permissions contain a permission, and which permission users hold it: computed on request, so that granting a
-- permission rewrites no shared row.
CREATE OR REPLACE FUNCTION permission_parents(name text) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT coalesce(jsonb_agg(p.doc->'permissionName' ORDER BY p.seq), '[]')
        FROM permissions p WHERE (p.doc->'subPermissions') @> to_jsonb(name));

CREATE OR REPLACE FUNCTION permission_holders(name text) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT coalesce(jsonb_agg(u.id ORDER BY u.seq), '[]')
        FROM permissions_users u WHERE (u.doc->'permissions') @> to_jsonb(name));

-- The names inside a permission set at any depth, except its own. Each round expands the names found in the last one,
-- so a set that contains itself ends the loop.
CREATE OR REPLACE FUNCTION permission_inside(name text, subs jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  found text[] := '{}';
  fresh text[] := ARRAY(SELECT DISTINCT jsonb_array_elements_text(subs));
BEGIN
  WHILE fresh <> '{}' LOOP
    found := found || fresh;
    fresh := ARRAY(
      SELECT DISTINCT sub
      FROM permissions p CROSS JOIN LATERAL jsonb_array_elements_text(p.doc->'subPermissions') AS sub
      WHERE carrel.exact_key(p.doc->>'permissionName') COLLATE "C" = ANY (fresh) AND sub <> ALL (found));
  END LOOP;
  RETURN (SELECT coalesce(jsonb_agg(inside ORDER BY inside), '[]') FROM unnest(found) AS inside WHERE inside <> name);
END $$;

-- The direct subpermissions of a set in the form of the API, in order.
CREATE OR REPLACE FUNCTION permission_definitions(subs jsonb) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT coalesce(jsonb_agg(p.doc || jsonb_build_object('childOf', permission_parents(sub.name),
                                  'grantedTo', permission_holders(sub.name)) ORDER BY sub.place), '[]')
        FROM jsonb_array_elements_text(subs) WITH ORDINALITY AS sub (name, place)
        JOIN permissions p ON carrel.exact_key(p.doc->>'permissionName') COLLATE "C" = sub.name);
