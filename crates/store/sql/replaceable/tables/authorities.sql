-- Keeps what follows from the source files of authorities, whoever writes them: their codes, and where the numbers of a
-- library's own begin.
CREATE OR REPLACE FUNCTION keep_source_file() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  start  bigint := coalesce((NEW.doc->'hridManagement'->>'startNumber')::bigint, 1);
  before bigint;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM authority_source_file_code c WHERE c.source_file = OLD.id;
  END IF;
  IF TG_OP = 'DELETE' THEN
    DELETE FROM authority_number n WHERE n.source_file = OLD.id;
    RETURN NULL;
  END IF;
  INSERT INTO authority_source_file_code (code, source_file)
  SELECT DISTINCT c, NEW.id FROM jsonb_array_elements_text(NEW.doc->'codes') c;
  IF TG_OP = 'UPDATE' THEN
    before := coalesce((OLD.doc->'hridManagement'->>'startNumber')::bigint, 1);
  END IF;
  IF NEW.doc->>'source' = 'local' AND before IS DISTINCT FROM start THEN
    INSERT INTO authority_number AS n (source_file, next) VALUES (NEW.id, start)
    ON CONFLICT (source_file) DO UPDATE SET next = excluded.next;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER source_file_kept AFTER INSERT OR UPDATE OR DELETE ON authority_source_file
FOR EACH ROW EXECUTE FUNCTION keep_source_file();

-- Notes which authorities are new, changed or gone, once for a statement.
CREATE OR REPLACE FUNCTION note_authorities() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO authority_change (made, authority) SELECT pg_current_xact_id(), t.id FROM touched t;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER authority_made AFTER INSERT ON authority
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_authorities();
CREATE OR REPLACE TRIGGER authority_changed AFTER UPDATE ON authority
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_authorities();
CREATE OR REPLACE TRIGGER authority_gone AFTER DELETE ON authority
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_authorities();

-- The names of these types say which identifiers are searched as numbers of the Library of Congress.
CREATE OR REPLACE FUNCTION note_authority_types() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO authority_change (made)
  SELECT pg_current_xact_id()
  WHERE EXISTS (SELECT FROM touched t WHERE lower(t.doc->>'name') IN ('lccn', 'canceled lccn'));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER authority_type_made AFTER INSERT ON identifier_type
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_authority_types();
CREATE OR REPLACE TRIGGER authority_type_was AFTER UPDATE ON identifier_type
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_authority_types();
CREATE OR REPLACE TRIGGER authority_type_changed AFTER UPDATE ON identifier_type
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_authority_types();

-- The decided heading of an authority, with its member and its field of MARC; as `headings.rs` has them.
CREATE OR REPLACE FUNCTION authority_heading(doc jsonb, OUT member text, OUT tag text, OUT heading text)
LANGUAGE sql IMMUTABLE AS $$
  SELECT h.member, h.tag, doc->>h.member
  FROM (VALUES
    (1, 'personalName', '100'), (2, 'personalNameTitle', '100'), (3, 'corporateName', '110'),
    (4, 'corporateNameTitle', '110'), (5, 'meetingName', '111'), (6, 'meetingNameTitle', '111'),
    (7, 'uniformTitle', '130'), (8, 'namedEvent', '147'), (9, 'topicalTerm', '150'), (10, 'geographicName', '151'),
    (11, 'genreTerm', '155'), (12, 'chronTerm', '148'), (13, 'mediumPerfTerm', '162'), (14, 'generalSubdivision', '180'),
    (15, 'geographicSubdivision', '181'), (16, 'chronSubdivision', '182'), (17, 'formSubdivision', '185'))
    AS h (place, member, tag)
  WHERE doc ? h.member
  ORDER BY h.place LIMIT 1
$$;

-- Notes what has changed in an authority of what links depend on. The links go with it, or if its heading is of another kind
-- now.
CREATE OR REPLACE FUNCTION keep_authority_links() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was        record;
  is_now     record;
  is_renamed boolean;
  number     bigint;
BEGIN
  SELECT h.member, h.tag, h.heading INTO was FROM authority_heading(OLD.doc) h;
  SELECT h.member, h.tag, h.heading INTO is_now FROM authority_heading(NEW.doc) h;
  is_renamed := TG_OP = 'UPDATE' AND (was.member, was.heading) IS DISTINCT FROM (is_now.member, is_now.heading);
  IF TG_OP = 'UPDATE' AND NOT is_renamed AND OLD.doc->>'naturalId' IS NOT DISTINCT FROM NEW.doc->>'naturalId' THEN
    RETURN NULL;
  END IF;
  number := (SELECT count(DISTINCT l.instance) FROM authority_link l WHERE l.authority = OLD.id);
  INSERT INTO authority_stat (authority, action, before, after, links, started, started_by)
  VALUES (
    OLD.id,
    CASE WHEN TG_OP = 'DELETE' THEN 'DELETE' WHEN is_renamed THEN 'UPDATE_HEADING' ELSE 'UPDATE_NATURAL_ID' END,
    jsonb_strip_nulls(jsonb_build_object(
      'naturalId', OLD.doc->'naturalId', 'sourceFileId', OLD.doc->'sourceFileId',
      'heading', CASE WHEN is_renamed OR TG_OP = 'DELETE' THEN was.heading END,
      'headingType', CASE WHEN is_renamed OR TG_OP = 'DELETE' THEN was.tag END)),
    CASE WHEN TG_OP = 'DELETE' THEN '{}' ELSE jsonb_strip_nulls(jsonb_build_object(
      'naturalId', NEW.doc->'naturalId', 'sourceFileId', NEW.doc->'sourceFileId',
      'heading', CASE WHEN is_renamed THEN is_now.heading END,
      'headingType', CASE WHEN is_renamed THEN is_now.tag END)) END,
    number,
    coalesce((NEW.doc->'metadata'->>'updatedDate')::timestamptz, now()),
    (NEW.doc->'metadata'->>'updatedByUserId')::uuid);
  IF TG_OP = 'DELETE' OR was.member IS DISTINCT FROM is_now.member THEN
    DELETE FROM authority_link l WHERE l.authority = OLD.id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER authority_links_kept AFTER UPDATE OR DELETE ON authority
FOR EACH ROW EXECUTE FUNCTION keep_authority_links();
