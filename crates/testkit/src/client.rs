//! A client that talks to the running server as a FOLIO client does.

use reqwest::{Method, header::HeaderMap};
use serde_json::Value;

use crate::{
    conformance::{self, Exchanged},
    exchanges::{self, Api},
};

/// Sends requests with one tenant and, optionally, one token.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    headers: Vec<(String, String)>,
    api: Api,
    checked: bool,
    malformed: bool,
}

#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// The body; what is not UTF-8 in it is replaced.
    pub text: String,
    /// The body as it came.
    pub content: Vec<u8>,
    request: String,
}

impl Client {
    /// A client for the server at `base` that sends these headers with each request.
    pub fn new(base: &str, headers: &[(&str, &str)]) -> Self {
        let headers = headers.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        Self {
            http: reqwest::Client::new(),
            base: base.into(),
            headers: headers.collect(),
            api: Api::Folio,
            checked: true,
            malformed: false,
        }
    }

    /// The same client for records that no client has saved, which the API document does not describe.
    #[must_use]
    pub fn unchecked(self) -> Self {
        Self { checked: false, ..self }
    }

    /// The same client for the archives' port.
    #[must_use]
    pub fn of_archives(self) -> Self {
        Self { api: Api::Archives, ..self }
    }

    /// The same client for bodies that contradict the API document, though the server may serve them.
    pub fn malformed(&self) -> Self {
        Self { malformed: true, ..self.clone() }
    }

    /// A copy of the client with one more header.
    pub fn with_header(&self, name: &str, value: &str) -> Self {
        let mut client = self.clone();
        client.headers.retain(|(before, _)| !before.eq_ignore_ascii_case(name));
        client.headers.push((name.into(), value.into()));
        client
    }

    /// The same client, which stays where it is sent on.
    ///
    /// # Panics
    /// If no client can be made.
    #[must_use]
    pub fn without_following(&self) -> Self {
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build();
        Self { http: http.expect("a client"), ..self.clone() }
    }

    /// The server's address, `http://127.0.0.1:port`.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Sends a request with any body.
    ///
    /// # Panics
    /// When the server cannot be reached.
    pub async fn send(&self, method: Method, path: &str, body: Option<Vec<u8>>) -> Answer {
        let mut request = self.http.request(method.clone(), format!("{}{path}", self.base));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let sent = (!self.malformed).then(|| body.clone().unwrap_or_default());
        if let Some(body) = body {
            if !self.states("content-type") {
                request = request.header("content-type", "application/json");
            }
            request = request.body(body);
        }
        let response = request.send().await.expect("the server answers");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let content = response.bytes().await.expect("a body").to_vec();
        let answer = Answer {
            status,
            headers,
            text: String::from_utf8_lossy(&content).into_owned(),
            content,
            request: format!("{method} {path}"),
        };
        exchanges::note(self.api, &method, path, answer.status, &answer.text);
        if self.checked {
            conformance::check(&Exchanged {
                api: self.api,
                method: &method,
                target: path,
                sent: sent.as_deref(),
                status: answer.status,
                media: answer.header("content-type").unwrap_or_default(),
                text: &answer.text,
            });
        }
        answer
    }

    fn states(&self, header: &str) -> bool {
        let mut names = self.headers.iter().map(|(name, _)| name);
        names.any(|name| name.eq_ignore_ascii_case(header))
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    /// GET with a CQL query, which is encoded.
    pub async fn query(&self, path: &str, cql: &str) -> Answer {
        let encoded: String = cql
            .bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => char::from(byte).to_string(),
                b' ' => "+".into(),
                other => format!("%{other:02X}"),
            })
            .collect();
        let separator = if path.contains('?') { '&' } else { '?' };
        self.get(&format!("{path}{separator}query={encoded}")).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, Some(body.to_string().into_bytes())).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PUT, path, Some(body.to_string().into_bytes())).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PATCH, path, Some(body.to_string().into_bytes())).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    /// POST that must answer 201. Returns the created record.
    pub async fn create(&self, path: &str, body: &Value) -> Value {
        self.post(path, body).await.expect(201).json()
    }
}

/// Texts with which FOLIO's modules refuse under status 500
/// (docs/decisions/0027-each-module-refuses-in-its-own-manner.md); Carrel's own failures have another text.
const UNDER_500: [&str; 6] = [
    "{\"instances\":[],\"errorMessages\":",
    "Internal Server Error",
    "Profile picture feature is not enabled for tenant ",
    "Requested file size should be within allowed size",
    "Requested image should be of supported type",
    "failed to save profile picture Insufficient data",
];

impl Answer {
    /// Whether a 500 is a module's refusal rather than a failure of the server.
    pub fn is_refused_with_500(&self) -> bool {
        let is_prefix = |sentence: &&str| self.text.starts_with(*sentence);
        self.status == 500 && UNDER_500.iter().any(is_prefix)
    }

    /// The answer, after checking its status.
    ///
    /// # Panics
    /// With request and body if the status differs.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}: {}", self.request, self.text);
        self
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// If it is not JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{}: {error}: {}", self.request, self.text))
    }

    /// Database round trips, from the header Server-Timing.
    ///
    /// # Panics
    /// If the header is missing.
    #[track_caller]
    pub fn round_trips(&self) -> u32 {
        let timing = self.header("server-timing").expect("Server-Timing");
        let number = timing.split('"').nth(1).and_then(|text| text.split(' ').next());
        number.and_then(|text| text.parse().ok()).expect("a number of round trips")
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The `message` of each entry of FOLIO's `errors`.
    pub fn error_messages(&self) -> Vec<String> {
        let errors = self.json()["errors"].as_array().cloned().unwrap_or_default();
        errors.iter().map(|error| error["message"].as_str().unwrap_or_default().into()).collect()
    }
}
