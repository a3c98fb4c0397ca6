-- Adds a language, or changes its analyzer; not if there are five. $1 code, $2 analyzer.
INSERT INTO search_language AS l (code, analyzer)
SELECT $1::text, $2::text WHERE (SELECT count(*) FROM search_language) < 5
ON CONFLICT (code) DO UPDATE SET analyzer = excluded.analyzer
RETURNING l.code
