-- The changes of records that are announced (docs/folio/events.md, docs/folio/desk-records.md#events,
-- docs/folio/fees-fines.md#events-of-fees).

-- Announces a change of any record; the argument is its topic.
CREATE OR REPLACE FUNCTION announce_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := to_jsonb(OLD);
  after jsonb := to_jsonb(NEW);
BEGIN
  IF EXISTS (SELECT FROM event_interest i WHERE i.topic = TG_ARGV[0]) THEN
    PERFORM announce_change(TG_ARGV[0], coalesce(after, before)->>'id',
      CASE TG_OP WHEN 'INSERT' THEN 'CREATE' ELSE TG_OP END,
      before->'doc', after->'doc');
  END IF;
  RETURN NULL;
END $$;
DO $$
DECLARE
  kind record;
BEGIN
  FOR kind IN SELECT * FROM (VALUES
    ('request', 'circulation.request'), ('circulation_rules', 'circulation.rules'),
    ('circulation_settings', 'circulation.circulation-settings'), ('instance', 'inventory.instance'), ('holdings_record', 'inventory.holdings-record'),
    ('users', 'users.users')) AS kinds (of_table, topic)
  LOOP
    EXECUTE format(
      'CREATE OR REPLACE TRIGGER event_record AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW WHEN (events_wanted()) '
      'EXECUTE FUNCTION announce_record(%L)', kind.of_table, kind.topic);
  END LOOP;
END $$;

-- Announces a new item, and one that is about to be deleted together with its state. Changes are announced by what
-- writes them (item_state.sql, inventory.sql), because the item's document and its state are in two tables.
CREATE OR REPLACE FUNCTION announce_item() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  item jsonb := (SELECT i.doc || i.state FROM item_record i WHERE i.id = coalesce(NEW.id, OLD.id));
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM announce_change('inventory.item', OLD.id::text, 'DELETE', item, NULL);
    RETURN OLD;
  END IF;
  PERFORM announce_change('inventory.item', NEW.id::text, 'CREATE', NULL, item);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER event_record AFTER INSERT ON item
  FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION announce_item();
CREATE OR REPLACE TRIGGER event_record_gone BEFORE DELETE ON item
  FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION announce_item();

-- Announces a loan: the record's change, and the events of mod-circulation. One trigger does both, because the desk
-- pays for each check for subscribers.
CREATE OR REPLACE FUNCTION announce_loan() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted text[] := wanted_events();
  loan jsonb := doc(NEW);
  before jsonb := doc(OLD);
  loan_action text := loan->>'action';
  open boolean := loan#>>'{status,name}' = 'Open';
  closes boolean := coalesce(before#>>'{status,name}' = 'Open' AND NOT open, false);
  acts boolean := before IS NOT NULL AND before->>'action' IS DISTINCT FROM loan_action;
  about text;
  more jsonb := '{}';
BEGIN
  IF 'circulation.loan' = ANY (wanted) THEN
    PERFORM announce_change('circulation.loan', coalesce(loan, before)->>'id',
      CASE TG_OP WHEN 'INSERT' THEN 'CREATE' ELSE TG_OP END, before, loan);
  END IF;
  IF TG_OP = 'DELETE' THEN
    RETURN NULL;
  END IF;
  IF before IS NULL AND open AND loan_action IN ('checkedout', 'checkedOutThroughOverride') THEN
    about := 'ITEM_CHECKED_OUT';
    more := jsonb_build_object('dueDate', event_instant(loan->>'dueDate'), 'gracePeriod', (
      SELECT p.doc#>'{loansPolicy,gracePeriod}' FROM loan_policy p
      WHERE p.id = (loan->>'loanPolicyId')::uuid AND p.doc#>'{loansPolicy,gracePeriod}' ?& '{duration,intervalId}'));
  ELSIF closes AND loan_action IN ('checkedin', 'checkedInReturnedByPatron', 'checkedInFoundByLibrary') THEN
    about := 'ITEM_CHECKED_IN';
    more := jsonb_build_object('returnDate', event_instant(loan->>'returnDate'));
  ELSIF closes THEN
    about := 'LOAN_CLOSED';
  ELSIF acts THEN
    about := CASE loan_action
      WHEN 'declaredLost' THEN 'ITEM_DECLARED_LOST'
      WHEN 'itemAgedToLost' THEN 'ITEM_AGED_TO_LOST'
      WHEN 'claimedReturned' THEN 'ITEM_CLAIMED_RETURNED'
    END;
  END IF;
  IF about = ANY (wanted) THEN
    PERFORM announce(about, NEW.id::text, jsonb_strip_nulls(
      jsonb_build_object('userId', loan->'userId', 'loanId', loan->'id') || more)::json);
  END IF;
  IF open AND before IS NOT NULL AND 'LOAN_DUE_DATE_CHANGED' = ANY (wanted) AND (
    before->>'dueDate', coalesce((before->>'dueDateChangedByRecall')::boolean, false)) IS DISTINCT FROM (
    loan->>'dueDate', coalesce((loan->>'dueDateChangedByRecall')::boolean, false)) THEN
    PERFORM announce('LOAN_DUE_DATE_CHANGED', NEW.id::text, json_strip_nulls(json_build_object(
      'userId', loan->'userId', 'loanId', loan->'id', 'dueDate', event_instant(loan->>'dueDate'),
      'dueDateChangedByRecall', coalesce((loan->>'dueDateChangedByRecall')::boolean, false))));
  END IF;
  IF 'LOG_RECORD' = ANY (wanted) THEN
    PERFORM log_loan(NEW.id, before, loan);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER event_action AFTER INSERT OR UPDATE OR DELETE ON loan
  FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION announce_loan();

-- Announces the deletion of all loans or all requests: one event without a record, as in mod-circulation-storage.
CREATE OR REPLACE FUNCTION announce_all_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce_change(TG_ARGV[0], '00000000-0000-0000-0000-000000000000', 'ALL_DELETE', NULL, NULL);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER event_all_deleted AFTER TRUNCATE ON loan
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_deleted('circulation.loan');
CREATE OR REPLACE TRIGGER event_all_deleted AFTER TRUNCATE ON request
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_deleted('circulation.request');

-- Announces changes of a fee, in the events of mod-feesfines.
CREATE OR REPLACE FUNCTION announce_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fee jsonb := NEW.doc;
  closed boolean := fee#>>'{status,name}' = 'Closed' AND (fee->>'remaining')::numeric = 0;
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM announce('FEE_FINE_BALANCE_CHANGED', OLD.id::text, json_build_object('feeFineId', OLD.id, 'balance', 0.0));
    RETURN NULL;
  END IF;
  PERFORM announce('FEE_FINE_BALANCE_CHANGED', NEW.id::text, json_strip_nulls(json_build_object(
    'userId', fee->'userId', 'feeFineId', fee->'id', 'feeFineTypeId', fee->'feeFineId', 'balance', fee->'remaining',
    'loanId', fee->'loanId')));
  IF closed AND fee ? 'loanId' AND OLD.doc#>>'{status,name}' IS DISTINCT FROM 'Closed' THEN
    PERFORM announce('LOAN_RELATED_FEE_FINE_CLOSED', NEW.id::text, json_build_object('loanId', fee->'loanId'));
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER event_balance AFTER INSERT OR UPDATE OR DELETE ON accounts
  FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION announce_account();

-- Announces a renumbered queue: as in mod-circulation-storage, the written requests in their new order.
CREATE OR REPLACE FUNCTION announce_reordering() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  whole_titles boolean;
  queue record;
BEGIN
  IF NOT EXISTS (SELECT FROM event_interest i WHERE i.topic = 'circulation.request-queue-reordering') THEN
    RETURN NULL;
  END IF;
  whole_titles := title_requests_enabled();
  FOR queue IN EXECUTE $query$
    -- Planned each time, for as many rows as there are: a kept plan would pair thousands as it once paired one.
    SELECT a.doc->>'instanceId' AS title, CASE WHEN NOT $1 THEN a.doc->>'itemId' END AS item,
           jsonb_agg(a.id ORDER BY a.queue_position) AS requests,
           (array_agg(a.doc->>'itemId' ORDER BY a.queue_position))[1] AS first_item
    FROM after_rows a JOIN before_rows b USING (id)
    WHERE a.queue_position <> b.queue_position
    GROUP BY 1, 2 $query$ USING whole_titles
  LOOP
    PERFORM announce_change('circulation.request-queue-reordering', queue.title, 'CREATE', NULL, jsonb_strip_nulls(
      jsonb_build_object('instanceId', queue.title, 'itemId', queue.first_item,
        'requestLevel', CASE WHEN whole_titles THEN 'Title' ELSE 'Item' END, 'requestIds', queue.requests)));
  END LOOP;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER event_queue AFTER UPDATE ON request
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT WHEN (events_wanted()) EXECUTE FUNCTION announce_reordering();

-- Whether title-level requests are enabled; records with this setting have the same precedence as in Carrel's
-- configuration.
CREATE OR REPLACE FUNCTION title_requests_enabled() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  found jsonb;
BEGIN
  SELECT s.doc#>'{value,titleLevelRequestsFeatureEnabled}' INTO found FROM settings s
  WHERE (s.doc->>'scope', s.doc->>'key') = ('circulation', 'generalTlr') AND s.doc->>'userId' IS NULL LIMIT 1;
  IF found IS NULL THEN
    SELECT s.doc#>'{value,titleLevelRequestsFeatureEnabled}' INTO found FROM circulation_settings s
    WHERE s.doc->>'name' IN ('generalTlr', 'TLR') ORDER BY s.doc->>'name' = 'TLR' LIMIT 1;
  END IF;
  IF found IS NULL THEN
    SELECT (c.doc->>'value')::jsonb->'titleLevelRequestsFeatureEnabled' INTO found FROM config_data c
    WHERE (c.doc->>'module', c.doc->>'configName') = ('SETTINGS', 'TLR') LIMIT 1;
  END IF;
  RETURN coalesce(found #>> '{}' = 'true', false);
EXCEPTION WHEN data_exception THEN
  RETURN false;
END $$;
