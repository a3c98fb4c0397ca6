-- Configures a feature, unless it is configured. $1 its name, $2 whether it is on.
INSERT INTO search_feature AS f (feature, enabled) VALUES ($1::text, $2::boolean)
ON CONFLICT (feature) DO NOTHING RETURNING f.feature
