-- The records behind a loan's due date. $1 the loan. The changes are its last 100 versions whose due date differs from that
-- of the version before, oldest first, each with that version and the user who made it.
SELECT
  (SELECT version FROM configuration_version) AS configuration_version,
  l.doc AS loan,
  (SELECT i.doc || i.state FROM item_record i WHERE i.id = l.itemid) AS item,
  (SELECT u.doc FROM users u WHERE u.id = l.userid) AS borrower,
  (SELECT json_agg(json_build_object('loan', c.loan, 'before', c.before, 'by', u.doc) ORDER BY c.createddate_exact, c.id)
   FROM (SELECT v.id, v.loan, v.before, v.createddate_exact
         FROM (SELECT h.id, h.createddate_exact, h.loan, lag(h.loan) OVER (ORDER BY h.createddate_exact, h.id) AS before
               FROM (SELECT r.id, r.createddate_exact, r.doc->'loan' AS loan FROM loan_history_record r
                     WHERE r.loan_id = l.id OFFSET 0) h) v
         WHERE v.loan->>'dueDate' IS DISTINCT FROM v.before->>'dueDate'
         ORDER BY v.createddate_exact DESC, v.id DESC LIMIT 100) c
   LEFT JOIN users u ON u.id = (c.loan#>>'{metadata,updatedByUserId}')::uuid) AS changes
FROM loan l WHERE l.id = $1
