//! Permissions of the archives (contract 1.2): codes that groups of a repository grant, and what follows from them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// The repository of groups that grant everywhere.
pub(crate) const GLOBAL_REPOSITORY: i64 = 1;
/// Its name in the permissions of a user.
pub(crate) const GLOBAL_NAME: &str = "_archivesspace";
/// Who may give anybody any permission on the FOLIO side administers the archives, too.
pub const ADMINISTRATOR: &str = "perms.all";

/// Where a code is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// In the repository of the request.
    Repository,
    /// In the global repository.
    Global,
}

/// A permission code.
#[derive(Debug, Clone, Copy)]
pub struct Permission {
    pub code: &'static str,
    pub level: Level,
    /// The code that grants this one everywhere if it is granted in any repository.
    pub implied_by: Option<&'static str>,
}

const fn repository(code: &'static str) -> Permission {
    Permission { code, level: Level::Repository, implied_by: None }
}

const fn global(code: &'static str) -> Permission {
    Permission { code, level: Level::Global, implied_by: None }
}

const fn implied(code: &'static str, by: &'static str) -> Permission {
    Permission { code, level: Level::Global, implied_by: Some(by) }
}

/// Every permission code.
pub const PERMISSIONS: &[Permission] = &[
    global("administer_system"),
    global("manage_users"),
    global("become_user"),
    global("view_all_records"),
    global("create_repository"),
    global("delete_repository"),
    repository("transfer_repository"),
    global("index_system"),
    repository("manage_repository"),
    repository("update_accession_record"),
    repository("update_resource_record"),
    repository("update_digital_object_record"),
    repository("update_event_record"),
    repository("delete_event_record"),
    repository("suppress_archival_record"),
    repository("transfer_archival_record"),
    repository("delete_archival_record"),
    repository("view_suppressed"),
    repository("view_repository"),
    repository("update_classification_record"),
    repository("delete_classification_record"),
    global("mediate_edits"),
    repository("import_records"),
    repository("cancel_importer_job"),
    repository("create_job"),
    repository("cancel_job"),
    repository("manage_subject_record"),
    implied("update_subject_record", "manage_subject_record"),
    repository("manage_agent_record"),
    implied("update_agent_record", "manage_agent_record"),
    repository("view_agent_contact_record"),
    implied("view_agent_contact_record_global", "view_agent_contact_record"),
    repository("manage_vocabulary_record"),
    implied("update_vocabulary_record", "manage_vocabulary_record"),
    implied("update_location_record", "manage_repository"),
    implied("delete_agent_record", "manage_agent_record"),
    implied("delete_subject_record", "manage_subject_record"),
    implied("delete_vocabulary_record", "delete_archival_record"),
    repository("manage_enumeration_record"),
    implied("update_enumeration_record", "manage_enumeration_record"),
    repository("merge_agents_and_subjects"),
    implied("merge_subject_record", "merge_agents_and_subjects"),
    implied("merge_agent_record", "merge_agents_and_subjects"),
    repository("merge_archival_record"),
    repository("manage_rde_templates"),
    repository("update_container_record"),
    repository("manage_container_record"),
    repository("manage_container_profile_record"),
    implied("update_container_profile_record", "manage_container_profile_record"),
    repository("manage_location_profile_record"),
    implied("update_location_profile_record", "manage_location_profile_record"),
    repository("update_assessment_record"),
    repository("delete_assessment_record"),
    repository("manage_assessment_attributes"),
    repository("manage_custom_report_templates"),
    repository("show_full_agents"),
];

/// What groups grant: codes by repository.
pub type Grants = Vec<(i64, Vec<String>)>;

/// What groups grant, as the database writes it.
pub(crate) fn grants(read: Option<Value>) -> Grants {
    let grants = read.as_ref().and_then(Value::as_array).into_iter().flatten().filter_map(|grant| {
        let codes = grant["codes"].as_array().into_iter().flatten().filter_map(Value::as_str);
        Some((grant["repository"].as_i64()?, codes.map(str::to_owned).collect()))
    });
    grants.collect()
}

/// What a user may do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rights {
    is_administrator: bool,
    granted: BTreeMap<i64, BTreeSet<String>>,
}

impl Rights {
    /// The rights of an administrator, or of a member of groups that grant these codes in these repositories.
    pub fn new(is_administrator: bool, grants: impl IntoIterator<Item = (i64, Vec<String>)>) -> Self {
        let mut granted: BTreeMap<i64, BTreeSet<String>> = BTreeMap::new();
        for (repository, codes) in grants {
            granted.entry(repository).or_default().extend(codes);
        }
        let everywhere = granted.get(&GLOBAL_REPOSITORY);
        let by_group = everywhere.is_some_and(|codes| codes.contains("administer_system"));
        Self { is_administrator: is_administrator || by_group, granted }
    }

