//! What forms of a repository start with, and what it requires beyond the rules (contract 3.5: `default_values`,
//! `required_fields`), by the type of the records.

use serde_json::{Map, Value, json};
use store::{Session, statements::archives::READ_SETTING, statements::writes::WRITE_SETTING};

use crate::{
    model::{Kind, Uri, record_type},
    refusal::Refusal,
    resolve::{Wanted, referred, resolve_from},
};

/// A setting of a repository for a type of records.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// The name in the path: `default_values` or `required_fields`.
    pub name: &'static str,
    pub repository: i64,
    pub record_type: &'a str,
}

impl Setting<'_> {
    /// The address, which names the type that the record is for: the path may say it in another way.
    fn uri(&self, record: &Value) -> String {
        let of_type = record["record_type"].as_str().unwrap_or(self.record_type);
        format!("/repositories/{}/{}/{of_type}", self.repository, self.name)
    }
}

/// A setting as clients read it, with the records that defaults refer to put in: at most two round trips.
///
/// # Errors
/// The repository has none for the type.
pub async fn get(session: &Session, setting: Setting<'_>) -> Result<Value, Refusal> {
    let found = session.find(READ_SETTING, &[&setting.repository, &setting.name, &setting.record_type]).await?;
    let row = found.ok_or_else(|| Refusal::no(setting.name))?;
    let mut record: Value = row.get("doc");
    record["jsonmodel_type"] = setting.name.into();
    record["uri"] = setting.uri(&record).into();
    record["lock_version"] = json!(row.get::<_, i32>("lock_version"));
    let references = references(&record);
    if let Some(defaults) = record.get_mut("defaults").filter(|_| !references.is_empty()) {
        show(session, setting.repository, defaults, &references).await?;
    }
    Ok(record)
}

/// The properties of the defaults that refer to other records.
fn references(record: &Value) -> Vec<&'static str> {
    let of = record["record_type"].as_str().and_then(record_type);
    let properties = of.into_iter().flat_map(|of| &of.fields.properties);
    let refer = |kind: &Kind| match kind {
        Kind::Fields(fields) => fields.targets().is_some(),
        Kind::Array { of, .. } => matches!(&**of, Kind::Fields(fields) if fields.targets().is_some()),
        _ => false,
    };
    let given = |name: &str| record["defaults"].get(name).is_some();
    let names = properties.filter(|property| refer(&property.kind)).map(|property| property.name.as_str());
    names.filter(|name| given(name)).collect()
}

/// Puts in what defaults refer to. Nobody has checked that it is in the repository, so what is elsewhere is not shown.
async fn show(session: &Session, within: i64, defaults: &mut Value, references: &[&str]) -> Result<(), Refusal> {
    let wanted = Wanted::read(references.iter().copied());
    let mut found = referred(session, std::slice::from_mut(defaults), &wanted).await?;
    found.retain(|uri, _| Uri::parse(uri).is_some_and(|of| of.repository.is_none_or(|of| of == within)));
    resolve_from(defaults, &wanted, &found);
    Ok(())
}

/// Writes a setting; a version that the client read must be the newest. Records that a client got with it are dropped. Returns
/// the new version and the address. One round trip.
///
/// # Errors
/// Stale.
pub async fn write(
    session: &Session,
    setting: Setting<'_>,
    record: Map<String, Value>,
    version: Option<i64>,
) -> Result<(i64, String), Refusal> {
    let version = version.map(|version| i32::try_from(version).unwrap_or(-1));
    let mut record = Value::Object(record);
    for name in references(&record) {
        match &mut record["defaults"][name] {
            Value::Array(entries) => entries.iter_mut().for_each(without_resolved),
            one => without_resolved(one),
        }
    }
    let parameters: [store::db::Parameter<'_>; 5] =
        [&setting.repository, &setting.name, &setting.record_type, &record, &version];
    let written: Option<i32> = session.value(WRITE_SETTING, &parameters).await?;
    let version = written.ok_or_else(Refusal::stale)?;
    Ok((version.into(), setting.uri(&record)))
}

fn without_resolved(reference: &mut Value) {
    if let Some(members) = reference.as_object_mut() {
        members.shift_remove("_resolved");
    }
}
