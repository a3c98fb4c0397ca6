-- What is shared by all tenants: which tenants there are and what the gateway knows of modules.
-- Everything else lives in the tenants' own schemas.
CREATE SCHEMA IF NOT EXISTS carrel;
CREATE EXTENSION IF NOT EXISTS unaccent SCHEMA carrel;

-- Secrets that Carrel makes for itself at first start (the key tokens are signed with).
CREATE TABLE IF NOT EXISTS carrel.secret (name text PRIMARY KEY, value bytea NOT NULL);

CREATE TABLE IF NOT EXISTS carrel.tenant (
  id          text PRIMARY KEY CHECK (id ~ '^[a-z][a-z0-9]{0,30}$'),
  name        text NOT NULL,
  description text,
  created     timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE IF NOT EXISTS carrel.tenant_module (
  tenant_id text NOT NULL REFERENCES carrel.tenant (id) ON DELETE CASCADE,
  module_id text NOT NULL,
  PRIMARY KEY (tenant_id, module_id)
);

-- Module descriptors posted by clients beside those Carrel provides itself.
CREATE TABLE IF NOT EXISTS carrel.module (id text PRIMARY KEY, descriptor jsonb NOT NULL);

-- Schedules changed from their defaults (timers), deployments and environment entries the gateway was told.
CREATE TABLE IF NOT EXISTS carrel.tenant_timer (
  tenant_id text NOT NULL REFERENCES carrel.tenant (id) ON DELETE CASCADE,
  timer_id  text NOT NULL,
  routing   jsonb NOT NULL,
  PRIMARY KEY (tenant_id, timer_id)
);
-- Kept with the tenants' jobs now.
DROP TABLE IF EXISTS carrel.timer_run;
CREATE TABLE IF NOT EXISTS carrel.deployment (instance_id text PRIMARY KEY, doc jsonb NOT NULL);
CREATE TABLE IF NOT EXISTS carrel.environment (name text PRIMARY KEY, doc jsonb NOT NULL);

-- What became of installations a client did not wait for.
CREATE TABLE IF NOT EXISTS carrel.install_job (
  id        uuid PRIMARY KEY,
  tenant_id text NOT NULL REFERENCES carrel.tenant (id) ON DELETE CASCADE,
  doc       jsonb NOT NULL,
  created   timestamptz NOT NULL DEFAULT now()
);
