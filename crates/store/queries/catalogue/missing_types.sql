-- Those of $1 that are no types of numbers in the list named $2.
SELECT asked.id FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, place)
WHERE NOT EXISTS (SELECT FROM classification_type t WHERE $2::text = 'instance-classification' AND t.id = asked.id)
  AND NOT EXISTS (SELECT FROM call_number_type t WHERE $2::text = 'instance-call-number' AND t.id = asked.id)
ORDER BY asked.place
