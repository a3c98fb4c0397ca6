//! Preferences: what the system, a repository and a user want as defaults (contract 1.2, 2, 3.5). Later ones of this order win: those
//! of the system, of the user everywhere, of the repository, of the user in the repository.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use store::{Session, statements::archives::PREFERENCES};

use crate::{permissions::GLOBAL_REPOSITORY, refusal::Refusal};

/// What the system wants until an administrator says otherwise.
static OF_THE_SYSTEM: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../data/preferences.json"))
        .unwrap_or_else(|error| panic!("data/preferences.json: {error}"))
});

/// A preference that is for all, or for one user.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stored {
    repository: i64,
    is_own: bool,
    defaults: Map<String, Value>,
}

/// What a user prefers, everywhere and in each repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preferences(Vec<Stored>);

impl Preferences {
    /// As the database writes them.
    pub(crate) fn read(stored: Option<Value>) -> Self {
        let stored = stored.as_ref().and_then(Value::as_array).into_iter().flatten().filter_map(|one| {
            let defaults = one["defaults"].as_object().cloned().unwrap_or_default();
            Some(Stored { repository: one["repository"].as_i64()?, is_own: one["is_own"] == true, defaults })
        });
        Self(stored.collect())
    }

    /// Whether this is preferred in a repository, or everywhere.
    pub fn is_on(&self, name: &str, repository: Option<i64>) -> bool {
        let preferred = layers(repository).into_iter().rev().find_map(|(of, is_own)| {
            let found = self.0.iter().find(|stored| stored.repository == of && stored.is_own == is_own);
            found.and_then(|stored| stored.defaults.get(name)).or_else(|| of_the_system(of, is_own)?.get(name))
        });
        preferred == Some(&Value::Bool(true))
    }
}

/// Where preferences are for a repository, those that win last: repository, and whether they are the user's own.
fn layers(repository: Option<i64>) -> Vec<(i64, bool)> {
    let mut layers = vec![(GLOBAL_REPOSITORY, false), (GLOBAL_REPOSITORY, true)];
    if let Some(repository) = repository.filter(|repository| *repository != GLOBAL_REPOSITORY) {
        layers.extend([(repository, false), (repository, true)]);
    }
    layers
}

fn of_the_system(repository: i64, is_own: bool) -> Option<&'static Map<String, Value>> {
    (repository == GLOBAL_REPOSITORY && !is_own).then_some(&*OF_THE_SYSTEM)
}

/// The preferences of a repository as clients read them: all of them, or those of a user. One round trip.
///
/// # Errors
/// [`Refusal::Store`].
pub async fn list(session: &Session, repository: i64, user: Option<i64>) -> Result<Vec<Value>, Refusal> {
    let repositories = [repository];
    let mut found: Vec<Value> = session.values(PREFERENCES, &[&&repositories[..], &user, &false]).await?;
    found.iter_mut().for_each(complete);
    Ok(found)
}

/// What a user prefers in a repository: the records it follows from, and after each of them what is preferred so far. One
/// round trip.
///
/// # Errors
/// [`Refusal::Store`].
pub async fn current(session: &Session, repository: i64, user: i64) -> Result<Value, Refusal> {
    let repositories = [GLOBAL_REPOSITORY, repository];
    let mut found: Vec<Value> = session.values(PREFERENCES, &[&&repositories[..], &Some(user), &true]).await?;
    found.iter_mut().for_each(complete);
    let mut defaults = Map::new();
    let mut answer = json!({});
    for ((of, is_own), name) in layers(Some(repository)).into_iter().zip(["global", "user_global", "repo", "user_repo"])
    {
        let uri = format!("/repositories/{of}");
        let record = found.iter().find(|one| one["repository"]["ref"] == uri && one["user_id"].is_null() != is_own);
        let Some(record) = record else { continue };
        for (name, value) in record["defaults"].as_object().into_iter().flatten() {
            // A list that was not sent is stored empty; its form asks whether it is.
            if *value != json!([]) || !defaults.contains_key(name) {
                defaults.insert(name.clone(), value.clone());
            }
        }
        answer[name] = record.clone();
        answer[format!("defaults_{name}")] = json!(defaults);
    }
    defaults.remove("jsonmodel_type");
    answer["defaults"] = json!(defaults);
    Ok(answer)
}

/// Adds what the system prefers to its record.
pub fn complete(record: &mut Value) {
    let of_all = record["user_id"].is_null() && record["repository"]["ref"] == "/repositories/1";
    let mut defaults = if of_all { OF_THE_SYSTEM.clone() } else { Map::new() };
    defaults.extend(record["defaults"].as_object().cloned().unwrap_or_default());
    defaults.entry("locale").or_insert_with(|| "en".into());
    record["defaults"] = defaults.into();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_preference_wins() {
        let stored = |repository: i64, is_own: bool, publish: bool| json!({"repository": repository, "is_own": is_own, "defaults": {"publish": publish}});
        let none = Preferences::default();
        assert!(
            !none.is_on("publish", Some(2)) && !none.is_on("publish", None) && none.is_on("rde_sort_alpha", Some(2))
        );
        for (rows, in_two, everywhere) in [
            (vec![stored(1, false, true)], true, true),
            (vec![stored(1, false, true), stored(1, true, false)], false, false),
            (vec![stored(1, true, false), stored(2, false, true)], true, false),
            (vec![stored(2, true, false), stored(2, false, true)], false, false),
            (vec![stored(3, true, true)], false, false),
        ] {
            let preferences = Preferences::read(Some(json!(rows)));
            assert_eq!(
                (preferences.is_on("publish", Some(2)), preferences.is_on("publish", None)),
                (in_two, everywhere),
                "{rows:?}"
            );
        }
    }
}
