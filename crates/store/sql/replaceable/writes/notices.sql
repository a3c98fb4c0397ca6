-- Notices (docs/folio/notices.md): events are recorded in the transaction of the change, and processed later.

-- Requests processing of the recorded events. If events are already waiting, a job is running or entered; a job that is
-- about to finish may miss events committed meanwhile, which are processed a minute later.
CREATE OR REPLACE FUNCTION call_for_notices() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM notice_event ORDER BY id DESC LIMIT 1) THEN
    PERFORM enqueue_job('notice-events', '{}');
  END IF;
END $$;

-- Records events in the caller's transaction. Does nothing for null.
CREATE OR REPLACE FUNCTION note_events(events jsonb) RETURNS void LANGUAGE plpgsql STRICT AS $$
BEGIN
  PERFORM call_for_notices();
  INSERT INTO notice_event (doc)
  SELECT event FROM jsonb_array_elements(events) WITH ORDINALITY AS noted(event, place) ORDER BY place;
END $$;

-- Staff asked to notify the patron of an action on a fee.
CREATE OR REPLACE FUNCTION fee_movement_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_events(jsonb_build_array(
    jsonb_build_object('event', 'Fee/fine action', 'feeFineActionId', NEW.id)))
  FROM accounts a WHERE a.id = NEW.accountid AND fee_template(NEW.doc, a.doc) IS NOT NULL;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER fee_movement_told AFTER INSERT ON feefineactions
  FOR EACH ROW WHEN (NEW.doc->'notify' = 'true') EXECUTE FUNCTION fee_movement_told();

-- Writes the consequences of processed notices and events, all or nothing. `loans` have the record `before` and
-- `after`; `fees` is the argument of write_fees.
-- Statement: SELECT settle_notices($1)
CREATE OR REPLACE FUNCTION settle_notices(work jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_fees(nullif(work->'fees', 'null'));
  PERFORM replace_loans(array_agg(c->'after'), array_agg(c->'before')) FROM jsonb_array_elements(work->'loans') c
  HAVING count(*) > 0;
  DELETE FROM scheduled_notice n USING jsonb_array_elements(work->'forgotten') f
  WHERE n.loanid = (f->>'loanId')::uuid AND f->'events' ? (n.doc->>'triggeringEvent');
  DELETE FROM scheduled_notice n USING jsonb_array_elements(work->'forgotten') f
  WHERE n.requestid = (f->>'requestId')::uuid;
  DELETE FROM scheduled_notice n USING jsonb_array_elements_text(work->'removed') r WHERE n.id = r::uuid;
  UPDATE scheduled_notice n SET doc = m FROM jsonb_array_elements(work->'moved') m WHERE n.id = (m->>'id')::uuid;
  INSERT INTO scheduled_notice (id, doc) SELECT (s->>'id')::uuid, s FROM jsonb_array_elements(work->'scheduled') s;
  INSERT INTO email_statistics (id, doc, next_attempt)
  SELECT (e->>'id')::uuid, e, CASE WHEN e->>'status' = 'PROCESSING' THEN 'epoch'::timestamptz END
  FROM jsonb_array_elements(work->'emails') WITH ORDINALITY AS written(e, place) ORDER BY place;
  PERFORM log_notices(work->'told');
  IF jsonb_array_length(work->'emails') > 0 THEN
    PERFORM enqueue_job('emails', '{}', NULL, 'emails');
  END IF;
  DELETE FROM notice_event e USING jsonb_array_elements(work->'events') d WHERE e.id = d::bigint;
END $$;
