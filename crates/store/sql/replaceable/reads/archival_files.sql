-- The file that represents a digital object or one of its components: the published one that is marked, or the first thumbnail,
-- or the first that pages embed; null without any. The file after it is what it links to, if that is published.
CREATE OR REPLACE FUNCTION archival_representative(versions jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT f.entry || CASE WHEN (versions->f.n::int->>'publish')::boolean
    THEN jsonb_build_object('link_uri', versions->f.n::int->>'file_uri') ELSE '{}' END
  FROM jsonb_array_elements(versions) WITH ORDINALITY AS f (entry, n)
  CROSS JOIN LATERAL (SELECT CASE
    WHEN (f.entry->>'is_representative')::boolean THEN 0
    WHEN f.entry->>'use_statement' = 'image-thumbnail' THEN 1
    WHEN f.entry->>'file_uri' LIKE 'http%' AND f.entry->>'xlink_show_attribute' = 'embed'
      -- Not a IIIF manifest, which a viewer of its own shows.
      AND (f.entry->>'file_format_name', f.entry->>'use_statement') IS DISTINCT FROM ('iiif', 'text-json') THEN 2 END AS rank) o
  WHERE (f.entry->>'publish')::boolean AND o.rank IS NOT NULL
  ORDER BY o.rank, f.n LIMIT 1
$$;

-- The file that represents a digital object whose own files do not: of its components, from top to bottom, the first marked
-- one, or the first thumbnail, or the first that pages embed, with the component that it is of; null without any.
CREATE OR REPLACE FUNCTION archival_representative_component(of_object bigint) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT f.version || jsonb_build_object('derived_from', archival_uri(c.kind, c.repository, c.id))
    FROM (SELECT w.id, row_number() OVER () AS place FROM archival_walk('digital_object_component', of_object) w) w
    JOIN archival_record c ON c.kind = 'digital_object_component' AND c.id = w.id
    CROSS JOIN LATERAL (SELECT archival_representative(c.doc->'file_versions') AS version) f
    WHERE f.version IS NOT NULL
    ORDER BY CASE WHEN (f.version->>'is_representative')::boolean THEN 0
                  WHEN f.version->>'use_statement' = 'image-thumbnail' THEN 1 ELSE 2 END, w.place LIMIT 1);
END $$;
