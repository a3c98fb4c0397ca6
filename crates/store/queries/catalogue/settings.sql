-- Languages and features of the search, and how numbers are browsed.
SELECT jsonb_build_object(
  'languageConfigs', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'code', l.code, 'languageAnalyzer', l.analyzer)) ORDER BY l.code), '[]') FROM search_language l),
  'features', (SELECT coalesce(jsonb_agg(jsonb_build_object(
    'feature', f.feature, 'enabled', f.enabled) ORDER BY f.feature), '[]') FROM search_feature f),
  'browseConfigs', (SELECT coalesce(jsonb_agg(jsonb_build_object(
    'type', c.kind, 'id', c.option, 'shelvingAlgorithm', c.algorithm, 'typeIds', c.type_ids)), '[]')
    FROM browse_configs() c))
