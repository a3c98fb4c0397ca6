-- Calendars by id ($1), service point ($2) and dates ($3 to $4), each optional, ordered by first day: a page ($5 limit,
-- $6 offset) as a JSON array, their total number, and the stamp of the near-static records.
WITH found AS MATERIALIZED (
  SELECT c.doc, c.seq FROM calendars c
  WHERE ($1::uuid[] IS NULL OR c.id = ANY ($1))
    AND ($2::text[] IS NULL OR (c.doc->'assignments') ?| $2)
    AND ($3::text IS NULL OR c.doc->>'endDate' >= $3)
    AND ($4::text IS NULL OR c.doc->>'startDate' <= $4))
SELECT coalesce((SELECT json_agg(page.doc) FROM (
         SELECT doc FROM found ORDER BY doc->>'startDate', seq LIMIT $5 OFFSET $6) AS page)::text, '[]') AS records,
       (SELECT count(*) FROM found) AS total, (SELECT stamp FROM snapshot_stamp) AS stamp
