-- Changes the analyzer of a language. $1 code, $2 analyzer.
UPDATE search_language l SET analyzer = $2::text WHERE l.code = $1::text RETURNING l.code
