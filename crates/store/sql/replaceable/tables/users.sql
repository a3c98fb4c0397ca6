-- Active users by expiration date, for the expiry job.
CREATE INDEX IF NOT EXISTS users_expiring ON users (((doc->>'expirationDate') COLLATE "C"))
  WHERE doc->>'active' = 'true';

-- Users by their custom field values, for a field's statistics and its removal.
CREATE INDEX IF NOT EXISTS users_custom_field_values ON users USING gin ((doc->'customFields'));