    /// Whether the user administers the system.
    pub(crate) fn is_administrator(&self) -> bool {
        self.can("administer_system", None)
    }

    /// Whether the user may do what needs the code, in the repository if the code is one of repositories.
    pub fn can(&self, code: &str, repository: Option<i64>) -> bool {
        let grants = |at: i64| self.granted.get(&at).is_some_and(|codes| codes.contains(code));
        self.is_administrator
            || grants(GLOBAL_REPOSITORY)
            || repository.is_some_and(grants)
            || self.derived().any(|derived| derived == code)
    }

    /// Whether the user may do what needs the code in any repository.
    pub fn can_anywhere(&self, code: &str) -> bool {
        self.can(code, None) || self.granted.values().any(|codes| codes.contains(code))
    }

    /// The codes that follow from others, wherever those are granted.
    fn derived(&self) -> impl Iterator<Item = &'static str> {
        let holds = |code: &str| self.granted.values().any(|codes| codes.contains(code));
        PERMISSIONS.iter().filter(move |one| one.implied_by.is_some_and(holds)).map(|one| one.code)
    }

    /// The rights as a user record shows them: codes by the address of the repository, and those of the global one also
    /// under its name.
    pub fn to_json(&self) -> Value {
        let derived: Vec<&str> = self.derived().collect();
        let mut all = Map::new();
        let mut everywhere: BTreeSet<&str> = derived.iter().copied().collect();
        let complete: BTreeSet<String> = PERMISSIONS.iter().map(|one| one.code.to_owned()).collect();
        let administrator = self.is_administrator.then_some((&GLOBAL_REPOSITORY, &complete));
        for (repository, codes) in self.granted.iter().chain(administrator) {
            let listed: BTreeSet<&str> = derived.iter().copied().chain(codes.iter().map(String::as_str)).collect();
            all.insert(format!("/repositories/{repository}"), json!(listed));
            if *repository == GLOBAL_REPOSITORY {
                everywhere.extend(codes.iter().map(String::as_str));
            }
        }
        everywhere.insert("edit_user_self");
        all.insert(GLOBAL_NAME.to_owned(), json!(everywhere));
        Value::Object(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rights(grants: &[(i64, &[&str])]) -> Rights {
        let owned = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect();
        Rights::new(false, grants.iter().map(|(at, codes)| (*at, owned(codes))))
    }

    #[test]
    fn a_code_holds_in_its_repository_and_a_global_group_everywhere() {
        let of_two = rights(&[(2, &["view_repository", "manage_subject_record"])]);
        for (code, repository, may) in [
            ("view_repository", Some(2), true),
            ("view_repository", Some(3), false),
            ("view_repository", None, false),
            // Implied, and so in no particular repository.
            ("update_subject_record", None, true),
            ("update_subject_record", Some(3), true),
            ("delete_subject_record", None, true),
            ("update_agent_record", None, false),
            ("administer_system", None, false),
        ] {
            assert_eq!(of_two.can(code, repository), may, "{code} in {repository:?}");
        }
        assert!(rights(&[(GLOBAL_REPOSITORY, &["view_repository"])]).can("view_repository", Some(9)));
        assert!(Rights::new(true, []).can("index_system", None));
        assert!(!Rights::default().can("view_repository", Some(2)));
    }

    #[test]
    fn a_users_permissions_are_listed_by_repository() {
        let listed = rights(&[(2, &["view_repository", "manage_agent_record"])]).to_json();
        let implied = ["delete_agent_record", "update_agent_record"];
        assert_eq!(
            listed["/repositories/2"],
            json!(["delete_agent_record", "manage_agent_record", "update_agent_record", "view_repository"])
        );
        assert_eq!(listed[GLOBAL_NAME], json!([implied[0], "edit_user_self", implied[1]]));
        let all = Rights::new(true, []).to_json();
        assert_eq!(all["/repositories/1"].as_array().map(Vec::len), Some(PERMISSIONS.len()));
        assert_eq!(all[GLOBAL_NAME].as_array().map(Vec::len), Some(PERMISSIONS.len() + 1));
    }

    #[test]
    fn what_implies_a_code_is_a_code_of_repositories() {
        for one in PERMISSIONS {
            let Some(by) = one.implied_by else { continue };
            let by = PERMISSIONS.iter().find(|other| other.code == by).expect(by);
            assert_eq!((by.level, one.level), (Level::Repository, Level::Global), "{}", one.code);
        }
    }
}
