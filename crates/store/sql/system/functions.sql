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
