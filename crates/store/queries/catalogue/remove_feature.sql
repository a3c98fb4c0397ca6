-- Leaves a feature to its default. $1 its name.
DELETE FROM search_feature f WHERE f.feature = $1::text RETURNING f.feature
