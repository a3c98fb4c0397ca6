//! Processor time and memory of the server and its PostgreSQL on this machine, from `/proc`.
//!
//! The server is the process that listens on the target's port, with all its descendants; PostgreSQL's processes form a
//! separate group. That is the group started by the server, the one listening on the database's port, or the only one.
//! The time of ended processes counts: their parent has it.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use super::{Growth, Notes, Reading, Readings, Sampler};

/// The kernel counts processor time in hundredths of a second on all processors.
const TICKS: f64 = 100.0;

/// Watches the server and PostgreSQL.
pub(crate) struct Processes {
    // `None` while it reads on another thread.
    reader: Option<Reader>,
}

struct Reader {
    proc: PathBuf,
    ports: Ports,
    notes: Notes,
    groups: Groups,
    server: Growth<1>,
    database: Growth<1>,
}

/// The ports of the server and the database.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ports {
    pub server: u16,
    /// `None` if unknown or on another machine.
    pub database: Option<u16>,
}

/// The heads of both groups.
#[derive(Debug, Default, Clone, PartialEq)]
struct Groups {
    server: Vec<u32>,
    database: Option<u32>,
}

#[derive(Debug, Clone, PartialEq)]
struct Process {
    parent: u32,
    name: String,
    /// Processor time, including that of ended children.
    ticks: u64,
}

impl Processes {
    /// Watches the processes that listen on these ports.
    pub fn new(ports: Ports, notes: Notes) -> Self {
        Self::at(Path::new("/proc"), ports, notes)
    }

    fn at(proc: &Path, ports: Ports, notes: Notes) -> Self {
        let reader = Reader {
            proc: proc.to_owned(),
            ports,
            notes,
            groups: Groups::default(),
            server: Growth::default(),
            database: Growth::default(),
        };
        Self { reader: Some(reader) }
    }
}

impl Sampler for Processes {
    fn sample(&mut self) -> Readings<'_> {
        Box::pin(async {
            let Some(mut reader) = self.reader.take() else {
                return Vec::new();
            };
            let read = move || {
                let readings = reader.read(Instant::now());
                (reader, readings)
            };
            // Reads hundreds of small files, so not on a thread that sends requests.
            let Ok((reader, readings)) = tokio::task::spawn_blocking(read).await else {
                return Vec::new();
            };
            self.reader = Some(reader);
            readings
        })
    }
}

impl Reader {
    fn read(&mut self, now: Instant) -> Vec<Reading> {
        let all = self.processes();
        let gone = |process: &u32| !all.contains_key(process);
        if self.groups.server.is_empty()
            || self.groups.server.iter().any(gone)
            || self.groups.database.as_ref().is_none_or(gone)
        {
            self.groups = self.find(&all);
        }
        let database: HashSet<u32> = self.groups.database.iter().flat_map(|head| tree(&all, *head)).collect();
        let heads = self.groups.server.iter();
        let mut server: HashSet<u32> = heads.flat_map(|head| tree(&all, *head)).collect();
        server.retain(|process| !database.contains(process));
        let mut readings = Vec::new();
        let cpu = |growth: &mut Growth<1>, group: &HashSet<u32>| {
            let ticks: u64 = group.iter().filter_map(|process| Some(all.get(process)?.ticks)).sum();
            let ([ticks], seconds) = growth.since(now, [ticks as f64])?;
            Some(ticks / TICKS / seconds)
        };
        if !server.is_empty() {
            readings.extend(cpu(&mut self.server, &server).map(|cores| Reading::new("server_cpu", "cores", cores)));
            let bytes: u64 = server.iter().filter_map(|p| memory(&self.proc, *p)).map(|m| m.resident).sum();
            readings.push(Reading::new("server_memory", "bytes", bytes as f64));
        }
        if !database.is_empty() {
            readings
                .extend(cpu(&mut self.database, &database).map(|cores| Reading::new("database_cpu", "cores", cores)));
            let each: Vec<_> = database.iter().filter_map(|p| memory(&self.proc, *p)).collect();
            let own: u64 = each.iter().map(|memory| memory.own).sum();
            let shared = each.iter().map(|memory| memory.shared).max().unwrap_or(0);
            readings.push(Reading::new("database_memory", "bytes", (own + shared) as f64));
        }
        if let Some(memory) = memory(&self.proc, std::process::id()) {
            readings.push(Reading::new("generator_memory", "bytes", memory.resident as f64));
        }
        readings
    }

    fn processes(&self) -> HashMap<u32, Process> {
        let entries = fs::read_dir(&self.proc).into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers
            .filter_map(|number: u32| {
                let text = fs::read_to_string(self.proc.join(number.to_string()).join("stat")).ok()?;
                Some((number, process(&text)?))
            })
            .collect()
    }

