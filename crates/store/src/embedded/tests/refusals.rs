//! Starts that are refused, and how the reason is explained.

use super::*;

fn refused(settings: &Settings) -> EmbeddedError {
    match Embedded::start(settings) {
        Ok(_) => panic!("it started"),
        Err(error) => error,
    }
}

#[test]
fn a_data_directory_has_one_carrel() {
    let dir = data_dir();
    let server = started(dir.path());
    let error = refused(&settings(dir.path()));
    let own = std::process::id();
    assert!(matches!(error, EmbeddedError::InUse { process_id: Some(id), .. } if id == own));
    assert_eq!(answer(&server, "SELECT 1"), "1", "the first is not disturbed");
    drop(server);
    drop(started(dir.path()));
}

#[test]
fn other_folders_and_clusters_of_other_versions_are_left_alone() {
    let dir = data_dir();
    let cluster = dir.path().join("postgres");
    std::fs::create_dir(&cluster).expect("created");
    std::fs::write(cluster.join("letter.txt"), "Dear reader").expect("written");
    assert!(matches!(refused(&settings(dir.path())), EmbeddedError::NotACluster { .. }));

    std::fs::write(cluster.join("PG_VERSION"), "99\n").expect("written");
    let error = refused(&settings(dir.path()));
    assert!(matches!(error, EmbeddedError::OtherMajorVersion { cluster: 99, .. }));
    assert!(error.to_string().contains("pg_upgrade"), "{error}");
    assert!(cluster.join("letter.txt").exists());
}

#[test]
fn missing_programs_and_bad_places_are_explained() {
    let empty = data_dir();
    let dir = data_dir();
    let no_programs = Settings { programs_dir: Some(empty.path().to_owned()), ..settings(dir.path()) };
    let error = refused(&no_programs);
    assert!(matches!(error, EmbeddedError::ProgramsNotFound { .. }));
    assert!(error.to_string().contains("apt install postgresql"), "{error}");

    let error = refused(&settings(Path::new("/dev/null/carrel")));
    assert!(matches!(error, EmbeddedError::NotWritable { .. }), "{error}");

    let nobody = Settings { account: Some("no-such-account".into()), ..settings(dir.path()) };
    assert!(matches!(refused(&nobody), EmbeddedError::Account { .. }));
}

#[test]
fn a_server_that_cannot_start_is_quoted() {
    let dir = data_dir();
    drop(started(dir.path()));
    let overrides = cluster_of(dir.path()).join("postgresql.auto.conf");
    std::fs::write(&overrides, "shared_buffers = 'plenty'\n").expect("written");
    let error = refused(&settings(dir.path()));
    assert!(matches!(error, EmbeddedError::StartFailed { .. }));
    assert!(error.to_string().contains("shared_buffers"), "{error}");
    std::fs::write(&overrides, "").expect("written");
    assert_eq!(answer(&started(dir.path()), "SELECT 1"), "1");
}

#[test]
fn root_learns_which_folder_is_in_the_way() {
    if !Uid::effective().is_root() {
        return;
    }
    let dir = data_dir();
    set_mode(dir.path(), 0o700);
    let error = refused(&settings(&dir.path().join("inner")));
    let EmbeddedError::NotReachable { dir: closed, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(closed, &dir.path().canonicalize().expect("it is there"));
    set_mode(dir.path(), 0o755);
    drop(started(&dir.path().join("inner")));
}
