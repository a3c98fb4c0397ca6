-- A secret shared by all processes on this database, created by the first of them. $1 its name, $2 a new value.
INSERT INTO carrel.secret (name, value) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING value
