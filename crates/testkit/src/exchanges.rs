//! Records what tests send to the server and what it answers, if asked to: `make endpoints` builds the list of
//! endpoints and their tests from it.

use std::{
    fs::{File, OpenOptions},
    io::Write,
    sync::{Mutex, OnceLock},
    thread,
};

use reqwest::Method;
use serde::{Deserialize, Serialize};

/// The environment variable with the name of the file.
pub(crate) const EXCHANGES: &str = "CARREL_EXCHANGES";
/// Longer answers are cut: only the message matters.
const LONGEST: usize = 4000;

/// The APIs that are served, each on its port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Api {
    Folio,
    Archives,
}

/// A test's request and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// The test, with its modules.
    pub test: String,
    pub api: Api,
    pub method: String,
    /// The path, without the query.
    pub path: String,
    pub status: u16,
    /// The body of a refusal.
    pub text: String,
}

/// Records an exchange if asked to. The name of the thread is that of the test.
pub(crate) fn note(api: Api, method: &Method, path: &str, status: u16, text: &str) {
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
        api,
        method: method.to_string(),
        path: path.split('?').next().unwrap_or_default().to_owned(),
        status,
        text: refusal.chars().take(LONGEST).collect(),
    };
    let line = serde_json::to_string(&exchange).expect("a line");
    let mut file = file.lock().expect("no test panics here");
    writeln!(file, "{line}").expect("room on the disk");
}
