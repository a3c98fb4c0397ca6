-- Writes a new order of a queue.
SELECT change_queue($1, $2), log_reordering($1)
