-- The configuration of profile pictures, and one picture. $1 its id.
SELECT (SELECT doc FROM profile_picture_configuration ORDER BY seq LIMIT 1) AS configuration,
  (SELECT doc->>'content' FROM profile_picture WHERE id = $1) AS picture
