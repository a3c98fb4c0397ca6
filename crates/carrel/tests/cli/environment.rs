//! The environment of PostgreSQL's programs.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::servers::programs_dir;
use super::support::{Carrel, command, data_dir, postgres_of};

const SECRET: &str = "correct horse battery staple";

/// Wrappers that record their environment before they start the real programs.
fn tell_tales(dir: &Path) {
    let real = programs_dir();
    for program in ["postgres", "initdb", "pg_config"] {
        let path = dir.join(program);
        let text = format!(
            "#!/bin/sh\n{{ echo {program}; cat /proc/$$/environ; }} >> '{}/environments'\nexec {}/{program} \"$@\"\n",
            dir.display(),
            real.display()
        );
        std::fs::write(&path, text).expect("written");
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("changed");
    }
    std::fs::write(dir.join("environments"), "").expect("written");
    for (path, mode) in [(dir.join("environments"), 0o666), (dir.to_owned(), 0o755)] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("changed");
    }
}

#[tokio::test]
async fn no_program_of_postgresql_learns_a_secret_of_carrels() {
    let (dir, programs) = (data_dir(), data_dir());
    tell_tales(programs.path());
    let mut command = command(dir.path());
    command
        .arg("--postgres-bin-dir")
        .arg(programs.path())
        .env("CARREL_ADMIN_USERNAME", "chief")
        .env("CARREL_ADMIN_PASSWORD", SECRET)
        .env("AWS_SECRET_ACCESS_KEY", SECRET)
        .env("PGPASSWORD", SECRET)
        .env("TZ", "Europe/Vienna");
    let carrel = Carrel::start_with(command);
    let postgres = postgres_of(dir.path()).expect("it runs");
    let environments = std::fs::read(programs.path().join("environments")).expect("readable");
    let running = std::fs::read(format!("/proc/{postgres}/environ")).expect("readable");
    for environment in [environments, running] {
        let text = String::from_utf8_lossy(&environment).into_owned();
        assert!(text.contains("TZ=Europe/Vienna"), "{text}");
        for secret in ["CARREL_", SECRET, "PGPASSWORD", "AWS_"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
    }
    let environments = std::fs::read_to_string(programs.path().join("environments")).expect("text");
    for program in ["postgres", "initdb", "pg_config"] {
        assert!(environments.contains(program), "{program} was run");
    }
    assert!(carrel.stop("TERM").success());
}
