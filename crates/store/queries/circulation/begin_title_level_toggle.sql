-- Starts the latest switch of title-level requests that is open or whose process has died.
UPDATE tlr_feature_toggle_job j SET doc = j.doc || '{"status": "in-progress"}'
WHERE j.id = (SELECT o.id FROM tlr_feature_toggle_job o WHERE o.doc->>'status' IN ('open', 'in-progress')
              ORDER BY o.doc->>'status' = 'in-progress' DESC, o.seq DESC LIMIT 1)
RETURNING j.id
