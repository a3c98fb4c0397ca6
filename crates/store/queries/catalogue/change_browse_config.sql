-- Changes how a list of numbers is browsed. $1 its name, $2 option, $3 algorithm, $4 types.
INSERT INTO browse_config AS c (kind, option, algorithm, type_ids)
VALUES ($1::text, $2::text, $3::text, $4::uuid[])
ON CONFLICT (kind, option) DO UPDATE SET algorithm = excluded.algorithm, type_ids = excluded.type_ids
