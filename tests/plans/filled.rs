//! The filled database: a sample library, and thousands of rows in every other growing table.

use std::collections::HashMap;

use identity::tokens::Claims;
use load::{
    library::{Administrator, create},
    progress::Unwatched,
};
use sample::Plan;
use serde_json::{Map, Value};
use store::{
    Session,
    collection::Collection,
    query::plain::{Written, written},
    record::{Kind, Schema},
    tenants::schema_name,
};
use testkit::{Client, Library, library_with};
use uuid::Uuid;

const TENANT: &str = "sample";
/// The least number of rows in a growing table.
const ROWS: i64 = 3_000;

/// Tables of records that staff set up by hand. They do not grow with the library, its patrons or the years, so reading
/// them whole is fine.
const SMALL: &[&str] = &[
    "permissions",
    "rules",
    // The attributes that assessments can have.
    "archival_attribute",
    // As many as the loans of a few minutes.
    "patron_action_session",
    "smtp_configuration",
    // One for each request for a synchronization.
    "synchronization_jobs",
    // One for each time that staff index authorities again.
    "authority_reindex_job",
    "tlr_feature_toggle_job",
    "template",
    "tags",
    "note_type",
    "custom_fields",
    "departments",
    "groups",
    "addresstype",
    "owners",
    "feefines",
    "payments",
    "refunds",
    "waives",
    "transfers",
    "comments",
    "transfer_criteria",
    "manual_block_templates",
    "patron_block_conditions",
    "patron_block_limits",
    "calendars",
    "config_data",
    "tenant_addresses",
    "locale",
    "cancellation_reason",
    "staff_slips",
    "circulation_settings",
    "circulation_rules",
    "loan_policy",
    "request_policy",
    "patron_notice_policy",
    "overdue_fine_policy",
    "lost_item_fee_policy",
    "fixed_due_date_schedule",
    "service_point",
    "location",
    "locinstitution",
    "loccampus",
    "loclibrary",
];

/// A library in which every growing table has grown.
pub struct Filled {
    pub library: Library,
    /// Signed in as the administrator.
    pub client: Client,
    /// The id of a record of each table.
    pub ids: HashMap<&'static str, Uuid>,
}

impl Filled {
    pub async fn new() -> Self {
        let library = library_with(|settings| {
            settings.allow_open_tenants = true;
            settings.archives_tenant = Some(TENANT.into());
        })
        .await;
        let plan = Plan {
            seed: 7,
            instances: 8_000,
            items: 12_000,
            users: 3_000,
            resources: 0,
            components: 0,
            now: library.clock.now(),
        };
        let administrator = Administrator::of(TENANT);
        let made = create(&library.app, TENANT, &administrator, plan, false, &Unwatched).await;
        made.unwrap_or_else(|error| panic!("the sample library: {error}"));
        let session = library.app.database.session(&schema_name(TENANT)).expect("a session");
        let mut filled = Self { client: client(&library, &session).await, library, ids: HashMap::new() };
        filled.swell(&session).await;
        filled.ids = filled.find_ids(&session).await;
        filled
    }

    /// The newest record of a collection.
    pub async fn newest(&self, collection: &Collection) -> Value {
        let (record, table) = (collection.representation(), collection.relation());
        let order = if collection.unsequenced { "id" } else { "seq" };
        let sql = format!("SELECT {record} FROM {table} r ORDER BY {order} DESC LIMIT 1");
        self.session().get(&sql, &[]).await.expect("a record").get(0)
    }

    pub fn session(&self) -> Session {
        self.library.app.database.session(&schema_name(TENANT)).expect("a session")
    }

    /// The growing tables.
    pub fn growing(&self) -> impl Iterator<Item = &Collection> {
        let collections = self.library.app.collections.iter().map(AsRef::as_ref);
        collections.filter(|one| !is_small(one))
    }

