-- Expires actual cost records.
SELECT expired, last_date, last_id FROM expire_actual_costs($1, $2, $3, $4, $5)
