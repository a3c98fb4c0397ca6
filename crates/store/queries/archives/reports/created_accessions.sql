-- Accessions between two days, without them. $1 repository, $2 whether suppressed ones are among them, $3 from, $4 to.
SELECT json_build_object('accession_number', archival_report_identifier(r.doc), 'record_title', r.doc->>'title',
                         'accession_date', r.doc->>'accession_date') AS row
FROM archival_record r
WHERE r.kind = 'accession' AND r.repository = $1 AND ($2 OR NOT r.suppressed)
  AND r.doc->>'accession_date' > $3::text AND r.doc->>'accession_date' < $4::text
ORDER BY r.doc->>'accession_date', r.id
