-- Records that records of the inventory name in lists: they must be there, and stay (docs/folio/inventory.md#references-in-lists). A
-- list cannot have a foreign key, so these triggers do the same, with the words of FOLIO's own.

-- The ids of the types and sources of subjects.
CREATE OR REPLACE FUNCTION subject_references(doc jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT jsonb_path_query_array(doc, '$.subjects[*].typeId') || jsonb_path_query_array(doc, '$.subjects[*].sourceId')
$$;

-- So that nobody reads all records to delete one code. Few records have any.
CREATE INDEX IF NOT EXISTS item_statistical_codes ON item USING gin ((doc->'statisticalCodeIds'))
  WHERE doc->'statisticalCodeIds' <> '[]';
CREATE INDEX IF NOT EXISTS holdings_record_statistical_codes ON holdings_record USING gin ((doc->'statisticalCodeIds'))
  WHERE doc->'statisticalCodeIds' <> '[]';
CREATE INDEX IF NOT EXISTS instance_statistical_codes ON instance USING gin ((doc->'statisticalCodeIds'))
  WHERE doc->'statisticalCodeIds' <> '[]';
CREATE INDEX IF NOT EXISTS instance_subject_references ON instance USING gin (subject_references(doc))
  WHERE subject_references(doc) <> '[]';

-- Refuses the first of these records that is not there, and keeps the others as a foreign key does.
CREATE OR REPLACE FUNCTION require_listed(named text, target text, ids jsonb, list text, lister text, of_id uuid)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  missing text;
BEGIN
  EXECUTE format(
    'WITH kept AS MATERIALIZED (SELECT t.id FROM %I t WHERE t.id IN (SELECT e::uuid FROM jsonb_array_elements_text($1) e)
       ORDER BY t.id FOR KEY SHARE)
     SELECT e FROM jsonb_array_elements_text($1) e WHERE NOT EXISTS (SELECT FROM kept k WHERE k.id = e::uuid) LIMIT 1', target)
  INTO missing USING ids;
  IF missing IS NOT NULL THEN
    RAISE foreign_key_violation USING CONSTRAINT = 'listed', TABLE = lister, MESSAGE = named || ' doesn''t exist: ' || missing,
      DETAIL = format('foreign key violation in %s array of %s with id=%s', list, lister, of_id);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION require_statistical_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_listed(
    'statistical code', 'statistical_code', NEW.doc->'statisticalCodeIds', 'statisticalCodeIds', TG_TABLE_NAME, NEW.id);
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION require_subject_references() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_listed('subject source', 'subject_source', jsonb_path_query_array(NEW.doc, '$.subjects[*].sourceId'),
                         'subjects', TG_TABLE_NAME, NEW.id);
  PERFORM require_listed('subject type', 'subject_type', jsonb_path_query_array(NEW.doc, '$.subjects[*].typeId'),
                         'subjects', TG_TABLE_NAME, NEW.id);
  RETURN NEW;
END $$;

-- FOLIO looks at those of items and instances, not at those of holdings.
CREATE OR REPLACE TRIGGER item_statistical_codes_added BEFORE INSERT ON item
  FOR EACH ROW WHEN (NEW.doc->'statisticalCodeIds' <> '[]') EXECUTE FUNCTION require_statistical_codes();
CREATE OR REPLACE TRIGGER item_statistical_codes_changed BEFORE UPDATE OF doc ON item
  FOR EACH ROW WHEN (NEW.doc->'statisticalCodeIds' <> '[]'
    AND NEW.doc->'statisticalCodeIds' IS DISTINCT FROM OLD.doc->'statisticalCodeIds')
  EXECUTE FUNCTION require_statistical_codes();
CREATE OR REPLACE TRIGGER instance_statistical_codes_added BEFORE INSERT ON instance
  FOR EACH ROW WHEN (NEW.doc->'statisticalCodeIds' <> '[]') EXECUTE FUNCTION require_statistical_codes();
CREATE OR REPLACE TRIGGER instance_statistical_codes_changed BEFORE UPDATE OF doc ON instance
  FOR EACH ROW WHEN (NEW.doc->'statisticalCodeIds' <> '[]'
    AND NEW.doc->'statisticalCodeIds' IS DISTINCT FROM OLD.doc->'statisticalCodeIds')
  EXECUTE FUNCTION require_statistical_codes();
CREATE OR REPLACE TRIGGER instance_subjects_added BEFORE INSERT ON instance
  FOR EACH ROW WHEN (subject_references(NEW.doc) <> '[]') EXECUTE FUNCTION require_subject_references();
CREATE OR REPLACE TRIGGER instance_subjects_changed BEFORE UPDATE OF doc ON instance
  FOR EACH ROW WHEN (NEW.doc->'subjects' IS DISTINCT FROM OLD.doc->'subjects' AND subject_references(NEW.doc) <> '[]')
  EXECUTE FUNCTION require_subject_references();

CREATE OR REPLACE FUNCTION keep_listed(of_id uuid, lister text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE foreign_key_violation USING TABLE = lister, CONSTRAINT = 'listed',
    DETAIL = format('Key (id)=(%s) is still referenced from table "%s".', of_id, lister);
END $$;

-- Whoever adds a record with the code holds its row, which is locked before this runs; so what they added is seen.
CREATE OR REPLACE FUNCTION keep_statistical_code() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids jsonb := to_jsonb(OLD.id);
BEGIN
  IF EXISTS (SELECT FROM item r WHERE r.doc->'statisticalCodeIds' @> ids AND r.doc->'statisticalCodeIds' <> '[]') THEN
    PERFORM keep_listed(OLD.id, 'item');
  ELSIF EXISTS (
    SELECT FROM holdings_record r WHERE r.doc->'statisticalCodeIds' @> ids AND r.doc->'statisticalCodeIds' <> '[]') THEN
    PERFORM keep_listed(OLD.id, 'holdings record');
  ELSIF EXISTS (SELECT FROM instance r WHERE r.doc->'statisticalCodeIds' @> ids AND r.doc->'statisticalCodeIds' <> '[]') THEN
    PERFORM keep_listed(OLD.id, 'instance');
  END IF;
  RETURN OLD;
END $$;
CREATE OR REPLACE TRIGGER statistical_code_kept BEFORE DELETE ON statistical_code
  FOR EACH ROW EXECUTE FUNCTION keep_statistical_code();

CREATE OR REPLACE FUNCTION keep_subject_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM instance r WHERE subject_references(r.doc) @> to_jsonb(OLD.id) AND subject_references(r.doc) <> '[]') THEN
    PERFORM keep_listed(OLD.id, 'instance_' || TG_TABLE_NAME);
  END IF;
  RETURN OLD;
END $$;
CREATE OR REPLACE TRIGGER subject_type_kept BEFORE DELETE ON subject_type
  FOR EACH ROW EXECUTE FUNCTION keep_subject_reference();
CREATE OR REPLACE TRIGGER subject_source_kept BEFORE DELETE ON subject_source
  FOR EACH ROW EXECUTE FUNCTION keep_subject_reference();
