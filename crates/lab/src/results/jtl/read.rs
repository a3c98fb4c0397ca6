//! Reads a JTL written by JMeter or another tool.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use csv::{ReaderBuilder, StringRecord};

use super::{
    TRANSACTION,
    samples::{Log, Sample},
    tally,
};
use crate::results::model::Results;

/// Why a JTL could not be read.
#[derive(Debug, thiserror::Error)]
pub enum JtlError {
    #[error("{path}: {source}", path = path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The JTL is in XML.
    #[error(
        "{path}: a JTL in XML. Let JMeter write CSV: jmeter.save.saveservice.output_format=csv",
        path = path.display()
    )]
    Xml { path: PathBuf },
    /// The header line is missing or lacks a required column.
    #[error(
        "{path}: line 1: no column {column:?}. A JTL begins with a line of headings that has timeStamp, elapsed, label \
         and success (jmeter.save.saveservice.print_field_names=true)",
        path = path.display()
    )]
    Headings { path: PathBuf, column: &'static str },
    /// An invalid line.
    #[error("{path}: line {line}: {what}", path = path.display())]
    Line {
        path: PathBuf,
        /// From 1.
        line: u64,
        /// What is wrong.
        what: String,
    },
    /// It has no samples.
    #[error("{path}: no samples in it", path = path.display())]
    Empty { path: PathBuf },
}

/// A year, in milliseconds.
const LONGEST: u64 = 366 * 86_400_000;
/// The year 2200, in milliseconds since 1970.
const LATEST: i64 = 7_258_118_400_000;

/// Whether the file name is that of a JTL.
pub fn is_one(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|it| ["jtl", "csv"].iter().any(|known| it.eq_ignore_ascii_case(known)))
}

/// Reads a JTL as the results of a run with one stage.
///
/// Samples of JMeter's transaction controllers become transactions, the others requests. If there are only requests,
/// all of them together are one transaction, so that there is something to report.
///
/// # Errors
/// The file is unreadable or not a CSV JTL; with the line.
pub fn read(path: &Path) -> Result<Results, JtlError> {
    let log = log(path)?;
    if log.samples.is_empty() {
        return Err(JtlError::Empty { path: path.to_owned() });
    }
    Ok(tally::results(path, &log))
}

fn log(path: &Path) -> Result<Log, JtlError> {
    let io = |source| JtlError::Io { path: path.to_owned(), source };
    let mut file = BufReader::with_capacity(1 << 20, File::open(path).map_err(io)?);
    let begin = file.fill_buf().map_err(io)?;
    let first = begin.split(|&byte| byte == b'\n').next().unwrap_or_default();
    if first.starts_with(b"<") || first.starts_with(b"\xef\xbb\xbf<") {
        return Err(JtlError::Xml { path: path.to_owned() });
    }
    let separators = [b',', b';', b'\t'];
    let often = |separator: &u8| first.iter().filter(|byte| *byte == separator).count();
    let separator = separators.into_iter().rev().max_by_key(often).unwrap_or(b',');
    let mut lines = ReaderBuilder::new().delimiter(separator).flexible(true).from_reader(file);
    let wrong = |error: csv::Error| wrong_line(path, error);
    let columns = Columns::of(path, lines.headers().map_err(wrong)?)?;
    let mut collected = Collector::default();
    let mut record = StringRecord::new();
    while lines.read_record(&mut record).map_err(wrong)? {
        if record.len() == 1 && record[0].trim().is_empty() {
            continue;
        }
        let line = record.position().map_or(0, csv::Position::line);
        let took = collected.take(&columns, &record);
        took.map_err(|what| JtlError::Line { path: path.to_owned(), line, what })?;
    }
    Ok(collected.log)
}

fn wrong_line(path: &Path, error: csv::Error) -> JtlError {
    let (path, line) = (path.to_owned(), error.position().map_or(0, csv::Position::line));
    match error.into_kind() {
        csv::ErrorKind::Io(source) => JtlError::Io { path, source },
        csv::ErrorKind::Utf8 { .. } => JtlError::Line { path, line, what: "not UTF-8".to_owned() },
        kind => JtlError::Line { path, line, what: format!("{kind:?}") },
    }
}

/// Positions of the columns.
struct Columns {
    began: usize,
    elapsed: usize,
    label: usize,
    success: usize,
    code: Option<usize>,
    message: Option<usize>,
    failure: Option<usize>,
    bytes: Option<usize>,
    users: Option<usize>,
    url: Option<usize>,
}

