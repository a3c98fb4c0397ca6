-- Imports into the archives (decision 43).

-- Locks nodes that get children, or records at the top: [{kind, root_kind, root, parent}]. Returns the highest rank among
-- the children of each, in their order; null if it does not exist in that repository or tree.
-- Statement: SELECT lock_archival_places($1, $2)
CREATE OR REPLACE FUNCTION lock_archival_places(places jsonb, within bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_archival_parents(
    array_agg(CASE WHEN p->>'parent' IS NULL THEN p->>'root_kind' ELSE p->>'kind' END),
    array_agg(coalesce(p->>'parent', p->>'root')::bigint))
  FROM jsonb_array_elements(places) p;
  RETURN (
    SELECT jsonb_agg(CASE WHEN EXISTS (
             SELECT FROM archival_record r
             WHERE r.kind = p->>'root_kind' AND r.id = (p->>'root')::bigint AND r.repository = within)
           AND (p->>'parent' IS NULL OR EXISTS (
             SELECT FROM archival_record r
             WHERE r.kind = p->>'kind' AND r.id = (p->>'parent')::bigint AND r.root = (p->>'root')::bigint))
      THEN last_archival_rank(p->>'kind', (p->>'root')::bigint, (p->>'parent')::bigint) END ORDER BY n)
    FROM jsonb_array_elements(places) WITH ORDINALITY AS e (p, n));
END $$;
