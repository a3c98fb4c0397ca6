-- Deletes records of the archives (contract 2, "Deletes").

-- A record without its references to some addresses: members and entries of lists whose `ref` is one of them.
CREATE OR REPLACE FUNCTION without_references(part jsonb, gone text[]) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE jsonb_typeof(part)
    WHEN 'object' THEN (
      SELECT coalesce(jsonb_object_agg(m.key, without_references(m.value, gone)), '{}') FROM jsonb_each(part) m
      WHERE NOT coalesce(m.value->>'ref' = ANY (gone), false))
    WHEN 'array' THEN (
      SELECT coalesce(jsonb_agg(without_references(e.entry, gone) ORDER BY e.n), '[]')
      FROM jsonb_array_elements(part) WITH ORDINALITY AS e (entry, n)
      -- An instance is nothing without its digital object or container.
      WHERE NOT coalesce(coalesce(e.entry->>'ref', e.entry#>>'{digital_object,ref}',
                                  e.entry#>>'{sub_container,top_container,ref}') = ANY (gone), false))
    ELSE part END;
END $$;

-- Deletes records and what is below them; records that refer to them lose the references. Notes the addresses for
-- clients that keep copies. Returns the number of deleted records.
CREATE OR REPLACE FUNCTION remove_archival(of_kinds text[], of_ids bigint[], at timestamptz)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  kinds text[];
  ids bigint[];
  uris text[];
BEGIN
  SELECT array_agg(r.kind), array_agg(r.id), array_agg(archival_uri(r.kind, r.repository, r.id) ORDER BY r.kind, r.id)
         || coalesce(array_agg(r.doc#>>'{collection_management,uri}') FILTER (WHERE r.doc ? 'collection_management'), '{}')
  INTO kinds, ids, uris
  FROM (SELECT DISTINCT s.kind, s.id
        FROM unnest(of_kinds, of_ids) AS a (kind, id) CROSS JOIN LATERAL archival_subtree(a.kind, a.id) s) s
  JOIN archival_record r ON r.kind = s.kind AND r.id = s.id;
  PERFORM touch_around_archival(kinds, ids, false, at);
  UPDATE archival_record r
  SET doc = without_references(r.doc, uris), lock_version = r.lock_version + 1, system_mtime = at
  FROM (SELECT DISTINCT x.kind, x.id FROM unnest(kinds, ids) AS d (kind, id)
        JOIN archival_reference x ON x.target_kind = d.kind AND x.target_id = d.id) x
  WHERE r.kind = x.kind AND r.id = x.id;
  DELETE FROM archival_reference x USING unnest(kinds, ids) AS d (kind, id)
  WHERE x.target_kind = d.kind AND x.target_id = d.id;
  -- With the records these would go one by one.
  DELETE FROM archival_reference x USING unnest(kinds, ids) AS d (kind, id) WHERE x.kind = d.kind AND x.id = d.id;
  DELETE FROM archival_record r USING unnest(kinds, ids) AS d (kind, id)
  WHERE r.kind = d.kind AND r.id = d.id;
  INSERT INTO archival_deletion (uri, deleted) SELECT uri, at FROM unnest(uris) uri;
  RETURN coalesce(cardinality(ids), 0);
END $$;

-- Whose an agent is, so that it stays: an "agent" of a repository or of a "user"; null if it may go.
CREATE OR REPLACE FUNCTION held_agent(of text, of_id bigint) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN of NOT LIKE 'agent%' THEN NULL
    WHEN EXISTS (
      SELECT FROM archival_reference x
      WHERE x.target_kind = of AND x.target_id = of_id AND x.kind = 'repository'
        AND x.property = 'agent_representation') THEN 'agent'
    WHEN EXISTS (SELECT FROM archives_user u WHERE u.agent_kind = of AND u.agent = of_id) THEN 'user' END
$$;

-- Deletes records with what is below them, all or none. A null repository is that of records that no repository owns.
-- Returns for each that cannot be deleted its place in the lists, from 0, and why: "gone", "agent" of a repository or of a
-- "user", "location" of containers, or "assessed": an assessment names it, or something below it.
-- Statement: SELECT delete_archival($1, $2, $3, $4)
CREATE OR REPLACE FUNCTION delete_archival(kinds text[], ids bigint[], repositories bigint[], at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  refused jsonb;
BEGIN
  PERFORM FROM archival_record r
  WHERE (r.kind, r.id) IN (SELECT k, i FROM unnest(kinds, ids) AS a (k, i))
  ORDER BY r.kind, r.id FOR UPDATE;
  SELECT jsonb_agg(jsonb_build_object('place', c.n - 1, 'why', c.why) ORDER BY c.n) INTO refused
  FROM (
    SELECT a.n, CASE
      WHEN r.id IS NULL THEN 'gone'
      WHEN h.why IS NOT NULL THEN h.why
      WHEN a.kind = 'location' AND EXISTS (
        SELECT FROM archival_reference x
        WHERE x.target_kind = a.kind AND x.target_id = a.id AND x.kind = 'top_container') THEN 'location'
      WHEN a.kind = 'agent_person' AND EXISTS (
        SELECT FROM archival_reference x
        WHERE x.target_kind = a.kind AND x.target_id = a.id AND x.kind = 'assessment') THEN 'assessed'
      WHEN a.kind IN ('accession', 'archival_object', 'digital_object', 'resource') AND EXISTS (
        SELECT FROM archival_subtree(a.kind, a.id) s
        JOIN archival_reference x ON x.target_kind = s.kind AND x.target_id = s.id
        WHERE x.kind = 'assessment') THEN 'assessed' END AS why
    FROM unnest(kinds, ids, repositories) WITH ORDINALITY AS a (kind, id, repository, n)
    CROSS JOIN held_agent(a.kind, a.id) AS h (why)
    LEFT JOIN archival_record r ON r.kind = a.kind AND r.id = a.id AND r.repository IS NOT DISTINCT FROM a.repository) c
  WHERE c.why IS NOT NULL;
  IF refused IS NULL THEN
    PERFORM remove_archival(kinds, ids, at);
  END IF;
  RETURN coalesce(refused, '[]');
END $$;
