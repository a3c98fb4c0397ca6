//! A library with the tables from before migrations 80 and 81 is updated: the same records, the same tables as in a new
//! library.

use serde_json::{Value, json};
use store::tenants::schema_name;

use super::{compact, disagreements};
use crate::circulation::lending_library::{LendingLibrary, id};

/// The desk's tables as they were.
const BEFORE_80: &str = include_str!("before_80.sql");
const BEFORE_81: &str = include_str!("before_81.sql");

/// Keeps the records, and removes the tables of today.
const KEEP_RECORDS: &str = "
CREATE TABLE kept_item AS SELECT r.seq, r.id, r.doc, r.state FROM item_record r;
CREATE TABLE kept_item_uncommon_status AS SELECT * FROM item_uncommon_status;
CREATE TABLE kept_loan AS SELECT l.seq, l.id, l.doc FROM loan l;
CREATE TABLE kept_loan_history AS SELECT seq, id, doc FROM loan_history_record;
CREATE TABLE kept_check_in AS SELECT c.seq, c.id, c.doc, c.closed_loan FROM check_in c;
CREATE TABLE kept_patron_action_session AS SELECT s.seq, s.id, s.doc FROM patron_action_session s;
CREATE TABLE kept_request AS SELECT seq, id, doc, through_override FROM request;
CREATE TABLE kept_accounts AS SELECT seq, id, doc FROM accounts;
DROP TABLE item, item_state, item_uncommon_status, loan, loan_history, check_in, patron_action_session, request, accounts
  CASCADE;";

/// Puts the records into the tables of then, without triggers: their history and counters are there.
const PUT_BACK: &str = "
SET LOCAL session_replication_role = replica;
INSERT INTO item (id, doc, state) SELECT id, doc, state FROM kept_item ORDER BY seq;
INSERT INTO item_uncommon_status SELECT * FROM kept_item_uncommon_status;
INSERT INTO loan (id, doc) SELECT id, doc FROM kept_loan ORDER BY seq;
INSERT INTO loan_history (id, doc) SELECT id, doc FROM kept_loan_history ORDER BY seq;
INSERT INTO check_in (id, doc, closed_loan) SELECT id, doc, closed_loan FROM kept_check_in ORDER BY seq;
INSERT INTO patron_action_session (id, doc) SELECT id, doc FROM kept_patron_action_session ORDER BY seq;
INSERT INTO request (id, doc, through_override) SELECT id, doc, through_override FROM kept_request ORDER BY seq;
INSERT INTO accounts (id, doc) SELECT id, doc FROM kept_accounts ORDER BY seq;
DROP TABLE kept_item, kept_item_uncommon_status, kept_loan, kept_loan_history, kept_check_in,
  kept_patron_action_session, kept_request, kept_accounts;";

