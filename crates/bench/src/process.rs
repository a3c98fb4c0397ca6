//! The Carrel under test: its own process with its own data directory.

use std::{
    io::Read,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    pin::pin,
    process::{Child, ChildStderr, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use lab::{
    client::Target,
    watch::{Watch, sources::Sources},
};
use tokio::time::{sleep, timeout};

use crate::Options;

/// Ports of one Carrel: for the FOLIO API, staff, self-checks and archives. Those of a second Carrel follow.
const PORTS: u16 = 4;
/// How often an index is looked at.
const LOOK: Duration = Duration::from_millis(200);
/// Segments of an index whose files are merged, and how long that is waited for.
const FEW_SEGMENTS: f64 = 8.0;
const MERGED: Duration = Duration::from_secs(300);
const READY: &str = "GET /readyz HTTP/1.1\r\nhost: carrel\r\n\r\n";

/// A running Carrel; stopped when dropped.
pub struct Carrel {
    process: Child,
    log: Log,
    pub data: PathBuf,
    pub folio: SocketAddr,
    pub sip2: SocketAddr,
    /// Where the archives are served, if they are.
    pub archives: SocketAddr,
    staff: SocketAddr,
    /// Time until the port answered.
    pub started_in: Duration,
    watch: tokio::sync::Mutex<Watch>,
}

/// What a Carrel does.
#[derive(Clone, Copy)]
struct Serving {
    /// Whether jobs run by the clock, or only on request.
    run_jobs: bool,
    archives: bool,
}

/// What Carrel uses.
pub struct Usage {
    /// Processors since the last look; 0 at the first.
    pub cores: f64,
    /// Those that its PostgreSQL used.
    pub database_cores: f64,
    pub megabytes: f64,
    /// To the database.
    pub connections: f64,
}

/// Memory of a Carrel, in MB.
pub struct Memory {
    /// What it allocated.
    pub own: u64,
    /// Pages of files that it maps: the system takes them back when it needs them.
    pub mapped: u64,
}

impl std::fmt::Display for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} MB of its own and {} MB of files", self.own, self.mapped)
    }
}

impl Carrel {
    /// Serves a sample library of that size, made first unless it exists from an earlier run. Jobs run by the clock or
    /// only on request.
    pub async fn with_library(options: &Options, items: u64, run_jobs: bool) -> anyhow::Result<Self> {
        let data = Self::library(&options.carrel, &options.data, items)?;
        Self::serve(&options.carrel, data, Serving { run_jobs, archives: false }, options.first_port).await
    }

    /// Serves a sample library of so many instances with an item each, made first unless it exists.
    pub async fn with_catalogue(options: &Options, instances: u64) -> anyhow::Result<Self> {
        let number = instances.to_string();
        let sample = ["--items", &number, "--instances", &number, "--users", "1000", "--resources", "0"];
        let data = made(&options.carrel, &options.data.join(format!("{instances}-instances")), &sample)?;
        Self::serve(&options.carrel, data, Serving { run_jobs: true, archives: false }, options.first_port).await
    }

    /// Serves the archives of a sample library with so many collections and components, made first unless they exist.
    pub async fn with_archives(options: &Options) -> anyhow::Result<Self> {
        let (resources, components) = (options.resources.to_string(), options.components.to_string());
        let sample = ["--items", "1000", "--instances", "600", "--users", "1000", "--resources", &resources];
        let sample = [&sample[..], &["--components", &components]].concat();
        let data = made(&options.carrel, &options.data.join(format!("{components}-components-{resources}")), &sample)?;
        Self::serve(&options.carrel, data, Serving { run_jobs: true, archives: true }, options.first_port).await
    }

    /// Serves the archives of a new library that has hardly anything in it.
    pub async fn with_new_archives(options: &Options) -> anyhow::Result<Self> {
        let data = options.data.join("new-archives");
        let _ = std::fs::remove_dir_all(&data);
        let sample = ["--items", "1", "--instances", "1", "--users", "1", "--resources", "1", "--components", "1"];
        let data = made(&options.carrel, &data, &sample)?;
        Self::serve(&options.carrel, data, Serving { run_jobs: true, archives: true }, options.first_port).await
    }

