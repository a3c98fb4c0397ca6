-- Changes of many containers at once (contract 3.4).

-- Sets one member of containers: [{id, value, key, target}]; without a value it is removed. `key` is a new barcode, `target` the
-- record that the value refers to. A new current location takes the place of the current ones. With `all_of_them`, none is
-- changed if one does not exist. Returns the ids of the changed ones, in their order, or like change_archival why not.
-- Statement: SELECT change_archival_containers($1, $2, $3, $4, $5, $6)
CREATE OR REPLACE FUNCTION change_archival_containers(
  member text, changes jsonb, within bigint, all_of_them boolean, who text, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  scope_of_barcodes text := format('top_container/%s/barcode', within);
  found bigint[];
  refused jsonb;
BEGIN
  SELECT array_agg(r.id) INTO found
  FROM (SELECT r.id FROM archival_record r
        WHERE r.kind = 'top_container' AND r.repository = within
          AND r.id IN (SELECT (c->>'id')::bigint FROM jsonb_array_elements(changes) c)
        ORDER BY r.id FOR NO KEY UPDATE) r;
  found := coalesce(found, '{}');
  IF all_of_them AND EXISTS (
    SELECT FROM jsonb_array_elements(changes) c WHERE (c->>'id')::bigint = ANY (found) IS NOT TRUE) THEN
    RETURN '{"gone": true}';
  END IF;
  refused := archival_missing(jsonb_path_query_array(changes, '$[*].target'), within);
  IF refused IS NOT NULL THEN
    RETURN jsonb_build_object('missing', refused);
  END IF;
  IF member = 'barcode' THEN
    SELECT jsonb_agg(jsonb_build_object('scope', k.scope, 'id', c->'id')) INTO refused
    FROM jsonb_array_elements(changes) c
    JOIN archival_key k ON k.scope = scope_of_barcodes AND k.value = c->>'key' AND k.id <> ALL (found);
    IF refused IS NOT NULL THEN
      RETURN jsonb_build_object('taken', refused);
    END IF;
    DELETE FROM archival_key k WHERE k.kind = 'top_container' AND k.id = ANY (found) AND k.scope = scope_of_barcodes;
    INSERT INTO archival_key (scope, value, kind, id)
    SELECT scope_of_barcodes, c->>'key', 'top_container', (c->>'id')::bigint
    FROM jsonb_array_elements(changes) c WHERE c ? 'key' AND (c->>'id')::bigint = ANY (found);
  END IF;
  UPDATE archival_record r
  SET doc = (r.doc - member)
            || CASE WHEN member = 'container_locations'
               THEN jsonb_build_object(member, coalesce(c->'value', '[]') || jsonb_path_query_array(
                 r.doc, '$.container_locations[*] ? (@.status != "current")'))
               WHEN c ? 'value' THEN jsonb_build_object(member, c->'value')
               ELSE '{}' END,
      lock_version = r.lock_version + 1, last_modified_by = who, user_mtime = at, system_mtime = at
  FROM jsonb_array_elements(changes) c
  WHERE r.kind = 'top_container' AND r.id = ANY (found) AND r.id = (c->>'id')::bigint;
  IF member IN ('container_locations', 'container_profile') THEN
    DELETE FROM archival_reference x WHERE x.kind = 'top_container' AND x.id = ANY (found) AND x.property = member;
    INSERT INTO archival_reference (kind, id, repository, property, target_kind, target_id)
    SELECT DISTINCT r.kind, r.id, coalesce(r.repository, 0), member, CASE member WHEN 'container_profile' THEN member ELSE 'location' END,
                    substring(ref #>> '{}' FROM '[0-9]+$')::bigint
    FROM archival_record r, jsonb_path_query(r.doc->member, 'lax $.ref') ref
    WHERE r.kind = 'top_container' AND r.id = ANY (found);
  END IF;
  PERFORM touch_around_archival(array_fill('top_container'::text, ARRAY[cardinality(found)]), found, false, at);
  RETURN jsonb_build_object('ids', (
    SELECT jsonb_agg(DISTINCT (c->>'id')::bigint) FROM jsonb_array_elements(changes) c
    WHERE (c->>'id')::bigint = ANY (found)));
END $$;
