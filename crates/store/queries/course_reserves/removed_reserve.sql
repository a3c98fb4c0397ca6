-- The reserve to remove: its item, if that has a temporary location, which goes with the reserve. $1 reserve.
SELECT i.id AS item
FROM coursereserves_reserves r LEFT JOIN item i ON i.id = r.itemid AND i.doc ? 'temporaryLocationId'
WHERE r.id = $1::uuid
