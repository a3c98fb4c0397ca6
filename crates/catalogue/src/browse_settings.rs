//! How call numbers and classification numbers are browsed: in which order, and of which types (contract 1.7).

use serde_json::Value;
use store::{
    Session,
    statements::catalogue::{BROWSE_CONFIGS, CHANGE_BROWSE_CONFIG, MISSING_TYPES},
};
use uuid::Uuid;

use crate::{
    Failed,
    lists::{Algorithm, List},
    refusal::{
        BROWSE_ALGORITHM_UNKNOWN, BROWSE_CONFIG_DIFFERS, BROWSE_OPTION_UNKNOWN, BROWSE_TYPE_UNKNOWN, TYPES_UNKNOWN,
    },
};

/// Options with the algorithm that each has unless a library chooses another.
const OPTIONS: [(&str, Algorithm); 6] = [
    ("all", Algorithm::Default),
    ("lc", Algorithm::Lc),
    ("dewey", Algorithm::Dewey),
    ("nlm", Algorithm::Nlm),
    ("sudoc", Algorithm::Sudoc),
    ("other", Algorithm::Default),
];

/// What an option of a list means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) list: List,
    pub(crate) option: String,
    pub(crate) algorithm: Algorithm,
    /// Empty: of every type.
    pub(crate) type_ids: Vec<String>,
}

impl Config {
    /// The configurations among those that were read.
    pub(crate) fn among(read: &Value) -> Vec<Self> {
        let read = read.as_array().map_or(&[][..], Vec::as_slice);
        read.iter().filter_map(Self::of).collect()
    }

    fn of(read: &Value) -> Option<Self> {
        let ids = read["typeIds"].as_array().map_or(&[][..], Vec::as_slice);
        Some(Self {
            list: of_type(read["type"].as_str()?)?,
            option: read["id"].as_str()?.to_owned(),
            algorithm: Algorithm::of(read["shelvingAlgorithm"].as_str()?)?,
            type_ids: ids.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect(),
        })
    }
}

/// What an option means where nothing was configured; `None` if there is no such option.
pub(crate) fn usual(list: List, option: &str) -> Option<Config> {
    let (option, algorithm) = OPTIONS.iter().find(|(known, _)| *known == option)?;
    Some(Config { list, option: (*option).to_owned(), algorithm: *algorithm, type_ids: Vec::new() })
}

fn of_type(name: &str) -> Option<List> {
    match name {
        "instance-classification" => Some(List::Classifications),
        "instance-call-number" => Some(List::CallNumbers),
        _ => None,
    }
}

/// A configuration as it is sent.
#[derive(Debug)]
pub struct Sent<'a> {
    pub id: &'a str,
    pub algorithm: &'a str,
    pub type_ids: Vec<Uuid>,
}

/// The configurations of a list, by its name. One round trip.
///
/// # Errors
/// [`Failed::Refused`] if there is no such list.
pub async fn list(session: &Session, of: &str) -> Result<Value, Failed> {
    of_type(of).ok_or_else(|| BROWSE_TYPE_UNKNOWN.with("browseType", of))?;
    Ok(session.value(BROWSE_CONFIGS, &[&of]).await?)
}

/// Changes what an option of a list means. Two round trips.
///
/// # Errors
/// [`Failed::Refused`] if list, option or algorithm do not exist, the body is of another option, or types do not exist.
pub async fn change(session: &Session, of: &str, option: &str, sent: &Sent<'_>) -> Result<(), Failed> {
    let list = of_type(of).ok_or_else(|| BROWSE_TYPE_UNKNOWN.with("browseType", of))?;
    for option in [option, sent.id] {
        usual(list, option).ok_or_else(|| BROWSE_OPTION_UNKNOWN.with("option", option))?;
    }
    if option != sent.id {
        return Err(BROWSE_CONFIG_DIFFERS.with("option", option).with("id", sent.id).into());
    }
    let unknown = || BROWSE_ALGORITHM_UNKNOWN.with("shelvingAlgorithm", sent.algorithm);
    Algorithm::of(sent.algorithm).ok_or_else(unknown)?;
    if !sent.type_ids.is_empty() {
        let missing: Vec<Uuid> = session.values(MISSING_TYPES, &[&sent.type_ids, &of]).await?;
        if !missing.is_empty() {
            let listed = missing.iter().map(Uuid::to_string).collect::<Vec<_>>().join(", ");
            return Err(TYPES_UNKNOWN.with("browseType", of).with("typeIds", format!("[{listed}]")).into());
        }
    }
    session.execute(CHANGE_BROWSE_CONFIG, &[&of, &option, &sent.algorithm, &sent.type_ids]).await?;
    Ok(())
}
