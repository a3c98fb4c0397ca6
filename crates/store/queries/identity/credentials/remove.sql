-- Deletes a user's credentials and tokens. Parameter: user id. No row if there were none.
WITH gone AS (
  DELETE FROM credential WHERE user_id = $1 RETURNING user_id
), ended AS (
  INSERT INTO token_generation AS t (user_id, generation) SELECT user_id, 1 FROM gone
  ON CONFLICT (user_id) DO UPDATE SET generation = t.generation + 1
)
SELECT FROM gone
