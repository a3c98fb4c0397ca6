-- The recipient of a message.
SELECT (SELECT coalesce(doc#>>'{personal,email}', '') FROM users WHERE id = $1) AS address,
  (SELECT doc FROM template WHERE id = $2) AS template, tenant_locale() AS locale
