-- What writing a reserve depends on, in one row. $1 listing, $2 barcode or null, $3 item if there is no barcode, $4 reserve.
SELECT (SELECT l.doc->>'locationId' FROM coursereserves_courselistings l WHERE l.id = $1::uuid) AS location,
       EXISTS (SELECT FROM coursereserves_reserves r WHERE r.id = $4::uuid) AS is_there,
       i.id AS item, i.doc->>'temporaryLocationId' AS temporary_location,
       i.doc->>'temporaryLoanTypeId' AS temporary_loan_type
FROM (VALUES (CASE WHEN $2::text IS NULL THEN $3::uuid
                   ELSE (SELECT b.id FROM item b
                         WHERE carrel.case_folded_key(b.doc->>'barcode') COLLATE "C" = carrel.case_folded_key($2))
              END)) AS wanted (id)
LEFT JOIN item i ON i.id = wanted.id
