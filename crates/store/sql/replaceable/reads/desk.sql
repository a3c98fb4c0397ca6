-- Reads shared by statements of the desk. They are functions in SQL that return a table, so that PostgreSQL makes them a
-- part of the statement that calls them; a function in PL/pgSQL would start statements of its own.

-- The open requests for an item or its title, with their requesters, by position. In PL/pgSQL, so that a statement of the
-- desk that finds no request does not prepare it.
CREATE OR REPLACE FUNCTION queue_of(item_id uuid, title_id uuid) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT json_agg(json_build_object('request', r.doc, 'requester', u.doc) ORDER BY r.queue_position)
    FROM request r LEFT JOIN users u ON u.id = r.requesterid
    WHERE r.open_item = item_id OR r.open_title = title_id);
END $$;

-- The same, or null if there are none. Not with EXISTS, for which PostgreSQL may read the table once instead of looking in its
-- index, nor with OR within, for which it makes bitmaps.
CREATE OR REPLACE FUNCTION open_requests(item_id uuid, title_id uuid) RETURNS TABLE (requests json)
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN (SELECT r.id FROM request r WHERE r.open_item = item_id LIMIT 1) IS NOT NULL
                OR (SELECT r.id FROM request r WHERE r.open_title = title_id LIMIT 1) IS NOT NULL
    THEN queue_of(item_id, title_id) END
$$;

-- A user. In PL/pgSQL, because few check-ins need the operator.
CREATE OR REPLACE FUNCTION user_of(user_id uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT u.doc FROM users u WHERE u.id = user_id);
END $$;

-- The user with the barcode, and what makes that user a proxy of the patron. In PL/pgSQL, because few check-outs have a
-- proxy.
CREATE OR REPLACE FUNCTION proxy_of(patron uuid, proxy_barcode text) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT json_build_object('user', x.doc, 'relationships', to_json(ARRAY(
      SELECT f.doc FROM proxyfor f WHERE f.userid = patron AND f.proxyuserid = x.id)))
    FROM users x WHERE carrel.folded_key(x.doc->>'barcode') COLLATE "C" = carrel.folded_key(proxy_barcode));
END $$;

-- The last loan of a lost item, and what the item has cost the borrower of that loan or of the open one. In PL/pgSQL,
-- because nearly no check-in needs it.
CREATE OR REPLACE FUNCTION lost_item(item_id uuid, open_loan uuid) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT json_build_object('loan', past.doc, 'fees', lost_item_fees(coalesce(open_loan, past.id)))
    FROM loan past WHERE past.itemid = item_id ORDER BY past.loandate_exact DESC LIMIT 1);
END $$;

-- The costs of a loan's lost item so far: its accounts with payments, transfers and refunds, and its actual cost
-- records. In PL/pgSQL, because nearly no statement of the desk needs it.
CREATE OR REPLACE FUNCTION lost_item_fees(lost_loan uuid) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN json_build_object(
    'accounts', coalesce(
      (SELECT json_agg(json_build_object('account', a.doc, 'movements', coalesce(
         (SELECT json_agg(f.doc ORDER BY f.seq) FROM feefineactions f
          WHERE f.accountid = a.id AND f.doc->>'typeAction' IN (
            'Paid partially', 'Paid fully', 'Transferred partially', 'Transferred fully', 'Refunded partially',
            'Refunded fully')), '[]')) ORDER BY a.seq)
       FROM accounts a
       WHERE a.loanid = lost_loan
         AND a.doc->>'feeFineType' IN ('Lost item fee', 'Lost item processing fee', 'Lost item fee (actual cost)')),
      '[]'),
    'costs', coalesce((SELECT json_agg(r.doc ORDER BY r.seq) FROM actual_cost_record r WHERE r.loan_id = lost_loan), '[]'));
END $$;