/// The history of loans as it was before migration 177, each version with the whole loan.
const WHOLE_VERSIONS: &str = "
CREATE TABLE kept AS SELECT seq, id, doc FROM loan_history_record;
DROP TABLE loan_history CASCADE;
CREATE TABLE loan_history (id uuid PRIMARY KEY, seq bigint GENERATED ALWAYS AS IDENTITY, doc jsonb NOT NULL, loan_id uuid,
  createddate_exact text COLLATE \"C\", is_ageing boolean);
CREATE INDEX loan_history_of_ageing ON loan_history (createddate_exact) WHERE is_ageing;
INSERT INTO loan_history (id, doc, loan_id, createddate_exact)
SELECT id, doc, (doc#>>'{loan,id}')::uuid, doc->>'createdDate' FROM kept ORDER BY seq;
DROP TABLE kept;
CREATE FUNCTION loan_history_columns(doc jsonb) RETURNS TABLE (loan_id uuid, createddate_exact text, is_ageing boolean)
LANGUAGE sql AS 'SELECT (doc#>>''{loan,id}'')::uuid, doc->>''createdDate'', NULL::boolean';
DELETE FROM schema_history WHERE version IN (177, -1, -2);";

/// Loans, check-ins and patrons' sessions as they were before migration 178, in documents, and the checks of a patron's counters as
/// they were before migration 179.
const DOCUMENTS: &str = "
CREATE TABLE kept_check_in AS SELECT c.seq, c.id, c.doc, c.closed_loan FROM check_in c;
CREATE TABLE kept_session AS SELECT s.seq, s.id, s.doc FROM patron_action_session s;
CREATE TABLE kept_loan AS SELECT l.seq, l.id, l.doc, l.userid, l.proxyuserid, l.itemid, l.loandate_exact, l.duedate_exact,
  l.status_name_fold, l.open_item, l.open_borrower, l.may_age, l.to_bill, l.past_return FROM loan l;
DROP TABLE check_in, patron_action_session, loan CASCADE;
CREATE TABLE loan (LIKE kept_loan, PRIMARY KEY (id));
ALTER TABLE loan ALTER seq SET NOT NULL, ALTER seq ADD GENERATED ALWAYS AS IDENTITY, ALTER doc SET NOT NULL;
CREATE UNIQUE INDEX loan_one_open_for_an_item ON loan (open_item) WHERE open_item IS NOT NULL;
INSERT INTO loan OVERRIDING SYSTEM VALUE SELECT * FROM kept_loan ORDER BY seq;
CREATE TABLE check_in (id uuid PRIMARY KEY, seq bigint GENERATED ALWAYS AS IDENTITY, doc jsonb NOT NULL, itemid uuid,
  closed_loan uuid);
CREATE TABLE patron_action_session (id uuid PRIMARY KEY, seq bigint GENERATED ALWAYS AS IDENTITY, doc jsonb NOT NULL,
  patronid uuid);
INSERT INTO check_in (id, doc, itemid, closed_loan)
SELECT id, doc, (doc->>'itemId')::uuid, closed_loan FROM kept_check_in ORDER BY seq;
INSERT INTO patron_action_session (id, doc, patronid)
SELECT id, doc, (doc->>'patronId')::uuid FROM kept_session ORDER BY seq;
DROP TABLE kept_check_in, kept_session, kept_loan;
DROP FUNCTION loan_columns(jsonb), check_in_columns(jsonb), patron_action_session_columns(jsonb);
CREATE FUNCTION check_in_columns(doc jsonb) RETURNS TABLE (itemid uuid) LANGUAGE sql AS 'SELECT (doc->>''itemId'')::uuid';
CREATE FUNCTION patron_action_session_columns(doc jsonb) RETURNS TABLE (patronid uuid)
LANGUAGE sql AS 'SELECT (doc->>''patronId'')::uuid';
CREATE FUNCTION loan_columns(doc jsonb) RETURNS TABLE (itemid uuid) LANGUAGE sql AS 'SELECT (doc->>''itemId'')::uuid';
CREATE TRIGGER event_log AFTER INSERT ON check_in FOR EACH ROW WHEN (events_wanted()) EXECUTE FUNCTION announce_check_in();
ALTER TABLE patron_counters DROP CONSTRAINT patron_counters_not_negative, ADD CHECK (open_loans >= 0),
  ADD CHECK (claimed_returned >= 0), ADD CHECK (lost_items >= 0);
DELETE FROM schema_history WHERE version IN (178, 179, -1, -2);";

const ALL_RECORDS: &str =
    "SELECT doc FROM (SELECT id, doc FROM loan_record UNION ALL SELECT id, doc FROM check_in_record
  UNION ALL SELECT id, doc FROM patron_action_session_record) r ORDER BY id";

/// Everything in the library's schema, one line each.
const OBJECTS: &str = "
SELECT format('column %s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
              CASE WHEN a.attnotnull THEN 'not null' END, nullif(a.attgenerated::text, '')) AS object
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'v') AND a.attnum > 0
  AND NOT a.attisdropped
UNION ALL
SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
UNION ALL
SELECT pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
UNION ALL
SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
WHERE connamespace = current_schema()::regnamespace
UNION ALL
SELECT format('function %s', p.oid::regprocedure) FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
UNION ALL
SELECT format('options of %s: %s', relname, reloptions) FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND reloptions IS NOT NULL
ORDER BY 1";

