-- Users that will expire: the expiry job looks only at those that are active.
CREATE INDEX IF NOT EXISTS users_expiring ON users (((doc->>'expirationDate') COLLATE "C"))
  WHERE doc->>'active' = 'true';

-- Which users have a value in a custom field, for its statistics and its removal.
CREATE INDEX IF NOT EXISTS users_custom_field_values ON users USING gin ((doc->'customFields'));

-- A user whom Carrel itself makes inactive (`now` as dates are stored): failed log-ins, the end of the registration,
-- an import that no longer has the user.
CREATE OR REPLACE FUNCTION made_inactive(doc jsonb, now text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN doc || jsonb_build_object('active', false, 'updatedDate', now,
                                 'metadata', coalesce(doc->'metadata', '{}') || jsonb_build_object('updatedDate', now));
