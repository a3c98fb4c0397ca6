-- Deletes the user tenant, if there is just one; answers how many there were (counted up to two).
WITH counted AS (
  SELECT count(*) AS number FROM (SELECT FROM user_tenant LIMIT 2) AS first
), deleted AS (
  DELETE FROM user_tenant WHERE (SELECT number FROM counted) = 1
)
SELECT number FROM counted
