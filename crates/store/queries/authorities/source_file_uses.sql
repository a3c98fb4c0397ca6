-- A source file, and whether authorities, or deleted ones, are of it. $1 id.
SELECT f.doc,
       EXISTS (SELECT FROM authority a WHERE a.sourcefileid = f.id) AS has_authorities,
       EXISTS (SELECT FROM authority_archive o WHERE o.sourcefileid = f.id) AS is_archived
FROM authority_source_file f WHERE f.id = $1::uuid
