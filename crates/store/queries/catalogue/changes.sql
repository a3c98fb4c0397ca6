-- The instances that may look different since a snapshot, each once, and changes of a wider scope. $1 the snapshot. A change
-- belongs to the answer if its transaction was not visible then and is now, in whatever order transactions were begun and
-- committed. Instances that are there have their place in pages.
WITH change AS MATERIALIZED (
  SELECT c.instance, c.item, c.scope
  FROM catalogue_change c
  WHERE c.made >= pg_snapshot_xmin($1::text::pg_snapshot) AND NOT pg_visible_in_snapshot(c.made, $1::text::pg_snapshot)),
item AS MATERIALIZED (
  SELECT DISTINCT c.item AS id FROM change c WHERE c.item IS NOT NULL)
SELECT a.instance, a.scope, (SELECT r.seq FROM instance r WHERE r.id = a.instance) AS seq
FROM (
  SELECT c.instance, NULL AS scope FROM change c WHERE c.instance IS NOT NULL
  UNION
  SELECT h.instanceid, NULL
  FROM item i CROSS JOIN LATERAL (
    SELECT o.holdingsrecordid FROM item_record o WHERE o.id = i.id
    UNION ALL
    SELECT p.holdingsrecordid FROM bound_with_part p WHERE p.itemid = i.id OFFSET 0) o
  JOIN holdings_record h ON h.id = o.holdingsrecordid
  UNION
  SELECT NULL, c.scope FROM change c WHERE c.scope IS NOT NULL) a
ORDER BY a.instance