    async fn swell(&self, session: &Session) {
        let transaction = session.begin().await.expect("a transaction");
        let unchecked = "SET LOCAL session_replication_role = replica";
        transaction.batch(unchecked).await.expect("a superuser");
        for collection in self.growing().filter(|one| !one.composed) {
            let (sql, doc, state) = copies(collection);
            let outcome = transaction.execute(&sql, &[&ROWS, &doc, &state]).await;
            outcome.unwrap_or_else(|error| panic!("{}: {error}", collection.table));
        }
        transaction.batch(OTHER_TABLES).await.expect("the other tables");
        transaction.commit().await.expect("a commit");
        session.batch("VACUUM (ANALYZE)").await.expect("statistics");
    }

    async fn find_ids(&self, session: &Session) -> HashMap<&'static str, Uuid> {
        let mut ids = HashMap::new();
        for collection in &self.library.app.collections {
            let sql = format!("SELECT id FROM {} ORDER BY seq LIMIT 1", collection.table);
            let row = session.find(&sql, &[]).await.expect("an id");
            ids.extend(row.map(|row| (collection.table, row.get(0))));
        }
        ids
    }
}

fn is_small(collection: &Collection) -> bool {
    // Reference data has a unique name.
    let named = collection.uniques.iter().any(|unique| unique.fields == ["name"]);
    collection.configuration || named || SMALL.contains(&collection.table)
}

async fn client(library: &Library, session: &Session) -> Client {
    let sql = "SELECT id FROM users WHERE doc->>'username' = $1";
    let name = Administrator::of(TENANT).username;
    let id: Uuid = session.get(sql, &[&name]).await.expect("the administrator").get(0);
    let claims = Claims::lasting(&name, id, TENANT, library.clock.now()).of_generation(1);
    let token = library.app.keys.sign(&claims);
    Client::new(library.open.base(), &[("x-okapi-tenant", TENANT), ("x-okapi-token", &token)]).unchecked()
}

/// The statement that adds $1 copies of the record in $2 and $3 (`doc` and `state`), each with its own ids and unique
/// values.
fn copies(collection: &Collection) -> (String, Value, Value) {
    let (doc, state) = collection.split(filled_in(&collection.schema));
    let table = collection.table;
    let mut changed = "$2::jsonb || jsonb_build_object('id', n.id)".to_owned();
    for field in varying(collection) {
        let path = field.replace('.', ",");
        let is_reference = collection.reference_on(&field).is_some();
        let value = match collection.schema.find(&field) {
            _ if is_reference => format!("md5(n.number || '{field}')::uuid"),
            Some(Kind::Uuid) => format!("md5(n.number || '{field}')::uuid"),
            Some(Kind::Text) => "'copy ' || n.number".to_owned(),
            Some(Kind::OneOf(values)) => one_of(values),
            Some(Kind::List(_)) => {
                "jsonb_build_array(jsonb_build_object('name', 'copy ' || n.number, 'value', 'copy ' || n.number))"
                    .to_owned()
            }
            _ => INSTANT.to_owned(),
        };
        changed = format!("jsonb_set({changed}, '{{{path}}}', to_jsonb({value}))");
    }
    let Written { names, values, from } = written(collection, ", ", "made.doc");
    let stated = match collection.volatile.is_empty() {
        true => String::new(),
        false => format!(", stated AS (INSERT INTO {table}_state (id, state) SELECT made.id, $3::jsonb FROM made)"),
    };
    let sql = format!(
        "WITH made AS MATERIALIZED (
           SELECT n.id, {changed} AS doc
           FROM (SELECT gen_random_uuid() AS id, number FROM generate_series(1, $1::bigint) AS number) AS n
           WHERE $3::jsonb IS NOT NULL){stated}
         INSERT INTO {table} (id{names}) SELECT made.id{values} FROM made{from}"
    );
    (sql, doc, state)
}

/// A stored instant that differs from copy to copy.
const INSTANT: &str = r#"to_char(timestamp '2020-01-01' + n.number * interval '1 hour',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')"#;

