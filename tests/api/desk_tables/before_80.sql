-- The desk's tables as they were before migration 80: what pg_dump printed of a library that Carrel made at a8f0e08, and the
-- functions of its triggers. The tables of today must be gone.
CREATE OR REPLACE FUNCTION loans_made()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        PERFORM add_to_counters(c.patron, c.loans, c.claimed, c.lost)
        FROM (
          SELECT l.open_borrower AS patron, sum(l.sign) AS loans,
                 coalesce(sum(l.sign) FILTER (WHERE l.doc->>'itemStatus' = 'Claimed returned'), 0) AS claimed,
                 coalesce(sum(l.sign) FILTER (WHERE l.doc->>'itemStatus' IN ('Declared lost', 'Aged to lost')), 0) AS lost
          FROM (SELECT open_borrower, doc, 1 AS sign FROM present) l WHERE l.open_borrower IS NOT NULL GROUP BY l.open_borrower ORDER BY l.open_borrower) c
        WHERE (c.loans, c.claimed, c.lost) <> (0, 0, 0);
        INSERT INTO loan_history (id, doc)
        SELECT (v.version->>'id')::uuid, v.version
        FROM (SELECT loan_version(left(TG_OP, 1), l.doc) AS version FROM present l OFFSET 0) v;
        RETURN NULL;
      END $function$
;
CREATE OR REPLACE FUNCTION loans_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        PERFORM add_to_counters(c.patron, c.loans, c.claimed, c.lost)
        FROM (
          SELECT l.open_borrower AS patron, sum(l.sign) AS loans,
                 coalesce(sum(l.sign) FILTER (WHERE l.doc->>'itemStatus' = 'Claimed returned'), 0) AS claimed,
                 coalesce(sum(l.sign) FILTER (WHERE l.doc->>'itemStatus' IN ('Declared lost', 'Aged to lost')), 0) AS lost
          FROM (SELECT open_borrower, doc, -1 AS sign FROM past) l WHERE l.open_borrower IS NOT NULL GROUP BY l.open_borrower ORDER BY l.open_borrower) c
        WHERE (c.loans, c.claimed, c.lost) <> (0, 0, 0);
        INSERT INTO loan_history (id, doc)
        SELECT (v.version->>'id')::uuid, v.version
        FROM (SELECT loan_version(left(TG_OP, 1), l.doc) AS version FROM past l OFFSET 0) v;
        RETURN NULL;
      END $function$
;
CREATE OR REPLACE FUNCTION loans_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        PERFORM add_to_counters(c.patron, c.loans, c.claimed, c.lost)
        FROM (
          SELECT l.open_borrower AS patron, sum(l.sign) AS loans,
                 coalesce(sum(l.sign) FILTER (WHERE l.doc->>'itemStatus' = 'Claimed returned'), 0) AS claimed,
                 coalesce(sum(l.sign) FILTER (WHERE l.doc->>'itemStatus' IN ('Declared lost', 'Aged to lost')), 0) AS lost
          FROM (SELECT open_borrower, doc, -1 AS sign FROM past UNION ALL SELECT open_borrower, doc, 1 AS sign FROM present) l WHERE l.open_borrower IS NOT NULL GROUP BY l.open_borrower ORDER BY l.open_borrower) c
        WHERE (c.loans, c.claimed, c.lost) <> (0, 0, 0);
        INSERT INTO loan_history (id, doc)
        SELECT (v.version->>'id')::uuid, v.version
        FROM (SELECT loan_version(left(TG_OP, 1), l.doc) AS version FROM present l OFFSET 0) v;
        RETURN NULL;
      END $function$
;
CREATE OR REPLACE FUNCTION loan_version(operation text, loan jsonb, moment timestamp with time zone DEFAULT clock_timestamp())
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
BEGIN
  RETURN jsonb_build_object('id', carrel.new_id(), 'operation', operation,
    'createdDate', to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), 'loan', loan);
