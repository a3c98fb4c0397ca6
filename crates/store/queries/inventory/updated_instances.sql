-- Instances changed from $1 to $2 (in stored form): with $3 also deleted ones; with $4 without those suppressed from
-- discovery; unless $5 also those whose holdings or items changed or were deleted; only of source $6 if it is not NULL (GET
-- /inventory-hierarchy/updated-instance-ids).
WITH changed AS (
  SELECT i.id, i.doc#>>'{metadata,updatedDate}' AS date FROM instance i
  WHERE carrel.fold(i.doc#>>'{metadata,updatedDate}') COLLATE "C" BETWEEN carrel.fold($1) AND carrel.fold($2)
  UNION ALL
  SELECT h.instanceid, h.doc#>>'{metadata,updatedDate}' FROM holdings_record h
  WHERE NOT $5
    AND carrel.fold(h.doc#>>'{metadata,updatedDate}') COLLATE "C" BETWEEN carrel.fold($1) AND carrel.fold($2)
  UNION ALL
  SELECT h.instanceid, it.state#>>'{metadata,updatedDate}'
  FROM item_record it JOIN holdings_record h ON h.id = it.holdingsrecordid
  WHERE NOT $5 AND it.state#>>'{metadata,updatedDate}' BETWEEN $1 AND $2
  UNION ALL
  SELECT d.instance_id, to_char(d.deleted AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')
  FROM deleted_content d
  WHERE NOT $5 AND d.deleted BETWEEN $1::text::timestamptz AND $2::text::timestamptz)
SELECT json_build_object('instanceId', i.id, 'source', i.doc->>'source', 'updatedDate', max(changed.date),
                         'suppressFromDiscovery', suppressed(i.doc), 'deleted', false)::text
FROM changed JOIN instance i ON i.id = changed.id
WHERE ($6::text IS NULL OR i.doc->>'source' = $6) AND NOT ($4 AND suppressed(i.doc))
GROUP BY i.id
UNION ALL
SELECT json_build_object('instanceId', d.id, 'source', d.source,
                         'updatedDate', to_char(d.deleted AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'),
                         'suppressFromDiscovery', false, 'deleted', true)::text
FROM deleted_instance d
WHERE $3 AND d.deleted BETWEEN $1::text::timestamptz AND $2::text::timestamptz
  AND ($6::text IS NULL OR d.source = $6)
