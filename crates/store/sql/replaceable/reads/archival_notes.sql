-- Notes as clients see them: an entry of an index that refers to a component of the tree by its `ref_id` has the address of
-- the component.
CREATE OR REPLACE FUNCTION archival_index_notes(notes jsonb, of_repository bigint, of_root bigint)
RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_agg(
      CASE WHEN n.note->>'jsonmodel_type' = 'note_index' AND jsonb_typeof(n.note->'items') = 'array'
        THEN n.note || jsonb_build_object('items', coalesce(i.items, '[]')) ELSE n.note END ORDER BY n.place)
    FROM jsonb_array_elements(notes) WITH ORDINALITY AS n (note, place)
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(
        CASE WHEN k.id IS NULL THEN e.entry
          ELSE e.entry || jsonb_build_object('reference_ref', jsonb_build_object(
            'ref', archival_uri('archival_object', of_repository, k.id))) END ORDER BY e.place) AS items
      FROM jsonb_array_elements(CASE WHEN n.note->>'jsonmodel_type' = 'note_index' THEN n.note->'items' END)
           WITH ORDINALITY AS e (entry, place)
      LEFT JOIN archival_key k
        ON k.scope = format('archival_object/%s/ref_id', of_root) AND k.value = e.entry->>'reference') i ON true);
END $$;
