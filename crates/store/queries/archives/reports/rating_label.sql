-- What a rating is called. $1 its number.
SELECT a.label FROM archival_attribute a WHERE a.id = $1
