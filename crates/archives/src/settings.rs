//! What forms of a repository start with, and what it requires beyond the rules (contract 3.5: `default_values`,
//! `required_fields`), by the type of the records.

use serde_json::{Map, Value, json};
use store::{Session, statements::archives::READ_SETTING, statements::writes::WRITE_SETTING};

use crate::refusal::Refusal;

/// A setting of a repository for a type of records.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// The name in the path: `default_values` or `required_fields`.
    pub name: &'static str,
    pub repository: i64,
    pub record_type: &'a str,
}

impl Setting<'_> {
    fn uri(&self) -> String {
        format!("/repositories/{}/{}/{}", self.repository, self.name, self.record_type)
    }
}

/// A setting as clients read it. One round trip.
///
/// # Errors
/// The repository has none for the type.
pub async fn get(session: &Session, setting: Setting<'_>) -> Result<Value, Refusal> {
    let found = session.find(READ_SETTING, &[&setting.repository, &setting.name, &setting.record_type]).await?;
    let row = found.ok_or_else(|| Refusal::no(setting.name))?;
    let mut record: Value = row.get("doc");
    record["jsonmodel_type"] = setting.name.into();
    record["uri"] = setting.uri().into();
    record["lock_version"] = json!(row.get::<_, i32>("lock_version"));
    Ok(record)
}

/// Writes a setting; a version that the client read must be the newest. Returns the new version. One round trip.
///
/// # Errors
/// Stale.
pub async fn write(
    session: &Session,
    setting: Setting<'_>,
    record: Map<String, Value>,
    version: Option<i64>,
) -> Result<i64, Refusal> {
    let version = version.map(|version| i32::try_from(version).unwrap_or(-1));
    let record = Value::Object(record);
    let parameters: [store::db::Parameter<'_>; 5] =
        [&setting.repository, &setting.name, &setting.record_type, &record, &version];
    let written: Option<i32> = session.value(WRITE_SETTING, &parameters).await?;
    written.map(i64::from).ok_or_else(Refusal::stale)
}
