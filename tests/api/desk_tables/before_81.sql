-- The tables of requests and accounts as they were before migration 81: what pg_dump printed of a library that Carrel made
-- at 27a36c8, and the functions of its triggers. The tables of today must be gone.
CREATE OR REPLACE FUNCTION note_shelf_left()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.doc := NEW.doc || jsonb_build_object('awaitingPickupRequestClosedDate',
    coalesce(NEW.doc#>>'{metadata,updatedDate}', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')));
  RETURN NEW;
END $function$;
CREATE OR REPLACE FUNCTION request_joins_queue()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' OR (OLD.open_item, OLD.open_title) IS DISTINCT FROM (NEW.open_item, NEW.open_title) THEN
    PERFORM hold_items(NEW.open_item, NEW.open_title);
    UPDATE item_state s SET queue = s.queue + 1
    WHERE s.id = NEW.open_item OR s.id IN (SELECT items_of_title(NEW.open_title));
  END IF;
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION count_patron_fees()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.userid IS NOT NULL THEN
    UPDATE patron_counters SET fee_balance = fee_balance - owed(OLD.doc) WHERE user_id = OLD.userid;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.userid IS NOT NULL THEN
    INSERT INTO patron_counters (user_id, fee_balance) VALUES (NEW.userid, owed(NEW.doc))
    ON CONFLICT (user_id) DO UPDATE SET fee_balance = patron_counters.fee_balance + excluded.fee_balance;
  END IF;
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION account_settled()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM close_lost_loan(NEW.loanid, coalesce(NEW.doc->'metadata', '{}') - 'createdDate' - 'createdByUserId');
  RETURN NULL;
END $function$;
CREATE TABLE accounts (
    id uuid NOT NULL,
    seq bigint NOT NULL,
    doc jsonb NOT NULL,
    userid uuid GENERATED ALWAYS AS (((doc ->> 'userId'::text))::uuid) STORED,
    loanid uuid GENERATED ALWAYS AS (((doc ->> 'loanId'::text))::uuid) STORED,
    itemid uuid GENERATED ALWAYS AS (((doc ->> 'itemId'::text))::uuid) STORED,
    ownerid uuid GENERATED ALWAYS AS (((doc ->> 'ownerId'::text))::uuid) STORED,
    feefineid uuid GENERATED ALWAYS AS (((doc ->> 'feeFineId'::text))::uuid) STORED
);
ALTER TABLE accounts ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY;
CREATE TABLE request (
    id uuid NOT NULL,
    seq bigint NOT NULL,
    doc jsonb NOT NULL,
    requesterid uuid GENERATED ALWAYS AS (((doc ->> 'requesterId'::text))::uuid) STORED,
    proxyuserid uuid GENERATED ALWAYS AS (((doc ->> 'proxyUserId'::text))::uuid) STORED,
    instanceid uuid GENERATED ALWAYS AS (((doc ->> 'instanceId'::text))::uuid) STORED,
    itemid uuid GENERATED ALWAYS AS (((doc ->> 'itemId'::text))::uuid) STORED,
    pickupservicepointid uuid GENERATED ALWAYS AS (((doc ->> 'pickupServicePointId'::text))::uuid) STORED,
    cancellationreasonid uuid GENERATED ALWAYS AS (((doc ->> 'cancellationReasonId'::text))::uuid) STORED,
    queue_position integer GENERATED ALWAYS AS (((doc ->> 'position'::text))::integer) STORED,
    open_item uuid GENERATED ALWAYS AS (
CASE
    WHEN ((doc ->> 'status'::text) ~~ 'Open%'::text) THEN ((doc ->> 'itemId'::text))::uuid
    ELSE NULL::uuid
END) STORED,
    open_title uuid GENERATED ALWAYS AS (
CASE
    WHEN ((doc ->> 'status'::text) ~~ 'Open%'::text) THEN ((doc ->> 'instanceId'::text))::uuid
    ELSE NULL::uuid
END) STORED,
    through_override boolean DEFAULT false NOT NULL
);
ALTER TABLE request ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY;
ALTER TABLE accounts ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE request ADD CONSTRAINT request_one_place_in_a_queue UNIQUE (itemid, queue_position) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE request ADD CONSTRAINT request_pkey PRIMARY KEY (id);
CREATE INDEX accounts_feefineid_ref ON accounts (feefineid);
CREATE INDEX accounts_itemid_ref ON accounts (itemid);
CREATE INDEX accounts_loanid_ref ON accounts (loanid);
CREATE INDEX accounts_open_by_user ON accounts (userid) WHERE ((doc #>> '{status,name}'::text[]) = 'Open'::text);
CREATE INDEX accounts_ownerid_ref ON accounts (ownerid);
CREATE INDEX accounts_seq_idx ON accounts (seq);
CREATE INDEX accounts_status_name_fold ON accounts ("left"(carrel.fold(((doc -> 'status'::text) ->> 'name'::text)), 600) COLLATE "C");
CREATE INDEX accounts_userid_ref ON accounts (userid);
CREATE INDEX request_cancellationreasonid_ref ON request (cancellationreasonid);
CREATE INDEX request_instanceid_ref ON request (instanceid);
CREATE INDEX request_itemid_ref ON request (itemid);
CREATE INDEX request_open_by_item ON request (open_item) WHERE (open_item IS NOT NULL);
CREATE INDEX request_open_by_title ON request (open_title) WHERE (open_title IS NOT NULL);
CREATE INDEX request_pickupservicepointid_ref ON request (pickupservicepointid);
CREATE INDEX request_proxyuserid_ref ON request (proxyuserid);
CREATE INDEX request_requestdate_fold ON request ("left"(carrel.fold((doc ->> 'requestDate'::text)), 600) COLLATE "C");
CREATE INDEX request_requesterid_ref ON request (requesterid);
CREATE INDEX request_requestexpirationdate_fold ON request ("left"(carrel.fold((doc ->> 'requestExpirationDate'::text)), 600) COLLATE "C");
CREATE INDEX request_requesttype_fold ON request ("left"(carrel.fold((doc ->> 'requestType'::text)), 600) COLLATE "C");
CREATE INDEX request_seq_idx ON request (seq);
CREATE INDEX request_status_fold ON request ("left"(carrel.fold((doc ->> 'status'::text)), 600) COLLATE "C");
CREATE INDEX request_with_past_requester ON request (COALESCE((doc #>> '{metadata,updatedDate}'::text[]), ''::text) COLLATE "C", id) WHERE (((doc ->> 'status'::text) ~~ 'Closed%'::text) AND (doc ? 'requesterId'::text));
CREATE TRIGGER accounts_count_fees AFTER INSERT OR DELETE OR UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION count_patron_fees();
CREATE TRIGGER accounts_settled AFTER UPDATE ON accounts FOR EACH ROW WHEN (((new.loanid IS NOT NULL) AND ((new.doc #>> '{status,name}'::text[]) = 'Closed'::text) AND (((new.doc ->> 'remaining'::text))::numeric = (0)::numeric) AND (old.doc IS DISTINCT FROM new.doc))) EXECUTE FUNCTION account_settled();
CREATE TRIGGER event_all_deleted AFTER TRUNCATE ON request FOR EACH STATEMENT EXECUTE FUNCTION announce_all_deleted('circulation.request');
CREATE TRIGGER event_balance AFTER INSERT OR DELETE OR UPDATE ON accounts FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION announce_account();
CREATE TRIGGER event_log AFTER INSERT OR UPDATE ON request FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION log_request();
CREATE TRIGGER event_queue AFTER UPDATE ON request REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT WHEN (events_wanted()) EXECUTE FUNCTION announce_reordering();
CREATE TRIGGER event_record AFTER INSERT OR DELETE OR UPDATE ON request FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION announce_record('circulation.request');
CREATE TRIGGER note_shelf_left BEFORE UPDATE OF doc ON request FOR EACH ROW WHEN ((((old.doc ->> 'status'::text) = 'Open - Awaiting pickup'::text) AND ((new.doc ->> 'status'::text) = ANY (ARRAY['Closed - Pickup expired'::text, 'Closed - Cancelled'::text])))) EXECUTE FUNCTION note_shelf_left();
CREATE TRIGGER request_joins_queue AFTER INSERT OR UPDATE ON request FOR EACH ROW WHEN (((new.open_item IS NOT NULL) OR (new.open_title IS NOT NULL))) EXECUTE FUNCTION request_joins_queue();
ALTER TABLE request ADD CONSTRAINT request_cancellationreasonid_fkey FOREIGN KEY (cancellationreasonid) REFERENCES cancellation_reason(id);
DELETE FROM schema_history WHERE version IN (81, -1, -2);
