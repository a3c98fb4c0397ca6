-- Removes a language. $1 code.
DELETE FROM search_language l WHERE l.code = $1::text
