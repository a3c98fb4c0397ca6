-- Lists the items with an uncommon status again where the list differs from their states (decision 12).
SELECT keep_uncommon_statuses(array_agg(coalesce(s.id, u.record_id)))
FROM (SELECT id, state#>>'{status,name}' AS name FROM item_state
      WHERE state#>>'{status,name}' NOT IN ('Available', 'Checked out')) s
FULL JOIN item_uncommon_status u ON u.record_id = s.id
WHERE u.name IS DISTINCT FROM s.name
