-- A value with its list, as far as renaming it needs them. $1 the value's id.
SELECT s.name AS list, s.editable AND NOT v.readonly AS may_change, v.value
FROM archival_listed_value v JOIN archival_value_list s ON s.id = v.list WHERE v.id = $1
