-- The tokens a user has are of a generation; a new password, or none any more, begins the next one, and tokens of
-- earlier ones are good for nothing. A number and not a moment, so that no two clocks have to agree.
CREATE TABLE token_generation (
  user_id    uuid PRIMARY KEY,
  generation integer NOT NULL CHECK (generation > 0)
);
ALTER TABLE refresh_token ADD COLUMN generation integer NOT NULL DEFAULT 0;
CREATE INDEX password_reset_action_user ON password_reset_action (user_id);

-- Wrong PINs and passwords of patrons at terminals, counted apart from log-ins: they lock the terminal's question, not
-- the user.
CREATE TABLE pin_attempt (
  user_id      uuid PRIMARY KEY,
  attempts     integer NOT NULL,
  last_attempt timestamptz NOT NULL
);
