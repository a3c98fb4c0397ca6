-- Who a message goes to.
SELECT (SELECT coalesce(doc#>>'{personal,email}', '') FROM users WHERE id = $1),
(SELECT doc FROM template WHERE id = $2), tenant_locale()
