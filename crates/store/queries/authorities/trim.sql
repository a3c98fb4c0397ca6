-- Deletes changes that every index has seen, some at a time. $1 up to which moment.
DELETE FROM authority_change c
USING (SELECT o.made, o.seq, o.at FROM authority_change o ORDER BY o.made, o.seq LIMIT 20000) o
WHERE o.at < $1::timestamptz AND c.made = o.made AND c.seq = o.seq
