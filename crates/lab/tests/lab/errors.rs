//! Every failure has a message and an exit code, and the measurements so far are kept.

use std::time::Duration;

use lab::{results::file, run::error::RunError, workload::parse};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::{
    stub::{Behaviour, Stub},
    support::{get, measure, options, shipped},
};

fn check(error: &RunError, code: u8, parts: &[&str]) {
    let text = error.to_string();
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    assert_eq!(error.exit_code(), code, "{text}");
}

/// Answers the first bytes of each connection with `say`.
async fn strange(say: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(say).await;
        }
    });
    url
}

#[tokio::test]
async fn an_unreachable_target() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let error = shipped("check-in-check-out", &format!("http://{port}"), |_| {}).await.expect_err("nobody");
    check(&error, 3, &[&port.to_string(), "cannot connect", "refused"]);
    let error = shipped("check-in-check-out", "localhost:9130", |_| {}).await.expect_err("no address");
    check(&error, 2, &["http://", "missing"]);
}

#[tokio::test]
async fn a_wrong_tenant_or_password() {
    let stub = Stub::start(Behaviour::default()).await;
    let error = shipped("smoke", &stub.url, |options| options.credentials.tenant = "nowhere".to_owned()).await;
    check(&error.expect_err("refused"), 3, &["to the tenant \"nowhere\"", "400", "No such Tenant nowhere"]);
    let error = shipped("smoke", &stub.url, |options| options.credentials.password = "guess".to_owned()).await;
    let error = error.expect_err("refused");
    check(&error, 3, &["log-in of \"diku_admin\"", "422 Password does not match"]);
    assert!(!error.to_string().contains("guess"), "no password in a message");
}

