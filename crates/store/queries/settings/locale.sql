-- The tenant's locale, and the stamp of the near-static records.
SELECT (SELECT stamp FROM snapshot_stamp) AS stamp, tenant_locale()::text AS setting
