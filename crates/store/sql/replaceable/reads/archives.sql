-- Records of the archives as clients see them (docs/archivesspace).

-- The address of a record; its pattern is also declared with the record type (archives::model), and a test compares.
CREATE OR REPLACE FUNCTION archival_uri(kind text, repository bigint, id bigint)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN repository IS NULL THEN '' ELSE '/repositories/' || repository END || '/' ||
    CASE kind
      WHEN 'agent_person' THEN 'agents/people'
      WHEN 'agent_family' THEN 'agents/families'
      WHEN 'agent_corporate_entity' THEN 'agents/corporate_entities'
      WHEN 'agent_software' THEN 'agents/software'
      WHEN 'repository' THEN 'repositories'
      WHEN 'vocabulary' THEN 'vocabularies'
      WHEN 'collection_management' THEN 'collection_management'
      ELSE kind || 's'
    END || '/' || id
$$;

CREATE OR REPLACE FUNCTION archival_time(moment timestamptz)
RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

-- Of each agent and subject: the repositories whose records have it, the roles that agents have there, whether something
-- published has it, and the repository and the user that an agent stands for. It is PL/pgSQL so that other records do not pay for it.
CREATE OR REPLACE FUNCTION archival_authority_facts(kinds text[], ids bigint[])
RETURNS TABLE (kind text, id bigint, facts jsonb) LANGUAGE plpgsql STABLE ROWS 10 AS $$
BEGIN
  IF ids IS NULL THEN
    RETURN;
  END IF;
  RETURN QUERY
  -- They are had by records, and of subjects these can be agents.
  WITH RECURSIVE authority AS MATERIALIZED (
    SELECT DISTINCT kinds[a.place] AS kind, ids[a.place] AS id FROM generate_subscripts(ids, 1) AS a (place)),
  -- Each combination is a step in the index, however many records have it.
  used_as AS (
    SELECT a.kind, a.id, first.by_kind, first.repository, first.property, first.role
    FROM authority a
    CROSS JOIN LATERAL (
      SELECT x.kind AS by_kind, x.repository, x.property, x.role FROM archival_reference x
      WHERE x.target_kind = a.kind AND x.target_id = a.id
      ORDER BY x.kind, x.repository, x.property, x.role LIMIT 1) first
    UNION ALL
    SELECT u.kind, u.id, next.by_kind, next.repository, next.property, next.role
    FROM used_as u
    CROSS JOIN LATERAL (
      SELECT x.kind AS by_kind, x.repository, x.property, x.role FROM archival_reference x
      WHERE x.target_kind = u.kind AND x.target_id = u.id
        AND (x.kind, x.repository, x.property, x.role) > (u.by_kind, u.repository, u.property, u.role)
      ORDER BY x.kind, x.repository, x.property, x.role LIMIT 1) next),
  linked AS (
    SELECT u.kind, u.id, u.role, u.by_kind, u.repository FROM used_as u
    WHERE u.kind = 'subject' OR u.property = 'linked_agents'),
  -- Those that a published record has, with all above it published; the first that is found will do.
  published AS (
    SELECT a.kind, a.id
    FROM authority a
    CROSS JOIN LATERAL (
      SELECT FROM archival_reference x
      JOIN archival_record r ON r.kind = x.kind AND r.id = x.id AND r.publish AND NOT r.suppressed
      LEFT JOIN archival_record p ON p.kind = 'repository' AND p.id = r.repository
      LEFT JOIN archival_record t ON t.kind = r.root_kind AND t.id = r.root
      WHERE x.target_kind = a.kind AND x.target_id = a.id AND (a.kind = 'subject' OR x.property = 'linked_agents')
        AND x.kind <> 'event' AND coalesce(p.publish, true) AND coalesce(t.publish AND NOT t.suppressed, true)
        AND NOT EXISTS (
          WITH RECURSIVE up AS (
            SELECT n.parent, n.publish AND NOT n.suppressed AS shown
            FROM archival_record n WHERE n.kind = r.kind AND n.id = r.parent
            UNION ALL
            SELECT n.parent, n.publish AND NOT n.suppressed
            FROM up JOIN archival_record n ON n.kind = r.kind AND n.id = up.parent WHERE up.shown)
          SELECT FROM up WHERE NOT up.shown)
      LIMIT 1) first),
  roles AS (SELECT l.kind, l.id, jsonb_agg(DISTINCT l.role) AS names FROM linked l
            WHERE l.role <> '' AND l.by_kind <> 'event' GROUP BY l.kind, l.id),
  used AS (
    SELECT l.kind, l.id, jsonb_agg('/repositories/' || l.repository ORDER BY l.repository) AS everywhere,
           jsonb_agg('/repositories/' || l.repository ORDER BY l.repository) FILTER (WHERE p.publish) AS published
    FROM (SELECT DISTINCT l.kind, l.id, l.repository FROM linked l WHERE l.repository > 0) l
    JOIN archival_record p ON p.kind = 'repository' AND p.id = l.repository
    GROUP BY l.kind, l.id),
  represented AS (
    SELECT a.kind, a.id, min(r.doc->>'name') AS name
    FROM authority a
    JOIN archival_reference x ON x.target_kind = a.kind AND x.target_id = a.id AND x.kind = 'repository'
      AND x.property = 'agent_representation'
    JOIN archival_record r ON r.kind = x.kind AND r.id = x.id
    GROUP BY a.kind, a.id)
  SELECT y.kind, y.id,
    jsonb_build_object(
      'is_linked_to_published_record', s.id IS NOT NULL, 'used_within_repositories', coalesce(w.everywhere, '[]'),
      'used_within_published_repositories', coalesce(w.published, '[]'))
    || CASE WHEN y.kind = 'subject' THEN '{}'
       ELSE jsonb_build_object('linked_agent_roles', coalesce(o.names, '[]')) END
    || jsonb_strip_nulls(jsonb_build_object('is_repo_agent', b.name, 'is_user', n.username))
  FROM authority y
  LEFT JOIN published s ON s.kind = y.kind AND s.id = y.id
  LEFT JOIN used w ON w.kind = y.kind AND w.id = y.id
  LEFT JOIN roles o ON o.kind = y.kind AND o.id = y.id
  LEFT JOIN represented b ON b.kind = y.kind AND b.id = y.id
  LEFT JOIN LATERAL (
    SELECT lower(p.doc->>'username') AS username
    FROM archives_user u JOIN users p ON p.id = u.user_id WHERE y.kind = 'agent_person' AND u.agent = y.id LIMIT 1) n ON true;
