-- Imports users (`import_users`).
SELECT place, refused_by, refused_for FROM import_users($1)
