-- The settings the doctor looks at, with the unit their number is in.
SELECT name, setting, unit FROM pg_settings WHERE name = ANY ($1::text[])