impl Columns {
    fn of(path: &Path, headings: &StringRecord) -> Result<Self, JtlError> {
        let at = |name: &str| {
            let mut headings = headings.iter();
            headings.position(|it| it.trim().trim_start_matches('\u{feff}').eq_ignore_ascii_case(name))
        };
        let needed =
            |column: &'static str| at(column).ok_or_else(|| JtlError::Headings { path: path.to_owned(), column });
        Ok(Self {
            began: needed("timeStamp")?,
            elapsed: needed("elapsed")?,
            label: needed("label")?,
            success: needed("success")?,
            code: at("responseCode"),
            message: at("responseMessage"),
            failure: at("failureMessage"),
            bytes: at("bytes"),
            users: at("allThreads"),
            url: at("URL"),
        })
    }
}

/// Collects lines and numbers labels and errors.
#[derive(Default)]
struct Collector {
    log: Log,
    labels: HashMap<(String, bool), usize>,
    errors: HashMap<String, usize>,
}

impl Collector {
    fn take(&mut self, columns: &Columns, record: &StringRecord) -> Result<(), String> {
        let text = |at: usize| record.get(at).map(str::trim).unwrap_or_default();
        let optional = |at: Option<usize>| at.map(text).unwrap_or_default();
        let began = text(columns.began).parse().map_err(|_| {
            let found = text(columns.began);
            format!("timeStamp {found:?} is not a number of milliseconds (jmeter.save.saveservice.timestamp_format=ms)")
        })?;
        let elapsed = text(columns.elapsed).parse();
        let elapsed = elapsed.map_err(|_| format!("elapsed {:?} is not a number", text(columns.elapsed)))?;
        self.plausible(began, elapsed)?;
        let transaction = optional(columns.message).starts_with(TRANSACTION);
        let url = optional(columns.url);
        if self.log.url.is_none() && url.starts_with("http") {
            self.log.url = Some(url.to_owned());
        }
        let error = match text(columns.success) {
            it if it.eq_ignore_ascii_case("true") => None,
            it if it.eq_ignore_ascii_case("false") => {
                let (code, failure) = (optional(columns.code), optional(columns.failure));
                Some(self.error(kind(code, failure, optional(columns.message), transaction)))
            }
            other => return Err(format!("success {other:?} is neither true nor false")),
        };
        let sample = Sample {
            label: self.label(text(columns.label), transaction),
            began,
            elapsed,
            error,
            bytes: optional(columns.bytes).parse().unwrap_or(0),
            users: optional(columns.users).parse().unwrap_or(0),
        };
        self.log.samples.push(sample);
        Ok(())
    }

    /// Refuses times that span years: each second of the run takes memory.
    fn plausible(&self, began: i64, elapsed: u64) -> Result<(), String> {
        let first = self.log.samples.first().map_or(began, |sample| sample.began);
        let near = first.abs_diff(began) <= LONGEST && elapsed <= LONGEST;
        if near && (0..LATEST).contains(&began) {
            return Ok(());
        }
        Err(format!("timeStamp {began} and elapsed {elapsed} are not within a year of the first sample"))
    }

    fn label(&mut self, name: &str, transaction: bool) -> usize {
        let all = &mut self.log.labels;
        let label = (name.to_owned(), transaction);
        *self.labels.entry(label).or_insert_with_key(|label| {
            all.push(label.clone());
            all.len() - 1
        })
    }

    fn error(&mut self, kind: String) -> usize {
        let all = &mut self.log.errors;
        *self.errors.entry(kind).or_insert_with_key(|kind| {
            all.push(kind.clone());
            all.len() - 1
        })
    }
}

