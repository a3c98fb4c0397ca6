-- Subjects of the archives and the terms they are made of. A term exists once in its vocabulary, and is made when a
-- subject first has it.

-- Makes those of some terms that do not exist: records as add_archival takes them, each with one key. Returns what
-- add_archival refuses, or null.
CREATE OR REPLACE FUNCTION add_archival_terms(terms jsonb, who text, at timestamptz) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  new jsonb;
  written jsonb;
BEGIN
  LOOP
    -- In one order, so that clients that make the same terms wait for each other in turn.
    SELECT jsonb_agg(DISTINCT t) INTO new FROM jsonb_array_elements(terms) t
    WHERE NOT EXISTS (
      SELECT FROM archival_key k WHERE k.scope = t#>>'{keys,0,scope}' AND k.value = t#>>'{keys,0,value}');
    EXIT WHEN new IS NULL;
    written := NULL;
    BEGIN
      written := add_archival(new, who, at);
    EXCEPTION WHEN unique_violation THEN
      -- Another client has just made one of them.
      written := NULL;
    END;
    IF written ? 'missing' THEN
      RETURN written;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- Adds a subject, a record as add_archival takes it, or with an id replaces that of the version that the client read,
-- with terms as add_archival_terms takes them. Returns what add_archival and change_archival return.
-- Statement: SELECT write_subject($1, $2, $3, $4, $5, $6)
CREATE OR REPLACE FUNCTION write_subject(
  subject jsonb, of_id bigint, version int, terms jsonb, who text, at timestamptz)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  refused jsonb;
BEGIN
  -- A subject that will be refused makes no terms.
  IF archival_missing(subject->'refs', NULL) IS NULL AND archival_taken(subject->'keys', 'subject', of_id) IS NULL
     AND (of_id IS NULL OR EXISTS (
       SELECT FROM archival_record r WHERE r.kind = 'subject' AND r.id = of_id AND r.lock_version = version)) THEN
    refused := add_archival_terms(terms, who, at);
    IF refused IS NOT NULL THEN
      RETURN refused;
    END IF;
    SELECT jsonb_set(
             jsonb_set(subject, '{doc,terms}', jsonb_agg(
               t->'doc' || jsonb_build_object('jsonmodel_type', 'term', 'uri', archival_uri('term', NULL, k.id))
               ORDER BY n)),
             '{refs}', subject->'refs' || jsonb_agg(
               jsonb_build_object('property', 'terms', 'kind', 'term', 'id', k.id)))
    INTO subject
    FROM jsonb_array_elements(terms) WITH ORDINALITY AS e (t, n)
    JOIN archival_key k ON k.scope = t#>>'{keys,0,scope}' AND k.value = t#>>'{keys,0,value}';
  END IF;
  IF of_id IS NULL THEN
    RETURN add_archival(jsonb_build_array(subject), who, at);
  END IF;
  RETURN change_archival('subject', of_id, NULL, version, subject->'doc', subject->'keys', subject->'refs', NULL, who, at);
END $$;
