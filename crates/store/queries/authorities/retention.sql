-- How long deleted authorities are kept, if the library says so.
SELECT s.doc->'value' FROM settings s
WHERE carrel.folded_key(s.doc->>'scope') COLLATE "C" = 'authority-storage'
  AND carrel.folded_key(s.doc->>'key') COLLATE "C" = 'authority-archives-expiration'
LIMIT 1
