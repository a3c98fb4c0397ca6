//! The import of users (docs/folio/user-import.md). It refers to groups, address types, departments and contact types
//! by name, and identifies users by external system id.
//!
//! [`names`] replaces names by ids, [`merge`] joins a user with the existing one, [`preference`] checks request
//! preferences, [`included`] adds what an import brings along, [`records`] reads and writes.

pub mod included;
pub mod merge;
pub mod names;
pub mod preference;
pub mod records;

use std::collections::HashMap;

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{
    custom_fields::CustomField,
    users::{self, Surroundings},
};

pub type Record = Map<String, Value>;

/// What the names and ids in an import refer to.
#[derive(Debug, Clone, Default)]
pub struct System {
    /// By name.
    pub address_types: HashMap<String, String>,
    /// By name.
    pub groups: HashMap<String, String>,
    /// Complete records.
    pub departments: Vec<Record>,
    /// Complete records.
    pub custom_fields: Vec<Record>,
    /// Existing users by external system id.
    pub users: HashMap<String, Record>,
    /// The existing ones among the service points that preferences name.
    pub service_points: Vec<Uuid>,
}

impl System {
    /// The definitions as the rules need them.
    pub fn definitions(&self) -> Vec<CustomField> {
        let read = |record: &Record| CustomField::read(record).ok();
        self.custom_fields.iter().filter_map(read).collect()
    }

    /// What a user of the import refers to. All of it exists, because the names were looked up.
    pub fn surroundings(&self) -> users::Surroundings {
        Surroundings { group_exists: true, custom_fields: self.definitions(), ..Surroundings::default() }
    }
}

/// The options of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manner {
    /// Whether existing users keep members that the import lacks.
    pub only_present: bool,
    /// A prefix for each external system id, followed by an underscore.
    pub source_type: Option<String>,
}

impl Manner {
    /// The external system id that identifies a user of the import.
    pub fn external_id(&self, id: &str) -> String {
        match self.source_type.as_deref() {
            None | Some("") => id.to_owned(),
            Some(source) => format!("{source}_{id}"),
        }
    }
}

/// A user of an import, ready for the checks that all users pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// The record, with the id of the existing user or a new one.
    pub user: Record,
    /// Whether no existing user has its external system id.
    pub new: bool,
    /// The request preference that comes with it.
    pub preference: Option<Record>,
    /// Whether to delete the existing user's request preference.
    pub drop_preference: bool,
}

/// Prepares one user, or says in FOLIO's words why it cannot be imported.
pub fn prepare(mut user: Record, manner: &Manner, system: &System) -> Result<Prepared, String> {
    let preference = match user.shift_remove("requestPreference") {
        Some(Value::Object(preference)) => Some(preference),
        _ => None,
    };
    let external = store::record::text(&user, "externalSystemId");
    let external = manner.external_id(external.unwrap_or_default());
    user.insert("externalSystemId".into(), external.clone().into());
    names::resolve(&mut user, system)?;
    let known = system.users.get(&external);
    let mut user = match known {
        Some(known) => merge::with_known(user, known, manner.only_present),
        None => user,
    };
    user.entry("id").or_insert_with(|| store::new_id().to_string().into());
    let drop_preference = preference.is_none() && known.is_some() && !manner.only_present;
    let preference = preference.map(|preference| preference::complete(preference, &user, system)).transpose()?;
    Ok(Prepared { user, new: known.is_none(), preference, drop_preference })
}
