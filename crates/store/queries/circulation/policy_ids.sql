-- The ids of all policies, with the letter of their kind in circulation rules.
SELECT 'l' AS letter, id FROM loan_policy
UNION ALL SELECT 'r', id FROM request_policy
UNION ALL SELECT 'n', id FROM patron_notice_policy
UNION ALL SELECT 'o', id FROM overdue_fine_policy
UNION ALL SELECT 'i', id FROM lost_item_fee_policy
