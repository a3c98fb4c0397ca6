-- Active users whose registration has run out ($1: now, as stored) become inactive.
UPDATE users SET doc = made_inactive(doc, $1::text)
WHERE doc->>'active' = 'true' AND (doc->>'expirationDate') COLLATE "C" < $1::text
