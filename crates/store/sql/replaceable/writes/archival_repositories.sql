-- Repositories of the archives: their place in lists, and their end.

-- Gives a repository a place in lists; the one that has it gets its place. Returns the repository's version, null without it.
-- Statement: SELECT place_repository($1, $2, $3)
CREATE OR REPLACE FUNCTION place_repository(of_id bigint, wanted bigint, at timestamptz) RETURNS int LANGUAGE sql AS $$
  UPDATE archival_record r
  SET system_mtime = at, doc = r.doc || jsonb_build_object('position', CASE WHEN r.id = of_id THEN wanted ELSE n.place END)
  FROM (SELECT (o.doc->>'position')::bigint AS place FROM archival_record o WHERE o.kind = 'repository' AND o.id = of_id) n
  WHERE r.kind = 'repository' AND (r.id = of_id OR (r.doc->>'position')::bigint = wanted);
  SELECT r.lock_version FROM archival_record r WHERE r.kind = 'repository' AND r.id = of_id
$$;

-- Deletes a repository with the descriptions in it and the jobs that are over. Returns 0 if there is no such repository, -1 if
-- something else is left in it: top containers, assessments, jobs that wait or run.
-- Statement: SELECT delete_repository($1, $2)
CREATE OR REPLACE FUNCTION delete_repository(of_id bigint, at timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  deleted bigint;
  uris text[];
  gone constant text[] := ARRAY['accession', 'archival_object', 'classification', 'classification_term', 'collection_management',
    'digital_object', 'digital_object_component', 'event', 'group', 'job', 'preference', 'rde_template', 'resource'];
BEGIN
  PERFORM FROM archival_record r WHERE r.kind = 'repository' AND r.id = of_id AND of_id <> 1 FOR UPDATE;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  IF EXISTS (SELECT FROM archival_record r WHERE r.repository = of_id AND r.kind <> ALL (gone))
     OR EXISTS (SELECT FROM archival_record r
                WHERE r.repository = of_id AND r.kind = 'job' AND r.doc->>'status' IN ('queued', 'running')) THEN
    RETURN -1;
  END IF;
  uris := ARRAY(SELECT archival_uri(r.kind, r.repository, r.id) FROM archival_record r
                WHERE r.repository = of_id AND r.kind = ANY (gone) ORDER BY r.kind, r.id);
  -- Records of no repository can refer to those in it: locations to their owner.
  UPDATE archival_record r
  SET doc = without_references(r.doc, uris || ('/repositories/' || of_id)), lock_version = r.lock_version + 1, system_mtime = at
  FROM (SELECT DISTINCT x.kind, x.id FROM archival_reference x JOIN archival_record t ON t.kind = x.target_kind AND t.id = x.target_id
        WHERE t.repository = of_id OR t.kind = 'repository' AND t.id = of_id) x
  WHERE r.kind = x.kind AND r.id = x.id AND r.repository IS DISTINCT FROM of_id;
  DELETE FROM archival_reference x USING archival_record t
  WHERE t.kind = x.target_kind AND t.id = x.target_id AND (t.repository = of_id OR t.kind = 'repository' AND t.id = of_id);
  DELETE FROM archival_record r WHERE r.repository = of_id OR r.kind = 'repository' AND r.id = of_id;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  INSERT INTO archival_deletion (uri, deleted) SELECT uri, at FROM unnest(uris || ('/repositories/' || of_id)) uri;
  RETURN deleted;
END $$;
