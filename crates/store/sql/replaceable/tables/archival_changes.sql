-- Notes what changes in the archives (decision 44), in the transaction of the change, whichever function makes it. Once for
-- a statement, whatever the number of its rows.
CREATE OR REPLACE FUNCTION note_new_archival_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO archival_change (kind, id, around, below, made, at)
  SELECT r.kind, r.id, false, false, pg_current_xact_id(), now() FROM written r;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_deleted_archival_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO archival_change (kind, id, around, below, made, at)
  SELECT r.kind, r.id, false, false, pg_current_xact_id(), now() FROM before r;
  RETURN NULL;
END $$;

-- Conditions of access to what a record describes.
CREATE OR REPLACE FUNCTION archival_access(doc jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_path_query_array(doc, '$.notes[*] ? (@.type == "accessrestrict")')
$$;

-- A record that only got another rank looks as before. One that was only touched, because another has changed, is alone.
-- PostgreSQL plans the statement once for a connection, for as many rows as changed then: without the setting, a publication
-- of 20,000 components after one of a single record compared each with each.
CREATE OR REPLACE FUNCTION note_changed_archival_records() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
  INSERT INTO archival_change (kind, id, around, below, heirs, made, at)
  SELECT r.kind, r.id,
         (r.lock_version, r.publish, r.suppressed, r.repository, r.root, r.parent)
         IS DISTINCT FROM (b.lock_version, b.publish, b.suppressed, b.repository, b.root, b.parent)
         OR r.doc IS DISTINCT FROM b.doc,
         (r.publish, r.suppressed, r.repository, r.root, r.parent)
         IS DISTINCT FROM (b.publish, b.suppressed, b.repository, b.root, b.parent),
         -- Most changes of many records leave what they say as it was; comparing it as a whole is quick.
         CASE WHEN r.kind IN ('archival_object', 'resource') AND r.doc IS DISTINCT FROM b.doc THEN
           CASE WHEN r.doc->'title' IS DISTINCT FROM b.doc->'title' THEN 1 ELSE 0 END
           + CASE WHEN r.doc->'dates' IS DISTINCT FROM b.doc->'dates' THEN 2 ELSE 0 END
           + CASE WHEN archival_access(r.doc) <> archival_access(b.doc) THEN 4 ELSE 0 END
         ELSE 0 END,
         pg_current_xact_id(), now()
  FROM written r JOIN before b ON b.kind = r.kind AND b.id = r.id
  WHERE (r.lock_version, r.publish, r.suppressed, r.repository, r.root, r.parent, r.system_mtime)
        IS DISTINCT FROM (b.lock_version, b.publish, b.suppressed, b.repository, b.root, b.parent, b.system_mtime)
     OR r.doc IS DISTINCT FROM b.doc;
  RETURN NULL;
END $$;

-- Records that show what refers to them. Of agents and subjects only whether anything published does, and in which roles: one
-- of many references changes neither.
CREATE OR REPLACE FUNCTION note_archival_targets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO archival_change (kind, id, around, below, made, at)
  SELECT t.target_kind, t.target_id, false, false, pg_current_xact_id(), now()
  FROM (SELECT x.target_kind, x.target_id, bool_or(x.kind = 'event') AS by_event
        FROM touched x GROUP BY x.target_kind, x.target_id) t
  WHERE t.target_kind IN ('accession', 'digital_object', 'resource', 'top_container')
     OR t.target_kind IN ('archival_object', 'digital_object_component') AND t.by_event
     OR t.target_kind IN ('agent_corporate_entity', 'agent_family', 'agent_person', 'agent_software', 'subject')
        AND NOT EXISTS (SELECT FROM archival_reference o
                        WHERE o.target_kind = t.target_kind AND o.target_id = t.target_id OFFSET 10);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER archival_record_made AFTER INSERT ON archival_record
REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_new_archival_records();
CREATE OR REPLACE TRIGGER archival_record_changed AFTER UPDATE ON archival_record
REFERENCING OLD TABLE AS before NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_changed_archival_records();
CREATE OR REPLACE TRIGGER archival_record_gone AFTER DELETE ON archival_record
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION note_deleted_archival_records();
CREATE OR REPLACE TRIGGER archival_reference_made AFTER INSERT ON archival_reference
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_archival_targets();
CREATE OR REPLACE TRIGGER archival_reference_gone AFTER DELETE ON archival_reference
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_archival_targets();

-- What clients remember of groups and value lists is noted as changes of them, too.
CREATE OR REPLACE FUNCTION note_archives_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO archival_change (kind, id, around, below, made, at)
  SELECT DISTINCT 'group', m.group_id, false, false, pg_current_xact_id(), now() FROM touched m;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_archival_value_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO archival_change (kind, id, around, below, made, at)
  VALUES ('enumeration', 0, false, false, pg_current_xact_id(), now());
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER archives_member_made AFTER INSERT ON archives_group_member
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_archives_members();
CREATE OR REPLACE TRIGGER archives_member_gone AFTER DELETE ON archives_group_member
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_archives_members();
CREATE OR REPLACE TRIGGER archival_value_list_changed AFTER INSERT OR UPDATE OR DELETE ON archival_value_list
FOR EACH STATEMENT EXECUTE FUNCTION note_archival_value_lists();
CREATE OR REPLACE TRIGGER archival_listed_value_changed AFTER INSERT OR UPDATE OR DELETE ON archival_listed_value
FOR EACH STATEMENT EXECUTE FUNCTION note_archival_value_lists();

-- Agents say which users they stand for.
CREATE OR REPLACE FUNCTION note_agents_of_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO archival_change (kind, id, around, below, made, at)
  SELECT DISTINCT u.agent_kind, u.agent, false, false, pg_current_xact_id(), now() FROM touched u WHERE u.agent IS NOT NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER archives_user_made AFTER INSERT ON archives_user
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_agents_of_users();
CREATE OR REPLACE TRIGGER archives_user_gone AFTER DELETE ON archives_user
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_agents_of_users();

-- Containers say where they are while they circulate; that they do is no change of their records.
CREATE OR REPLACE FUNCTION note_archival_boxes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO archival_change (kind, id, around, below, made, at)
  SELECT b.kind, b.container, false, false, pg_current_xact_id(), now() FROM touched b;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER archival_box_made AFTER INSERT ON archival_box
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_archival_boxes();
CREATE OR REPLACE TRIGGER archival_box_gone AFTER DELETE ON archival_box
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_archival_boxes();