async fn objects(library: &LendingLibrary) -> Vec<String> {
    library.session().values(OBJECTS, &[]).await.expect("objects")
}

/// What clients read of the desk's records.
async fn records(library: &LendingLibrary) -> Vec<Value> {
    let mut lists = Vec::new();
    for (path, cql) in [
        ("/item-storage/items", "cql.allRecords=1 sortby barcode"),
        ("/item-storage/items", "status.name==Missing"),
        ("/inventory/items", "status.name==\"Checked out\" sortby barcode"),
        ("/loan-storage/loans", "cql.allRecords=1 sortby loanDate"),
        ("/circulation/loans", "status.name==Open sortby dueDate"),
        ("/loan-storage/loan-history", "cql.allRecords=1 sortby createdDate"),
        ("/check-in-storage/check-ins", "cql.allRecords=1"),
        ("/patron-action-session-storage/patron-action-sessions", "cql.allRecords=1"),
        ("/request-storage/requests", "cql.allRecords=1 sortby position"),
        ("/circulation/requests", "status==\"Open*\" sortby requestDate"),
        ("/accounts", "cql.allRecords=1"),
        ("/accounts", "status.name==Open sortby amount"),
    ] {
        let list = library.desk.query(path, cql).await.expect(200).json();
        assert_ne!(list["totalRecords"], 0, "{path}");
        lists.push(list);
    }
    lists
}

/// Items of several statuses, open, closed, lost and anonymized loans, their history, a request, fees of a patron.
async fn lend(library: &LendingLibrary) {
    let patron = library.patron("p-1", json!({})).await;
    for number in 0..6 {
        library.item(&format!("i-{number}"), json!({})).await;
    }
    let lost = json!({"status": {"name": "Missing"}});
    library.item("i-6", lost).await;
    let mut loans = Vec::new();
    for number in 0..5 {
        let answer = library.check_out(&format!("i-{number}"), "p-1", json!({})).await;
        loans.push(answer.expect(201).json());
    }
    library.check_in("i-0", json!({})).await.expect(200);
    library.check_in("i-1", json!({"servicePointId": library.branch})).await.expect(200);
    let anonymize = format!("/loan-storage/loans/anonymize/{patron}");
    library.desk.post(&anonymize, &json!({})).await.expect(204);
    library.check_in("i-2", json!({})).await.expect(200);
    let declared = json!({"declaredLostDateTime": "2026-11-20T12:00:00Z", "servicePointId": library.service_point});
    let path = format!("/circulation/loans/{}/declare-item-lost", id(&loans[3]));
    library.desk.post(&path, &declared).await.expect(204);
    let other = library.patron("p-2", json!({})).await;
    let item = loans[4]["itemId"].as_str().expect("an item").to_owned();
    library.hold(&item, &other, 1, json!({})).await;
    let cancelled = json!({"status": "Closed - Cancelled"});
    library.hold(&item, &patron, 2, cancelled).await;
    for (debtor, more) in [
        (&patron, json!({"itemId": item, "loanId": loans[4]["id"]})),
        (&other, json!({"remaining": 0.0, "status": {"name": "Closed"}})),
    ] {
        library.damage(debtor, 2.5, more).await;
    }
}

/// Makes the tables those of then.
async fn go_back(library: &LendingLibrary, statements: &[&str]) {
    let (database, schema) = (&library.library.app.database, schema_name(library.library.tenant));
    let session = database.session(&schema).expect("a session");
    let transaction = session.begin().await.expect("a transaction");
    for sql in statements {
        transaction.batch(sql).await.expect("the tables of then");
    }
    transaction.commit().await.expect("a commit");
    database.forget(&schema);
}

/// Updates them to those of now.
async fn update(library: &LendingLibrary) {
    let (app, schema) = (&library.library.app, schema_name(library.library.tenant));
    let collections: Vec<_> = app.collections.iter().map(|one| (**one).clone()).collect();
    store::schema::migrate(&app.database, &schema, &collections).await.expect("it is updated");
    app.database.forget(&schema);
}

