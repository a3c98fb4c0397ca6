-- Deletes patron notice policy $1 (as text $2) unless the circulation rules name it.
WITH used AS (
  SELECT EXISTS (
    SELECT FROM circulation_rules c WHERE strpos(lower(c.doc->>'rulesAsText'), lower($2::text)) > 0) AS answer),
gone AS (
  DELETE FROM patron_notice_policy p WHERE p.id = $1 AND NOT (SELECT answer FROM used) RETURNING p.id)
SELECT (SELECT answer FROM used), EXISTS (SELECT FROM gone)
