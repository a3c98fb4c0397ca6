-- Text functions every tenant's indexes and queries share. They live in the schema `carrel` beside the
-- extension unaccent. An index is built on their results: a change of meaning needs a reindex migration.

-- fold: how FOLIO compares text; case and accents do not count (folio-platform §3.2).
CREATE OR REPLACE FUNCTION carrel.fold(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN lower(carrel.unaccent('carrel.unaccent'::regdictionary, value));
END $$;

-- words: the words of a text, unaccented, in the `simple` configuration, as FOLIO's full-text search sees them.
CREATE OR REPLACE FUNCTION carrel.words(value text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN to_tsvector('pg_catalog.simple'::regconfig,
                     translate(carrel.unaccent('carrel.unaccent'::regdictionary, value), '&', ','));
END $$;

-- joined: the parts that are not blank, with one space between (fullCallNumber, callNumberAndSuffix).
CREATE OR REPLACE FUNCTION carrel.joined(VARIADIC parts text[]) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT string_agg(part, ' ' ORDER BY place) FROM unnest(parts) WITH ORDINALITY AS p (part, place)
          WHERE part ~ '\S');
END $$;

-- digits: an identifier without the hyphens and spaces between its leading digits, then what follows them
-- ("978-0-55-2 (pbk.)" becomes "9780552 (pbk.)"), so that an ISBN is found however it is written.
CREATE OR REPLACE FUNCTION carrel.digits(identifier text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  start text := substring(identifier FROM '^[0-9xX*[:space:]-]*');
BEGIN
  RETURN trim(translate(start, E' \t-', '') || ' ' || substr(identifier, length(start) + 1));
END $$;

-- isbns: the identifiers of one type, each as carrel.digits writes it.
CREATE OR REPLACE FUNCTION carrel.isbns(identifiers jsonb, identifier_type text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT string_agg(carrel.digits(identifier->>'value'), ' ')
          FROM jsonb_array_elements(CASE jsonb_typeof(identifiers) WHEN 'array' THEN identifiers END) AS identifier
          WHERE identifier->>'identifierTypeId' = identifier_type);
END $$;
