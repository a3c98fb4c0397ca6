-- How many items of a kind a patron has. $1 patron, $2 material type, $3 loan type.
SELECT json_build_object(
  'any', count(*),
  'materialType', count(*) FILTER (WHERE o.materialtypeid = $2),
  'loanType', count(*) FILTER (WHERE coalesce(o.temporaryloantypeid, o.permanentloantypeid) = $3),
  'both', count(*) FILTER (WHERE o.materialtypeid = $2
                             AND coalesce(o.temporaryloantypeid, o.permanentloantypeid) = $3))
FROM loan l JOIN item_record o ON o.id = l.open_item
WHERE l.open_borrower = $1 AND o.state#>>'{status,name}' <> 'Claimed returned'
