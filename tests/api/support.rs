//! Helpers for tests of whole tables of routes: records and paths made from the declarations alone.

use std::time::Duration;

use api::route::Route;
use serde_json::{Map, Value, json};
use store::{
    query::plain::Written,
    record::{Kind, Schema},
};
use testkit::{Client, Library};
use uuid::Uuid;

/// Lists that FOLIO does not filter by CQL.
pub const WITHOUT_CQL: [&str; 2] = ["/audit/config/groups", "/calendar/calendars"];

/// The id of every record that [`one_of_each`] makes, and the value of every id in them, so that all references
/// resolve.
pub const ONE: Uuid = Uuid::from_u128(0x6f6e_6500_0000_4000_8000_0000_0000_0001);

/// A record with every declared member.
pub fn complete(schema: &Schema) -> Map<String, Value> {
    let fields = schema.fields().iter();
    fields
        .filter_map(|field| {
            let any = || field.required.then(|| "one".into());
            Some((field.name.clone(), value(&field.kind).or_else(any)?))
        })
        .collect()
}

fn value(kind: &Kind) -> Option<Value> {
    Some(match kind {
        Kind::Text => "one".into(),
        Kind::Bool => false.into(),
        Kind::Integer | Kind::Number => 1.into(),
        Kind::Uuid => ONE.to_string().into(),
        Kind::DateTime => "2026-01-01T00:00:00.000+00:00".into(),
        Kind::OneOf(values) => values.first()?.as_str().into(),
        Kind::Any | Kind::Either(_) | Kind::Named(_) => return None,
        Kind::FreeObject => json!({}),
        Kind::Object(schema) => complete(schema).into(),
        Kind::List(inner) => Value::Array(value(inner).into_iter().collect()),
    })
}

/// Puts one record into each collection, bypassing the handlers' checks.
pub async fn one_of_each(library: &Library) {
    let tenant = library.app.tenant(library.tenant).expect("the tenant");
    let session = library.app.session(&tenant).expect("a session");
    let transaction = session.begin().await.expect("a transaction");
    let unchecked = "SET LOCAL session_replication_role = replica";
    transaction.batch(unchecked).await.expect("a superuser");
    for collection in library.app.collections.iter().filter(|collection| !collection.composed) {
        let mut record = complete(&collection.schema);
        record.insert("id".into(), ONE.to_string().into());
        if record.contains_key("rulesAsText") {
            record.insert("rulesAsText".into(), rules().into());
            // The oldest record counts, and a new library has an empty one.
            let empty = "DELETE FROM circulation_rules";
            transaction.execute(empty, &[]).await.expect("a statement");
        }
        let (doc, state) = collection.split(record);
        let table = collection.table;
        let Written { names, values, from } = store::query::plain::written(collection, "FROM ", "$2::jsonb");
        let sql = format!("INSERT INTO {table} (id{names}) SELECT $1{values} {from}");
        let inserted = transaction.execute(&sql, &[&ONE, &doc]).await;
        inserted.unwrap_or_else(|error| panic!("{table}: {error}"));
        if !collection.volatile.is_empty() {
            let sql = format!("INSERT INTO {table}_state (id, state) VALUES ($1, $2)");
            transaction.execute(&sql, &[&ONE, &state]).await.expect("a state");
        }
    }
    let version = "INSERT INTO loan_history (id, loan_id, createddate_exact, operation)
                   VALUES ($1, $1, '2026-01-01T00:00:00.000+00:00', 'I')";
    transaction.execute(version, &[&ONE]).await.expect("a version of the loan");
    // Otherwise pictures are not shown.
    let wanted = r#"UPDATE profile_picture_configuration SET doc = doc || '{"enabled": true}'"#;
    transaction.execute(wanted, &[]).await.expect("a statement");
    transaction.commit().await.expect("a commit");
}

/// Circulation rules that always give the policies of [`one_of_each`].
fn rules() -> String {
    format!("priority: t, s, c, b, a, m, g\nfallback-policy: l {ONE} r {ONE} n {ONE} o {ONE} i {ONE}\n")
}

/// A client that may read what FOLIO protects by more than the route's permissions.
pub fn reader(library: &Library) -> Client {
    let permissions = ["mod-settings.global.read.one", "mod-settings.users.read.one"];
    library.open.with_header("x-okapi-permissions", &json!(permissions).to_string())
}

/// The route's path with `value`, percent-encoded, for each parameter.
pub fn path_of(route: &Route, value: &str) -> String {
    let value = encoded(value);
    let parts = route.path.split('/');
    let filled: Vec<_> = parts.map(|part| if part.starts_with('{') { &value } else { part }).collect();
    filled.join("/")
}

/// The text, percent-encoded for a path or query.
pub fn encoded(text: impl AsRef<[u8]>) -> String {
    let bytes = text.as_ref().iter();
    bytes
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(*byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}

/// Waits until so many statements wait for a lock.
pub async fn until_waiting(library: &Library, statements: i64) {
    let session = library.app.database.session("public").expect("a session");
    let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let until = async {
        while session.value::<i64>(waiting, &[]).await.expect("the activity") < statements {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), until).await.expect("they wait");
}
