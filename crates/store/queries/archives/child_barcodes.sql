-- Those of some barcodes that containers within containers of a repository's components have. $1 repository, $2 barcodes.
SELECT DISTINCT b #>> '{}' AS barcode
FROM archival_record r, jsonb_path_query(r.doc, '$.instances[*].sub_container.barcode_2') b
WHERE r.kind = 'archival_object' AND r.repository = $1 AND b #>> '{}' = ANY ($2::text[])