/// The kind of a failure: its status if that shows it, the failed assertion, or the exception.
fn kind(code: &str, failure: &str, message: &str, transaction: bool) -> String {
    let status = code.parse::<u16>().ok();
    let text = match (status, failure) {
        _ if transaction => "a request of it failed",
        (Some(status), _) if status >= 400 => return format!("status {status}"),
        (_, failure) if !failure.is_empty() => failure,
        _ if !message.is_empty() => message,
        _ => code,
    };
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Results, JtlError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("night.jtl");
        std::fs::write(&path, text).expect("written");
        read(&path)
    }

    const LOG: &str = "\
timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect
1700000000000,100,GET user,200,OK,desk 1-1,text,true,,1000,90,1,2,http://okapi:9130/users?x=1,99,0,1
1700000000100,300,POST check-out,422,Unprocessable,desk 1-1,text,false,\"Test failed: code
expected\",500,90,1,2,http://okapi:9130/circulation,99,0,1
1700000000000,400,Check-out,,\"Number of samples in transaction : 2, number of failing samples : 1\",desk 1-1,,false,,1500,180,1,2,null,0,0,0
1700000002000,200,GET user,200,OK,desk 1-2,text,true,,1000,90,1,2,http://okapi:9130/users?x=1,99,0,1
1700000002000,200,Check-out,200,\"Number of samples in transaction : 1, number of failing samples : 0\",desk 1-2,,true,,1500,180,1,2,null,0,0,0
";

    #[test]
    fn a_log_of_jmeter_is_a_run_of_one_stage() {
        let results = read_text(LOG).expect("read");
        assert_eq!(results.run.began.as_millisecond(), 1_700_000_000_000);
        assert_eq!(results.target.url, "http://okapi:9130");
        let [stage] = results.stages.as_slice() else { panic!("one stage") };
        assert_eq!((stage.users, stage.seconds), (Some(2), 2.2));
        let [check_out] = stage.transactions.as_slice() else { panic!("one transaction") };
        assert_eq!((check_out.count, check_out.failed(), check_out.corrected.count), (2, 1, 1));
        assert_eq!(check_out.corrected.max_ms.round(), 200.0);
        let names: Vec<_> = stage.requests.iter().map(|request| request.name.as_str()).collect();
        assert_eq!(names, ["GET user", "POST check-out"]);
        assert_eq!(stage.requests[1].errors["status 422"], 1);
        assert_eq!((stage.requests[0].bytes, stage.requests[0].corrected.mean_ms.round()), (2000, 150.0));
        let series = &results.timeline.transactions["Check-out"];
        assert_eq!((series.count.as_slice(), series.errors.as_slice()), (&[1, 0, 1][..], &[1, 0, 0][..]));
        assert_eq!(results.timeline.users, [2, 2, 2]);
        assert!(series.p95_ms[0].is_none() && series.p95_ms[2].is_some());
        assert!(!results.warnings.is_empty(), "it says how latency was counted");
    }

    #[test]
    fn without_transactions_all_requests_are_one() {
        let requests: Vec<&str> = LOG.lines().filter(|line| !line.contains("Number of samples")).collect();
        let results = read_text(&requests.join("\n")).expect("read");
        let [all] = results.stages[0].transactions.as_slice() else { panic!("one transaction") };
        assert_eq!((all.name.as_str(), all.count, all.failed()), ("All requests", 3, 1));
    }

    #[test]
    fn other_separators_and_fewer_columns_will_do() {
        for separator in [";", "\t"] {
            let text = "label,timeStamp,success,elapsed\nGET x,1700000000000,true,12\n\n".replace(',', separator);
            let results = read_text(&text).expect("read");
            assert_eq!((results.stages[0].requests[0].count, results.stages[0].users), (1, None));
        }
    }

    #[test]
    fn other_files_are_refused_with_the_line() {
        for (text, expected) in [
            ("", "line 1: no column \"timeStamp\""),
            ("<?xml version=\"1.0\"?><testResults/>", "a JTL in XML"),
            ("1700000000000,1,x,true\n", "line 1: no column"),
            ("timeStamp,elapsed,label,success\n", "no samples"),
            ("timeStamp,elapsed,label,success\n1,1,x,true\n1,soon,x,true\n", "line 3: elapsed \"soon\""),
            ("timeStamp,elapsed,label,success\n2020/01/01,1,x,true\n", "line 2: timeStamp \"2020/01/01\" is not"),
            ("timeStamp,elapsed,label,success\n1,1,x\n", "line 2: success \"\" is neither"),
        ] {
            let error = read_text(text).expect_err(text).to_string();
            assert!(error.contains(expected) && error.contains("night.jtl"), "{error}");
        }
    }

    #[test]
    fn impossible_times_do_no_harm() {
        let text = format!("timeStamp,elapsed,label,success\n{},{},x,true\n0,1,x,true\n", i64::MAX, u64::MAX);
        let error = read_text(&text).expect_err("too long").to_string();
        assert!(error.contains("line 2"), "{error}");
    }

    #[test]
    fn the_lab_reads_its_own_jtl() {
        use super::super::write::{JtlWriter, Kind, Sample};
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("samples.jtl");
        let mut writer = JtlWriter::new(File::create(&path).expect("a file")).expect("written");
        for at in 0..50_i64 {
            let sample = Sample {
                began: jiff::Timestamp::from_millisecond(1_700_000_000_000 + at * 10).expect("a time"),
                elapsed: std::time::Duration::from_millis(5),
                label: "Check-in",
                kind: Kind::Transaction { requests: 3, failed: 0 },
                failure: (at % 10 == 0).then_some("status 500"),
                user: 1,
                users: 4,
            };
            writer.write(&sample).expect("written");
        }
        writer.flush().expect("written");
        let results = read(&path).expect("read");
        let check_in = &results.stages[0].transactions[0];
        assert_eq!((check_in.count, check_in.failed(), results.stages[0].users), (50, 5, Some(4)));
    }
}
