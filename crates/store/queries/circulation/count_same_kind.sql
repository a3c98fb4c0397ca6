-- How many items like the given one a patron has. $1 patron, $2 the item.
SELECT json_build_object(
  'any', count(*),
  'materialType', count(*) FILTER (WHERE o.materialtypeid = i.materialtypeid),
  'loanType', count(*) FILTER (WHERE coalesce(o.temporaryloantypeid, o.permanentloantypeid) = i.loan_type),
  'both', count(*) FILTER (WHERE o.materialtypeid = i.materialtypeid
                             AND coalesce(o.temporaryloantypeid, o.permanentloantypeid) = i.loan_type))
FROM loan l JOIN item_record o ON o.id = l.open_item,
  (SELECT materialtypeid, coalesce(temporaryloantypeid, permanentloantypeid) AS loan_type FROM item WHERE id = $2) i
WHERE l.open_borrower = $1 AND o.state#>>'{status,name}' <> 'Claimed returned'
