-- `system_mtime` of records that show something of a changed one. Clients ask for what has changed since a moment
-- (contract 2, "Listing").

-- What other records show of a record: its names, and whether it is published.
CREATE OR REPLACE FUNCTION archival_shown(doc jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_array(doc->'title', doc->'display_string', doc->'id_0', doc->'id_1', doc->'id_2', doc->'id_3',
    doc->'component_id', doc->'level', doc->'other_level', doc->'publish')
$$;

-- Touches the records around some that have changed: the one at the top of the tree; containers and digital objects of the
-- record, and if what is `shown` of it has changed, of all records below it; and what refers to containers, places and the
-- like, or if that has changed, to agents and subjects. Who is changed by somebody else at the moment is left to them. Times
-- are read in whole seconds, so a record is touched at most once in one.
CREATE OR REPLACE FUNCTION touch_around_archival(kinds text[], ids bigint[], shown boolean, at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH changed AS MATERIALIZED (
    SELECT a.kind, a.id, r.root_kind, r.root
    FROM unnest(kinds, ids) AS a (kind, id) JOIN archival_record r ON r.kind = a.kind AND r.id = a.id),
  below AS MATERIALIZED (
    SELECT c.kind, c.id FROM changed c
    UNION
    SELECT s.kind, s.id FROM changed c CROSS JOIN LATERAL archival_subtree(c.kind, c.id) s
    WHERE shown AND c.kind IN ('archival_object', 'resource')),
  around AS MATERIALIZED (
    SELECT c.root_kind AS kind, c.root AS id FROM changed c WHERE c.root IS NOT NULL
    UNION
    SELECT x.target_kind, x.target_id
    FROM below b JOIN archival_reference x ON x.kind = b.kind AND x.id = b.id
    WHERE x.target_kind IN ('digital_object', 'top_container')
    UNION
    SELECT x.kind, x.id
    FROM changed c JOIN archival_reference x ON x.target_kind = c.kind AND x.target_id = c.id
    WHERE c.kind IN ('classification', 'container_profile', 'digital_object', 'location', 'location_profile', 'top_container')
       OR shown AND c.kind IN ('agent_corporate_entity', 'agent_family', 'agent_person', 'agent_software', 'subject')),
  found AS MATERIALIZED (
    SELECT t.kind, t.id
    FROM around w JOIN archival_record t ON t.kind = w.kind AND t.id = w.id
    WHERE t.system_mtime < date_trunc('second', at)
    FOR NO KEY UPDATE OF t SKIP LOCKED)
  UPDATE archival_record r SET system_mtime = at FROM found f WHERE r.kind = f.kind AND r.id = f.id;
END $$;
