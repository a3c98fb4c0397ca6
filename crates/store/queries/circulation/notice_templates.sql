-- Templates and the tenant's locale. $1 the ids.
SELECT coalesce((SELECT json_agg(doc) FROM template WHERE id = ANY ($1)), '[]') AS templates, tenant_locale() AS locale
