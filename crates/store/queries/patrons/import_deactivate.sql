-- Makes the active users inactive that an import does not have: those with an external system id that begins with
-- $1 (LIKE pattern) and is none of $2. $3: now, as stored.
UPDATE users SET doc = made_inactive(doc, $3::text)
WHERE doc->>'active' = 'true' AND doc->>'externalSystemId' LIKE $1::text
  AND NOT doc->>'externalSystemId' = ANY ($2::text[])
