//! The Carrel under test: its own process with its own data directory.

use std::{
    io::Read,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use tokio::net::TcpStream;

const FOLIO: &str = "127.0.0.1:9430";
const STAFF: &str = "127.0.0.1:8480";
const SIP2: &str = "127.0.0.1:6401";
/// Clock ticks per second in /proc.
const TICKS: f64 = 100.0;

/// A running Carrel; stopped when dropped.
pub struct Carrel {
    process: Child,
    log: Log,
    pub data: PathBuf,
    pub folio: SocketAddr,
    pub sip2: SocketAddr,
    /// Time until the port answered.
    pub started_in: Duration,
}

impl Carrel {
    /// Serves a sample library of that size, made first unless it exists from an earlier run. Jobs run by the clock or
    /// only on request.
    pub async fn with_library(
        program: &Path,
        data: &Path,
        items: u64,
        run_jobs: bool,
    ) -> anyhow::Result<Self> {
        let data = data.join(format!("{items}-items"));
        let made = data.join("made");
        if !made.exists() {
            let _ = std::fs::remove_dir_all(&data);
            let began = Instant::now();
            make(program, &data, items)?;
            std::fs::write(&made, "")?;
            println!("making the library: {:.0} s", began.elapsed().as_secs_f64());
        }
        Self::serve(program, data, run_jobs).await
    }

    /// Duration of the very first start, with a data directory that does not exist yet.
    pub async fn first_start(program: &Path, data: &Path) -> anyhow::Result<Duration> {
        let data = data.join("empty");
        let _ = std::fs::remove_dir_all(&data);
        let carrel = Self::serve(program, data.clone(), true).await?;
        let took = carrel.started_in;
        carrel.stop()?;
        std::fs::remove_dir_all(&data)?;
        Ok(took)
    }

    async fn serve(program: &Path, data: PathBuf, run_jobs: bool) -> anyhow::Result<Self> {
        let began = Instant::now();
        let mut process = Command::new(program)
            .args([
                "serve",
                "--folio-listen",
                FOLIO,
                "--staff-listen",
                STAFF,
                "--sip2-listen",
                SIP2,
            ])
            .env("CARREL_RUN_JOBS", run_jobs.to_string())
            .arg("--data-dir")
            .arg(&data)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let log = Log::of(process.stderr.take());
        let folio: SocketAddr = FOLIO.parse()?;
        let mut carrel =
            Self { process, log, data, folio, sip2: SIP2.parse()?, started_in: Duration::ZERO };
        carrel.wait_until_ready().await?;
        carrel.started_in = began.elapsed();
        Ok(carrel)
    }

    /// Waits until the staff port reports ready.
    async fn wait_until_ready(&mut self) -> anyhow::Result<()> {
        let staff: SocketAddr = STAFF.parse()?;
        for _ in 0..600 {
            if let Some(status) = self.process.try_wait()? {
                bail!("carrel ended: {status}: {}", self.log.end());
            }
            if TcpStream::connect(staff).await.is_ok() {
                let mut connection = crate::http::Connection::open(staff, "").await?;
                let ready = connection.send("GET", "/readyz", "");
                let ready = tokio::time::timeout(Duration::from_secs(1), ready).await;
                if matches!(ready, Ok(Ok(answer)) if answer.status == 200) {
                    return Ok(());
                }
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("carrel does not get ready")
    }

    /// A figure of /proc/PID/status in MB.
    pub fn memory(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap_or_default();
        kilobytes / 1024
    }

    /// Its database connections, as it reports them.
    pub async fn database_connections(&self) -> anyhow::Result<u64> {
        let mut connection = crate::http::Connection::open(STAFF.parse()?, "").await?;
        let answer = connection.send("GET", "/metrics", "").await?;
        let text = String::from_utf8(answer.body)?;
        let mut lines = text.lines();
        let figure = lines
            .find_map(|line| line.strip_prefix("carrel_database_connections")?.rsplit(' ').next());
        Ok(figure.context("no figure of connections")?.parse()?)
    }

    /// Processor time used so far.
    pub fn cpu_seconds(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id()));
        let stat = stat.unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks: f64 =
            fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
        ticks / TICKS
    }

    pub fn stop(mut self) -> anyhow::Result<()> {
        terminate(&self.process);
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for Carrel {
    fn drop(&mut self) {
        terminate(&self.process);
        let _ = self.process.wait();
    }
}

/// Carrel's log with default settings, read and discarded except for its end.
struct Log(Arc<Mutex<Vec<u8>>>);

/// Bytes to keep.
const KEPT: usize = 2_000;

impl Log {
    fn of(stderr: Option<ChildStderr>) -> Self {
        let log = Self(Arc::default());
        let kept = Arc::clone(&log.0);
        if let Some(mut stderr) = stderr {
            std::thread::spawn(move || {
                let mut buffer = vec![0; 64 << 10];
                while let Ok(length @ 1..) = stderr.read(&mut buffer) {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.extend_from_slice(&buffer[..length]);
                    let over = kept.len().saturating_sub(KEPT);
                    kept.drain(..over);
                }
            });
        }
        log
    }

    fn end(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).into_owned()
    }
}

fn terminate(process: &Child) {
    let _ = Command::new("kill").arg(process.id().to_string()).stderr(Stdio::null()).status();
}

fn make(program: &Path, data: &Path, items: u64) -> anyhow::Result<()> {
    let status = Command::new(program)
        .arg("sample")
        .args(["--items", &items.to_string()])
        .args(["--instances", &(items * 5 / 8).to_string()])
        .args(["--users", &(items / 20).max(1_000).to_string()])
        .arg("--data-dir")
        .arg(data)
        .status()?;
    if !status.success() {
        bail!("carrel sample failed");
    }
    Ok(())
}
