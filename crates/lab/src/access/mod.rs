//! Access to a target: the headers that each request needs, renewed during a run.

mod archives;
mod folio;

use std::{
    fmt::Write,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use serde_json::Value;

use crate::{
    client::{Answer, Connection, Failure, Target},
    workload::Protocol,
};

/// The user to log in.
#[derive(Clone)]
pub struct Credentials {
    /// FOLIO only.
    pub tenant: String,
    pub user: String,
    pub password: String,
}

/// Why access failed.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// No server answers, or it does not speak HTTP.
    #[error("{0}: {1}")]
    Unreachable(String, Failure),
    /// The server speaks another protocol.
    #[error("{target} does not serve {what} ({status} to {path}): {detail}")]
    OtherProtocol {
        target: String,
        /// What the workload needs.
        what: &'static str,
        /// The missing route.
        path: String,
        status: u16,
        /// The answer's text.
        detail: String,
    },
    /// Wrong tenant, user or password.
    #[error("{target} refuses the log-in of {user:?}{place}: {status} {detail}")]
    Refused {
        target: String,
        user: String,
        /// The tenant.
        place: String,
        status: u16,
        /// The answer's text.
        detail: String,
    },
}

/// The result of a log-in.
struct Granted {
    /// Headers for each request, each ending in CR LF.
    headers: String,
    /// How long they are valid; `None` if they do not expire.
    lasts: Option<Duration>,
}

/// A target that the lab is logged in to.
pub struct Access {
    pub target: Target,
    protocol: Protocol,
    credentials: Credentials,
    headers: RwLock<Arc<str>>,
    lasts: Option<Duration>,
    timeout: Duration,
}

impl Access {
    /// Logs in.
    ///
    /// # Errors
    /// The server is unreachable, speaks another protocol, or refuses.
    pub async fn open(
        target: Target,
        protocol: Protocol,
        credentials: Credentials,
        timeout: Duration,
    ) -> Result<Self, AccessError> {
        let headers = RwLock::new(Arc::from(""));
        let mut access = Self { target, protocol, credentials, headers, lasts: None, timeout };
        let granted = access.log_in().await?;
        access.lasts = granted.lasts;
        access.set(granted.headers);
        Ok(access)
    }

    pub fn user(&self) -> &str {
        &self.credentials.user
    }

    pub fn tenant(&self) -> Option<&str> {
        (self.protocol == Protocol::Folio).then_some(self.credentials.tenant.as_str())
    }

    /// Logs in again whenever four fifths of the validity have passed. Never returns.
    pub async fn keep_fresh(&self) {
        let Some(lasts) = self.lasts else {
            return std::future::pending().await;
        };
        loop {
            tokio::time::sleep(lasts.mul_f64(0.8)).await;
            // A refused log-in makes the requests fail, where it is counted.
            if let Ok(granted) = self.log_in().await {
                self.set(granted.headers);
            }
        }
    }

    async fn log_in(&self) -> Result<Granted, AccessError> {
        match self.protocol {
            Protocol::Folio => folio::log_in(self).await,
            Protocol::Archives => archives::log_in(self).await,
            Protocol::Plain => {
                // There is no log-in, but the server must be reachable.
                let connected = self.target.connect().await;
                connected.map_err(|failure| self.unreachable(failure))?;
                Ok(Granted { headers: String::new(), lasts: None })
            }
        }
    }

    fn set(&self, headers: String) {
        *self.headers.write().unwrap_or_else(PoisonError::into_inner) = headers.into();
    }

    /// A request as sent on the wire. `path` begins with a slash and is already escaped.
    pub fn request(&self, method: &str, path: &str, body: Option<(&str, &str)>) -> Vec<u8> {
        let headers = Arc::clone(&self.headers.read().unwrap_or_else(PoisonError::into_inner));
        self.written(method, path, &headers, body)
    }

    fn written(&self, method: &str, path: &str, headers: &str, body: Option<(&str, &str)>) -> Vec<u8> {
        let (base, host) = (self.target.base(), self.target.authority());
        let room = path.len() + headers.len() + body.map_or(0, |(_, body)| body.len()) + 200;
        let mut text = String::with_capacity(room);
        // Writing to a String does not fail.
        let _ = write!(
            text,
            "{method} {base}{path} HTTP/1.1\r\nhost: {host}\r\nuser-agent: carrel-lab\r\naccept: */*\r\n{headers}"
        );
        let _ = match body {
            Some((kind, body)) => {
                let length = body.len();
                write!(text, "content-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}")
            }
            None => write!(text, "\r\n"),
        };
        text.into_bytes()
    }

    /// Sends one GET over `connection`.
    ///
    /// # Errors
    /// No answer.
    pub async fn get(&self, connection: &mut Connection, path: &str) -> Result<Answer, Failure> {
        let request = self.request("GET", path, None);
        let answer = tokio::time::timeout(self.timeout, connection.send(&request, true));
        answer.await.unwrap_or(Err(Failure::Timeout))
    }

    /// Sends a log-in with these headers.
    async fn request_log_in(&self, path: &str, headers: &str, body: (&str, &str)) -> Result<Answer, AccessError> {
        let exchange = async {
            let mut connection = self.target.connect().await?;
            let request = self.written("POST", path, headers, Some(body));
            connection.send(&request, true).await
        };
        let answer = tokio::time::timeout(self.timeout, exchange).await;
        answer.unwrap_or(Err(Failure::Timeout)).map_err(|failure| self.unreachable(failure))
    }

    fn unreachable(&self, failure: Failure) -> AccessError {
        AccessError::Unreachable(format!("{:?}", self.target), failure)
    }

    /// The error for a log-in that was not granted.
    fn refused(&self, what: &'static str, path: &str, answer: &Answer) -> AccessError {
        let (target, detail, status) = (format!("{:?}", self.target), error_text(answer), answer.status);
        let place = self.tenant().map(|tenant| format!(" to the tenant {tenant:?}"));
        match status {
            400..=403 | 412 | 422 | 423 | 429 | 500..=599 => {
                let (user, place) = (self.credentials.user.clone(), place.unwrap_or_default());
                AccessError::Refused { target, user, place, status, detail }
            }
            _ => AccessError::OtherProtocol { target, what, path: path.to_owned(), status, detail },
        }
    }
}

/// The text of a refusal: FOLIO's `errors[].message`, ArchivesSpace's `error`, or the body.
fn error_text(answer: &Answer) -> String {
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let words = body.pointer("/errors/0/message").or_else(|| body.get("error"));
    words.and_then(Value::as_str).map_or_else(|| answer.excerpt(200), str::to_owned)
}
