-- A value of a list as a GET returns it. $1 its id.
SELECT archival_listed_value_record(v) AS record FROM archival_listed_value v WHERE v.id = $1
