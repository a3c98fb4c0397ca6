-- What harvesters see of the archives (OAI-PMH).

-- The repositories whose records are offered, with their codes. A repository may offer only records of some levels, which it
-- names by the numbers of listed values.
CREATE OR REPLACE FUNCTION archival_offered_repositories()
RETURNS TABLE (id bigint, code text, restricted boolean, levels text[]) LANGUAGE sql STABLE ROWS 10 AS $$
  SELECT r.id, r.doc->>'repo_code', coalesce(r.doc->>'oai_sets_available', '') ~ '\d',
         ARRAY(SELECT v.value::text
               FROM regexp_matches(r.doc->>'oai_sets_available', '\d{1,18}', 'g') m
               JOIN archival_listed_value v ON v.id = m[1]::bigint)
  FROM archival_record r
  WHERE r.kind = 'repository' AND r.id > 1 AND r.publish AND coalesce(r.doc->>'oai_is_disabled', 'false') <> 'true'
$$;

-- Whether all records above one are published: the nodes and the record at the top of its tree.
CREATE OR REPLACE FUNCTION archival_is_within_published(of text, of_parent bigint, of_root_kind text, of_root bigint)
RETURNS boolean LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up AS (
    SELECT p.parent, p.publish AND NOT p.suppressed AS shown
    FROM archival_record p WHERE p.kind = of AND p.id = of_parent
    UNION ALL
    SELECT p.parent, p.publish AND NOT p.suppressed
    FROM up JOIN archival_record p ON p.kind = of AND p.id = up.parent
    WHERE up.shown)
  SELECT of_root IS NULL
    OR (SELECT t.publish AND NOT t.suppressed FROM archival_record t WHERE t.kind = of_root_kind AND t.id = of_root)
       AND NOT EXISTS (SELECT FROM up WHERE NOT up.shown)
$$;
