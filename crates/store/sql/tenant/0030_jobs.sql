-- Work that is done later or again and again, kept with the tenant's data so that it is dumped and restored with it.
-- A job is claimed by giving it a new `run_after`, the end of its lease: one that is not settled by then, because its process
-- died, is simply due again. A job with a schedule returns to 'waiting' when it has run.
CREATE TABLE job (
  id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind      text        NOT NULL,
  key       text,
  payload   jsonb       NOT NULL DEFAULT '{}',
  schedule  jsonb,
  state     text        NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  run_after timestamptz NOT NULL DEFAULT 'epoch',
  attempts  int         NOT NULL DEFAULT 0,
  progress  jsonb,
  error     text,
  locked_by text,
  created   timestamptz NOT NULL DEFAULT now(),
  started   timestamptz,
  finished  timestamptz
);

CREATE INDEX job_due ON job (run_after, id) WHERE state IN ('waiting', 'running');
CREATE UNIQUE INDEX job_one_waiting ON job (kind, key) WHERE state = 'waiting' AND key IS NOT NULL;
CREATE INDEX job_running_by_key ON job (kind, key) WHERE state = 'running' AND key IS NOT NULL;
CREATE UNIQUE INDEX job_one_schedule ON job (kind) WHERE schedule IS NOT NULL;
CREATE INDEX job_over ON job (finished) WHERE state IN ('done', 'failed');
