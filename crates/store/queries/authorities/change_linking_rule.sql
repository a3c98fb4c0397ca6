-- Changes a rule of links. $1 its id, $2 whether fields are linked by themselves, $3 subfields; NULL keeps them.
UPDATE linking_rule r
SET auto_linking = coalesce($2::boolean, r.auto_linking), subfields = coalesce($3::text, r.subfields)
WHERE r.id = $1::integer