END $$;

-- Records as a GET returns them, in the order asked for, without what `resolve[]` adds. What follows from other rows is
-- found for all of them at once, and once: PostgreSQL expects few rows and would find it again for each record.
CREATE OR REPLACE FUNCTION archival_records(kinds text[], ids bigint[])
RETURNS TABLE (place bigint, kind text, id bigint, repository bigint, suppressed boolean, record jsonb)
LANGUAGE sql STABLE AS $$
  -- From subscripts, and each record for itself: so PostgreSQL expects a thousand records and not one, and pairs what is found
  -- for them by hashes. Of one it would compare each of five hundred with all others.
  WITH RECURSIVE asked AS MATERIALIZED (
    SELECT a.place::bigint, r.*
    FROM generate_subscripts(kinds, 1) AS a (place)
    CROSS JOIN LATERAL (SELECT * FROM archival_record r WHERE r.kind = kinds[a.place] AND r.id = ids[a.place] LIMIT 1) r),
  node AS (
    SELECT DISTINCT ON (a.kind, a.id) a.kind, a.id, a.root, a.parent, a.rank FROM asked a WHERE a.root IS NOT NULL),
  -- Of the first node asked for among its siblings all before it are counted, of each further one those since the last.
  counted AS (
    SELECT n.kind, n.id, n.root, n.parent, n.rank,
           CASE WHEN n.parent IS NULL THEN
             (SELECT count(*) FROM archival_record s
              WHERE s.kind = n.kind AND s.root = n.root AND s.parent IS NULL
                AND (s.rank, s.id) >= (n.last_rank, n.last_id) AND (s.rank, s.id) < (n.rank, n.id))
           ELSE
             (SELECT count(*) FROM archival_record s
              WHERE s.kind = n.kind AND s.root = n.root AND s.parent = n.parent
                AND (s.rank, s.id) >= (n.last_rank, n.last_id) AND (s.rank, s.id) < (n.rank, n.id))
           END AS since
    FROM (SELECT n.*, lag(n.rank, 1, 0::bigint) OVER siblings AS last_rank, lag(n.id, 1, 0::bigint) OVER siblings AS last_id
          FROM node n WINDOW siblings AS (PARTITION BY n.kind, n.root, n.parent ORDER BY n.rank, n.id)) n),
  placed AS MATERIALIZED (
    SELECT c.kind, c.id, sum(c.since) OVER (PARTITION BY c.kind, c.root, c.parent ORDER BY c.rank, c.id) AS position
    FROM counted c),
  -- The nodes above each, the nearest first, and last the record at the top.
  up AS (
    SELECT n.kind AS of_kind, n.id AS of_id, p.id, p.parent, 1 AS depth
    FROM node n JOIN archival_record p ON p.kind = n.kind AND p.id = n.parent
    UNION ALL
    SELECT up.of_kind, up.of_id, p.id, p.parent, up.depth + 1
    FROM up JOIN archival_record p ON p.kind = up.of_kind AND p.id = up.parent),
  under AS MATERIALIZED (
    SELECT up.of_kind, up.of_id, up.of_kind AS kind, up.id, up.depth FROM up
    UNION ALL
    SELECT DISTINCT a.kind, a.id, a.root_kind, a.root, 2147483647 FROM asked a WHERE a.root IS NOT NULL),
  -- Read once, however many are below it: the top of a collection can be a long record.
  ancestor AS MATERIALIZED (
    SELECT u.kind, u.id, NOT p.publish OR p.suppressed AS hidden, p.doc->'title' AS title, p.doc->'identifier' AS identifier,
           jsonb_strip_nulls(jsonb_build_object(
             'ref', archival_uri(p.kind, p.repository, p.id),
             'level', coalesce(p.doc->>'other_level', p.doc->>'level'))) AS shown
    FROM (SELECT DISTINCT u.kind, u.id FROM under u) u
    CROSS JOIN LATERAL (SELECT * FROM archival_record p WHERE p.kind = u.kind AND p.id = u.id LIMIT 1) p),
  above AS MATERIALIZED (
    SELECT u.of_kind, u.of_id, jsonb_agg(p.shown ORDER BY u.depth) AS ancestors, bool_or(p.hidden) AS hidden,
           jsonb_agg(jsonb_build_object('title', p.title, 'identifier', p.identifier) ORDER BY u.depth DESC)
             FILTER (WHERE u.of_kind = 'classification_term') AS path
    FROM under u JOIN ancestor p ON p.kind = u.kind AND p.id = u.id
    GROUP BY u.of_kind, u.of_id),
  -- Each record's for itself: compared with all references of all events, a record would cost the more the more events there are.
  event AS MATERIALIZED (
    SELECT a.kind, a.id, x.refs
    FROM (SELECT DISTINCT a.kind, a.id FROM asked a
          WHERE a.kind IN ('accession', 'archival_object', 'digital_object', 'digital_object_component', 'resource')) a
    CROSS JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('ref', archival_uri(e.kind, e.repository, e.id)) ORDER BY e.id) AS refs
      FROM archival_reference x JOIN archival_record e ON e.kind = x.kind AND e.id = x.id
      WHERE x.target_kind = a.kind AND x.target_id = a.id AND x.kind = 'event') x),
  authority AS MATERIALIZED (
    SELECT f.kind, f.id, f.facts
    FROM (SELECT array_agg(a.kind) AS kinds, array_agg(a.id) AS ids FROM asked a
          WHERE a.kind IN ('agent_corporate_entity', 'agent_family', 'agent_person', 'agent_software', 'subject')) a
    CROSS JOIN LATERAL archival_authority_facts(a.kinds, a.ids) f),
  -- The records whose instances a digital object is, and the collections they are in.
  instance AS MATERIALIZED (
    SELECT a.id, jsonb_agg(jsonb_build_object('ref', archival_uri(l.kind, l.repository, l.id)) ORDER BY l.kind, l.id) AS refs,
           jsonb_agg(DISTINCT jsonb_build_object(
             'ref', archival_uri(coalesce(l.root_kind, l.kind), l.repository, coalesce(l.root, l.id)))) AS collections
    FROM (SELECT DISTINCT a.id FROM asked a WHERE a.kind = 'digital_object') a
    JOIN archival_reference x
      ON x.target_kind = 'digital_object' AND x.target_id = a.id AND x.property = 'instances/digital_object'
    JOIN archival_record l ON l.kind = x.kind AND l.id = x.id
    GROUP BY a.id),
  held AS MATERIALIZED (
    SELECT f.id, f.facts
    FROM archival_container_facts((SELECT array_agg(a.id) FROM asked a WHERE a.kind = 'top_container')) f),
  -- The digital objects that represent records; of one that has no such file, a component.
  shown_by AS MATERIALIZED (
    SELECT DISTINCT a.kind, a.id, coalesce(
             archival_representative(d.doc->'file_versions') - 'link_uri'
             || jsonb_build_object('derived_from', archival_uri(d.kind, d.repository, d.id)),
             archival_representative_component(d.id)) AS version
    FROM asked a
    CROSS JOIN LATERAL jsonb_path_query_first(a.doc, '$.instances[*] ? (@.is_representative == true).digital_object.ref') f (ref)
    JOIN archival_record d ON d.kind = 'digital_object' AND d.id = substring(f.ref #>> '{}' FROM '[0-9]+$')::bigint
    WHERE a.kind IN ('accession', 'archival_object', 'resource')),
  assessed AS MATERIALIZED (
    SELECT f.id, f.facts
    FROM archival_assessment_facts((SELECT array_agg(a.id) FROM asked a WHERE a.kind = 'assessment')) f)
  -- In parentheses: what follows from other rows is put together first, so that the record itself is copied once.
  SELECT a.place, a.kind, a.id, a.repository, a.suppressed,
    a.doc || (jsonb_build_object(
      'uri', archival_uri(a.kind, a.repository, a.id), 'jsonmodel_type', a.kind, 'lock_version', a.lock_version,
      'created_by', a.created_by, 'last_modified_by', a.last_modified_by, 'create_time', archival_time(a.create_time),
      'user_mtime', archival_time(a.user_mtime), 'system_mtime', archival_time(a.system_mtime))
    || CASE WHEN a.repository IS NULL THEN '{}'
       ELSE jsonb_build_object('repository', jsonb_build_object('ref', '/repositories/' || a.repository)) END
    || CASE WHEN a.kind IN ('accession', 'archival_object', 'classification', 'classification_term', 'digital_object',
                            'digital_object_component', 'event', 'resource')
       THEN jsonb_build_object('suppressed', a.suppressed) ELSE '{}' END
    || CASE WHEN a.kind IN ('accession', 'archival_object', 'digital_object', 'digital_object_component', 'resource')
       THEN jsonb_build_object('linked_events', coalesce(e.refs, '[]')) ELSE '{}' END
    || CASE WHEN a.kind = 'digital_object'
       THEN jsonb_build_object('linked_instances', coalesce(i.refs, '[]'), 'collection', coalesce(i.collections, '[]'))
       ELSE '{}' END
    || CASE WHEN a.kind IN ('classification', 'digital_object', 'resource')
       THEN jsonb_build_object('tree', jsonb_build_object('ref', archival_uri(a.kind, a.repository, a.id) || '/tree'))
       ELSE '{}' END
    || CASE WHEN a.root IS NULL THEN '{}'
       ELSE jsonb_build_object(
         a.root_kind, jsonb_build_object('ref', archival_uri(a.root_kind, a.repository, a.root)),
         'position', p.position, 'ancestors', u.ancestors, 'has_unpublished_ancestor', u.hidden) END
    || CASE WHEN a.parent IS NULL THEN '{}'
       ELSE jsonb_build_object('parent', jsonb_build_object('ref', archival_uri(a.kind, a.repository, a.parent))) END
    || coalesce(h.facts, g.facts, y.facts, '{}')
    || CASE WHEN v.version IS NOT NULL THEN jsonb_build_object('representative_file_version', v.version)
       WHEN a.kind IN ('digital_object', 'digital_object_component')
       THEN jsonb_strip_nulls(jsonb_build_object(
         'representative_file_version', archival_representative(a.doc->'file_versions')))
       ELSE '{}' END
    || CASE WHEN a.kind IN ('archival_object', 'resource') AND a.doc @> '{"notes": [{"jsonmodel_type": "note_index"}]}'
       THEN jsonb_build_object('notes', archival_index_notes(a.doc->'notes', a.repository, coalesce(a.root, a.id)))
       ELSE '{}' END
    || CASE WHEN a.kind IN ('classification', 'classification_term')
       THEN jsonb_build_object('path_from_root', coalesce(u.path, '[]') || jsonb_build_array(
         jsonb_build_object('title', a.doc->'title', 'identifier', a.doc->'identifier')))
       ELSE '{}' END
    || CASE WHEN a.kind = 'classification'
       THEN jsonb_build_object('has_classification_terms', EXISTS (
         SELECT FROM archival_record n WHERE n.kind = 'classification_term' AND n.root = a.id))
       ELSE '{}' END)
  FROM asked a
  LEFT JOIN placed p ON p.kind = a.kind AND p.id = a.id
  LEFT JOIN above u ON u.of_kind = a.kind AND u.of_id = a.id
  LEFT JOIN event e ON e.kind = a.kind AND e.id = a.id
  LEFT JOIN authority y ON y.kind = a.kind AND y.id = a.id
  LEFT JOIN instance i ON a.kind = 'digital_object' AND i.id = a.id
  LEFT JOIN held h ON a.kind = 'top_container' AND h.id = a.id
  LEFT JOIN shown_by v ON v.kind = a.kind AND v.id = a.id
  LEFT JOIN assessed g ON a.kind = 'assessment' AND g.id = a.id
$$;

-- The children of a node, or of the first level with a null parent, in their order, from `skipped` on; with a null `most`
-- all of them.
CREATE OR REPLACE FUNCTION archival_children(
  of text, of_root bigint, of_parent bigint, published boolean, skipped bigint, most bigint)
RETURNS SETOF archival_record LANGUAGE plpgsql STABLE ROWS 200 AS $$
BEGIN
  IF of_parent IS NULL THEN
    RETURN QUERY SELECT * FROM archival_record c
      WHERE c.kind = of AND c.root = of_root AND c.parent IS NULL AND (NOT published OR c.publish AND NOT c.suppressed)
      -- With the null parent, which the index has first: otherwise PostgreSQL sorts all children.
      ORDER BY c.parent, c.rank, c.id OFFSET skipped LIMIT most;
  ELSE
    RETURN QUERY SELECT * FROM archival_record c
      WHERE c.kind = of AND c.root = of_root AND c.parent = of_parent AND (NOT published OR c.publish AND NOT c.suppressed)
      ORDER BY c.rank, c.id OFFSET skipped LIMIT most;
  END IF;
END $$;

-- How many children a node has, or the first level; with a rank and an id, those before that node only.
CREATE OR REPLACE FUNCTION archival_child_count(
  of text, of_root bigint, of_parent bigint, published boolean, before_rank bigint, before_id bigint)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF before_rank IS NULL AND of_parent IS NULL THEN
    RETURN (SELECT count(*) FROM archival_record c WHERE c.kind = of AND c.root = of_root AND c.parent IS NULL
              AND (NOT published OR c.publish AND NOT c.suppressed));
  ELSIF before_rank IS NULL THEN
    RETURN (SELECT count(*) FROM archival_record c WHERE c.kind = of AND c.root = of_root AND c.parent = of_parent
              AND (NOT published OR c.publish AND NOT c.suppressed));
  ELSIF of_parent IS NULL THEN
    RETURN (SELECT count(*) FROM archival_record c WHERE c.kind = of AND c.root = of_root AND c.parent IS NULL
              AND (c.rank, c.id) < (before_rank, before_id) AND (NOT published OR c.publish AND NOT c.suppressed));
  END IF;
  RETURN (SELECT count(*) FROM archival_record c WHERE c.kind = of AND c.root = of_root AND c.parent = of_parent
            AND (c.rank, c.id) < (before_rank, before_id) AND (NOT published OR c.publish AND NOT c.suppressed));
END $$;

-- The containers of a record's instances, as trees show them.
CREATE OR REPLACE FUNCTION archival_containers(doc jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'instance_type', i->>'instance_type', 'top_container_type', t.doc->>'type',
      'top_container_indicator', t.doc->>'indicator', 'top_container_barcode', t.doc->>'barcode',
      'type_2', i#>>'{sub_container,type_2}', 'indicator_2', i#>>'{sub_container,indicator_2}',
      'barcode_2', i#>>'{sub_container,barcode_2}', 'type_3', i#>>'{sub_container,type_3}',
      'indicator_3', i#>>'{sub_container,indicator_3}')) ORDER BY n)
  FROM jsonb_array_elements(doc->'instances') WITH ORDINALITY AS e (i, n)
  LEFT JOIN archival_record t ON t.kind = 'top_container'
    AND t.id = substring(i#>>'{sub_container,top_container,ref}' FROM '[0-9]+$')::bigint
$$;

-- Where a node is among its siblings, as bytes in their order: lists of numbers take PostgreSQL three times as long to sort.
-- The first bit of the rank is turned, so that negative ones come first.
CREATE OR REPLACE FUNCTION archival_path_step(rank bigint, id bigint) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT int8send(rank # (-9223372036854775808)) || int8send(id)
$$;

-- The nodes of a tree, depth first, with their depths from 1 and where their rows are: in the same statement a row is fetched
-- from there in half the time that its key takes. The table is read once, not once for each level.
CREATE OR REPLACE FUNCTION archival_walk(of text, of_root bigint)
RETURNS TABLE (id bigint, depth int, place tid) LANGUAGE sql STABLE ROWS 1000 AS $$
  WITH RECURSIVE node AS MATERIALIZED (
    SELECT n.id, n.parent, archival_path_step(n.rank, n.id) AS step, n.ctid AS place
    FROM archival_record n WHERE n.kind = of AND n.root = of_root),
  walk AS (
    SELECT n.id, 1 AS depth, n.step AS path, n.place FROM node n WHERE n.parent IS NULL
    UNION ALL
    SELECT n.id, walk.depth + 1, walk.path || n.step, n.place FROM walk JOIN node n ON n.parent = walk.id)
  SELECT walk.id, walk.depth, walk.place FROM walk ORDER BY walk.path
$$;

-- A record and, if it is the top of a tree or a node, all nodes below it.
CREATE OR REPLACE FUNCTION archival_subtree(of text, of_id bigint)
RETURNS TABLE (kind text, id bigint) LANGUAGE sql STABLE ROWS 100 AS $$
  WITH RECURSIVE below AS (
    SELECT r.kind, r.id, r.root FROM archival_record r WHERE r.kind = of AND r.id = of_id
    UNION ALL
    SELECT c.kind, c.id, c.root FROM below b JOIN archival_record c
      ON c.kind = b.kind AND c.root = b.root AND c.parent = b.id)
  SELECT b.kind, b.id FROM below b
  UNION ALL
  SELECT n.kind, n.id FROM archival_record n
  WHERE n.root = of_id AND n.root_kind = of AND n.kind = CASE of
    WHEN 'resource' THEN 'archival_object' WHEN 'digital_object' THEN 'digital_object_component'
    WHEN 'classification' THEN 'classification_term' END
$$;

-- A value of a list as a GET returns it.
CREATE OR REPLACE FUNCTION archival_listed_value_record(v archival_listed_value) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'id', v.id, 'uri', '/config/enumeration_values/' || v.id, 'jsonmodel_type', 'enumeration_value', 'value', v.value,
    'position', v.position, 'suppressed', v.suppressed, 'lock_version', v.lock_version, 'created_by', v.created_by,
    'last_modified_by', v.last_modified_by, 'create_time', archival_time(v.create_time),
    'system_mtime', archival_time(v.user_mtime), 'user_mtime', archival_time(v.user_mtime))
$$;
