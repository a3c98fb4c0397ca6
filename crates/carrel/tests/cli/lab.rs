//! `carrel lab`: its words and exit codes where the load never begins.

use std::{
    fs,
    process::{Command, Output},
};

fn lab(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut carrel = Command::new(env!("CARGO_BIN_EXE_carrel"));
    let output: Output = carrel.arg("lab").args(arguments).output().expect("run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn workloads_are_listed_printed_and_checked() {
    let (code, listed, _) = lab(&["workloads"]);
    assert_eq!(code, Some(0));
    for name in [
        "check-in-check-out: ",
        "uuid-batch: ",
        "data-export: ",
        "archives: ",
        "smoke: ",
    ] {
        assert!(listed.contains(name), "{listed}");
    }
    let (_, printed, _) = lab(&["workloads", "archives"]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    fs::write(&file, &printed).expect("written");
    let (code, checked, _) = lab(&["check", &file.display().to_string()]);
    assert_eq!(
        (code, checked.as_str()),
        (Some(0), "archives: 4 transactions, 6 kinds of requests\n")
    );
}

#[test]
fn an_error_in_a_workload_has_its_place_and_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    fs::write(
        &file,
        "name = \"mine\"\ntitle = \"Mine\"\nprotocol = \"gopher\"\n",
    )
    .expect("written");
    let file = file.display().to_string();
    for arguments in [["check", &file].as_slice(), &["run", "--workload", &file]] {
        let (code, _, said) = lab(arguments);
        assert!(
            said.contains(&format!("{file}:3:12: unknown variant `gopher`")),
            "{said}"
        );
        assert_eq!(code, Some(2));
    }
}

#[test]
fn a_server_that_is_not_there_has_code_3_and_a_strange_address_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("an address");
    let run = |url: &str| lab(&["run", "--out", &out, "--url", url]);
    let (code, _, said) = run(&format!("http://{port}"));
    assert!(
        said.starts_with(&format!("carrel: http://{port}: cannot connect: ")),
        "{said}"
    );
    assert_eq!(code, Some(3));
    let (code, _, said) = run("folio.example.org");
    assert!(said.contains("http:// or https:// is missing"), "{said}");
    assert_eq!(code, Some(2));
}
