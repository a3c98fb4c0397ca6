-- Shared by all tenants: the list of tenants, and what the gateway knows about modules. Everything else is in the
-- tenants' own schemas.
CREATE SCHEMA IF NOT EXISTS carrel;
CREATE EXTENSION IF NOT EXISTS unaccent SCHEMA carrel;

-- Secrets that Carrel creates at first start (the key that signs tokens).
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

-- Module descriptors posted by clients, beside Carrel's own.
CREATE TABLE IF NOT EXISTS carrel.module (id text PRIMARY KEY, descriptor jsonb NOT NULL);

-- What clients set at the gateway: changed timers, deployments and environment entries.
CREATE TABLE IF NOT EXISTS carrel.tenant_timer (
  tenant_id text NOT NULL REFERENCES carrel.tenant (id) ON DELETE CASCADE,
  timer_id  text NOT NULL,
  routing   jsonb NOT NULL,
  PRIMARY KEY (tenant_id, timer_id)
);
-- Replaced by the tenants' jobs.
DROP TABLE IF EXISTS carrel.timer_run;
CREATE TABLE IF NOT EXISTS carrel.deployment (instance_id text PRIMARY KEY, doc jsonb NOT NULL);
CREATE TABLE IF NOT EXISTS carrel.environment (name text PRIMARY KEY, doc jsonb NOT NULL);

-- Outcomes of installations that ran asynchronously.
CREATE TABLE IF NOT EXISTS carrel.install_job (
  id        uuid PRIMARY KEY,
  tenant_id text NOT NULL REFERENCES carrel.tenant (id) ON DELETE CASCADE,
  doc       jsonb NOT NULL,
  created   timestamptz NOT NULL DEFAULT now()
);
