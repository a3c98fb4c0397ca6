-- Deactivates users missing from an import: those with an external system id that starts with $1 (LIKE pattern) and is
-- not in $2. $3: now, in stored form.
UPDATE users SET doc = made_inactive(doc, $3::text)
WHERE doc->>'active' = 'true' AND doc->>'externalSystemId' LIKE $1::text
  AND NOT doc->>'externalSystemId' = ANY ($2::text[])
