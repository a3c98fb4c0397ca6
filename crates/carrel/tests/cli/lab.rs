//! `carrel lab`: its output, files and exit codes.

use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn lab(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut carrel = Command::new(env!("CARGO_BIN_EXE_carrel"));
    let output: Output = carrel.arg("lab").args(arguments).output().expect("run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn workloads_are_listed_printed_and_checked() {
    let (code, listed, _) = lab(&["workloads"]);
    assert_eq!(code, Some(0));
    for name in ["check-in-check-out: ", "uuid-batch: ", "data-export: ", "archives: ", "smoke: "] {
        assert!(listed.contains(name), "{listed}");
    }
    let (_, printed, _) = lab(&["workloads", "archives"]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    fs::write(&file, &printed).expect("written");
    let (code, checked, _) = lab(&["check", &file.display().to_string()]);
    assert_eq!((code, checked.as_str()), (Some(0), "archives: 4 transactions, 6 kinds of requests\n"));
}

#[test]
fn an_error_in_a_workload_has_its_place_and_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    fs::write(&file, "name = \"mine\"\ntitle = \"Mine\"\nprotocol = \"gopher\"\n").expect("written");
    let file = file.display().to_string();
    for arguments in [["check", &file].as_slice(), &["run", "--workload", &file]] {
        let (code, _, text) = lab(arguments);
        assert!(text.contains(&format!("{file}:3:12: unknown variant `gopher`")), "{text}");
        assert_eq!(code, Some(2));
    }
}

#[test]
fn an_unreachable_server_has_code_3_and_an_invalid_address_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let run = |url: &str| lab(&["run", "--out", &out, "--url", url]);
    let (code, _, text) = run(&format!("http://{port}"));
    assert!(text.starts_with(&format!("carrel: http://{port}: cannot connect: ")), "{text}");
    assert_eq!(code, Some(3));
    let (code, _, text) = run("folio.example.org");
    assert!(text.contains("http:// or https:// is missing"), "{text}");
    assert_eq!(code, Some(2));
}

/// A recorded run that is kept with the documents.
fn reference_run() -> PathBuf {
    let kept = "../../docs/lab/2026-11-22-check-in-check-out/with-think-time/results.json";
    Path::new(env!("CARGO_MANIFEST_DIR")).join(kept)
}

/// The reference run in its own folder, with this label.
fn labelled(folder: &Path, label: &str) -> String {
    let results = fs::read_to_string(reference_run()).expect("the reference run");
    let (before, after) = results.split_once("\"label\":\"").expect("a label");
    let (_, after) = after.split_once('"').expect("its end");
    let own = folder.join(label);
    fs::create_dir(&own).expect("a folder");
    let results = format!("{before}\"label\":\"{label}\"{after}");
    fs::write(own.join("results.json"), results).expect("written");
    own.display().to_string()
}

#[test]
fn a_run_is_reported_again_and_held_to_thresholds() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = labelled(folder.path(), "a");
    let (code, text, _) = lab(&["report", &run, "--threshold", "errors<10%"]);
    assert_eq!(code, Some(0), "{text}");
    for file in ["report.html", "report.md", "figures.csv", "timeline.csv", "junit.xml"] {
        assert!(Path::new(&run).join(file).is_file(), "{file}");
    }
    let out = folder.path().join("elsewhere").display().to_string();
    let broken = ["--threshold", "Check-out p95<0.001ms", "--out", &out];
    let (code, _, text) = lab(&[["report", &run].as_slice(), &broken].concat());
    assert!(text.contains("Check-out p95<0.001ms"), "{text}");
    assert_eq!(code, Some(7));
    let verdicts = fs::read_to_string(Path::new(&out).join("junit.xml")).expect("written");
    assert!(verdicts.contains("<failure"), "{verdicts}");
}

#[test]
fn a_run_compared_with_itself_is_neither_better_nor_worse() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (labelled(folder.path(), "a"), labelled(folder.path(), "b"));
    let (code, text, _) = lab(&["compare", &a, &b, "--format", "markdown"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("stable"), "{text}");
    for word in ["| better", "| worse"] {
        assert!(!text.contains(word), "{text}");
    }
    let (code, _, text) = lab(&["compare", &a, "nowhere"]);
    assert!(text.contains("nowhere: No such file"), "{text}");
    assert_eq!(code, Some(1));
}

#[test]
fn published_results_are_printed() {
    let (code, text, _) = lab(&["published"]);
    assert_eq!(code, Some(0));
    for figure in ["Fameflower", "1.015", "Morning Glory", "0.601", "ArchivesSpace"] {
        assert!(text.contains(figure), "{figure}: {text}");
    }
}

#[test]
fn a_run_in_which_nothing_succeeds_has_code_6_and_a_report() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        }
    });
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("get.toml");
    let workload = "name = \"get\"\ntitle = \"One request\"\nprotocol = \"plain\"\n[[transaction]]\nname = \"Get\"\n\
        [[transaction.step]]\n[[transaction.step.request]]\nname = \"GET it\"\npath = \"/\"\n";
    fs::write(&file, workload).expect("written");
    let out = folder.path().join("results");
    let (file, results) = (file.display().to_string(), out.display().to_string());
    let (code, _, text) = lab(&[
        "run",
        "--workload",
        &file,
        "--url",
        &url,
        "--out",
        &results,
        "--duration",
        "200ms",
        "--warm-up",
        "0",
        "--ramp-up",
        "0",
        "--commit",
        "abc123",
    ]);
    assert!(text.contains("not one transaction succeeded"), "{text}");
    assert_eq!(code, Some(6));
    let report = fs::read_to_string(out.join("report.md")).expect("a report");
    assert!(report.contains("status 503") && report.contains("abc123"), "{report}");
}