    /// The program under test with its library, and the earlier one if another is to be measured beside it.
    pub async fn with_another(options: &Options, items: u64) -> anyhow::Result<Vec<Self>> {
        // First, since an earlier program cannot read a library that a later one has changed.
        let other = match &options.beside {
            Some(program) => Some(Self::beside(options, program, items).await?),
            None => None,
        };
        let this = Self::with_library(options, items, true).await?;
        Ok([this].into_iter().chain(other).collect())
    }

    /// Another program beside the first, on a copy of the same library.
    async fn beside(options: &Options, program: &Path, items: u64) -> anyhow::Result<Self> {
        let from = Self::library(program, &options.data, items)?;
        let to = options.data.join(format!("{items}-items-beside"));
        if !to.join("made").exists() {
            let _ = std::fs::remove_dir_all(&to);
            let copied = Command::new("cp").arg("-a").arg(from).arg(&to).status()?;
            ensure!(copied.success(), "the library cannot be copied");
        }
        Self::serve(program, to, Serving { run_jobs: true, archives: false }, options.first_port + PORTS).await
    }

    /// The folder of a sample library, made first unless it exists.
    fn library(program: &Path, data: &Path, items: u64) -> anyhow::Result<PathBuf> {
        let number = items.to_string();
        let (instances, users) = ((items * 5 / 8).to_string(), (items / 20).max(1_000).to_string());
        let sample = ["--items", &number, "--instances", &instances, "--users", &users];
        // Programs from before the archives do not know this option.
        let archives = if knows_archives(program)? { &["--resources", "0"][..] } else { &[] };
        made(program, &data.join(format!("{items}-items")), &[&sample[..], archives].concat())
    }

    /// Duration of the very first start, with a data directory that does not exist yet.
    pub async fn first_start(options: &Options) -> anyhow::Result<Duration> {
        let data = options.data.join("empty");
        let _ = std::fs::remove_dir_all(&data);
        let serving = Serving { run_jobs: true, archives: false };
        let carrel = Self::serve(&options.carrel, data.clone(), serving, options.first_port).await?;
        let took = carrel.started_in;
        carrel.stop()?;
        std::fs::remove_dir_all(&data)?;
        Ok(took)
    }

    async fn serve(program: &Path, data: PathBuf, serving: Serving, first_port: u16) -> anyhow::Result<Self> {
        let began = Instant::now();
        let address = |place| SocketAddr::from((Ipv4Addr::LOCALHOST, first_port + place));
        let [folio, staff, sip2, archives] = [0, 1, 2, 3].map(address);
        let shown = if serving.archives { archives.to_string() } else { String::new() };
        let mut process = Command::new(program)
            .args(["serve", "--folio-listen", &folio.to_string(), "--staff-listen", &staff.to_string()])
            .args(["--sip2-listen", &sip2.to_string()])
            .env("CARREL_ARCHIVES_LISTEN", shown)
            .env("CARREL_RUN_JOBS", serving.run_jobs.to_string())
            .arg("--data-dir")
            .arg(&data)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let log = Log::of(process.stderr.take());
        let sources = Sources {
            target: format!("http://{folio}"),
            metrics: Some(format!("http://{staff}/metrics")),
            ..Sources::default()
        };
        let watch = sources.open().map_err(anyhow::Error::msg)?.into();
        let mut carrel = Self { process, log, data, folio, sip2, archives, staff, started_in: Duration::ZERO, watch };
        carrel.wait_until_ready().await?;
        carrel.started_in = began.elapsed();
        Ok(carrel)
    }

    /// Waits until the staff port reports ready.
    async fn wait_until_ready(&mut self) -> anyhow::Result<()> {
        let staff = Target::parse(&format!("http://{}", self.staff))?;
        let ask = async || staff.connect().await?.send(READY.as_bytes(), false).await;
        for _ in 0..600 {
            if let Some(status) = self.process.try_wait()? {
                bail!("carrel ended: {status}: {}", self.log.end());
            }
            let ready = timeout(Duration::from_secs(1), ask()).await;
            if matches!(ready, Ok(Ok(answer)) if answer.status == 200) {
                return Ok(());
            }
            sleep(Duration::from_millis(50)).await;
        }
        bail!("carrel does not get ready")
    }

