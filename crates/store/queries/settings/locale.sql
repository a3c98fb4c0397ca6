-- The tenant's locale.
SELECT tenant_locale()::text
