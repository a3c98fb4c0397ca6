-- Deletes a PIN. $1 the user.
DELETE FROM patronpin WHERE id = $1