    /// What Carrel uses, and the processors that its PostgreSQL does.
    pub async fn usage(&self) -> anyhow::Result<Usage> {
        let mut readings = Vec::new();
        for sampler in &mut self.watch.lock().await.samplers {
            readings.extend(sampler.sample().await);
        }
        let of = |name: &str| {
            let reading = readings.iter().find(|reading| reading.name == name);
            reading.map(|reading| reading.value).with_context(|| format!("no {name}"))
        };
        Ok(Usage {
            cores: of("server_cpu").unwrap_or_default(),
            database_cores: of("database_cpu").unwrap_or_default(),
            megabytes: of("server_memory")? / f64::from(1 << 20),
            connections: of("pool_connections")?,
        })
    }

    /// Waits until an index has everything; returns the number of its documents.
    pub async fn indexed(&self, index: &str) -> anyhow::Result<f64> {
        let label = format!("index=\"{index}\"");
        // Between two looks the index may not yet know what it lacks; before it is open it has no documents.
        let mut quiet = 0;
        loop {
            sleep(LOOK).await;
            let building = self.metric_of("carrel_search_building", &label).await.unwrap_or(1.0);
            let behind = self.metric_of("carrel_search_documents_behind", &label).await.unwrap_or(1.0);
            let documents = self.metric_of("carrel_search_documents", &label).await.unwrap_or(0.0);
            quiet = if building + behind > 0.0 || documents == 0.0 { 0 } else { quiet + 1 };
            if quiet == 3 {
                return Ok(documents);
            }
        }
    }

    /// Waits until the files of an index that was built are merged, but not for ever: one that was used for long has more of them.
    pub async fn merged(&self, index: &str) -> anyhow::Result<f64> {
        let label = format!("index=\"{index}\"");
        let began = Instant::now();
        loop {
            let segments = self.metric_of("carrel_search_segments", &label).await?;
            if segments < FEW_SEGMENTS || began.elapsed() > MERGED {
                return Ok(segments);
            }
            sleep(LOOK).await;
        }
    }

    /// The value of a metric that has a label.
    pub async fn metric_of(&self, name: &str, label: &str) -> anyhow::Result<f64> {
        let request = "GET /metrics HTTP/1.1\r\nhost: carrel\r\n\r\n";
        let staff = Target::parse(&format!("http://{}", self.staff))?;
        let answer = staff.connect().await?.send(request.as_bytes(), true).await?;
        let text = String::from_utf8_lossy(&answer.body);
        let is_it =
            |line: &&str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with('{') && rest.contains(label));
        let value = text.lines().find(is_it).and_then(|line| line.rsplit(' ').next()?.parse().ok());
        value.with_context(|| format!("no metric {name}"))
    }

    /// The most memory it ever had, in MB.
    pub fn peak(&self) -> anyhow::Result<u64> {
        self.of_status("VmHWM:")
    }

    /// Its memory now.
    pub fn memory(&self) -> anyhow::Result<Memory> {
        Ok(Memory { own: self.of_status("RssAnon:")?, mapped: self.of_status("RssFile:")? })
    }

    /// Does something, and tells how much memory of its own Carrel had at most meanwhile, in MB.
    pub async fn watched<T>(&self, work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<(T, u64)> {
        let mut work = pin!(work);
        let mut most = self.memory()?.own;
        loop {
            match timeout(LOOK, &mut work).await {
                Ok(done) => return Ok((done?, most)),
                Err(_) => most = most.max(self.memory()?.own),
            }
        }
    }

    fn of_status(&self, name: &str) -> anyhow::Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        Ok(line.with_context(|| format!("no {name}"))?.trim().trim_end_matches(" kB").parse::<u64>()? / 1024)
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

/// Whether `carrel sample` makes archives too.
fn knows_archives(program: &Path) -> anyhow::Result<bool> {
    let output = Command::new(program).args(["sample", "--help"]).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).contains("--resources"))
}

/// The folder of a library that `carrel sample` makes with these options, unless it exists.
fn made(program: &Path, data: &Path, sample: &[&str]) -> anyhow::Result<PathBuf> {
    let mark = data.join("made");
    if !mark.exists() {
        let _ = std::fs::remove_dir_all(data);
        let began = Instant::now();
        let status = Command::new(program).arg("sample").args(sample).arg("--data-dir").arg(data).status()?;
        ensure!(status.success(), "carrel sample failed");
        std::fs::write(&mark, "")?;
        println!("making the library: {:.0} s", began.elapsed().as_secs_f64());
    }
    Ok(data.to_owned())
}
