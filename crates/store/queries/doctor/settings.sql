-- The settings that the doctor checks, with their units.
SELECT name, setting, unit FROM pg_settings WHERE name = ANY ($1::text[])
