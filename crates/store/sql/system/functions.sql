-- Text functions every tenant's indexes and queries share. They live in the schema `carrel` beside the
-- extension unaccent. An index is built on their results: a change of meaning needs a reindex migration.

-- new_id: the id of a new record, in the order of time, so that new records are neighbours in their indexes. It says that
-- it is of version 4, because FOLIO's schemas allow versions 1 to 5 only (store::new_id is the same in Rust).
CREATE OR REPLACE FUNCTION carrel.new_id() RETURNS uuid
LANGUAGE plpgsql VOLATILE PARALLEL SAFE AS $$
BEGIN
  RETURN lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
         || substr(gen_random_uuid()::text, 15);
END $$;

-- fold: how FOLIO compares text; case and accents do not count (docs/folio/cql.md#fields).
-- Plain ASCII, most of what there is, needs no look at the accents.
CREATE OR REPLACE FUNCTION carrel.fold(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN lower(CASE WHEN octet_length(value) = length(value) THEN value
                    ELSE carrel.unaccent('carrel.unaccent'::regdictionary, value) END);
END $$;

-- fold_all, lower_all: the same for the terms of one clause.
CREATE OR REPLACE FUNCTION carrel.fold_all(texts text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT array_agg(carrel.fold(t)) FROM unnest(texts) AS t);
END $$;

CREATE OR REPLACE FUNCTION carrel.lower_all(texts text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT array_agg(lower(t)) FROM unnest(texts) AS t);
END $$;

-- unaccented: only accents do not count (sortby x/respectCase).
CREATE OR REPLACE FUNCTION carrel.unaccented(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN carrel.unaccent('carrel.unaccent'::regdictionary, value);
END $$;

-- number: a text as number, NULL when it is none. The regular expression keeps within what numeric can hold.
CREATE OR REPLACE FUNCTION carrel.number(value text) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN value ~ '^[+-]?([0-9]{1,60}(\.[0-9]{0,60})?|\.[0-9]{1,60})([eE][+-]?[0-9]{1,3})?$'
              THEN value::numeric END
$$;

-- words: the words of a text, unaccented, in the `simple` configuration, as FOLIO's full-text search sees them.
-- Half of what a tsvector can hold is enough of the longest text.
CREATE OR REPLACE FUNCTION carrel.words(value text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN to_tsvector('pg_catalog.simple'::regconfig,
                     translate(carrel.unaccent('carrel.unaccent'::regdictionary, left(value, 130000)), '&', ','));
END $$;

-- all_words: the search for all words of a text; a star at the end of a word cuts it off there. Ampersands,
-- quotes and backslashes would have a meaning in the search; they are punctuation, as a comma is.
CREATE OR REPLACE FUNCTION carrel.all_words(term text) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT to_tsquery('pg_catalog.simple'::regconfig, string_agg(
                   CASE WHEN right(word, 1) = '*' THEN format($word$'%s':*$word$, left(word, -1))
                        ELSE format($word$'%s'$word$, word) END, '&'))
          FROM regexp_split_to_table(translate(carrel.unaccent('carrel.unaccent'::regdictionary, term),
                                               $marks$&'\$marks$, ',,,'), ' +') AS word
          WHERE word NOT IN ('', '*'));
END $$;

-- any_word, phrase: one of the words, or all of them one after the other.
CREATE OR REPLACE FUNCTION carrel.any_word(term text) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN replace(carrel.all_words(term)::text, '&', '|')::tsquery;
END $$;

CREATE OR REPLACE FUNCTION carrel.phrase(term text) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN replace(carrel.all_words(term)::text, '&', '<->')::tsquery;
END $$;

-- any_phrase, all_words_of_any, any_word_of_any: the same for the terms of one clause, of which one must match.
CREATE OR REPLACE FUNCTION carrel.any_phrase(terms text[]) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT string_agg('(' || search::text || ')', '|')::tsquery
          FROM unnest(terms) AS term, carrel.phrase(term) AS search WHERE numnode(search) > 0);
END $$;

CREATE OR REPLACE FUNCTION carrel.all_words_of_any(terms text[]) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT string_agg('(' || search::text || ')', '|')::tsquery
          FROM unnest(terms) AS term, carrel.all_words(term) AS search WHERE numnode(search) > 0);
END $$;

CREATE OR REPLACE FUNCTION carrel.any_word_of_any(terms text[]) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT string_agg(search::text, '|')::tsquery
          FROM unnest(terms) AS term, carrel.any_word(term) AS search WHERE numnode(search) > 0);
END $$;

-- row_estimate: about how many rows of a table meet a condition of which this many are counted already. The planner knows
-- where it has statistics of what is compared; where it has none, or says less than is counted, a sample of the pages tells.
CREATE OR REPLACE FUNCTION carrel.row_estimate(tab text, condition text, has_statistics boolean, counted bigint)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
  sampled_pages CONSTANT float8 := 500;
  plan     json;
  expected bigint;
  share    float8;
BEGIN
  IF has_statistics THEN
    EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM %s r WHERE %s', tab, condition) INTO plan;
    expected := plan->0->'Plan'->>'Plan Rows';
    IF expected > counted THEN
      RETURN expected;
    END IF;
  END IF;
  share := least(1, sampled_pages * current_setting('block_size')::int / greatest(pg_relation_size(tab::regclass), 1));
  EXECUTE format('SELECT count(*) FROM %s r TABLESAMPLE SYSTEM (%s) REPEATABLE (0) WHERE %s',
                 tab, 100 * share, condition) INTO expected;
  RETURN greatest(round(expected / share), counted);
END $$;

-- joined: the parts that are not blank, with one space between (fullCallNumber, callNumberAndSuffix).
CREATE OR REPLACE FUNCTION carrel.joined(VARIADIC parts text[]) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  part   text;
  result text;
BEGIN
  FOREACH part IN ARRAY parts LOOP
    IF part ~ '\S' THEN
      result := coalesce(result || ' ', '') || part;
    END IF;
  END LOOP;
  RETURN result;
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

-- digits_all: the same for the terms of one clause.
CREATE OR REPLACE FUNCTION carrel.digits_all(identifiers text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT array_agg(carrel.digits(i)) FROM unnest(identifiers) AS i);
END $$;

-- isbns: the identifiers of one type, each as carrel.digits writes it.
CREATE OR REPLACE FUNCTION carrel.isbns(identifiers jsonb, identifier_type text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT string_agg(carrel.digits(identifier->>'value'), ' ')
          FROM jsonb_array_elements(CASE jsonb_typeof(identifiers) WHEN 'array' THEN identifiers END) AS identifier
          WHERE identifier->>'identifierTypeId' = identifier_type);
END $$;

-- tenants_with_due_jobs: the tenants that have a job to run at that moment; one probe of an index for each. A tenant that is
-- being made, changed or deleted just now is passed over.
CREATE OR REPLACE FUNCTION carrel.tenants_with_due_jobs(at timestamptz) RETURNS SETOF text
LANGUAGE plpgsql STABLE SET lock_timeout = '100ms' AS $$
DECLARE
  tenant text;
  due boolean;
BEGIN
  FOR tenant IN SELECT id FROM carrel.tenant LOOP
    BEGIN
      EXECUTE format('SELECT EXISTS (SELECT FROM %I.job WHERE state IN (''waiting'', ''running'') AND run_after <= $1)',
                     't_' || tenant) INTO due USING at;
      IF due THEN
        RETURN NEXT tenant;
      END IF;
    EXCEPTION WHEN undefined_table OR lock_not_available THEN
      NULL;
    END;
  END LOOP;
END $$;
