-- Ages overdue loans to lost.
SELECT looked_at, aged, last_due, last_id FROM age_to_lost($1, $2, $3, $4, $5)
