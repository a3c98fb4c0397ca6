-- A staged user by its external system id ($1).
SELECT s.id, s.doc FROM staging_users s
WHERE (left(carrel.fold((s.doc->>'externalSystemId')), 600) COLLATE "C") = left(carrel.fold($1), 600)
  AND s.doc->>'externalSystemId' = $1
