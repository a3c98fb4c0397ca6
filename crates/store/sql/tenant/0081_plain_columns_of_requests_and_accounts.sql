-- Requests and accounts get plain columns, too (decision 36). As migration 80, this prepares libraries from before; each
-- statement does nothing in a new library.

-- Indexes that now have another definition under the same name, or that no query of FOLIO's clients needs.
DROP INDEX IF EXISTS request_requesterid_ref, request_proxyuserid_ref, request_instanceid_ref, request_itemid_ref,
  request_pickupservicepointid_ref, request_cancellationreasonid_ref, request_status_fold, request_requesttype_fold,
  request_requestexpirationdate_fold, request_requestdate_fold, request_with_past_requester,
  accounts_userid_ref, accounts_loanid_ref, accounts_status_name_fold, accounts_open_by_user;

-- Patrons' loans are found with their status.
DROP INDEX IF EXISTS loan_userid_ref;

-- Columns that no query needs. PostgreSQL would compute them for each new row for ever.
ALTER TABLE IF EXISTS accounts DROP COLUMN IF EXISTS itemid, DROP COLUMN IF EXISTS ownerid, DROP COLUMN IF EXISTS feefineid;

-- What follows from a change is written by the functions that write requests and accounts.
DROP TRIGGER IF EXISTS note_shelf_left ON request;
DROP TRIGGER IF EXISTS request_joins_queue ON request;
DROP FUNCTION IF EXISTS note_shelf_left(), request_joins_queue();
DROP TRIGGER IF EXISTS accounts_count_fees ON accounts;
DROP TRIGGER IF EXISTS accounts_settled ON accounts;
DROP FUNCTION IF EXISTS count_patron_fees(), account_settled();
