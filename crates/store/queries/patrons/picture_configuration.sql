-- How profile pictures are kept.
SELECT doc FROM profile_picture_configuration ORDER BY seq LIMIT 1
