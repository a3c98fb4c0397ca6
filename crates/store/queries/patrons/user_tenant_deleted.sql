-- Deletes the user tenant if there is exactly one; returns how many there are (counted up to two).
WITH first AS (
  SELECT id FROM user_tenant LIMIT 2
), deleted AS (
  DELETE FROM user_tenant WHERE id = (SELECT (array_agg(id))[1] FROM first HAVING count(*) = 1)
)
SELECT count(*) FROM first
