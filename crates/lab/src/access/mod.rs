//! Being logged in to a target: the headers that each request needs, kept fresh while a run lasts.

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

/// Who logs in, and where.
#[derive(Clone)]
pub struct Credentials {
    /// Tenant (FOLIO).
    pub tenant: String,
    /// User name.
    pub user: String,
    /// Password.
    pub password: String,
}

/// Why there is no access.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// Nobody is there, or nobody who speaks HTTP.
    #[error("{0}: {1}")]
    Unreachable(String, Failure),
    /// It speaks something else.
    #[error("{target} does not serve {what} ({status} to {path}): {said}")]
    OtherProtocol {
        /// The target.
        target: String,
        /// What the workload needs.
        what: &'static str,
        /// The route that is not there.
        path: String,
        /// Its status.
        status: u16,
        /// What it said.
        said: String,
    },
    /// Wrong tenant, user or password.
    #[error("{target} refuses the log-in of {user:?}{place}: {status} {said}")]
    Refused {
        /// The target.
        target: String,
        /// Who.
        user: String,
        /// To which tenant.
        place: String,
        /// Its status.
        status: u16,
        /// What it said.
        said: String,
    },
}

/// What a log-in brought.
struct Granted {
    /// Headers for each request, each ending in CR LF.
    headers: String,
    /// How long they are good for, if not for ever.
    lasts: Option<Duration>,
}

/// A target to which the lab is logged in.
pub struct Access {
    /// The target.
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
    /// Nobody is there, it speaks another protocol, or it refuses.
    pub async fn open(
        target: Target,
        protocol: Protocol,
        credentials: Credentials,
        timeout: Duration,
    ) -> Result<Self, AccessError> {
        let headers = RwLock::new(Arc::from(""));
        let mut access = Self {
            target,
            protocol,
            credentials,
            headers,
            lasts: None,
            timeout,
        };
        let granted = access.log_in().await?;
        access.lasts = granted.lasts;
        access.set(granted.headers);
        Ok(access)
    }

    /// The user name.
    pub fn user(&self) -> &str {
        &self.credentials.user
    }

    /// The tenant, where there are some.
    pub fn tenant(&self) -> Option<&str> {
        (self.protocol == Protocol::Folio).then_some(self.credentials.tenant.as_str())
    }

    /// Logs in again whenever four fifths of the time are over. Does not end.
    pub async fn keep_fresh(&self) {
        let Some(lasts) = self.lasts else {
            return std::future::pending().await;
        };
        loop {
            tokio::time::sleep(lasts.mul_f64(0.8)).await;
            // What is refused now fails in the requests, too, and is counted there.
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
                // Nothing to log in to, but somebody must be there.
                let connected = self.target.connect().await;
                connected.map_err(|failure| self.unreachable(failure))?;
                Ok(Granted {
                    headers: String::new(),
                    lasts: None,
                })
            }
        }
    }

    fn set(&self, headers: String) {
        *self.headers.write().unwrap_or_else(PoisonError::into_inner) = headers.into();
    }

    /// A request as it goes over the wire. `path` begins with a slash, and is escaped.
    pub fn request(&self, method: &str, path: &str, body: Option<(&str, &str)>) -> Vec<u8> {
        let headers = Arc::clone(&self.headers.read().unwrap_or_else(PoisonError::into_inner));
        self.written(method, path, &headers, body)
    }

    fn written(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: Option<(&str, &str)>,
    ) -> Vec<u8> {
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
                write!(
                    text,
                    "content-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}"
                )
            }
            None => write!(text, "\r\n"),
        };
        text.into_bytes()
    }

    /// Asks once, over `connection`.
    ///
    /// # Errors
    /// There is no answer.
    pub async fn get(&self, connection: &mut Connection, path: &str) -> Result<Answer, Failure> {
        let request = self.request("GET", path, None);
        let answer = tokio::time::timeout(self.timeout, connection.send(&request, true));
        answer.await.unwrap_or(Err(Failure::Timeout))
    }

    /// Sends a log-in, with these headers.
    async fn knock(
        &self,
        path: &str,
        headers: &str,
        body: (&str, &str),
    ) -> Result<Answer, AccessError> {
        let exchange = async {
            let mut connection = self.target.connect().await?;
            let request = self.written("POST", path, headers, Some(body));
            connection.send(&request, true).await
        };
        let answer = tokio::time::timeout(self.timeout, exchange).await;
        answer
            .unwrap_or(Err(Failure::Timeout))
            .map_err(|failure| self.unreachable(failure))
    }

    fn unreachable(&self, failure: Failure) -> AccessError {
        AccessError::Unreachable(format!("{:?}", self.target), failure)
    }

    /// A log-in that was not granted.
    fn refused(&self, what: &'static str, path: &str, answer: &Answer) -> AccessError {
        let (target, said, status) = (format!("{:?}", self.target), said(answer), answer.status);
        let place = self
            .tenant()
            .map(|tenant| format!(" to the tenant {tenant:?}"));
        match status {
            400..=403 | 412 | 422 | 423 | 429 | 500..=599 => {
                let (user, place) = (self.credentials.user.clone(), place.unwrap_or_default());
                AccessError::Refused {
                    target,
                    user,
                    place,
                    status,
                    said,
                }
            }
            _ => AccessError::OtherProtocol {
                target,
                what,
                path: path.to_owned(),
                status,
                said,
            },
        }
    }
}

/// The words of a refusal: FOLIO's `errors[].message`, ArchivesSpace's `error`, or the text.
fn said(answer: &Answer) -> String {
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let words = body
        .pointer("/errors/0/message")
        .or_else(|| body.get("error"));
    words
        .and_then(Value::as_str)
        .map_or_else(|| answer.excerpt(200), str::to_owned)
}
