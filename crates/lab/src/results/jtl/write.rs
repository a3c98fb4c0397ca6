//! Writes a JTL, sample by sample.

use std::{
    io::{self, Write},
    time::Duration,
};

use csv::Writer;
use jiff::Timestamp;

use super::{COLUMNS, TRANSACTION};

/// A request or transaction that ended.
#[derive(Debug, Clone)]
pub struct Sample<'a> {
    /// The intended start, if the latency counts from there.
    pub began: Timestamp,
    pub elapsed: Duration,
    /// Its name in the workload.
    pub label: &'a str,
    pub kind: Kind<'a>,
    /// The kind of failure; `None` after a success.
    pub failure: Option<&'a str>,
    /// The virtual user.
    pub user: u64,
    /// Active virtual users.
    pub users: u32,
}

/// What a sample describes.
#[derive(Debug, Clone, Copy)]
pub enum Kind<'a> {
    Request {
        url: &'a str,
        /// `None` if there was no answer.
        status: Option<u16>,
        /// Size of the answer.
        bytes: u64,
        /// Size of the request.
        sent: u64,
    },
    Transaction {
        /// Number of requests.
        requests: usize,
        /// Number of failed requests.
        failed: usize,
    },
}

/// Writes samples to a file or stream. It may be shared behind a mutex: lines are written whole.
pub(crate) struct JtlWriter<W: Write> {
    lines: Writer<W>,
}

impl<W: Write> JtlWriter<W> {
    /// Writes the header line.
    ///
    /// # Errors
    /// The stream cannot be written.
    pub fn new(to: W) -> io::Result<Self> {
        let mut lines = Writer::from_writer(to);
        lines.write_record(COLUMNS)?;
        Ok(Self { lines })
    }

    /// Writes one sample, which may stay buffered until [`Self::flush`].
    ///
    /// # Errors
    /// The stream cannot be written.
    pub fn write(&mut self, sample: &Sample<'_>) -> io::Result<()> {
        let user = format!("{} 1-{}", "users", sample.user);
        let (began, users) = (sample.began.as_millisecond().to_string(), sample.users.to_string());
        let elapsed = sample.elapsed.as_millis().to_string();
        let success = sample.failure.is_none().to_string();
        let detail = Detail::of(&sample.kind, sample.failure);
        self.lines.write_record([
            &began,
            &elapsed,
            sample.label,
            &detail.code,
            &detail.message,
            &user,
            detail.data,
            &success,
            sample.failure.unwrap_or_default(),
            &detail.bytes,
            &detail.sent,
            &users,
            &users,
            detail.url,
            &elapsed,
            "0",
            "0",
        ])?;
        Ok(())
    }

    /// Writes what is still buffered.
    ///
    /// # Errors
    /// The stream cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.lines.flush()
    }
}

/// The columns that differ between requests and transactions.
struct Detail<'a> {
    code: String,
    message: String,
    data: &'a str,
    bytes: String,
    sent: String,
    url: &'a str,
}

impl<'a> Detail<'a> {
    fn of(kind: &Kind<'a>, failure: Option<&str>) -> Self {
        match *kind {
            Kind::Request { url, status, bytes, sent } => Self {
                code: status.map_or_else(String::new, |status| status.to_string()),
                message: failure.unwrap_or("OK").to_owned(),
                data: "text",
                bytes: bytes.to_string(),
                sent: sent.to_string(),
                url,
            },
            Kind::Transaction { requests, failed } => Self {
                code: if failure.is_none() { "200" } else { "" }.to_owned(),
                message: format!("{TRANSACTION} : {requests}, number of failing samples : {failed}"),
                data: "",
                bytes: "0".to_owned(),
                sent: "0".to_owned(),
                url: "null",
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_jmeter_writes_them() {
        let mut bytes = Vec::new();
        let mut writer = JtlWriter::new(&mut bytes).expect("into memory");
        let request = Sample {
            began: "2026-11-22T10:15:00.25Z".parse().expect("a time"),
            elapsed: Duration::from_micros(12_900),
            label: "GET user, by barcode",
            kind: Kind::Request { url: "http://127.0.0.1:9130/users", status: Some(500), bytes: 420, sent: 90 },
            failure: Some("status 500"),
            user: 3,
            users: 20,
        };
        let kind = Kind::Transaction { requests: 12, failed: 1 };
        let transaction = Sample { label: "Check-in", kind, failure: None, ..request.clone() };
        writer.write(&request).expect("into memory");
        writer.write(&transaction).expect("into memory");
        writer.flush().expect("into memory");
        drop(writer);
        insta::assert_snapshot!(String::from_utf8(bytes).expect("text"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported() {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("opened");
        let mut writer = JtlWriter::new(full).expect("still in memory");
        let error = writer.flush().expect_err("full").to_string();
        assert!(error.contains("No space left"), "{error}");
    }
}
