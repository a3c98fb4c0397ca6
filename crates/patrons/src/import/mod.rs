//! The import of users (docs/folio/user-import.md): groups, address types, departments and contact types are given by
//! name, users are known by their external system id.
//!
//! [`names`] puts ids in the place of names, [`merge`] joins a user with the one that is known, [`preference`]
//! checks request preferences, [`included`] adds what an import brings along, [`records`] reads and writes.

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

/// A record.
pub type Record = Map<String, Value>;

/// What a library has that imports name.
#[derive(Debug, Clone, Default)]
pub struct System {
    /// Address types by name.
    pub address_types: HashMap<String, String>,
    /// Patron groups by name.
    pub groups: HashMap<String, String>,
    /// Departments, complete.
    pub departments: Vec<Record>,
    /// Definitions of custom fields, complete.
    pub custom_fields: Vec<Record>,
    /// Known users by external system id.
    pub users: HashMap<String, Record>,
    /// Service points that exist of those that preferences name.
    pub service_points: Vec<Uuid>,
}

impl System {
    /// The definitions of the custom fields, as far as they decide.
    #[must_use]
    pub fn definitions(&self) -> Vec<CustomField> {
        let read = |record: &Record| CustomField::read(record).ok();
        self.custom_fields.iter().filter_map(read).collect()
    }

    /// What a user of the import refers to: all of it exists, for the names were looked up.
    #[must_use]
    pub fn surroundings(&self) -> users::Surroundings {
        Surroundings {
            group_exists: true,
            custom_fields: self.definitions(),
            ..Surroundings::default()
        }
    }
}

/// How an import is done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manner {
    /// What a known user has and the import does not say stays.
    pub only_present: bool,
    /// Put before each external system id, with an underscore.
    pub source_type: Option<String>,
}

impl Manner {
    /// The external system id under which a user of the import is known.
    #[must_use]
    pub fn external_id(&self, id: &str) -> String {
        match self.source_type.as_deref() {
            None | Some("") => id.to_owned(),
            Some(source) => format!("{source}_{id}"),
        }
    }
}

/// A user of an import, ready to be accepted as any user is.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// The record, with the id of the known user or of a new one.
    pub user: Record,
    /// Nobody has its external system id yet.
    pub new: bool,
    /// The request preference that comes with it.
    pub preference: Option<Record>,
    /// The request preference of the known user goes.
    pub drop_preference: bool,
}

/// Prepares one user.
///
/// # Errors
/// Why it cannot be imported, in FOLIO's words.
pub fn prepare(mut user: Record, manner: &Manner, system: &System) -> Result<Prepared, String> {
    let preference = match user.shift_remove("requestPreference") {
        Some(Value::Object(preference)) => Some(preference),
        _ => None,
    };
    let external = crate::collections::text(&user, "externalSystemId");
    let external = manner.external_id(external.unwrap_or_default());
    user.insert("externalSystemId".into(), external.clone().into());
    names::resolve(&mut user, system)?;
    let known = system.users.get(&external);
    let mut user = match known {
        Some(known) => merge::with_known(user, known, manner.only_present),
        None => user,
    };
    user.entry("id")
        .or_insert_with(|| store::new_id().to_string().into());
    let drop_preference = preference.is_none() && known.is_some() && !manner.only_present;
    let preference = preference
        .map(|preference| preference::complete(preference, &user, system))
        .transpose()?;
    Ok(Prepared {
        user,
        new: known.is_none(),
        preference,
        drop_preference,
    })
}
