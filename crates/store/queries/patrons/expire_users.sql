-- Active users whose registration has run out ($1: now, as stored) become inactive.
UPDATE users SET doc = doc || jsonb_build_object('active', false, 'updatedDate', $1::text)
WHERE doc->>'active' = 'true' AND (doc->>'expirationDate') COLLATE "C" < $1::text
