//! The statements about patrons use indexes: none scans users, notes or accounts.

use store::{Session, StoreError};
use testkit::{Library, library};

/// Tables that grow with the library.
const LARGE: [&str; 3] = ["users", "note", "accounts"];

/// Enough rows that PostgreSQL prefers an index wherever one fits.
const FILL: &str = r#"
INSERT INTO groups (id, doc) SELECT id, jsonb_build_object('id', id, 'group', 'g' || n)
FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(1, 5) n) s;
INSERT INTO users (id, doc) SELECT id, jsonb_build_object('id', id, 'username', 'u' || n, 'barcode', 'b' || n,
  'externalSystemId', 'e' || n, 'active', n % 50 = 0, 'expirationDate', '2030-01-01T00:00:00.000+00:00',
  'departments', jsonb_build_array(gen_random_uuid()), 'patronGroup', (SELECT id FROM groups LIMIT 1),
  'personal', jsonb_build_object('lastName', 'Reader ' || n, 'addresses',
    jsonb_build_array(jsonb_build_object('addressTypeId', gen_random_uuid()))),
  'customFields', CASE WHEN n % 100 = 0 THEN jsonb_build_object('field' || n, 'x') ELSE '{}' END)
FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(1, 20000) n) s;
INSERT INTO note (id, doc) SELECT id, jsonb_build_object('id', id, 'title', 't', 'domain', 'd' || n % 400,
  'links', jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'type', 'user')))
FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(1, 20000) n) s;
SELECT add_accounts(array_agg(jsonb_build_object('id', id, 'userId', gen_random_uuid(), 'remaining', 1,
  'itemId', gen_random_uuid(), 'loanId', gen_random_uuid(), 'status', jsonb_build_object('name', 'Open'))))
FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 20000)) s;
"#;

macro_rules! shipped {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("../../crates/store/queries/", $name, ".sql")))),*] };
}

fn session(library: &Library) -> Session {
    let tenant = library.app.tenant(library.tenant).expect("the tenant");
    library.app.session(&tenant).expect("a session")
}

/// Inserts the rows, with statistics as autovacuum leaves them.
async fn fill(session: &Session) {
    session.batch(FILL).await.expect("the rows");
    for table in LARGE {
        let sql = format!("VACUUM ANALYZE {table}");
        session.batch(&sql).await.expect("statistics");
    }
}

/// The generic plan of a statement.
async fn plan(session: &Session, sql: &str) -> Result<String, StoreError> {
    let parameters = (1..20).take_while(|number| sql.contains(&format!("${number}"))).count();
    let nulls = vec!["NULL"; parameters].join(", ");
    let arguments = if nulls.is_empty() { nulls } else { format!("({nulls})") };
    let transaction = session.begin().await?;
    let prepare = format!("SET LOCAL plan_cache_mode = force_generic_plan; PREPARE explained AS {sql}");
    transaction.batch(&prepare).await?;
    let rows = transaction.query(&format!("EXPLAIN EXECUTE explained{arguments}"), &[]).await?;
    let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    Ok(lines.join("\n"))
}

fn scans(plan: &str) -> bool {
    LARGE.iter().any(|table| plan.lines().any(|line| line.contains(&format!("Seq Scan on {table} "))))
}

#[tokio::test]
async fn no_statement_on_patrons_scans_a_large_table() {
    let library = library().await;
    let session = session(&library);
    fill(&session).await;
    let shipped = shipped!(
        "patrons/user_surroundings" "patrons/expire_users" "patrons/custom_field_removed" "patrons/custom_field_uses" "patrons/custom_field_option_uses"
        "patrons/custom_fields_saved" "notes/links" "notes/type_added" "patrons/import_system" "patrons/staged_user" "patrons/staged_user_by_external_id"
        "patrons/staged_user_merged" "patrons/department_used" "patrons/address_type_used"
    );
    for (name, sql) in shipped {
        let plan = plan(&session, sql).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!scans(&plan), "{name}:\n{plan}");
    }
}

/// The queries of the desk and the staff application, on the filled tables: none is slow.
#[tokio::test]
async fn the_lists_of_the_desk_come_through_indexes() {
    let library = library().await;
    let session = session(&library);
    fill(&session).await;
    let id = "11111111-2222-4333-8444-555555555555";
    let cases = [
        ("users", format!("barcode==\"b7\" or username==\"u7\" or externalSystemId==\"e7\" or id=={id}")),
        ("users", "keywords=\"rea*\" and barcode==b8".into()),
        ("users", "username=\"u77*\" or personal.firstName=\"u77*\" or customFields=\"u77*\"".into()),
        ("accounts", format!("userId=={id} and itemId=={id} and status.name==\"Open\"")),
        ("accounts", format!("loanId=={id}")),
        ("users", format!("departments==\"*{id}*\" and barcode==b7")),
        ("manualblocks", format!("userId=={id}")),
    ];
    for (table, cql) in cases {
        let collection = library.app.collection(table).expect("a collection");
        let wanted = store::query::read(&library.app.collections, &collection, &cql).expect("a plan");
        let condition = wanted.condition.sql().inlined();
        let plan = plan(&session, &format!("SELECT FROM {table} r WHERE {condition}")).await;
        let plan = plan.unwrap_or_else(|error| panic!("{cql}: {error}"));
        assert!(!scans(&plan), "{cql}:\n{plan}");
    }
}