/// Members that differ between copies: references, unique and searchable values.
fn varying(collection: &Collection) -> Vec<String> {
    let references = collection.references.iter().map(|reference| reference.field);
    let uniques = collection.uniques.iter().flat_map(|unique| unique.fields.iter().copied());
    let indexes = collection.keyed().map(|index| index.field);
    let mut fields: Vec<String> = references.chain(uniques).chain(indexes).map(str::to_owned).collect();
    fields.sort();
    fields.dedup();
    let in_doc = |field: &String| collection.column_of(field) == "doc";
    let plain = |field: &String| {
        matches!(
            collection.schema.find(field),
            Some(Kind::Text | Kind::Uuid | Kind::DateTime | Kind::Any | Kind::OneOf(_))
        )
    };
    let words = |field: &String| matches!(field.as_str(), "contributors" | "identifiers");
    fields.retain(|field| in_doc(field) && (words(field) || plain(field) && !in_list(&collection.schema, field)));
    fields
}

/// One of the values, in turn.
fn one_of(values: &[String]) -> String {
    let quoted: Vec<_> = values.iter().map(|value| format!("'{}'", value.replace('\'', "''"))).collect();
    format!("(ARRAY[{}])[1 + n.number % {}]", quoted.join(","), values.len())
}
/// Whether a member belongs to the objects of a list.
fn in_list(schema: &Schema, field: &str) -> bool {
    let head = field.split('.').next().unwrap_or(field);
    matches!(schema.find(head), Some(Kind::List(_)))
}

pub fn filled_in(schema: &Schema) -> Map<String, Value> {
    let fields = schema.fields().iter();
    fields.filter_map(|field| Some((field.name.clone(), value(&field.kind)?))).collect()
}

fn value(kind: &Kind) -> Option<Value> {
    Some(match kind {
        Kind::Text => "copy".into(),
        Kind::Bool => false.into(),
        Kind::Integer | Kind::Number => 1.into(),
        Kind::Uuid => Uuid::from_u128(1).to_string().into(),
        Kind::DateTime => "2026-01-01T00:00:00.000+00:00".into(),
        // Most records end in the last status: closed, done.
        Kind::OneOf(values) => values.last()?.as_str().into(),
        Kind::Any | Kind::Either(_) => return None,
        Kind::FreeObject | Kind::Named(_) => {
            serde_json::json!({"createdDate": "2026-01-01T00:00:00.000+00:00"})
        }
        Kind::Object(schema) => filled_in(schema).into(),
        Kind::List(inner) => Value::Array(value(inner).into_iter().collect()),
    })
}

