-- How a list of numbers is browsed. $1 its name.
SELECT jsonb_build_object(
  'configs', coalesce(jsonb_agg(jsonb_build_object(
    'id', c.option, 'shelvingAlgorithm', c.algorithm, 'typeIds', c.type_ids) ORDER BY c.option), '[]'),
  'totalRecords', count(*))
FROM browse_configs() c WHERE c.kind = $1::text
