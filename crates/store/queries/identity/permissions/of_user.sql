-- The permissions of a permission user; when expanded, including those that replace a held name. Parameters: id,
-- whether it is the user's id, whether to expand sets, whether to return definitions, replaced names as `{"old":
-- ["new"]}`. Returns the names, first those held directly in their order, and the definitions as a JSON array.
WITH RECURSIVE holder AS (
  SELECT doc FROM permissions_users WHERE (id = $1 AND NOT $2) OR (userid = $1 AND $2)
), held (name, place) AS (
  SELECT DISTINCT ON (h.value) h.value, h.ordinality
  FROM holder, jsonb_array_elements_text(doc->'permissions') WITH ORDINALITY AS h
  ORDER BY h.value, h.ordinality
), inside (name) AS (
  SELECT name FROM held
  UNION
  SELECT further.name
  -- An array, as in composite/of_user.sql.
  FROM inside CROSS JOIN LATERAL unnest(ARRAY(
    SELECT jsonb_array_elements_text(p.doc->'subPermissions') FROM permissions p
    WHERE carrel.exact_key(p.doc->>'permissionName') COLLATE "C" = inside.name
    UNION ALL SELECT jsonb_array_elements_text($5::jsonb->inside.name)
  )) AS further (name)
  WHERE $3
), ordered AS (
  SELECT inside.name, held.place FROM inside LEFT JOIN held USING (name)
)
SELECT coalesce((SELECT array_agg(name ORDER BY place NULLS LAST, name) FROM ordered), '{}') AS names,
       CASE WHEN $4 THEN (
         SELECT coalesce(json_agg(r.doc || jsonb_build_object(
                  'childOf', permission_parents(o.name), 'grantedTo', permission_holders(o.name)) ORDER BY o.place NULLS LAST, o.name), '[]')::text
         FROM ordered o JOIN permissions r ON carrel.exact_key(r.doc->>'permissionName') COLLATE "C" = o.name)
       END AS definitions
FROM holder