END $function$
;
CREATE OR REPLACE FUNCTION keep_uncommon_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  status text := NEW.state#>>'{status,name}';
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM item_uncommon_status WHERE record_id = OLD.id;
  ELSIF status NOT IN ('Available', 'Checked out') THEN
    INSERT INTO item_uncommon_status (record_id, name) VALUES (NEW.id, status)
    ON CONFLICT (record_id) DO UPDATE SET name = EXCLUDED.name;
  ELSE
    DELETE FROM item_uncommon_status WHERE record_id = NEW.id;
  END IF;
  RETURN NULL;
END $function$
;
CREATE TABLE item (
    id uuid NOT NULL,
    seq bigint NOT NULL,
    doc jsonb NOT NULL,
    state jsonb DEFAULT '{}'::jsonb NOT NULL,
    holdingsrecordid uuid GENERATED ALWAYS AS (((doc ->> 'holdingsRecordId'::text))::uuid) STORED,
    materialtypeid uuid GENERATED ALWAYS AS (((doc ->> 'materialTypeId'::text))::uuid) STORED,
    permanentloantypeid uuid GENERATED ALWAYS AS (((doc ->> 'permanentLoanTypeId'::text))::uuid) STORED,
    temporaryloantypeid uuid GENERATED ALWAYS AS (((doc ->> 'temporaryLoanTypeId'::text))::uuid) STORED,
    permanentlocationid uuid GENERATED ALWAYS AS (((doc ->> 'permanentLocationId'::text))::uuid) STORED,
    temporarylocationid uuid GENERATED ALWAYS AS (((doc ->> 'temporaryLocationId'::text))::uuid) STORED,
    effectivelocationid uuid GENERATED ALWAYS AS (((doc ->> 'effectiveLocationId'::text))::uuid) STORED,
    itemlevelcallnumbertypeid uuid GENERATED ALWAYS AS (((doc ->> 'itemLevelCallNumberTypeId'::text))::uuid) STORED,
    effectivecallnumbercomponents_typeid uuid GENERATED ALWAYS AS ((((doc -> 'effectiveCallNumberComponents'::text) ->> 'typeId'::text))::uuid) STORED
)
WITH (fillfactor='80');
CREATE TABLE check_in (
    id uuid NOT NULL,
    seq bigint NOT NULL,
    doc jsonb NOT NULL,
    itemid uuid GENERATED ALWAYS AS (((doc ->> 'itemId'::text))::uuid) STORED,
    servicepointid uuid GENERATED ALWAYS AS (((doc ->> 'servicePointId'::text))::uuid) STORED,
    performedbyuserid uuid GENERATED ALWAYS AS (((doc ->> 'performedByUserId'::text))::uuid) STORED,
    closed_loan uuid
);
ALTER TABLE check_in ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY;
ALTER TABLE item ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY;
CREATE TABLE item_uncommon_status (
    record_id uuid NOT NULL,
    name text NOT NULL
);
CREATE TABLE loan (
    id uuid NOT NULL,
    seq bigint NOT NULL,
    doc jsonb NOT NULL,
    userid uuid GENERATED ALWAYS AS (((doc ->> 'userId'::text))::uuid) STORED,
    proxyuserid uuid GENERATED ALWAYS AS (((doc ->> 'proxyUserId'::text))::uuid) STORED,
    itemid uuid GENERATED ALWAYS AS (((doc ->> 'itemId'::text))::uuid) STORED,
    open_item uuid GENERATED ALWAYS AS (
CASE
    WHEN ((doc #>> '{status,name}'::text[]) = 'Open'::text) THEN ((doc ->> 'itemId'::text))::uuid
    ELSE NULL::uuid
END) STORED,
    open_borrower uuid GENERATED ALWAYS AS (
CASE
    WHEN ((doc #>> '{status,name}'::text[]) = 'Open'::text) THEN ((doc ->> 'userId'::text))::uuid
    ELSE NULL::uuid
END) STORED
);
CREATE TABLE loan_history (
    id uuid NOT NULL,
    seq bigint NOT NULL,
    doc jsonb NOT NULL,
    loan_id uuid GENERATED ALWAYS AS ((((doc -> 'loan'::text) ->> 'id'::text))::uuid) STORED,
    loan_userid uuid GENERATED ALWAYS AS ((((doc -> 'loan'::text) ->> 'userId'::text))::uuid) STORED,
    loan_itemid uuid GENERATED ALWAYS AS ((((doc -> 'loan'::text) ->> 'itemId'::text))::uuid) STORED
);
ALTER TABLE loan_history ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY;
ALTER TABLE loan ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY;
CREATE TABLE patron_action_session (
    id uuid NOT NULL,
    seq bigint NOT NULL,
    doc jsonb NOT NULL,
    patronid uuid GENERATED ALWAYS AS (((doc ->> 'patronId'::text))::uuid) STORED
);
ALTER TABLE patron_action_session ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY;
ALTER TABLE check_in ADD CONSTRAINT check_in_pkey PRIMARY KEY (id);
ALTER TABLE item ADD CONSTRAINT item_pkey PRIMARY KEY (id);
ALTER TABLE item_uncommon_status ADD CONSTRAINT item_uncommon_status_pkey PRIMARY KEY (record_id);
ALTER TABLE loan_history ADD CONSTRAINT loan_history_pkey PRIMARY KEY (id);
ALTER TABLE loan ADD CONSTRAINT loan_pkey PRIMARY KEY (id);
ALTER TABLE patron_action_session ADD CONSTRAINT patron_action_session_pkey PRIMARY KEY (id);
CREATE INDEX check_in_itemid_ref ON check_in (itemid);
CREATE INDEX check_in_performedbyuserid_ref ON check_in (performedbyuserid);
CREATE INDEX check_in_seq_idx ON check_in (seq);
CREATE INDEX check_in_servicepointid_ref ON check_in (servicepointid);
CREATE INDEX item_accessionnumber_fold ON item ("left"(carrel.fold((doc ->> 'accessionNumber'::text)), 600) COLLATE "C");
CREATE UNIQUE INDEX item_barcode_key ON item ("left"(lower((doc ->> 'barcode'::text)), 600) COLLATE "C");
CREATE INDEX item_callnumberandsuffix_fold ON item ("left"(carrel.fold(carrel.joined(VARIADIC ARRAY[(doc #>> '{effectiveCallNumberComponents,callNumber}'::text[]), (doc #>> '{effectiveCallNumberComponents,suffix}'::text[])])), 600) COLLATE "C");
CREATE INDEX item_effectivecallnumbercomponents_callnumber_fold ON item ("left"(carrel.fold(((doc -> 'effectiveCallNumberComponents'::text) ->> 'callNumber'::text)), 600) COLLATE "C");
CREATE INDEX item_effectivecallnumbercomponents_typeid_ref ON item (effectivecallnumbercomponents_typeid);
CREATE INDEX item_effectivelocationid_ref ON item (effectivelocationid);
CREATE INDEX item_effectiveshelvingorder_fold ON item ("left"(carrel.fold((doc ->> 'effectiveShelvingOrder'::text)), 600) COLLATE "C");
CREATE INDEX item_fullcallnumber_fold ON item ("left"(carrel.fold(carrel.joined(VARIADIC ARRAY[(doc #>> '{effectiveCallNumberComponents,prefix}'::text[]), (doc #>> '{effectiveCallNumberComponents,callNumber}'::text[]), (doc #>> '{effectiveCallNumberComponents,suffix}'::text[])])), 600) COLLATE "C");
CREATE INDEX item_holdingsrecordid_ref ON item (holdingsrecordid);
CREATE UNIQUE INDEX item_hrid_key ON item ("left"(carrel.fold((doc ->> 'hrid'::text)), 600) COLLATE "C");
CREATE INDEX item_itemlevelcallnumbertypeid_ref ON item (itemlevelcallnumbertypeid);
CREATE INDEX item_materialtypeid_ref ON item (materialtypeid);
CREATE INDEX item_permanentloantypeid_ref ON item (permanentloantypeid);
CREATE INDEX item_permanentlocationid_ref ON item (permanentlocationid);
CREATE INDEX item_purchaseorderlineidentifier_fold ON item ("left"(carrel.fold((doc ->> 'purchaseOrderLineIdentifier'::text)), 600) COLLATE "C");
CREATE INDEX item_seq_idx ON item (seq);
CREATE INDEX item_temporaryloantypeid_ref ON item (temporaryloantypeid);
CREATE INDEX item_temporarylocationid_ref ON item (temporarylocationid);
CREATE INDEX item_uncommon_status_name ON item_uncommon_status (name);
CREATE INDEX loan_duedate_exact ON loan ("left"((doc ->> 'dueDate'::text), 600) COLLATE "C");
CREATE INDEX loan_history_createddate_exact ON loan_history ("left"((doc ->> 'createdDate'::text), 600) COLLATE "C");
CREATE INDEX loan_history_loan_id_ref ON loan_history (loan_id);
CREATE INDEX loan_history_loan_itemid_ref ON loan_history (loan_itemid);
CREATE INDEX loan_history_loan_userid_ref ON loan_history (loan_userid);
CREATE INDEX loan_history_seq_idx ON loan_history (seq);
CREATE INDEX loan_itemid_ref ON loan (itemid);
CREATE UNIQUE INDEX loan_one_open_for_an_item ON loan (open_item) WHERE (open_item IS NOT NULL);
CREATE INDEX loan_open_by_borrower_due ON loan (open_borrower, ((doc ->> 'dueDate'::text)) COLLATE "C") WHERE (open_borrower IS NOT NULL);
CREATE INDEX loan_proxyuserid_ref ON loan (proxyuserid);
CREATE INDEX loan_seq_idx ON loan (seq);
CREATE INDEX loan_status_name_fold ON loan ("left"(carrel.fold(((doc -> 'status'::text) ->> 'name'::text)), 600) COLLATE "C");
CREATE INDEX loan_that_may_age ON loan (((doc ->> 'dueDate'::text)) COLLATE "C", id) WHERE ((open_item IS NOT NULL) AND (COALESCE((doc ->> 'itemStatus'::text), ''::text) <> ALL (ARRAY['Claimed returned'::text, 'Aged to lost'::text, 'Declared lost'::text])));
CREATE INDEX loan_to_bill ON loan (((doc #>> '{agedToLostDelayedBilling,dateLostItemShouldBeBilled}'::text[])) COLLATE "C", id) WHERE ((open_item IS NOT NULL) AND ((doc #>> '{agedToLostDelayedBilling,lostItemHasBeenBilled}'::text[]) = 'false'::text));
CREATE INDEX loan_userid_ref ON loan (userid);
CREATE INDEX loan_with_past_borrower ON loan (COALESCE((doc ->> 'systemReturnDate'::text), ''::text) COLLATE "C", id) WHERE (((doc #>> '{status,name}'::text[]) = 'Closed'::text) AND (doc ? 'userId'::text));
CREATE INDEX patron_action_session_patronid_ref ON patron_action_session (patronid);
CREATE INDEX patron_action_session_seq_idx ON patron_action_session (seq);
CREATE TRIGGER event_action AFTER INSERT OR DELETE OR UPDATE ON loan FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION announce_loan();
CREATE TRIGGER event_all_deleted AFTER TRUNCATE ON loan FOR EACH STATEMENT EXECUTE FUNCTION announce_all_deleted('circulation.loan');
CREATE TRIGGER event_log AFTER INSERT ON check_in FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION announce_check_in();
CREATE TRIGGER event_record AFTER INSERT OR DELETE OR UPDATE ON item FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION announce_record('inventory.item');
CREATE TRIGGER item_uncommon_status_changed AFTER UPDATE ON item FOR EACH ROW WHEN ((((old.state #>> '{status,name}'::text[]) IS DISTINCT FROM (new.state #>> '{status,name}'::text[])) AND (((old.state #>> '{status,name}'::text[]) <> ALL (ARRAY['Available'::text, 'Checked out'::text])) OR ((new.state #>> '{status,name}'::text[]) <> ALL (ARRAY['Available'::text, 'Checked out'::text]))))) EXECUTE FUNCTION keep_uncommon_status();
CREATE TRIGGER item_uncommon_status_gone AFTER DELETE ON item FOR EACH ROW WHEN (((old.state #>> '{status,name}'::text[]) <> ALL (ARRAY['Available'::text, 'Checked out'::text]))) EXECUTE FUNCTION keep_uncommon_status();
CREATE TRIGGER item_uncommon_status_new AFTER INSERT ON item FOR EACH ROW WHEN (((new.state #>> '{status,name}'::text[]) <> ALL (ARRAY['Available'::text, 'Checked out'::text]))) EXECUTE FUNCTION keep_uncommon_status();
CREATE TRIGGER loans_changed AFTER UPDATE ON loan REFERENCING OLD TABLE AS past NEW TABLE AS present FOR EACH STATEMENT EXECUTE FUNCTION loans_changed();
CREATE TRIGGER loans_deleted AFTER DELETE ON loan REFERENCING OLD TABLE AS past FOR EACH STATEMENT EXECUTE FUNCTION loans_deleted();
CREATE TRIGGER loans_emptied AFTER TRUNCATE ON loan FOR EACH STATEMENT EXECUTE FUNCTION loans_emptied();
CREATE TRIGGER loans_made AFTER INSERT ON loan REFERENCING NEW TABLE AS present FOR EACH STATEMENT EXECUTE FUNCTION loans_made();
ALTER TABLE item ADD CONSTRAINT item_effectivecallnumbercomponents_typeid_fkey FOREIGN KEY (effectivecallnumbercomponents_typeid) REFERENCES call_number_type(id);
ALTER TABLE item ADD CONSTRAINT item_effectivelocationid_fkey FOREIGN KEY (effectivelocationid) REFERENCES location(id);
ALTER TABLE item ADD CONSTRAINT item_holdingsrecordid_fkey FOREIGN KEY (holdingsrecordid) REFERENCES holdings_record(id);
ALTER TABLE item ADD CONSTRAINT item_itemlevelcallnumbertypeid_fkey FOREIGN KEY (itemlevelcallnumbertypeid) REFERENCES call_number_type(id);
ALTER TABLE item ADD CONSTRAINT item_materialtypeid_fkey FOREIGN KEY (materialtypeid) REFERENCES material_type(id);
ALTER TABLE item ADD CONSTRAINT item_permanentloantypeid_fkey FOREIGN KEY (permanentloantypeid) REFERENCES loan_type(id);
ALTER TABLE item ADD CONSTRAINT item_permanentlocationid_fkey FOREIGN KEY (permanentlocationid) REFERENCES location(id);
ALTER TABLE item ADD CONSTRAINT item_temporaryloantypeid_fkey FOREIGN KEY (temporaryloantypeid) REFERENCES loan_type(id);
ALTER TABLE item ADD CONSTRAINT item_temporarylocationid_fkey FOREIGN KEY (temporarylocationid) REFERENCES location(id);
ALTER TABLE loan ADD CONSTRAINT loan_open_borrower_fkey FOREIGN KEY (open_borrower) REFERENCES users(id);
ALTER TABLE loan ADD CONSTRAINT loan_open_item_fkey FOREIGN KEY (open_item) REFERENCES item(id);
ALTER TABLE bound_with_part ADD CONSTRAINT bound_with_part_itemid_fkey FOREIGN KEY (itemid) REFERENCES item (id);
DELETE FROM schema_history WHERE version IN (80, 177, 178, -1, -2);
