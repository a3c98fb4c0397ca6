-- Jobs of a repository with one of some statuses: active ones from the newest that runs to the last in the queue, others from the
-- last that ended. $1 repository, $2 statuses, $3 how many to skip, $4 how many. Returns their number in all, and the page's ids.
SELECT (SELECT count(*) FROM archival_record r WHERE r.kind = 'job' AND r.repository = $1 AND r.doc->>'status' = ANY ($2)) AS total,
       ARRAY(SELECT r.id FROM archival_record r
             WHERE r.kind = 'job' AND r.repository = $1 AND r.doc->>'status' = ANY ($2)
             ORDER BY r.doc->>'status' = 'queued', r.doc->>'time_finished' DESC NULLS LAST,
                      CASE WHEN r.doc->>'status' = 'queued' THEN r.id ELSE -r.id END
             OFFSET $3::bigint LIMIT $4::bigint) AS ids
