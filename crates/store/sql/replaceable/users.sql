-- Users that will expire: the expiry job looks only at those that are active.
CREATE INDEX IF NOT EXISTS users_expiring ON users (((doc->>'expirationDate') COLLATE "C"))
  WHERE doc->>'active' = 'true';

-- Which users have a value in a custom field, for its statistics and its removal.
CREATE INDEX IF NOT EXISTS users_custom_field_values ON users USING gin ((doc->'customFields'));
