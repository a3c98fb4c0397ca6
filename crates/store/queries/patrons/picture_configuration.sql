-- The configuration of profile pictures.
SELECT doc FROM profile_picture_configuration ORDER BY seq LIMIT 1
