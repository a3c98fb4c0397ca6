//! Repositories (contract 3.1): a repository comes with its agent and its groups.

use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    statements::archives::REPOSITORY_BY_CODE,
    statements::writes::{ADD_REPOSITORY, DELETE_REPOSITORY, PLACE_REPOSITORY},
};

use crate::{
    model::Checked,
    records::{self, Author, Place},
    refusal::Refusal,
};

/// Where repositories are.
pub const REPOSITORIES: Place = Place { kind: "repository", repository: None };
const AGENTS: Place = Place { kind: "agent_corporate_entity", repository: None };

/// A group that every repository has from the start: code, description after the repository's code, permissions.
struct StandardGroup {
    code: &'static str,
    description: &'static str,
    grants: &'static [&'static str],
}

const STANDARD_GROUPS: [StandardGroup; 6] = [
    StandardGroup {
        code: "repository-managers",
        description: "Managers of the",
        grants: &[
            "manage_repository",
            "update_accession_record",
            "update_resource_record",
            "update_digital_object_record",
            "update_event_record",
            "delete_event_record",
            "update_container_record",
            "view_repository",
            "delete_archival_record",
            "suppress_archival_record",
            "manage_subject_record",
            "manage_agent_record",
            "view_agent_contact_record",
            "manage_vocabulary_record",
            "manage_rde_templates",
            "manage_container_record",
            "manage_container_profile_record",
            "manage_location_profile_record",
            "import_records",
            "cancel_job",
            "update_assessment_record",
            "delete_assessment_record",
            "manage_assessment_attributes",
            "manage_enumeration_record",
            "show_full_agents",
            "manage_custom_report_templates",
        ],
    },
    StandardGroup {
        code: "repository-archivists",
        description: "Archivists of the",
        grants: &[
            "update_accession_record",
            "update_resource_record",
            "update_digital_object_record",
            "update_event_record",
            "update_container_record",
            "view_repository",
            "manage_subject_record",
            "manage_agent_record",
            "view_agent_contact_record",
            "manage_vocabulary_record",
            "manage_container_record",
            "manage_container_profile_record",
            "manage_location_profile_record",
            "import_records",
            "update_assessment_record",
            "delete_assessment_record",
            "create_job",
            "cancel_job",
            "manage_enumeration_record",
            "show_full_agents",
            "manage_custom_report_templates",
        ],
    },
    StandardGroup {
        code: "repository-project-managers",
        description: "Project managers of the",
        grants: &[
            "view_repository",
            "update_accession_record",
            "update_resource_record",
            "update_digital_object_record",
            "update_event_record",
            "delete_event_record",
            "update_container_record",
            "delete_archival_record",
            "suppress_archival_record",
            "manage_subject_record",
            "manage_agent_record",
            "view_agent_contact_record",
            "manage_vocabulary_record",
            "manage_container_record",
            "manage_container_profile_record",
            "manage_location_profile_record",
            "import_records",
            "merge_agents_and_subjects",
            "update_assessment_record",
            "delete_assessment_record",
            "manage_enumeration_record",
        ],
    },
    StandardGroup {
        code: "repository-advanced-data-entry",
        description: "Advanced data entry users of the",
        grants: &[
            "view_repository",
            "update_accession_record",
            "update_resource_record",
            "update_digital_object_record",
            "update_event_record",
            "update_container_record",
            "manage_subject_record",
            "manage_agent_record",
            "manage_vocabulary_record",
            "manage_container_record",
            "manage_container_profile_record",
            "manage_location_profile_record",
            "import_records",
            "update_assessment_record",
            "delete_assessment_record",
            "manage_enumeration_record",
        ],
    },
    StandardGroup {
        code: "repository-basic-data-entry",
        description: "Basic data entry users of the",
        grants: &[
            "view_repository",
            "update_accession_record",
            "update_resource_record",
            "update_digital_object_record",
            "create_job",
        ],
    },
    StandardGroup { code: "repository-viewers", description: "Viewers of the", grants: &["view_repository"] },
];

/// Adds a repository with the groups that every repository has and an agent: the one given, or one of its name. One round
/// trip.
pub async fn add(
    session: &Session,
    checked: Checked,
    given: Option<Map<String, Value>>,
    author: &Author,
) -> Result<i64, Refusal> {
    let code = checked.record.get("repo_code").and_then(Value::as_str).unwrap_or_default().to_owned();
    let agent = records::prepare(AGENTS, given.unwrap_or_else(|| agent(&code)))?;
    let repository = records::prepare(REPOSITORIES, checked.record)?;
    let groups = STANDARD_GROUPS.iter().map(|group| {
        let description = format!("{} {code} repository", group.description);
        json!({"kind": "group", "refs": [], "needs": [], "doc": {"group_code": group.code,
            "description": description, "grants_permissions": group.grants}})
    });
    let groups: Value = groups.collect();
    let written = session.value(ADD_REPOSITORY, &[&agent, &repository, &groups, &author.name, &author.now]).await;
    records::first_id(written)
}

/// Gives a repository a place in lists, from 0; the one that had it changes places with it. Returns the version. One round
/// trip.
///
/// # Errors
/// Not found.
pub async fn place(session: &Session, id: i64, position: i64, author: &Author) -> Result<i32, Refusal> {
    let version: Option<i32> = session.value(PLACE_REPOSITORY, &[&id, &position, &author.now]).await?;
    version.ok_or_else(|| Refusal::no(REPOSITORIES.kind))
}

/// Deletes a repository with all descriptions in it and the jobs that are over. One round trip.
///
/// # Errors
/// Not found; there are containers, assessments, or jobs that wait or run in it.
pub async fn delete(session: &Session, id: i64, author: &Author) -> Result<(), Refusal> {
    match session.value::<i64>(DELETE_REPOSITORY, &[&id, &author.now]).await? {
        0 => Err(Refusal::no(REPOSITORIES.kind)),
        ..0 => Err(Refusal::Conflict("Repository not empty".to_owned())),
        _ => Ok(()),
    }
}

/// The agent that stands for a repository.
fn agent(code: &str) -> Map<String, Value> {
    let name = json!({"jsonmodel_type": "name_corporate_entity", "primary_name": code, "sort_name": code,
        "source": "local", "authorized": true, "is_display_name": true, "sort_name_auto_generate": true});
    let record = json!({"names": [name], "agent_contacts": [{"jsonmodel_type": "agent_contact", "name": code}],
        "title": code, "display_name": name, "publish": false});
    record.as_object().cloned().unwrap_or_default()
}

/// The id of the repository with a code. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn with_code(session: &Session, code: &str) -> Result<Option<i64>, StoreError> {
    session.find_value(REPOSITORY_BY_CODE, &[&code]).await
}