#[tokio::test]
async fn a_library_from_before_is_updated_to_the_tables_of_a_new_one() {
    let library = LendingLibrary::new().await;
    lend(&library).await;
    assert_eq!(disagreements(&library.library).await, Vec::<String>::new());
    let (new_objects, before) = (objects(&library).await, records(&library).await);

    go_back(&library, &[KEEP_RECORDS, BEFORE_80, BEFORE_81, PUT_BACK]).await;
    let old_objects = objects(&library).await;
    for trigger in ["TRIGGER loans_made", "TRIGGER note_shelf_left", "TRIGGER accounts_count_fees"] {
        assert!(old_objects.iter().any(|object| object.contains(trigger)), "{old_objects:#?}");
    }
    assert!(!old_objects.iter().any(|object| object.contains("item_state.state")), "{old_objects:#?}");

    update(&library).await;

    assert_eq!(disagreements(&library.library).await, Vec::<String>::new());
    let updated = objects(&library).await;
    let surplus: Vec<_> = updated.iter().filter(|object| !new_objects.contains(object)).collect();
    let missing: Vec<_> = new_objects.iter().filter(|object| !updated.contains(object)).collect();
    assert!(surplus.is_empty() && missing.is_empty(), "left of the old: {surplus:#?}, missing: {missing:#?}");
    for (then, now) in before.iter().zip(records(&library).await) {
        assert_eq!(*then, now);
    }
    // The desk goes on.
    library.check_out("i-0", "p-2", json!({})).await.expect(201);
    library.check_in("i-4", json!({})).await.expect(200);
    let owed = library.desk.query("/accounts", "status.name==Open").await.expect(200).json();
    let payment = json!({"amount": "2.5", "notifyPatron": false, "servicePointId": library.service_point,
        "userName": "Librarian", "paymentMethod": "Cash"});
    let path = format!("/accounts/{}/pay", id(&owed["accounts"][0]));
    library.desk.post(&path, &payment).await.expect(201);
    assert_eq!(disagreements(&library.library).await, Vec::<String>::new());
}

#[tokio::test]
async fn versions_with_the_whole_loan_stay_as_they_are() {
    let library = LendingLibrary::new().await;
    lend(&library).await;
    let versions = async || {
        let path = "/loan-storage/loan-history?limit=100";
        let list = library.desk.query(path, "cql.allRecords=1 sortby createdDate").await.expect(200).json();
        list["loansHistory"].as_array().expect("versions").clone()
    };
    let log = async || {
        let path = "/audit-data/circulation/logs?query=cql.allRecords=1%20sortby%20id&limit=100";
        library.desk.get(path).await.expect(200).json()
    };
    let (new_objects, told, logged) = (objects(&library).await, versions().await, log().await);

    go_back(&library, &[WHOLE_VERSIONS]).await;
    update(&library).await;

    assert_eq!(objects(&library).await, new_objects);
    assert!(versions().await == told && log().await == logged);
    // Their loans change once more.
    library.check_in("i-4", json!({})).await.expect(200);
    let now = versions().await;
    assert_eq!(now.len(), told.len() + 1);
    assert!(now.starts_with(&told));
}

#[tokio::test]
async fn documents_of_the_desk_become_columns() {
    let library = LendingLibrary::new().await;
    lend(&library).await;
    let odd = json!({"itemId": "0AB3C5D7-0000-4000-8000-00000000000F", "servicePointId": library.service_point,
        "performedByUserId": library.librarian, "occurredDateTime": "2026-11-01T12:00:00+02:00", "isDcb": true});
    library.desk.post("/check-in-storage/check-ins", &odd).await.expect(201);
    for (table, records) in compact::odd_records() {
        compact::kept(&library, table, records).await;
    }
    let all = async || -> Vec<Value> { library.session().values(ALL_RECORDS, &[]).await.expect("records") };
    let (new_objects, before) = (objects(&library).await, all().await);

    go_back(&library, &[DOCUMENTS]).await;
    update(&library).await;

    assert_eq!(objects(&library).await, new_objects);
    assert!(all().await == before);
    assert_eq!(disagreements(&library.library).await, Vec::<String>::new());
    library.check_in("i-4", json!({})).await.expect(200);
}