/// Rows for tables without collections, or with records that a view composes.
const OTHER_TABLES: &str = "
INSERT INTO loan_history (id, loan_id, createddate_exact, operation, lending, replaced)
SELECT gen_random_uuid(), l.id,
       to_char(timestamp '2020-01-01' + l.seq * interval '1 hour', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'), v.operation,
       v.lending, v.replaced
FROM loan l, (VALUES ('I', 1, NULL::jsonb), ('U', 2, '{\"action\": \"checkedout\"}')) v (operation, lending, replaced);
INSERT INTO credential (user_id, hash) SELECT id, 'x' FROM users ON CONFLICT DO NOTHING;
INSERT INTO credential_history (user_id, hash) SELECT id, 'x' FROM users;
INSERT INTO login_attempt (user_id, attempts, last_attempt) SELECT id, 1, now() FROM users ON CONFLICT DO NOTHING;
INSERT INTO pin_attempt (user_id, attempts, last_attempt) SELECT id, 1, now() FROM users ON CONFLICT DO NOTHING;
INSERT INTO token_generation (user_id, generation) SELECT id, 1 FROM users ON CONFLICT DO NOTHING;
INSERT INTO refresh_token (digest, user_id, expires) SELECT decode(md5(id::text), 'hex'), id, now() FROM users;
INSERT INTO password_reset_action (id, user_id, expires) SELECT gen_random_uuid(), id, now() FROM users;
INSERT INTO deleted_instance (id, deleted) SELECT gen_random_uuid(), now() FROM generate_series(1, 3000);
INSERT INTO deleted_content (instance_id, deleted) SELECT gen_random_uuid(), now() FROM generate_series(1, 3000);
INSERT INTO print_event (request_id, requester_id, requester_name, printed)
SELECT id, requesterid, 'copy', '2026-01-01T00:00:00.000+00:00' FROM request WHERE requesterid IS NOT NULL;
INSERT INTO check_out_lock (id, user_id, created, expires) SELECT gen_random_uuid(), id, now(), now() FROM users;
INSERT INTO archives_user (user_id, created, changed) SELECT id, now(), now() FROM users ON CONFLICT DO NOTHING;
INSERT INTO archives_session (digest, user_id, expiring, used)
SELECT decode(md5(id::text), 'hex'), id, true, now() FROM users;
INSERT INTO archives_group_member (group_id, user_id) SELECT row_number() OVER (), id FROM users ON CONFLICT DO NOTHING;
-- Each has a decided heading of one kind, and its own dates.
UPDATE authority a
SET doc = jsonb_build_object(
  'id', a.id, 'source', 'MARC', 'naturalId', a.doc->'naturalId', 'sourceFileId', a.doc->'sourceFileId',
  (ARRAY['personalName', 'corporateName', 'topicalTerm', 'geographicName', 'genreTerm'])[1 + a.seq % 5], 'copy ' || a.seq,
  '_version', 0, 'metadata', jsonb_build_object(
    'createdDate', to_char(timestamp '2020-01-01' + a.seq * interval '1 hour', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'),
    'updatedDate', to_char(timestamp '2020-01-01' + a.seq * interval '1 hour', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"')));
INSERT INTO archival_deletion (uri, deleted) SELECT '/subjects/' || n, now() FROM generate_series(1, 3000) n;
INSERT INTO archival_record (kind, id, repository, doc, created_by, last_modified_by, create_time, user_mtime,
                             system_mtime, root_kind, root, parent, rank)
SELECT r.kind, r.id, r.repository, r.doc, 'copy', 'copy', now(), now(), now(), r.root_kind, r.root, r.parent, r.rank
FROM (
  SELECT 'repository' AS kind, n AS id, NULL::bigint AS repository,
         jsonb_build_object('repo_code', 'copy ' || n, 'name', 'copy', 'publish', true) AS doc, NULL AS root_kind,
         NULL::bigint AS root, NULL::bigint AS parent, NULL::bigint AS rank
  FROM generate_series(2::bigint, 11) n
  UNION ALL
  SELECT 'subject', n, NULL, jsonb_build_object('title', 'copy ' || n, 'publish', true), NULL, NULL, NULL, NULL
  FROM generate_series(1, 3000) n
  UNION ALL
  SELECT 'resource', n, 2 + n % 10, jsonb_build_object('title', 'copy ' || n, 'id_0', 'copy ' || n, 'level', 'collection',
         'publish', true), NULL, NULL, NULL, NULL
  FROM generate_series(0, 199) n
  UNION ALL
  -- 200 trees of 30 nodes, each node below the one 200 before it.
  SELECT 'archival_object', n, 2 + n % 10, jsonb_build_object('title', 'copy ' || n, 'display_string', 'copy ' || n, 'level', 'file',
         'ref_id', 'copy ' || n, 'publish', true, 'subjects', jsonb_build_array(jsonb_build_object('ref', '/subjects/' || n))),
         'resource', n % 200, CASE WHEN n > 200 THEN n - 200 END, n * 1000
  FROM generate_series(1, 6000) n) r;
INSERT INTO archival_reference (kind, id, repository, property, role, target_kind, target_id)
SELECT kind, id, repository, 'subjects', '', 'subject', 1 + id % 3000 FROM archival_record WHERE kind = 'archival_object';
INSERT INTO archival_key (scope, value, kind, id)
SELECT kind || '/' || coalesce(root, 2) || '/ref_id', 'copy ' || id, kind, id FROM archival_record WHERE repository > 1;
SELECT setval('archival_id_' || kind, max(id) + 1) FROM archival_record WHERE kind <> 'group' GROUP BY kind;
";
