-- The latest switching of title-level requests that is open, or was begun by a process that ended: it is in progress now.
UPDATE tlr_feature_toggle_job j SET doc = j.doc || '{"status": "in-progress"}'
WHERE j.id = (SELECT o.id FROM tlr_feature_toggle_job o WHERE o.doc->>'status' IN ('open', 'in-progress')
              ORDER BY o.doc->>'status' = 'in-progress' DESC, o.seq DESC LIMIT 1)
RETURNING j.id
