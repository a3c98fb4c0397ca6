-- Loans, check-ins and patrons' sessions have the usual members in columns instead of a document (decision 96).
DO $$ BEGIN
  IF to_regclass('check_in') IS NOT NULL THEN
    -- The columns are right: nothing has to derive them again.
    DROP FUNCTION IF EXISTS loan_columns(jsonb), check_in_columns(jsonb), patron_action_session_columns(jsonb);
    ALTER TABLE check_in ALTER COLUMN itemid DROP EXPRESSION IF EXISTS;
    ALTER TABLE check_in
      ADD COLUMN servicepointid uuid, ADD COLUMN performedbyuserid uuid, ADD COLUMN itemlocationid uuid,
      ADD COLUMN occurreddatetime text, ADD COLUMN itemstatuspriortocheckin text,
      ADD COLUMN requestqueuesize int;
    ALTER TABLE patron_action_session ALTER COLUMN patronid DROP EXPRESSION IF EXISTS;
    ALTER TABLE patron_action_session
      ADD COLUMN loanid uuid, ADD COLUMN sessionid uuid, ADD COLUMN actiontype text,
      ADD COLUMN metadata_createddate text, ADD COLUMN metadata_createdbyuserid uuid,
      ADD COLUMN metadata_updateddate text, ADD COLUMN metadata_updatedbyuserid uuid;
    -- One rewrite of each table, in which every expression sees the row as it was.
    ALTER TABLE check_in
      ALTER COLUMN servicepointid TYPE uuid USING carrel.stored_uuid(doc->>'servicePointId'),
      ALTER COLUMN performedbyuserid TYPE uuid USING carrel.stored_uuid(doc->>'performedByUserId'),
      ALTER COLUMN itemlocationid TYPE uuid USING carrel.stored_uuid(doc->>'itemLocationId'),
      ALTER COLUMN occurreddatetime TYPE text USING doc->>'occurredDateTime',
      ALTER COLUMN itemstatuspriortocheckin TYPE text USING doc->>'itemStatusPriorToCheckIn',
      ALTER COLUMN requestqueuesize TYPE int USING carrel.stored_int(doc->>'requestQueueSize'),
      ALTER COLUMN doc TYPE jsonb USING carrel.replaced_members(doc, jsonb_strip_nulls(jsonb_build_object(
        'id', id, 'itemId', (doc->>'itemId')::uuid, 'servicePointId', carrel.stored_uuid(doc->>'servicePointId'),
        'performedByUserId', carrel.stored_uuid(doc->>'performedByUserId'),
        'itemLocationId', carrel.stored_uuid(doc->>'itemLocationId'), 'occurredDateTime', doc->>'occurredDateTime',
        'itemStatusPriorToCheckIn', doc->>'itemStatusPriorToCheckIn',
        'requestQueueSize', carrel.stored_int(doc->>'requestQueueSize')))),
      ALTER COLUMN doc DROP NOT NULL;
    ALTER TABLE check_in RENAME COLUMN doc TO rest;
    ALTER TABLE patron_action_session
      ALTER COLUMN loanid TYPE uuid USING carrel.stored_uuid(doc->>'loanId'),
      ALTER COLUMN sessionid TYPE uuid USING carrel.stored_uuid(doc->>'sessionId'),
      ALTER COLUMN actiontype TYPE text USING doc->>'actionType',
      ALTER COLUMN metadata_createddate TYPE text USING doc#>>'{metadata,createdDate}',
      ALTER COLUMN metadata_createdbyuserid TYPE uuid USING carrel.stored_uuid(doc#>>'{metadata,createdByUserId}'),
      ALTER COLUMN metadata_updateddate TYPE text USING doc#>>'{metadata,updatedDate}',
      ALTER COLUMN metadata_updatedbyuserid TYPE uuid USING carrel.stored_uuid(doc#>>'{metadata,updatedByUserId}'),
      ALTER COLUMN doc TYPE jsonb USING carrel.replaced_members(doc, jsonb_strip_nulls(jsonb_build_object(
        'id', id, 'patronId', (doc->>'patronId')::uuid, 'loanId', carrel.stored_uuid(doc->>'loanId'),
        'sessionId', carrel.stored_uuid(doc->>'sessionId'), 'actionType', doc->>'actionType',
        'metadata', CASE WHEN doc->'metadata' ?| '{createdDate,createdByUserId,updatedDate,updatedByUserId}' THEN jsonb_build_object(
          'createdDate', doc#>>'{metadata,createdDate}',
          'createdByUserId', carrel.stored_uuid(doc#>>'{metadata,createdByUserId}'),
          'updatedDate', doc#>>'{metadata,updatedDate}',
          'updatedByUserId', carrel.stored_uuid(doc#>>'{metadata,updatedByUserId}')) END))),
      ALTER COLUMN doc DROP NOT NULL;
    ALTER TABLE patron_action_session RENAME COLUMN doc TO rest;
    -- Tables from before version 81 lack some of these; PostgreSQL fills them by adding them as generated columns.
    ALTER TABLE loan
      ADD COLUMN IF NOT EXISTS userid uuid GENERATED ALWAYS AS ((doc->>'userId')::uuid) STORED,
      ADD COLUMN IF NOT EXISTS proxyuserid uuid GENERATED ALWAYS AS ((doc->>'proxyUserId')::uuid) STORED,
      ADD COLUMN IF NOT EXISTS itemid uuid GENERATED ALWAYS AS ((doc->>'itemId')::uuid) STORED,
      ADD COLUMN IF NOT EXISTS loandate_exact text COLLATE "C" GENERATED ALWAYS AS (left(doc->>'loanDate', 600)) STORED,
      ADD COLUMN IF NOT EXISTS duedate_exact text COLLATE "C" GENERATED ALWAYS AS (left(doc->>'dueDate', 600)) STORED,
      ADD COLUMN IF NOT EXISTS status_name_fold text COLLATE "C"
        GENERATED ALWAYS AS (left(carrel.fold(doc->'status'->>'name'), 600)) STORED,
      ADD COLUMN IF NOT EXISTS open_item uuid
        GENERATED ALWAYS AS (CASE WHEN doc#>>'{status,name}' = 'Open' THEN (doc->>'itemId')::uuid END) STORED,
      ADD COLUMN IF NOT EXISTS open_borrower uuid
        GENERATED ALWAYS AS (CASE WHEN doc#>>'{status,name}' = 'Open' THEN (doc->>'userId')::uuid END) STORED,
      ADD COLUMN IF NOT EXISTS may_age text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN doc#>>'{status,name}' = 'Open'
        AND coalesce(doc->>'itemStatus', '') NOT IN ('Claimed returned', 'Aged to lost', 'Declared lost')
        THEN doc->>'dueDate' END) STORED,
      ADD COLUMN IF NOT EXISTS to_bill text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN doc#>>'{status,name}' = 'Open'
        AND doc#>>'{agedToLostDelayedBilling,lostItemHasBeenBilled}' = 'false'
        THEN doc#>>'{agedToLostDelayedBilling,dateLostItemShouldBeBilled}' END) STORED,
      ADD COLUMN IF NOT EXISTS past_return text COLLATE "C" GENERATED ALWAYS AS (CASE
        WHEN doc#>>'{status,name}' = 'Closed' AND doc ? 'userId' THEN coalesce(doc->>'systemReturnDate', '') END) STORED;
    ALTER TABLE loan
      ALTER COLUMN userid DROP EXPRESSION IF EXISTS, ALTER COLUMN proxyuserid DROP EXPRESSION IF EXISTS,
      ALTER COLUMN itemid DROP EXPRESSION IF EXISTS, ALTER COLUMN loandate_exact DROP EXPRESSION IF EXISTS,
      ALTER COLUMN duedate_exact DROP EXPRESSION IF EXISTS, ALTER COLUMN status_name_fold DROP EXPRESSION IF EXISTS,
      ALTER COLUMN open_item DROP EXPRESSION IF EXISTS, ALTER COLUMN open_borrower DROP EXPRESSION IF EXISTS,
      ALTER COLUMN may_age DROP EXPRESSION IF EXISTS, ALTER COLUMN to_bill DROP EXPRESSION IF EXISTS,
      ALTER COLUMN past_return DROP EXPRESSION IF EXISTS;
    ALTER TABLE loan
      ADD COLUMN itemeffectivelocationidatcheckout uuid,
      ADD COLUMN status_name text,
      ADD COLUMN returndate text,
      ADD COLUMN systemreturndate text,
      ADD COLUMN action text,
      ADD COLUMN itemstatus text,
      ADD COLUMN renewalcount int,
      ADD COLUMN loanpolicyid uuid,
      ADD COLUMN overduefinepolicyid uuid,
      ADD COLUMN lostitempolicyid uuid,
      ADD COLUMN checkoutservicepointid uuid,
      ADD COLUMN checkinservicepointid uuid,
      ADD COLUMN patrongroupidatcheckout uuid,
      ADD COLUMN metadata_createddate text,
      ADD COLUMN metadata_createdbyuserid uuid,
      ADD COLUMN metadata_updateddate text,
      ADD COLUMN metadata_updatedbyuserid uuid;
    ALTER TABLE loan
      ALTER COLUMN itemeffectivelocationidatcheckout TYPE uuid USING carrel.stored_uuid(doc->>'itemEffectiveLocationIdAtCheckOut'),
      ALTER COLUMN status_name TYPE text USING doc#>>'{status,name}',
      ALTER COLUMN returndate TYPE text USING doc->>'returnDate',
      ALTER COLUMN systemreturndate TYPE text USING doc->>'systemReturnDate',
      ALTER COLUMN action TYPE text USING doc->>'action',
      ALTER COLUMN itemstatus TYPE text USING doc->>'itemStatus',
      ALTER COLUMN renewalcount TYPE int USING carrel.stored_int(doc->>'renewalCount'),
      ALTER COLUMN loanpolicyid TYPE uuid USING carrel.stored_uuid(doc->>'loanPolicyId'),
      ALTER COLUMN overduefinepolicyid TYPE uuid USING carrel.stored_uuid(doc->>'overdueFinePolicyId'),
      ALTER COLUMN lostitempolicyid TYPE uuid USING carrel.stored_uuid(doc->>'lostItemPolicyId'),
      ALTER COLUMN checkoutservicepointid TYPE uuid USING carrel.stored_uuid(doc->>'checkoutServicePointId'),
      ALTER COLUMN checkinservicepointid TYPE uuid USING carrel.stored_uuid(doc->>'checkinServicePointId'),
      ALTER COLUMN patrongroupidatcheckout TYPE uuid USING carrel.stored_uuid(doc->>'patronGroupIdAtCheckout'),
      ALTER COLUMN metadata_createddate TYPE text USING doc#>>'{metadata,createdDate}',
      ALTER COLUMN metadata_createdbyuserid TYPE uuid USING carrel.stored_uuid(doc#>>'{metadata,createdByUserId}'),
      ALTER COLUMN metadata_updateddate TYPE text USING doc#>>'{metadata,updatedDate}',
      ALTER COLUMN metadata_updatedbyuserid TYPE uuid USING carrel.stored_uuid(doc#>>'{metadata,updatedByUserId}'),
      ALTER COLUMN doc TYPE jsonb USING carrel.replaced_members(doc, jsonb_strip_nulls(jsonb_build_object(
        'id', id, 'userId', (doc->>'userId')::uuid, 'proxyUserId', (doc->>'proxyUserId')::uuid, 'itemId', (doc->>'itemId')::uuid,
        'loanDate', left(doc->>'loanDate', 600), 'dueDate', left(doc->>'dueDate', 600),
        'status', CASE WHEN doc#>>'{status,name}' IS NOT NULL THEN jsonb_build_object('name', doc#>>'{status,name}') END,
        'itemEffectiveLocationIdAtCheckOut', carrel.stored_uuid(doc->>'itemEffectiveLocationIdAtCheckOut'),
        'returnDate', doc->>'returnDate',
        'systemReturnDate', doc->>'systemReturnDate',
        'action', doc->>'action',
        'itemStatus', doc->>'itemStatus',
        'renewalCount', carrel.stored_int(doc->>'renewalCount'),
        'loanPolicyId', carrel.stored_uuid(doc->>'loanPolicyId'),
        'overdueFinePolicyId', carrel.stored_uuid(doc->>'overdueFinePolicyId'),
        'lostItemPolicyId', carrel.stored_uuid(doc->>'lostItemPolicyId'),
        'checkoutServicePointId', carrel.stored_uuid(doc->>'checkoutServicePointId'),
        'checkinServicePointId', carrel.stored_uuid(doc->>'checkinServicePointId'),
        'patronGroupIdAtCheckout', carrel.stored_uuid(doc->>'patronGroupIdAtCheckout'),
        'metadata', CASE WHEN doc->'metadata' ?| '{createdDate,createdByUserId,updatedDate,updatedByUserId}' THEN jsonb_build_object(
          'createdDate', doc#>>'{metadata,createdDate}',
          'createdByUserId', carrel.stored_uuid(doc#>>'{metadata,createdByUserId}'),
          'updatedDate', doc#>>'{metadata,updatedDate}',
          'updatedByUserId', carrel.stored_uuid(doc#>>'{metadata,updatedByUserId}')) END))),
      ALTER COLUMN doc DROP NOT NULL;
    ALTER TABLE loan RENAME COLUMN doc TO rest;
  END IF;
END $$;
