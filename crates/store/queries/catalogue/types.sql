-- The names of types of identifiers and of alternative titles, by their ids.
SELECT coalesce(jsonb_object_agg(t.id, t.name), '{}')
FROM (SELECT i.id, i.doc->>'name' AS name FROM identifier_type i
      UNION ALL
      SELECT a.id, a.doc->>'name' FROM alternative_title_type a) t
