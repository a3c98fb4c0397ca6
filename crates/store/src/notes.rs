//! Notes linked to a record, and the links themselves (docs/folio/notes-and-tags.md#linked-notes). Each function is one
//! round trip.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{
    Session, StoreError,
    collection::{Collection, IndexKind},
    query::{Statement, expression, sql::Parameter},
    statements::notes::{LINKS, TYPE_ADDED},
};

/// Whether the selected notes have the link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkStatus {
    Assigned,
    Unassigned,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum NoteOrder {
    Title,
    Content,
    NoteType,
    UpdatedDate,
}

impl NoteOrder {
    fn sql(self) -> &'static str {
        match self {
            Self::Title => "r.doc->>'title'",
            Self::Content => "(indexed)",
            Self::NoteType => "(SELECT t.doc->>'name' FROM note_type t WHERE t.id = r.typeid)",
            Self::UpdatedDate => "r.doc#>>'{metadata,updatedDate}'",
        }
    }

    /// Whether this order descends by default.
    pub fn descends(self) -> bool {
        self == Self::UpdatedDate
    }
}

/// Selects notes about one record.
#[derive(Debug, Clone)]
pub struct LinkedNotes<'a> {
    /// The application they belong to, such as `users`.
    pub domain: &'a str,
    /// Type of the record, such as `user`.
    pub kind: &'a str,
    pub id: &'a str,
    /// With or without the link.
    pub status: LinkStatus,
    /// Text in title or content.
    pub search: Option<&'a str>,
    /// Names of note types; empty for all.
    pub types: Vec<String>,
    /// Order, and whether it descends.
    pub order: Option<(NoteOrder, bool)>,
    pub limit: i64,
    pub offset: i64,
}

/// A page of notes as a JSON array, and their total number.
pub async fn linked(
    session: &Session,
    notes: &Collection,
    wanted: &LinkedNotes<'_>,
) -> Result<(String, i64), StoreError> {
    let statement = statement(notes, wanted);
    let row = session.get(&statement.sql, &statement.values()).await?;
    Ok((row.get("notes"), row.get("total")))
}

fn statement(notes: &Collection, wanted: &LinkedNotes<'_>) -> Statement {
    let mut values = Values::default();
    let domain = values.text(wanted.domain);
    let by_domain = expression::indexed(notes, "domain", &IndexKind::Folded);
    let mut conditions = vec![format!("{by_domain} = carrel.folded_key({domain}) AND r.doc->>'domain' = {domain}")];
    let link = json!([{"id": wanted.id, "type": wanted.kind}]).to_string();
    match wanted.status {
        LinkStatus::Assigned => conditions.push(format!("(r.doc->'links') @> {}::jsonb", values.text(&link))),
        LinkStatus::Unassigned => {
            conditions.push(format!("NOT (r.doc->'links') @> {}::jsonb", values.text(&link)));
        }
        LinkStatus::All => {}
    }
    let indexed = expression::text(notes, "indexedContent");
    if let Some(search) = wanted.search {
        conditions.push(format!("{indexed} ILIKE {}", values.text(&like(search))));
    }
    if !wanted.types.is_empty() {
        let names = values.add(Parameter::Texts(wanted.types.clone()), "text[]");
        conditions.push(format!("r.typeid IN (SELECT t.id FROM note_type t WHERE t.doc->>'name' = ANY ({names}))"));
    }
    let order = wanted.order.map_or_else(String::new, |(order, descending)| {
        let direction = if descending { " DESC" } else { "" };
        let key = order.sql().replace("(indexed)", &indexed);
        format!("{key}{direction}, {indexed}, ")
    });
    let limit = values.add(Parameter::Integer(wanted.limit), "bigint");
    let offset = values.add(Parameter::Integer(wanted.offset), "bigint");
    let sql = format!(
        "WITH found AS MATERIALIZED (SELECT r.id, r.seq, r.doc, r.typeid FROM note r WHERE {}) \
         SELECT '[' || coalesce((SELECT string_agg(note, ',') FROM (SELECT ({})::text AS note FROM found r \
         ORDER BY {order}r.seq LIMIT {limit} OFFSET {offset}) AS page), '') || ']' AS notes, \
         (SELECT count(*) FROM found) AS total",
        conditions.join(" AND "),
        notes.representation(),
    );
    Statement { sql, parameters: values.0 }
}

#[derive(Default)]
struct Values(Vec<Parameter>);

impl Values {
    fn add(&mut self, value: Parameter, kind: &str) -> String {
        self.0.push(value);
        format!("${}::{kind}", self.0.len())
    }

    fn text(&mut self, text: &str) -> String {
        self.add(Parameter::Text(text.to_owned()), "text")
    }
}

/// A LIKE pattern for the text at any place, with special characters escaped.
fn like(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

/// Adds or removes the link of notes; `changes` are `{id, status}`.
pub async fn link(session: &Session, kind: &str, id: &str, changes: &Value) -> Result<(), StoreError> {
    session.execute(LINKS, &[changes, &json!({"id": id, "type": kind})]).await?;
    Ok(())
}

/// Adds a note type.
///
/// # Errors
/// [`StoreError::Duplicate`] if the name is taken.
pub async fn add_type(session: &Session, id: Uuid, record: &Map<String, Value>) -> Result<Result<(), i32>, StoreError> {
    let record = Value::Object(record.clone());
    let row = session.get(TYPE_ADDED, &[&id, &record]).await?;
    let (added, most): (bool, i32) = (row.get("added"), row.get("number"));
    Ok(if added { Ok(()) } else { Err(most) })
}
