//! The sources of settings, and their precedence.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::value::Value;
use super::{ConfigError, Origin, SETTINGS, Setting};

/// Files read if none is named; the first that exists.
const USUAL_FILES: [&str; 2] = ["carrel.toml", "/etc/carrel/carrel.toml"];
const FILE_VARIABLE: &str = "CARREL_CONFIG";

/// The settings given on the command line: a flag for each row of the table, and `--config`.
#[derive(Debug, Clone, Default)]
pub struct SettingFlags {
    /// `--config`.
    pub file: Option<PathBuf>,
    /// Values by name of the setting.
    pub given: HashMap<&'static str, String>,
}

impl Args for SettingFlags {
    fn augment_args(command: Command) -> Command {
        let file =
            Arg::new("config").long("config").value_name("FILE").value_parser(clap::value_parser!(PathBuf)).help(
                format!(
                    "The configuration file [default: the first of {}] [env: {FILE_VARIABLE}]",
                    USUAL_FILES.join(", ")
                ),
            );
        let command = command.next_help_heading("Settings").arg(file.global(true));
        SETTINGS.iter().fold(command, |command, setting| command.arg(flag_of(setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn flag_of(setting: &'static Setting) -> Arg {
    let default = match setting.default {
        "" => String::new(),
        text => format!(" [default: {text}]"),
    };
    let help = format!("{}{default} [env: {}]", setting.help(), setting.variable());
    let arg = Arg::new(setting.name).long(setting.flag()).global(true).help(help);
    if setting.switch {
        arg.num_args(0..=1).require_equals(true).default_missing_value("true")
    } else {
        arg.value_name("VALUE")
    }
}

impl FromArgMatches for SettingFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = SETTINGS.iter().filter_map(|setting| {
            let text = matches.get_one::<String>(setting.name)?;
            Some((setting.name, text.clone()))
        });
        Ok(Self { file: matches.get_one::<PathBuf>("config").cloned(), given: given.collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Every setting's text and origin.
#[derive(Debug)]
pub struct Resolved {
    texts: HashMap<&'static str, (String, Origin)>,
}

impl Resolved {
    /// All settings with their defaults.
    pub fn defaults() -> Self {
        let texts = SETTINGS.iter().map(|s| (s.name, (s.default.to_owned(), Origin::Default)));
        Self { texts: texts.collect() }
    }

    /// Reads the sources in ascending order of precedence.
    pub fn load(flags: &SettingFlags, environment: impl Fn(&str) -> Option<OsString>) -> Result<Self, ConfigError> {
        let mut resolved = Self::defaults();
        // Files of services and containers set variables to nothing.
        let named = flags
            .file
            .clone()
            .or_else(|| environment(FILE_VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from));
        let usual = || USUAL_FILES.map(PathBuf::from).into_iter().find(|path| path.is_file());
        if let Some(path) = named.or_else(usual) {
            resolved.add_file(&path)?;
        }
        for setting in SETTINGS {
            let variable = setting.variable();
            if let Some(text) = environment(&variable) {
                let text = text.to_string_lossy().into_owned();
                resolved.set(setting, text, Origin::Environment(variable));
            }
            if let Some(text) = flags.given.get(setting.name) {
                resolved.set(setting, text.clone(), Origin::Flag(setting.flag()));
            }
        }
        Ok(resolved)
    }

    fn add_file(&mut self, path: &Path) -> Result<(), ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        let table: toml::Table =
            text.parse().map_err(|source| ConfigError::Syntax { path: path.to_owned(), source: Box::new(source) })?;
        for (key, value) in table {
            let setting = SETTINGS.iter().find(|setting| setting.name == key);
            let setting = setting.ok_or_else(|| ConfigError::UnknownKey {
                path: path.to_owned(),
                nearest: nearest(&key),
                key,
            })?;
            let text = match value {
                toml::Value::String(text) => text,
                toml::Value::Array(_) | toml::Value::Table(_) => {
                    return Err(ConfigError::BadValue {
                        name: setting.name,
                        origin: Origin::File(path.to_owned()),
                        expected: "a single value is expected".into(),
                    });
                }
                other => other.to_string(),
            };
            self.set(setting, text, Origin::File(path.to_owned()));
        }
        Ok(())
    }

    fn set(&mut self, setting: &'static Setting, text: String, origin: Origin) {
        self.texts.insert(setting.name, (text, origin));
    }

    /// The value of a setting.
    pub(super) fn value<V: Value>(&self, name: &'static str) -> Result<V, ConfigError> {
        let (text, origin) = self.text(name);
        V::parse(text).map_err(|expected| ConfigError::BadValue { name, origin: origin.clone(), expected })
    }

    /// The text of a setting and its origin.
    pub fn text(&self, name: &'static str) -> (&str, &Origin) {
        self.texts.get(name).map_or(("", &Origin::Default), |(text, origin)| (text, origin))
    }
}

/// The setting most similar to a key, if there is one.
fn nearest(key: &str) -> Option<&'static str> {
    let likeness = |name: &str| strsim::jaro_winkler(&key.to_lowercase(), name);
    let by_likeness = |a: &&Setting, b: &&Setting| likeness(a.name).total_cmp(&likeness(b.name));
    let best = SETTINGS.iter().max_by(by_likeness)?;
    (likeness(best.name) > 0.7).then_some(best.name)
}
