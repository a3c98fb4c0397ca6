-- How numbers are browsed, without types that were deleted.
CREATE OR REPLACE FUNCTION browse_configs(OUT kind text, OUT option text, OUT algorithm text, OUT type_ids jsonb)
RETURNS SETOF record LANGUAGE sql STABLE AS $$
  SELECT c.kind, c.option, c.algorithm, (
    SELECT coalesce(jsonb_agg(of.id ORDER BY of.place), '[]')
    FROM unnest(c.type_ids) WITH ORDINALITY AS of (id, place)
    WHERE EXISTS (SELECT FROM call_number_type t WHERE t.id = of.id)
       OR EXISTS (SELECT FROM classification_type t WHERE t.id = of.id))
  FROM browse_config c
$$;
