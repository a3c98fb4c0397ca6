-- Text functions shared by the indexes and queries of all tenants, in the schema `carrel` beside the extension
-- unaccent. Indexes are built on their results: a change of meaning needs a reindex migration.

-- new_id: the id of a new record, ordered by time, so that new records are neighbours in their indexes. It is marked as
-- version 4, because FOLIO's schemas allow only versions 1 to 5 (store::new_id is the same in Rust).
CREATE OR REPLACE FUNCTION carrel.new_id() RETURNS uuid
LANGUAGE plpgsql VOLATILE PARALLEL SAFE AS $$
BEGIN
  RETURN lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
         || substr(gen_random_uuid()::text, 15);
END $$;

-- fold: FOLIO's text comparison, which ignores case and accents (docs/folio/cql.md#fields). Plain ASCII, the usual
-- case, needs no unaccenting.
CREATE OR REPLACE FUNCTION carrel.fold(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN lower(CASE WHEN octet_length(value) = length(value) THEN value
                    ELSE carrel.unaccent('carrel.unaccent'::regdictionary, value) END);
END $$;

-- folded_key, case_folded_key, exact_key: the key such an index stores for a text; statements compare with it, with
-- COLLATE "C" as in the index (in Rust: store::query::expression). PostgreSQL inlines the body, so that the index on it
-- is used.
CREATE OR REPLACE FUNCTION carrel.folded_key(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT left(carrel.fold(value), 600) $$;

CREATE OR REPLACE FUNCTION carrel.case_folded_key(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT left(lower(value), 600) $$;

CREATE OR REPLACE FUNCTION carrel.exact_key(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT left(value, 600) $$;

-- fold_all, lower_all: the same for all terms of a clause.
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

-- unaccented: ignores only accents (sortby x/respectCase).
CREATE OR REPLACE FUNCTION carrel.unaccented(value text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN carrel.unaccent('carrel.unaccent'::regdictionary, value);
END $$;

-- number: a text as a number, NULL if it is not one. The regular expression stays within the range of numeric.
CREATE OR REPLACE FUNCTION carrel.number(value text) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN value ~ '^[+-]?([0-9]{1,60}(\.[0-9]{0,60})?|\.[0-9]{1,60})([eE][+-]?[0-9]{1,3})?$'
              THEN value::numeric END
$$;

-- words: the words of a text, unaccented, in the `simple` configuration, as in FOLIO's full-text search. Half of
-- what a tsvector can hold is enough of the longest text, which is cut there.
CREATE OR REPLACE FUNCTION carrel.words(value text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN to_tsvector('pg_catalog.simple'::regconfig,
                     translate(carrel.unaccent('carrel.unaccent'::regdictionary, left(value, 130000)), '&', ','));
END $$;

-- all_words: a search for all words of a text; a star at the end of a word truncates it. Ampersands, quotes and
-- backslashes, which have a meaning in searches, are treated as punctuation.
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

-- any_word, phrase: one of the words, or all of them in sequence.
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

-- pieces: what stands between the blanks of a text, folded and without the marks around it; each cut to 500 characters, because a
-- lexeme may have 2,046 bytes.
CREATE OR REPLACE FUNCTION carrel.pieces(value text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  folded text := carrel.fold(value);
BEGIN
  -- Most barcodes are one piece.
  IF folded ~ '^[[:alnum:]]+$' THEN
    RETURN ARRAY[left(folded, 500)];
  END IF;
  RETURN (SELECT array_agg(p.piece)
          FROM (SELECT left(btrim(part, $marks$.,:;!?"'`()[]{}<>/\|_*#@&%$+=~^-$marks$), 500) AS piece
                FROM regexp_split_to_table(folded, '\s+') AS part) p
          WHERE p.piece <> '');
END $$;

-- item_values: the barcodes, in pieces, and ids of an entry's items (docs/folio/circulation-log.md, decision 59).
CREATE OR REPLACE FUNCTION carrel.item_values(items jsonb) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  item jsonb;
  found text[] := '{}';
BEGIN
  IF jsonb_typeof(items) = 'array' THEN
    -- A loop, not a query over the list, which is nearly always one item: a query takes three times as long.
    FOR place IN 0 .. jsonb_array_length(items) - 1 LOOP
      item := items->place;
      found := found || carrel.pieces(item->>'itemBarcode')
        || ARRAY[lower(item->>'itemId'), lower(item->>'instanceId'), lower(item->>'holdingId'), lower(item->>'loanId')];
    END LOOP;
  END IF;
  RETURN array_to_tsvector(array_remove(array_remove(found, NULL), ''));
END $$;

-- is_ageing: whether a changed loan was aged to lost by that change: at the moment at which it was changed. Later changes leave
-- that moment behind.
CREATE OR REPLACE FUNCTION carrel.is_ageing(loan jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(loan->>'action' = 'itemAgedToLost'
                  AND loan#>>'{agedToLostDelayedBilling,agedToLostDate}' = loan#>>'{metadata,updatedDate}', false)
$$;

-- any_values: matches what has all pieces of at least one term; a piece with a star at its end matches every value that begins
-- with it.
CREATE OR REPLACE FUNCTION carrel.any_values(terms text[]) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (
    SELECT string_agg(t.search, '|')::tsquery
    FROM (SELECT string_agg(format($lexeme$'%s'%s$lexeme$, replace(replace(p.piece, '\', '\\'), '''', ''''''),
                                   CASE WHEN right(part, 1) = '*' THEN ':*' END), '&') AS search
          FROM unnest(terms) WITH ORDINALITY AS term (value, place), regexp_split_to_table(term.value, '\s+') AS part,
            unnest(carrel.pieces(part)) AS p (piece)
          GROUP BY term.place) t);
END $$;

-- any_phrase, all_words_of_any, any_word_of_any: the same for all terms of a clause, one of which must match.
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

-- row_estimate: an estimate of the rows of a table that match a condition, of which at least this many were counted.
-- `relation` is the table, or a view of its rows that the condition needs.
-- The planner's estimate counts if there are statistics; without them, or if it is below the count, a sample of pages
-- is read.
DROP FUNCTION IF EXISTS carrel.row_estimate(text, text, boolean, bigint);
CREATE OR REPLACE FUNCTION carrel.row_estimate(
  tab text, relation text, condition text, has_statistics boolean, counted bigint)
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
  sampled_pages CONSTANT float8 := 500;
  plan     json;
  expected bigint;
  share    float8;
BEGIN
  IF has_statistics THEN
    EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM %s r WHERE %s', relation, condition) INTO plan;
    expected := plan->0->'Plan'->>'Plan Rows';
    IF expected > counted THEN
      RETURN expected;
    END IF;
  END IF;
  share := least(1, sampled_pages * current_setting('block_size')::int / greatest(pg_relation_size(tab::regclass), 1));
  EXECUTE format(
    CASE WHEN relation = tab THEN 'SELECT count(*) FROM %1$s r TABLESAMPLE SYSTEM (%2$s) REPEATABLE (0) WHERE %3$s'
    ELSE 'SELECT count(*) FROM (SELECT id FROM %1$s TABLESAMPLE SYSTEM (%2$s) REPEATABLE (0)) sampled
          JOIN %4$s r USING (id) WHERE %3$s' END,
    tab, 100 * share, condition, relation) INTO expected;
  RETURN greatest(round(expected / share), counted);
END $$;

-- joined: the non-blank parts, separated by one space (fullCallNumber, callNumberAndSuffix).
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

-- digits: an identifier without hyphens and spaces between its leading digits, followed by the rest ("978-0-55-2
-- (pbk.)" becomes "9780552 (pbk.)"), so that an ISBN is found in any spelling.
CREATE OR REPLACE FUNCTION carrel.digits(identifier text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  start text := substring(identifier FROM '^[0-9xX*[:space:]-]*');
BEGIN
  RETURN trim(translate(start, E' \t-', '') || ' ' || substr(identifier, length(start) + 1));
END $$;

-- digits_all: the same for all terms of a clause.
CREATE OR REPLACE FUNCTION carrel.digits_all(identifiers text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT array_agg(carrel.digits(i)) FROM unnest(identifiers) AS i);
END $$;

-- isbns: the identifiers of one type, each in the form of carrel.digits.
CREATE OR REPLACE FUNCTION carrel.isbns(identifiers jsonb, identifier_type text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT string_agg(carrel.digits(identifier->>'value'), ' ')
          FROM jsonb_array_elements(CASE jsonb_typeof(identifiers) WHEN 'array' THEN identifiers END) AS identifier
          WHERE identifier->>'identifierTypeId' = identifier_type);
END $$;

-- tenants_with_due_jobs: the tenants with a job due at that time; one index probe per tenant. Skips tenants that are
-- being created, changed or deleted.
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

-- stored_moment: a moment in stored form.
CREATE OR REPLACE FUNCTION carrel.stored_moment(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')
$$;

-- replaced_members, added_members: the members of a record that another one lacks or has with other values, and the names of those
-- that it has in addition. NULL without any.
CREATE OR REPLACE FUNCTION carrel.replaced_members(before jsonb, after jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT jsonb_object_agg(m.key, m.value) FROM jsonb_each(before) m WHERE after->m.key IS DISTINCT FROM m.value
$$;
CREATE OR REPLACE FUNCTION carrel.added_members(before jsonb, after jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(m.key) FROM jsonb_object_keys(after) m (key) WHERE NOT before ? m.key
$$;

-- stored_uuid, stored_int: a text as a value that is written as the same text again, otherwise NULL (decision 96).
CREATE OR REPLACE FUNCTION carrel.stored_uuid(value text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN value ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN value::uuid END
$$;
CREATE OR REPLACE FUNCTION carrel.stored_int(value text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN value ~ '^(0|-?[1-9][0-9]{0,8})$' THEN value::int END
$$;
