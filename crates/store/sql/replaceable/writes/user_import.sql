-- Writes a set of imported users: {user, new, preference, dropPreference}. New users get an empty permissions record; a
-- request preference is added, changed or deleted with its user.
CREATE OR REPLACE FUNCTION import_set(entries jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO users (id, doc)
  SELECT (entry#>>'{user,id}')::uuid, entry->'user' FROM jsonb_array_elements(entries) AS entry
  ON CONFLICT (id) DO UPDATE SET doc = excluded.doc || jsonb_build_object('metadata',
    (excluded.doc->'metadata') || (coalesce(users.doc->'metadata', '{}') - '{updatedDate,updatedByUserId}'::text[]));

  INSERT INTO permissions_users (id, doc)
  SELECT new.id, jsonb_build_object('id', new.id, 'userId', new.holder, 'permissions', '[]'::jsonb, 'metadata', new.metadata)
  FROM (SELECT carrel.new_id() AS id, entry#>>'{user,id}' AS holder, entry#>'{user,metadata}' AS metadata
        FROM jsonb_array_elements(entries) AS entry WHERE entry->>'new' = 'true') AS new
  WHERE NOT EXISTS (SELECT FROM permissions_users p WHERE p.userid = new.holder::uuid);

  DELETE FROM user_request_preference p USING jsonb_array_elements(entries) AS entry
  WHERE entry->>'dropPreference' = 'true' AND p.userid = (entry#>>'{user,id}')::uuid;

  UPDATE user_request_preference p SET doc = entry->'preference' || jsonb_build_object('id', p.id)
  FROM jsonb_array_elements(entries) AS entry
  WHERE jsonb_typeof(entry->'preference') = 'object' AND p.userid = (entry#>>'{user,id}')::uuid;

  INSERT INTO user_request_preference (id, doc)
  SELECT (entry#>>'{preference,id}')::uuid, entry->'preference' FROM jsonb_array_elements(entries) AS entry
  WHERE jsonb_typeof(entry->'preference') = 'object' AND NOT EXISTS (
    SELECT FROM user_request_preference p WHERE p.userid = (entry#>>'{user,id}')::uuid);
END $$;

-- Writes all users at once or, if one is refused, each separately; returns which were refused and why.
CREATE OR REPLACE FUNCTION import_users(entries jsonb)
RETURNS TABLE (place int, refused_by text, refused_for text) LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    PERFORM import_set(entries);
    RETURN;
  EXCEPTION WHEN integrity_constraint_violation OR cardinality_violation OR data_exception THEN
    NULL;
  END;
  FOR number IN 0 .. jsonb_array_length(entries) - 1 LOOP
    BEGIN
      PERFORM import_set(jsonb_build_array(entries->number));
    EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
      place := number;
      GET STACKED DIAGNOSTICS refused_by = CONSTRAINT_NAME, refused_for = MESSAGE_TEXT;
      RETURN NEXT;
    END;
  END LOOP;
END $$;