    /// Finds the heads of both groups; warns once about a missing one.
    fn find(&self, all: &HashMap<u32, Process>) -> Groups {
        let server = listeners(&self.proc, self.ports.server);
        if server.is_empty() {
            self.notes.warn(format!(
                "no process on this machine was found listening on port {}: processor time and memory of the server are not \
                 known (--metrics-url asks the server; another account's processes are only seen by root)",
                self.ports.server
            ));
        }
        let database = database_head(all, &server, &self.database_listeners());
        if let Err(why) = &database {
            self.notes.warn(format!("processor time and memory of PostgreSQL are not known: {why}"));
        }
        Groups { server, database: database.ok() }
    }

    fn database_listeners(&self) -> Vec<u32> {
        self.ports.database.map_or_else(Vec::new, |port| listeners(&self.proc, port))
    }
}

/// The head of PostgreSQL's processes.
fn database_head(all: &HashMap<u32, Process>, server: &[u32], listening: &[u32]) -> Result<u32, &'static str> {
    let is_postgres = |number: &u32| {
        let process = all.get(number);
        process.is_some_and(|process| matches!(process.name.as_str(), "postgres" | "postmaster"))
    };
    let heads: Vec<u32> = all
        .iter()
        .filter(|(number, process)| is_postgres(number) && !is_postgres(&process.parent))
        .map(|(number, _)| *number)
        .collect();
    let started = server.iter().flat_map(|head| tree(all, *head)).find(|one| heads.contains(one));
    let listening = || listening.iter().copied().find(|one| heads.contains(one));
    match (started.or_else(listening), heads.as_slice()) {
        (Some(head), _) => Ok(head),
        (None, [only]) => Ok(*only),
        (None, []) => Err("none runs on this machine"),
        (None, _) => Err("several run on this machine; --database-url says which one it is"),
    }
}

/// A process and all its descendants.
fn tree(all: &HashMap<u32, Process>, head: u32) -> Vec<u32> {
    let mut found = vec![head];
    let mut at = 0;
    while let Some(&parent) = found.get(at) {
        let children = all.iter().filter(|(number, process)| process.parent == parent && **number != parent);
        found.extend(children.map(|(number, _)| *number));
        at += 1;
    }
    found
}

/// Parses `/proc/N/stat`. The name is in parentheses and may itself contain some.
fn process(stat: &str) -> Option<Process> {
    let (before, after) = stat.rsplit_once(')')?;
    let (_, name) = before.split_once('(')?;
    let fields: Vec<&str> = after.split_whitespace().collect();
    let times = fields.get(11..15)?.iter().map(|field| field.parse::<u64>());
    Some(Process {
        parent: fields.get(1)?.parse().ok()?,
        name: name.to_owned(),
        ticks: times.sum::<Result<_, _>>().ok()?,
    })
}

/// Memory of a process, in bytes.
struct Memory {
    resident: u64,
    own: u64,
    shared: u64,
}

fn memory(proc: &Path, process: u32) -> Option<Memory> {
    let text = fs::read_to_string(proc.join(process.to_string()).join("status")).ok()?;
    let kilobytes = |name: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse().ok()
    };
    Some(Memory {
        resident: kilobytes("VmRSS")? * 1024,
        own: kilobytes("RssAnon")? * 1024,
        shared: kilobytes("RssShmem")? * 1024,
    })
}

/// The processes that hold a socket listening on that port.
fn listeners(proc: &Path, port: u16) -> Vec<u32> {
    let tables = ["net/tcp", "net/tcp6"].map(|table| fs::read_to_string(proc.join(table)).unwrap_or_default());
    let sockets: HashSet<String> = tables.iter().flat_map(|table| listening(table, port)).collect();
    if sockets.is_empty() {
        return Vec::new();
    }
    let entries = fs::read_dir(proc).into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let holds = |process: &u32| {
        let files = fs::read_dir(proc.join(process.to_string()).join("fd")).into_iter().flatten().flatten();
        files.filter_map(|file| fs::read_link(file.path()).ok()).any(|link| {
            let link = link.to_string_lossy();
            sockets.contains(link.as_ref())
        })
    };
    let mut found: Vec<u32> = numbers.filter(holds).collect();
    found.sort_unstable();
    found
}

