-- Deletes template $1 (as text $2) unless a notice policy sends it.
WITH used AS (
  SELECT EXISTS (
    SELECT FROM patron_notice_policy p
    WHERE jsonb_path_exists(p.doc, '$.*[*].templateId ? (@ == $id)', jsonb_build_object('id', $2::text))) AS answer),
gone AS (
  DELETE FROM template t WHERE t.id = $1 AND NOT (SELECT answer FROM used) RETURNING t.id)
SELECT (SELECT answer FROM used) AS used, EXISTS (SELECT FROM gone) AS deleted
