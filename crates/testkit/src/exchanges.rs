//! Notes what tests ask the server and what it answers, where somebody wants to know: `make endpoints` makes the list of
//! endpoints and their tests from it.

use std::{
    fs::{File, OpenOptions},
    io::Write,
    sync::{Mutex, OnceLock},
    thread,
};

use reqwest::Method;
use serde::{Deserialize, Serialize};

/// The variable that names the file.
pub const EXCHANGES: &str = "CARREL_EXCHANGES";
/// Longer answers are cut: what matters is the message.
const LONGEST: usize = 4000;

/// A request of a test, and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// The test, with its modules.
    pub test: String,
    /// The method.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The status.
    pub status: u16,
    /// The body of a refusal.
    pub text: String,
}

/// Notes an exchange if anybody wants to know. The thread of a test has its name.
pub(crate) fn note(method: &Method, path: &str, status: u16, text: &str) {
    static FILE: OnceLock<Option<Mutex<File>>> = OnceLock::new();
    let file = FILE.get_or_init(|| {
        let path = std::env::var_os(EXCHANGES)?;
        let file = OpenOptions::new().create(true).append(true).open(path);
        Some(Mutex::new(file.expect("a file for the exchanges")))
    });
    let Some(file) = file else {
        return;
    };
    let refusal = if status < 400 { "" } else { text };
    let exchange = Exchange {
        test: thread::current().name().unwrap_or_default().to_owned(),
        method: method.to_string(),
        path: path.split('?').next().unwrap_or_default().to_owned(),
        status,
        text: refusal.chars().take(LONGEST).collect(),
    };
    let line = serde_json::to_string(&exchange).expect("a line");
    let mut file = file.lock().expect("no test panics here");
    writeln!(file, "{line}").expect("room on the disk");
}
