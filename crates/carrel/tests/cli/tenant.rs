//! `carrel tenant` as an operator uses it.

use std::path::Path;
use std::process::{Command, Output};

fn carrel(data_dir: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carrel"));
    command.arg("tenant").args(arguments).arg("--data-dir").arg(data_dir);
    command.output().expect("it runs")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(output: &Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_tenant_is_created_with_a_password_listed_and_deleted() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path();
    let created = stdout(&carrel(data, &["create", "lib1", "--name", "First library"]));
    assert!(created.contains("Administrator: lib1_admin"), "{created}");
    let password = created.lines().find_map(|line| line.strip_prefix("Password:"));
    assert!(password.is_some_and(|password| password.trim().len() >= 16), "{created}");
    let again = refused(&carrel(data, &["create", "lib1"]));
    assert!(again.contains("Duplicate tenant id lib1"), "{again}");
    let listed = stdout(&carrel(data, &["list"]));
    assert!(listed.contains("First library"), "{listed}");
    let asked = refused(&carrel(data, &["delete", "lib1"]));
    assert!(asked.contains("--yes"), "{asked}");
    stdout(&carrel(data, &["delete", "lib1", "--yes"]));
    let listed = stdout(&carrel(data, &["list"]));
    assert!(!listed.contains("lib1"), "{listed}");
    let unknown = refused(&carrel(data, &["delete", "lib1", "--yes"]));
    assert!(unknown.contains("carrel tenant list"), "{unknown}");
}
