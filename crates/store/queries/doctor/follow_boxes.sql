-- Brings the items of the containers of the archives that circulate in step with them again, and the titles and holdings of their
-- collections.
SELECT follow_archival_titles(
  (SELECT array_agg(t.kind ORDER BY t.id, t.kind) FROM archival_title t),
  (SELECT array_agg(t.id ORDER BY t.id, t.kind) FROM archival_title t)), follow_containers((
  SELECT array_agg(c.id)
  FROM (SELECT r.id FROM archival_record r JOIN archival_circulation c ON c.repository = r.repository
        WHERE r.kind = 'top_container' AND r.doc->>'barcode' <> ''
        UNION
        SELECT b.container FROM archival_box b) c))
