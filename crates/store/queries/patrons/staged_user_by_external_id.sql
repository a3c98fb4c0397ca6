-- A staged user by its external system id ($1).
SELECT s.id, s.doc FROM staging_users s
WHERE carrel.folded_key(s.doc->>'externalSystemId') COLLATE "C" = carrel.folded_key($1)
  AND s.doc->>'externalSystemId' = $1
