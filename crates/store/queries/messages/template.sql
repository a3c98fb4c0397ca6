-- A template and the tenant's locale. $1 its id.
SELECT (SELECT doc FROM template WHERE id = $1) AS template, tenant_locale() AS locale
