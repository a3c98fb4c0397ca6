-- The password of a mail server. $1 the id.
SELECT doc->'password' FROM smtp_configuration WHERE id = $1
