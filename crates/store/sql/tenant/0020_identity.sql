-- Credentials and what belongs to signing in. No client reads these tables as they are, so they are no
-- declared collections.

CREATE TABLE credential (
  user_id uuid PRIMARY KEY,
  hash    text NOT NULL,
  changed timestamptz NOT NULL DEFAULT now()
);

-- Passwords used before, so that they are not chosen again.
CREATE TABLE credential_history (
  user_id  uuid NOT NULL,
  hash     text NOT NULL,
  replaced timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX credential_history_user ON credential_history (user_id, replaced DESC);

CREATE TABLE login_attempt (
  user_id      uuid PRIMARY KEY,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  attempts     integer NOT NULL,
  last_attempt timestamptz NOT NULL
);

-- A token is spent by its first use; a second use betrays a thief and ends all tokens of the user.
-- Only a digest is kept: who reads this table cannot sign in with it.
CREATE TABLE refresh_token (
  digest  bytea PRIMARY KEY,
  user_id uuid NOT NULL,
  expires timestamptz NOT NULL,
  spent   boolean NOT NULL DEFAULT false
);
CREATE INDEX refresh_token_user ON refresh_token (user_id);
CREATE INDEX refresh_token_expires ON refresh_token (expires);

CREATE TABLE password_reset_action (
  id      uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  expires timestamptz NOT NULL
);
