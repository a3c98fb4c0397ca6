-- Starts the oldest synchronization that is open or whose process has died, and counts loans and fees.
UPDATE synchronization_jobs j
SET doc = j.doc || jsonb_build_object('status', 'in-progress',
  'totalNumberOfLoans',
  (SELECT count(*) FROM loan l WHERE l.open_borrower IS NOT NULL
     AND (j.doc->>'scope' = 'full' OR l.open_borrower = (j.doc->>'userId')::uuid)),
  'totalNumberOfFeesFines',
  (SELECT count(*) FROM accounts a WHERE a.status_name_fold = 'open'
     AND (j.doc->>'scope' = 'full' OR a.userid = (j.doc->>'userId')::uuid)),
  'numberOfProcessedLoans', 0, 'numberOfProcessedFeesFines', 0)
WHERE j.id = (SELECT o.id FROM synchronization_jobs o
              WHERE o.doc->>'status' IN ('open', 'in-progress') ORDER BY o.seq LIMIT 1)
RETURNING j.id, (j.doc->>'userId')::uuid AS patron, j.doc->>'scope' = 'full' AS all_patrons
