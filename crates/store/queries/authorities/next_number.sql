-- The next number of a source file after its code; NULL if it gives none. $1 id.
WITH file AS (SELECT f.id, f.doc FROM authority_source_file f WHERE f.id = $1::uuid),
taken AS (
  UPDATE authority_number n SET next = n.next + 1
  FROM file f WHERE n.source_file = f.id AND jsonb_array_length(f.doc->'codes') = 1
  RETURNING n.next - 1 AS number)
SELECT (SELECT (f.doc->'codes'->>0) || t.number::text FROM taken t) AS number FROM file f
