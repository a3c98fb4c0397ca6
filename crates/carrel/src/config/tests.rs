//! Tests of settings: precedence, refusals, and the accuracy of the example file.

use std::ffi::OsString;
use std::path::PathBuf;

use super::*;

/// The shipped example file.
const EXAMPLE: &str = include_str!("../../../../carrel.example.toml");

fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("carrel.toml");
    std::fs::write(&path, text).expect("written");
    (dir, path)
}

fn load(
    flags: &[(&'static str, &str)],
    environment: &[(&str, &str)],
    text: &str,
) -> Result<(Config, Resolved), ConfigError> {
    let (_dir, path) = file(text);
    let flags = SettingFlags {
        file: Some(path),
        given: flags.iter().map(|(name, text)| (*name, (*text).to_owned())).collect(),
    };
    let variable = |name: &str| {
        let found = environment.iter().find(|(variable, _)| *variable == name);
        found.map(|(_, text)| OsString::from(text))
    };
    let resolved = Resolved::load(&flags, variable)?;
    Ok((Config::from_resolved(&resolved)?, resolved))
}

fn refusal(text: &str) -> String {
    match load(&[], &[], text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_example_file_holds_every_default() {
    let printed = Resolved::defaults().to_toml().expect("defaults are valid");
    assert_eq!(EXAMPLE, printed, "write it anew: cargo run -p carrel -- config default > carrel.example.toml");
    let (_, resolved) = load(&[], &[], EXAMPLE).expect("it can be used as it is");
    for setting in SETTINGS {
        let same = |text: &str| (setting.render)(text).expect("valid");
        assert_eq!(same(resolved.text(setting.name).0), same(setting.default), "{}", setting.name);
    }
}

#[test]
fn an_empty_name_of_the_file_is_none() {
    let environment = |name: &str| (name == "CARREL_CONFIG").then(OsString::new);
    Resolved::load(&SettingFlags::default(), environment).expect("no file is read");
}

#[test]
fn flags_win_over_the_environment_over_the_file_over_defaults() {
    let text = "folio_listen = '127.0.0.1:1'";
    let environment = [("CARREL_FOLIO_LISTEN", "127.0.0.1:2")];
    let flags = [("folio_listen", "127.0.0.1:3")];
    let port = |flags, environment, text| load(flags, environment, text).expect("valid").0.folio_listen.port();
    assert_eq!(port(&[], &[], ""), 9130);
    assert_eq!(port(&[], &[], text), 1);
    assert_eq!(port(&[], &environment, text), 2);
    assert_eq!(port(&flags, &environment, text), 3);
}

#[test]
fn an_unknown_key_names_the_nearest_one() {
    assert!(refusal("data_dri = 'x'").contains("did you mean `data_dir`?"));
    assert!(refusal("body_limit = 5").contains("did you mean `body_limit_bytes`?"));
    let nothing_like_it = refusal("zzz = 1");
    assert!(nothing_like_it.contains("`zzz`") && !nothing_like_it.contains("did you mean"));
}

#[test]
fn a_bad_value_is_reported_with_its_origin_and_the_expected_form() {
    let cases = [
        ("folio_listen = 9130", "such as 127.0.0.1:9130"),
        ("allow_open_tenants = 'maybe'", "true or false"),
        ("cookie_same_site = 'Loose'", "one of Lax, Strict, None"),
        ("body_limit_bytes = -1", "a whole number from 1"),
        ("body_limit_bytes = 0", "a whole number from 1"),
        ("data_dir = ''", "must not be empty"),
        ("data_dir = ['a', 'b']", "a single value"),
        ("data_dir = ", "not valid TOML"),
    ];
    for (text, expected) in cases {
        let error = refusal(text);
        assert!(error.contains(expected) && error.contains("carrel.toml"), "{error}");
    }
    let error = load(&[], &[("CARREL_LEGACY_TOKENS", "si")], "").expect_err("not a boolean");
    assert!(error.to_string().contains("CARREL_LEGACY_TOKENS"), "{error}");
}

#[test]
fn secrets_are_not_printed() {
    let flags = [
        ("database_url", "postgres://carrel:hunter2@db.example/x?sslmode=require&password=hunter2"),
        ("admin_password", "hunter2"),
    ];
    let (config, resolved) = load(&flags, &[], "").expect("valid");
    let printed = resolved.to_toml().expect("valid");
    assert!(!printed.contains("hunter2") && !format!("{config:?}").contains("hunter2"));
    assert!(printed.contains("postgres://carrel:***@db.example/x?sslmode=require&password=***"));
    assert!(printed.contains("admin_password = \"***\" # from the flag --admin-password"));
    assert_eq!(config.admin_password.expect("given").reveal(), "hunter2");
}

#[test]
fn clients_get_an_address_they_can_reach() {
    let url = |flags: &[_]| load(flags, &[], "").expect("valid").0.public_okapi_url();
    assert_eq!(url(&[]), "http://localhost:9130");
    assert_eq!(url(&[("folio_listen", "0.0.0.0:80")]), "http://localhost:80");
    assert_eq!(url(&[("folio_listen", "192.0.2.7:9130")]), "http://192.0.2.7:9130");
    assert_eq!(url(&[("okapi_url", "https://folio.example/")]), "https://folio.example");
}
