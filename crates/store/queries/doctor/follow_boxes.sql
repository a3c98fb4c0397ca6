-- Brings the items of the containers of the archives that circulate in step with them again.
SELECT follow_containers((
  SELECT array_agg(c.id)
  FROM (SELECT r.id FROM archival_record r JOIN archival_circulation c ON c.repository = r.repository
        WHERE r.kind = 'top_container' AND r.doc->>'barcode' <> ''
        UNION
        SELECT b.container FROM archival_box b) c))