/// The sockets in `/proc/net/tcp` that listen on a port, as link targets.
fn listening(table: &str, port: u16) -> Vec<String> {
    const LISTENING: &str = "0A";
    let port = format!(":{port:04X}");
    let rows = table.lines().skip(1).map(|row| row.split_whitespace().collect::<Vec<_>>());
    rows.filter(|row| row.get(1).is_some_and(|local| local.ends_with(&port)) && row.get(3) == Some(&LISTENING))
        .filter_map(|row| Some(format!("socket:[{}]", row.get(9)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::{os::unix::fs::symlink, time::Duration};

    use super::*;

    const TABLE: &str = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
        0: 0100007F:23AA 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 777 1 0 100 0 0 10 0\n   \
        1: 0100007F:23AA 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 888 1 0 20 4 30 10 -1\n";

    /// A simulated `/proc`: a server (10) that has started PostgreSQL (20 with 21), and another PostgreSQL (30).
    struct Machine(tempfile::TempDir);

    impl Machine {
        fn new() -> Self {
            let machine = Self(tempfile::tempdir().expect("a folder"));
            fs::create_dir(machine.0.path().join("net")).expect("a folder");
            fs::write(machine.0.path().join("net/tcp"), TABLE).expect("written");
            for (number, name, parent) in
                [(10, "carrel", 1), (20, "postgres", 10), (21, "postgres", 20), (30, "postgres", 1)]
            {
                machine.set(number, name, parent, 0);
            }
            let files = machine.0.path().join("10/fd");
            fs::create_dir(&files).expect("a folder");
            symlink("socket:[777]", files.join("5")).expect("linked");
            machine
        }

        fn set(&self, number: u32, name: &str, parent: u32, ticks: u64) {
            let folder = self.0.path().join(number.to_string());
            fs::create_dir_all(&folder).expect("a folder");
            let stat = format!("{number} ({name}) S {parent} 1 1 0 -1 0 0 0 0 0 {ticks} 0 0 0 20 0 1 0 5");
            fs::write(folder.join("stat"), stat).expect("written");
            let status = "Name:\tx\nVmRSS:\t  300 kB\nRssAnon:\t 100 kB\nRssFile:\t 50 kB\nRssShmem:\t 150 kB\n";
            fs::write(folder.join("status"), status).expect("written");
        }

        fn reader(&self, notes: &Notes) -> Reader {
            let ports = Ports { server: 9130, database: None };
            Processes::at(self.0.path(), ports, notes.clone()).reader.expect("it does not read yet")
        }
    }

    fn value(readings: &[Reading], name: &str) -> Option<f64> {
        readings.iter().find(|reading| reading.name == name).map(|reading| reading.value)
    }

    #[test]
    fn the_server_and_its_database_are_distinguished() {
        let (machine, notes, began) = (Machine::new(), Notes::default(), Instant::now());
        let mut reader = machine.reader(&notes);
        let first = reader.read(began);
        assert_eq!(value(&first, "server_cpu"), None);
        assert_eq!(value(&first, "server_memory"), Some(300.0 * 1024.0));
        assert_eq!(value(&first, "database_memory"), Some((100.0 + 100.0 + 150.0) * 1024.0));
        machine.set(10, "carrel", 1, 50);
        machine.set(21, "postgres", 20, 300);
        machine.set(30, "postgres", 1, 9_000);
        let second = reader.read(began + Duration::from_secs(2));
        assert_eq!(value(&second, "server_cpu"), Some(0.25));
        assert_eq!(value(&second, "database_cpu"), Some(1.5));
        assert!(notes.found().warnings.is_empty());
    }

    #[test]
    fn missing_processes_are_reported_once() {
        let (machine, notes) = (Machine::new(), Notes::default());
        fs::remove_file(machine.0.path().join("net/tcp")).expect("removed");
        let mut reader = machine.reader(&notes);
        for _ in 0..3 {
            assert_eq!(value(&reader.read(Instant::now()), "server_memory"), None);
        }
        let warnings = notes.found().warnings;
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert!(warnings[0].contains("port 9130") && warnings[1].contains("several run"), "{warnings:?}");
    }

    #[test]
    fn lines_of_proc_are_read() {
        let text = "7 (a (b) c) S 3 7 7 0 -1 0 0 0 0 0 10 20 3 4 20 0 1 0 5";
        let read = process(text).expect("a process");
        assert_eq!(read, Process { parent: 3, name: "a (b) c".to_owned(), ticks: 37 });
        for garbage in ["", "7 (a", "7 (a) S", "7 (a) S x 7 7 0 -1 0 0 0 0 0 1 2 3 4"] {
            assert_eq!(process(garbage), None, "{garbage}");
        }
        assert_eq!(listening(TABLE, 9130), ["socket:[777]"]);
        assert!(listening(TABLE, 9131).is_empty());
        assert!(listening("garbage\nmore garbage", 9130).is_empty());
    }

    #[test]
    fn this_process_is_found_by_its_port() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        assert!(listeners(Path::new("/proc"), port).contains(&std::process::id()));
    }
}
