//! How records are offered to harvesters: the record `oai_config`.

use serde_json::{Map, Value, json};
use store::{
    Session,
    statements::{archives::READ_SETTING, writes::WRITE_SETTING},
};

use crate::refusal::Refusal;

/// The repository of what holds everywhere.
const EVERYWHERE: i64 = 1;
const NAME: &str = "oai_config";
const MEMBERS: [&str; 9] = [
    "oai_record_prefix",
    "oai_admin_email",
    "oai_repository_name",
    "repo_set_codes",
    "sponsor_set_names",
    "repo_set_description",
    "sponsor_set_description",
    "repo_set_name",
    "sponsor_set_name",
];

/// The record as clients read it; what nobody has set is as ArchivesSpace starts. One round trip.
pub async fn read(session: &Session) -> Result<Value, Refusal> {
    let found = session.find(READ_SETTING, &[&EVERYWHERE, &NAME, &""]).await?;
    let (mut record, version) = match found {
        Some(row) => (row.get::<_, Value>("doc"), row.get::<_, i32>("lock_version")),
        None => {
            let start = json!({"oai_repository_name": "ArchivesSpace OAI Provider",
                "oai_admin_email": "admin@example.com", "oai_record_prefix": "oai:archivesspace",
                "repo_set_name": "repository_set", "repo_set_codes": "[]", "repo_set_description": "",
                "sponsor_set_name": "sponsor_set", "sponsor_set_names": "[]", "sponsor_set_description": ""});
            (start, 0)
        }
    };
    record["jsonmodel_type"] = NAME.into();
    record["uri"] = "/oai_config/1".into();
    record["lock_version"] = version.into();
    Ok(record)
}

/// Replaces the record by a checked one, whatever version its client read. Returns the new version. One round trip.
pub async fn write(session: &Session, mut record: Map<String, Value>) -> Result<i64, Refusal> {
    record.retain(|member, _| MEMBERS.contains(&member.as_str()));
    let parameters: [store::db::Parameter<'_>; 5] = [&EVERYWHERE, &NAME, &"", &Value::Object(record), &None::<i32>];
    let version: Option<i32> = session.value(WRITE_SETTING, &parameters).await?;
    version.map(i64::from).ok_or_else(Refusal::stale)
}

/// A set of the configuration: its name and description, and the codes or names of what is in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ConfiguredSet {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) members: Vec<String>,
}

/// The set of repositories, if there is one.
pub(super) fn repositories(config: &Value) -> Option<ConfiguredSet> {
    configured(config, "repo_set", "repo_set_codes")
}

/// The set of sponsors, if there is one.
pub(super) fn sponsors(config: &Value) -> Option<ConfiguredSet> {
    configured(config, "sponsor_set", "sponsor_set_names")
}

/// The members are a JSON array in a text.
fn configured(config: &Value, of: &str, members: &str) -> Option<ConfiguredSet> {
    let text = |member: &str| config[member].as_str();
    let members: Vec<String> = serde_json::from_str(text(members)?).ok()?;
    let name = text(&format!("{of}_name"))?.to_owned();
    let description = text(&format!("{of}_description")).unwrap_or_default().to_owned();
    (!members.is_empty()).then_some(ConfiguredSet { name, description, members })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_a_name_and_members() {
        let config = json!({"repo_set_codes": "[\"A\"]", "repo_set_name": "ours", "repo_set_description": "d",
            "sponsor_set_names": "[]", "sponsor_set_name": "s"});
        let ours =
            ConfiguredSet { name: "ours".to_owned(), description: "d".to_owned(), members: vec!["A".to_owned()] };
        assert_eq!(repositories(&config), Some(ours));
        assert_eq!(sponsors(&config), None);
        assert_eq!(repositories(&json!({"repo_set_codes": "no list", "repo_set_name": "x"})), None);
    }
}
