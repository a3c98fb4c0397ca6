//! Languages whose words are searched in their basic forms, and features that can be turned off.

use search::analysis::Language;
use serde_json::Value;
use store::{
    Session, StoreError,
    statements::catalogue::{
        ADD_FEATURE, ADD_LANGUAGE, CHANGE_FEATURE, CHANGE_LANGUAGE, REMOVE_FEATURE, REMOVE_LANGUAGE, SETTINGS,
    },
};

use crate::{
    Failed,
    browse_settings::Config,
    lists::List,
    refusal::{
        FEATURE_DIFFERS, FEATURE_EXISTS, FEATURE_INVALID, FEATURE_UNKNOWN, LANGUAGE_DIFFERS, LANGUAGE_INVALID,
        LANGUAGE_UNKNOWN, LANGUAGE_WITHOUT_ANALYZER, TOO_MANY_LANGUAGES,
    },
};

/// Searches of every text of a record; on, unless a library turns it off.
const ALL_FIELDS: &str = "search.all.fields";
/// Lists that are browsed; on, too.
const LISTS: [(&str, List); 2] =
    [("browse.classifications", List::Classifications), ("browse.call-numbers", List::CallNumbers)];

/// The settings of a library.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) languages: Vec<Language>,
    pub(crate) has_all_fields: bool,
    pub(crate) browse: Vec<Config>,
    /// Lists that are empty, because they were turned off.
    pub(crate) without: Vec<List>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { languages: vec![Language::English], has_all_fields: true, browse: Vec::new(), without: Vec::new() }
    }
}

impl Settings {
    pub(crate) async fn read(session: &Session) -> Result<Self, StoreError> {
        let read = read(session).await?;
        let listed = |name: &str| read[name].as_array().cloned().unwrap_or_default();
        let codes = listed("languageConfigs");
        let languages = codes.iter().filter_map(|one| Language::of(one["code"].as_str()?)).collect();
        let features = listed("features");
        let is_off = |name: &str| features.iter().any(|one| one["feature"] == name && one["enabled"] == false);
        let without = LISTS.iter().filter(|(name, _)| is_off(name)).map(|(_, list)| *list).collect();
        let browse = Config::among(&read["browseConfigs"]);
        Ok(Self { languages, has_all_fields: !is_off(ALL_FIELDS), browse, without })
    }
}

/// `languageConfigs` and `features`, as clients read them. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn read(session: &Session) -> Result<Value, StoreError> {
    session.value(SETTINGS, &[]).await
}

fn checked(code: &str) -> Result<(), Failed> {
    if code.len() == 3 && code.bytes().all(|b| b.is_ascii_alphabetic()) {
        return Ok(());
    }
    Err(LANGUAGE_INVALID.with("3", "{3}").with("code", code).into())
}

/// Adds a language, or changes its analyzer if it is there.
///
/// # Errors
/// [`Failed::Refused`] if its words have no basic forms, or there are five languages.
pub async fn add_language(session: &Session, code: &str, analyzer: Option<&str>) -> Result<(), Failed> {
    checked(code)?;
    if Language::of(code).is_none() {
        return Err(LANGUAGE_WITHOUT_ANALYZER.with("code", code).into());
    }
    match session.find(ADD_LANGUAGE, &[&code, &analyzer]).await? {
        Some(_) => Ok(()),
        None => Err(TOO_MANY_LANGUAGES.with("code", code).into()),
    }
}

/// Changes the analyzer of a language.
///
/// # Errors
/// [`Failed::Refused`] if there is no such language, or the body is of another.
pub async fn change_language(session: &Session, of: &str, code: &str, analyzer: Option<&str>) -> Result<(), Failed> {
    checked(code)?;
    if of != code {
        return Err(LANGUAGE_DIFFERS.with("code", code).into());
    }
    match session.find(CHANGE_LANGUAGE, &[&code, &analyzer]).await? {
        Some(_) => Ok(()),
        None => Err(LANGUAGE_UNKNOWN.with("code", code).into()),
    }
}

/// Removes a language, if it is there.
///
/// # Errors
/// [`StoreError`].
pub async fn remove_language(session: &Session, code: &str) -> Result<(), StoreError> {
    session.execute(REMOVE_LANGUAGE, &[&code]).await.map(|_| ())
}

fn known(feature: &str) -> Result<(), Failed> {
    match feature == ALL_FIELDS || LISTS.iter().any(|(name, _)| *name == feature) {
        true => Ok(()),
        false => Err(FEATURE_INVALID.with("feature", feature).into()),
    }
}

/// Configures a feature.
///
/// # Errors
/// [`Failed::Refused`] if it is configured already, or does not exist.
pub async fn add_feature(session: &Session, feature: &str, enabled: bool) -> Result<(), Failed> {
    known(feature)?;
    match session.find(ADD_FEATURE, &[&feature, &enabled]).await? {
        Some(_) => Ok(()),
        None => Err(FEATURE_EXISTS.with("feature", feature).into()),
    }
}

/// Turns a feature on or off.
///
/// # Errors
/// [`Failed::Refused`] if it is not configured, or the body is of another.
pub async fn change_feature(session: &Session, of: &str, feature: &str, enabled: bool) -> Result<(), Failed> {
    known(of)?;
    known(feature)?;
    if of != feature {
        return Err(FEATURE_DIFFERS.with("feature", of).into());
    }
    match session.find(CHANGE_FEATURE, &[&feature, &enabled]).await? {
        Some(_) => Ok(()),
        None => Err(FEATURE_UNKNOWN.with("feature", feature).into()),
    }
}

/// Leaves a feature to its default.
///
/// # Errors
/// [`Failed::Refused`] if it is not configured.
pub async fn remove_feature(session: &Session, feature: &str) -> Result<(), Failed> {
    known(feature)?;
    match session.find(REMOVE_FEATURE, &[&feature]).await? {
        Some(_) => Ok(()),
        None => Err(FEATURE_UNKNOWN.with("feature", feature).into()),
    }
}
