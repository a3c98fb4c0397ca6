-- Deactivates users whose registration has expired ($1: now, in stored form).
UPDATE users SET doc = made_inactive(doc, $1::text)
WHERE doc->>'active' = 'true' AND (doc->>'expirationDate') COLLATE "C" < $1::text