#[tokio::test]
async fn a_target_with_another_protocol() {
    for (say, part) in [
        (b"SSH-2.0-OpenSSH_9.2p1\r\n".as_slice(), "not HTTP"),
        (b"".as_slice(), "connection closed"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf".as_slice(), "connection closed"),
        (b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".as_slice(), "does not serve FOLIO's API"),
    ] {
        let url = strange(say).await;
        let error = shipped("check-in-check-out", &url, |_| {}).await.expect_err("strange");
        check(&error, 3, &[part, &url]);
    }
}

#[tokio::test]
async fn a_workload_with_an_error_has_file_line_and_column() {
    let head = "name = \"x\"\ntitle = \"X\"\nprotocol = \"plain\"\n";
    let request = "[[transaction]]\nname = \"T\"\n[[transaction.step]]\n[[transaction.step.request]]\nname = \"R\"\n";
    for (text, place, part) in [
        (format!("{head}[[transaction]\n"), "4:", "unclosed array table"),
        (format!("{head}titel = 1\n"), "4:1:", "unknown field `titel`"),
        (format!("{head}{request}path = \"/{{{{item.id}}}}\"\n"), "9:8:", "no row \"item\""),
        (format!("{head}{request}path = \"/{{{{x}}\"\n"), "9:8:", "{{ without }}"),
        (format!("{head}{request}path = \"/\"\nmethod = \"FETCH\"\n"), "10:10:", "no method is called \"FETCH\""),
        (
            format!("{head}{request}path = \"/\"\nchecks = [{{ at = \"id\", exists = true }}]\n"),
            "10:18:",
            "starts with a slash",
        ),
        (format!("{head}{request}path = \"/\"\nstatus = [700]\n"), "10:11:", "200 to 599"),
        (format!("{head}parts = [\"smok\"]\n"), "4:10:", "no workload \"smok\" is shipped"),
        (head.to_owned(), "mine.toml: ", "no [[transaction]]"),
        (format!("{head}[[transaction]]\nname = \"T\"\n"), "4:1:", "missing field `step`"),
    ] {
        let error = RunError::from(parse("mine.toml", &text).expect_err(&text));
        check(&error, 2, &["mine.toml:", place, part]);
    }
}

#[tokio::test]
async fn no_data_to_work_with() {
    let stub = Stub::start(Behaviour { records: 0, ..Behaviour::default() }).await;
    let error = shipped("check-in-check-out", &stub.url, |_| {}).await.expect_err("nothing there");
    check(&error, 4, &["there are 0 rows of \"service-points\"", "needs 1", "--data"]);
    let instead = |path: &str| (path == "/users").then_some((500, "<h1>Internal Server Error</h1>"));
    let stub = Stub::start(Behaviour { instead, ..Behaviour::default() }).await;
    let error = shipped("check-in-check-out", &stub.url, |_| {}).await.expect_err("broken");
    check(
        &error,
        3,
        &[
            "drawing \"patrons\" from /users?query=(active==true)%20sortby%20id",
            "500 without a list at /users: <h1>Internal",
        ],
    );
}

#[tokio::test]
async fn rows_come_from_a_file_where_one_is_given() {
    let stub = Stub::start(Behaviour { records: 0, ..Behaviour::default() }).await;
    let folder = tempfile::tempdir().expect("a folder");
    let rows = folder.path().join("rows.csv");
    std::fs::write(&rows, "id,barcode\nitem-7,item-7\nitem-8,item-8\n").expect("written");
    let given = |name: &str| (name.to_owned(), rows.clone());
    let results = shipped("check-in-check-out", &stub.url, |options| {
        options.files = ["service-points", "patrons", "available"].map(given).into();
    });
    let results = results.await.expect("measured");
    assert!(results.warnings.is_empty(), "{:?}", results.warnings);
    let error = shipped("check-in-check-out", &stub.url, |options| options.files = [given("items")].into()).await;
    check(&error.expect_err("no such data"), 2, &["no data \"items\"", "service-points, patrons, available, on loan"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_breaks_while_it_is_measured() {
    for (answer, kind) in [((500, "out of memory"), "status 500"), ((200, "<html>maintenance</html>"), "not JSON")] {
        let instead: fn(&str) -> Option<(u16, &'static str)> = match answer.0 {
            500 => |path| path.starts_with("/inventory").then_some((500, "out of memory")),
            _ => |path| path.starts_with("/inventory").then_some((200, "<html>maintenance</html>")),
        };
        let stub = Stub::start(Behaviour { instead, ..Behaviour::default() }).await;
        let error = shipped("check-in-check-out", &stub.url, |_| {}).await.expect_err("broken");
        check(&error, 6, &["not one transaction succeeded", "GET item by barcode", kind, answer.1]);
    }
    let closing = strange(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf").await;
    let folder = tempfile::tempdir().expect("a folder");
    let error = measure(get("/plain"), options(&closing, folder.path(), 500)).await.expect_err("closing");
    check(&error, 6, &["GET it: connection closed"]);
    let kept = file::read(folder.path()).expect("the results are kept");
    assert!(kept.stages[0].transactions[0].errors["connection closed"] > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_answer_is_a_timeout() {
    let behaviour = Behaviour { delay: |_| Duration::from_secs(60), ..Behaviour::default() };
    let stub = Stub::start(behaviour).await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut options = options(&stub.url, folder.path(), 300);
    options.timeout = Duration::from_millis(100);
    let error = measure(get("/plain"), options).await.expect_err("nothing came");
    check(&error, 6, &["GET it: timeout"]);
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_keeps_the_previous_file() {
    let stub = Stub::start(Behaviour::default()).await;
    let folder = tempfile::tempdir().expect("a folder");
    let run = || measure(get("/plain"), options(&stub.url, folder.path(), 200));
    let before = run().await.expect("measured").results;
    let part = folder.path().join("results.json.part");
    std::os::unix::fs::symlink("/dev/full", part).expect("linked");
    check(&run().await.expect_err("full"), 5, &["cannot be written", "No space left on device"]);
    assert_eq!(file::read(folder.path()).expect("kept"), before);
    let nowhere = options(&stub.url, std::path::Path::new("/proc/nowhere"), 200);
    check(&measure(get("/plain"), nowhere).await.expect_err("no folder"), 5, &["cannot be written", "/proc/nowhere"]);
}
