-- Parts of an item in mod-inventory's form (queries/inventory/item.sql) that few items have. They are in PL/pgSQL, so that a statement
-- does not prepare them for items without them.

CREATE OR REPLACE FUNCTION named_loan_type(type_id uuid) RETURNS jsonb LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT jsonb_build_object('id', t.id, 'name', t.doc->'name') FROM loan_type t WHERE t.id = type_id);
END $$;

CREATE OR REPLACE FUNCTION named_location(location_id uuid) RETURNS jsonb LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT jsonb_build_object('id', l.id, 'name', l.doc->'name') FROM location l WHERE l.id = location_id);
END $$;

-- The titles that an item is bound with, if it is.
CREATE OR REPLACE FUNCTION bound_with(item_id uuid) RETURNS jsonb LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('isBoundWith', true, 'boundWithTitles', jsonb_agg(jsonb_build_object(
        'briefHoldingsRecord', jsonb_build_object('id', h.id, 'hrid', h.doc->'hrid'),
        'briefInstance', jsonb_build_object('id', i.id, 'hrid', i.doc->'hrid', 'title', i.doc->'title'))
      ORDER BY part.seq))
    FROM bound_with_part part JOIN holdings_record h ON h.id = part.holdingsrecordid
    JOIN instance i ON i.id = h.instanceid WHERE part.itemid = item_id);
END $$;
