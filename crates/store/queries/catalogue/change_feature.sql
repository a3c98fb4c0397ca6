-- Turns a feature on or off. $1 its name, $2 whether it is on.
UPDATE search_feature f SET enabled = $2::boolean WHERE f.feature = $1::text RETURNING f.feature
