-- Switches title-level requests on or off. In Rust: api/src/folio/circulation/title_level_toggle.rs.

-- Renumbers all queues, by title or by item (docs/folio/request-queues.md#title-level-requests-on-and-off). Returns the
-- number of requests in them.
CREATE OR REPLACE FUNCTION renumber_queues(of_titles boolean, stamp jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  waiting bigint;
BEGIN
  PERFORM FROM request r WHERE r.open_title IS NOT NULL OR r.open_item IS NOT NULL ORDER BY r.id FOR UPDATE;
  PERFORM change_requests(ARRAY(
    SELECT q.doc || jsonb_build_object('position', q.place, 'metadata', coalesce(q.doc->'metadata', '{}') || stamp)
    FROM (SELECT r.doc, r.queue_position,
                 row_number() OVER (PARTITION BY CASE WHEN of_titles THEN r.open_title ELSE r.open_item END
                                    ORDER BY r.queue_position, r.seq) AS place
          FROM request r
          WHERE CASE WHEN of_titles THEN r.open_title ELSE r.open_item END IS NOT NULL) q
    WHERE q.queue_position IS DISTINCT FROM q.place));
  SELECT count(*) INTO waiting FROM request r
  WHERE CASE WHEN of_titles THEN r.open_title ELSE r.open_item END IS NOT NULL;
  RETURN waiting;
END $$;
