-- How profile pictures are kept, and one of them. $1 its id.
SELECT (SELECT doc FROM profile_picture_configuration ORDER BY seq LIMIT 1),
  (SELECT doc->>'content' FROM profile_picture WHERE id = $1)
