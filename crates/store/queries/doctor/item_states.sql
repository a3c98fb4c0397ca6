-- Items without a state, states without an item, and items whose status is wrongly listed or not listed as an uncommon one
-- (decision 12): for each, the number and an example's id. None of them is in the answer if all is well.
SELECT 'no state' AS what, count(*) AS rows, min(i.id::text) AS example
FROM item i LEFT JOIN item_state s ON s.id = i.id WHERE s.id IS NULL HAVING count(*) > 0
UNION ALL
SELECT 'no item', count(*), min(s.id::text)
FROM item_state s LEFT JOIN item i ON i.id = s.id WHERE i.id IS NULL HAVING count(*) > 0
UNION ALL
SELECT 'uncommon', count(*), min(coalesce(s.id, u.record_id)::text)
FROM (SELECT id, state#>>'{status,name}' AS name FROM item_state
      WHERE state#>>'{status,name}' NOT IN ('Available', 'Checked out')) s
FULL JOIN item_uncommon_status u ON u.record_id = s.id
WHERE u.name IS DISTINCT FROM s.name HAVING count(*) > 0
