-- Holds in the database that no record gets a value that has left its list, although clients check records against lists that
-- they read before. A statement that writes records looks at what leaves after it has locked their table, as every such statement
-- does until its transaction ends: so whoever removes a value can wait for those who may not have seen it leave, and nobody
-- waits for them. Nearly always nothing leaves, which costs a look into an empty table.

-- A value whose removal was given up by a process that died does not leave.
CREATE OR REPLACE FUNCTION archival_left_values() RETURNS SETOF archival_leaving_value LANGUAGE sql STABLE ROWS 10 AS $$
  SELECT l.* FROM archival_leaving_value l
  WHERE l.at > now() - interval '10 minutes'
     OR l.at > now() - interval '1 day'
        AND NOT EXISTS (SELECT FROM archival_value_list s JOIN archival_listed_value v ON v.list = s.id
                        WHERE s.name = l.list AND v.value = l.value)
$$;

CREATE OR REPLACE FUNCTION refuse_archival_value(found archival_leaving_value) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE check_violation USING CONSTRAINT = 'listed_value',
    MESSAGE = format('Invalid value ''%s''.  It is no longer in the list %s', found.value, found.list);
END $$;

CREATE OR REPLACE FUNCTION check_new_archival_values() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  found archival_leaving_value;
BEGIN
  IF EXISTS (SELECT FROM archival_leaving_value l WHERE l.at > now() - interval '1 day') THEN
    SELECT l.* INTO found FROM written r JOIN archival_left_values() l ON l.kind = r.kind
    WHERE jsonb_path_exists(r.doc, l.path::jsonpath, jsonb_build_object('value', l.value)) LIMIT 1;
    IF found.list IS NOT NULL THEN
      PERFORM refuse_archival_value(found);
    END IF;
  END IF;
  RETURN NULL;
END $$;

-- A record that had the value before keeps it: the removal finds it. The setting as in archival_changes.sql.
CREATE OR REPLACE FUNCTION check_changed_archival_values() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
DECLARE
  found archival_leaving_value;
BEGIN
  IF EXISTS (SELECT FROM archival_leaving_value l WHERE l.at > now() - interval '1 day') THEN
    SELECT l.* INTO found
    FROM written r JOIN before b ON b.kind = r.kind AND b.id = r.id JOIN archival_left_values() l ON l.kind = r.kind
    WHERE r.doc IS DISTINCT FROM b.doc
      AND jsonb_path_exists(r.doc, l.path::jsonpath, jsonb_build_object('value', l.value))
      AND NOT jsonb_path_exists(b.doc, l.path::jsonpath, jsonb_build_object('value', l.value)) LIMIT 1;
    IF found.list IS NOT NULL THEN
      PERFORM refuse_archival_value(found);
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER archival_values_made AFTER INSERT ON archival_record
REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION check_new_archival_values();
CREATE OR REPLACE TRIGGER archival_values_changed AFTER UPDATE ON archival_record
REFERENCING OLD TABLE AS before NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION check_changed_archival_values();

-- A value that is listed again may be used again.
CREATE OR REPLACE FUNCTION admit_archival_value() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM archival_leaving_value l USING archival_value_list s
  WHERE s.id = NEW.list AND l.list = s.name AND l.value = NEW.value;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER archival_value_listed AFTER INSERT OR UPDATE OF value ON archival_listed_value
FOR EACH ROW EXECUTE FUNCTION admit_archival_value();
