-- Deletes calendars ($1) if all of them exist, and returns those that do not.
WITH missing AS MATERIALIZED (
  SELECT wanted FROM unnest($1::uuid[]) AS wanted WHERE NOT EXISTS (SELECT FROM calendars c WHERE c.id = wanted)),
gone AS (DELETE FROM calendars WHERE id = ANY ($1) AND NOT EXISTS (SELECT FROM missing))
SELECT ARRAY(SELECT wanted FROM missing) AS missing
