-- Links of instances to authorities (docs/folio/authorities.md#links).

-- Gives an instance just these links, [{authorityId, linkingRuleId}]; not if an authority does not exist, which it returns
-- then. Requests for one instance wait for each other, and each sees what the one before has left, so that no union of
-- their links remains. Each new link has a moment of its own, because lists of changes go on from a moment.
-- Statement: SELECT replace_authority_links($1, $2, $3)
CREATE OR REPLACE FUNCTION replace_authority_links(of_instance uuid, links jsonb, at timestamptz) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  unknown uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('authority_link ' || of_instance, 0));
  SELECT (s.link->>'authorityId')::uuid INTO unknown FROM jsonb_array_elements(links) AS s (link)
  WHERE NOT EXISTS (SELECT FROM authority a WHERE a.id = (s.link->>'authorityId')::uuid) LIMIT 1;
  IF FOUND THEN
    RETURN unknown;
  END IF;
  DELETE FROM authority_link l
  WHERE l.instance = of_instance
    AND (l.authority, l.rule) NOT IN (
      SELECT (s.link->>'authorityId')::uuid, (s.link->>'linkingRuleId')::integer
      FROM jsonb_array_elements(links) AS s (link));
  INSERT INTO authority_link (instance, authority, rule, changed)
  SELECT of_instance, s.authority, s.rule, at + (s.place - 1) * interval '1 microsecond'
  FROM (
    SELECT (s.link->>'authorityId')::uuid AS authority, (s.link->>'linkingRuleId')::integer AS rule, min(s.place) AS place
    FROM jsonb_array_elements(links) WITH ORDINALITY AS s (link, place) GROUP BY 1, 2) s
  ORDER BY s.place
  ON CONFLICT (instance, authority, rule) DO NOTHING;
  RETURN NULL;
END $$;
