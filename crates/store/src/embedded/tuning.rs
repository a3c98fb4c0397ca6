//! PostgreSQL's settings, adapted to the machine: the text of `carrel.conf`.

use super::account::Account;
use super::cluster::Cluster;
use super::programs::Programs;
use super::{Settings, machine};

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
/// Connections reserved for an administrator beside those of Carrel's pools.
const SPARE_CONNECTIONS: u32 = 10;
/// A smaller `/dev/shm` (64 MiB in many containers) does not suffice for parallel queries.
const ENOUGH_SHARED_MEMORY: u64 = 256 * MIB;

/// The facts that determine the settings.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// Memory in bytes to plan with.
    pub memory: u64,
    pub processors: usize,
    /// Free bytes on the cluster's disk.
    pub free_disk: u64,
    /// Size in bytes of `/dev/shm`; `None` if there is none.
    pub shared_memory: Option<u64>,
    pub connections: u32,
    pub fsync: bool,
    /// Whether PostgreSQL was built with LZ4.
    pub lz4: bool,
    /// Whether the library of `pg_stat_statements` is installed.
    pub statement_statistics: bool,
}

impl Plan {
    /// Reads the facts from the machine.
    pub(crate) fn for_start(settings: &Settings, programs: &Programs, cluster: &Cluster, account: &Account) -> Self {
        Self {
            memory: settings.memory.unwrap_or_else(machine::memory),
            processors: machine::processors(),
            free_disk: machine::free_space(cluster.dir()).unwrap_or(10 * GIB),
            shared_memory: machine::free_space(std::path::Path::new("/dev/shm")),
            connections: settings.max_connections,
            fsync: settings.fsync,
            lz4: cluster.accepts(programs, account, "wal_compression=lz4"),
            statement_statistics: programs.has_library("pg_stat_statements"),
        }
    }

    /// The settings as name and value, in file order.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let mut settings = self.memory_settings();
        settings.extend(self.disk_settings());
        settings.extend(self.planner_settings());
        settings.extend(self.housekeeping_settings());
        settings
    }

    fn memory_settings(&self) -> Vec<(&'static str, String)> {
        let connections = u64::from(self.connections + SPARE_CONNECTIONS);
        // Each connection may use work_mem several times; in total they stay below a quarter of the memory.
        let work_mem = (self.memory / 4 / connections).clamp(4 * MIB, 64 * MIB);
        let dynamic = match self.shared_memory {
            Some(bytes) if bytes < ENOUGH_SHARED_MEMORY => "sysv",
            _ => "posix",
        };
        vec![
            ("max_connections", connections.to_string()),
            ("shared_buffers", mib((self.memory / 4).clamp(32 * MIB, 8 * GIB))),
            ("effective_cache_size", mib((self.memory / 5 * 3).max(128 * MIB))),
            ("work_mem", mib(work_mem)),
            ("maintenance_work_mem", mib((self.memory / 16).clamp(32 * MIB, GIB))),
            ("dynamic_shared_memory_type", dynamic.into()),
        ]
    }

    fn disk_settings(&self) -> Vec<(&'static str, String)> {
        let max_wal = (self.free_disk / 10).clamp(256 * MIB, 4 * GIB);
        let mut settings = vec![
            ("fsync", on_off(self.fsync)),
            // Also without fsync: a commit then still survives a crash of the server.
            ("synchronous_commit", on_off(true)),
            // This server has no standby. Crash recovery still has all it needs, and new tables and indexes cost one
            // log record at commit instead of a sync each.
            ("wal_level", "minimal".into()),
            ("max_wal_senders", "0".into()),
            ("full_page_writes", on_off(self.fsync)),
            ("wal_compression", if self.lz4 { "lz4" } else { "pglz" }.into()),
            ("max_wal_size", mib(max_wal)),
            ("min_wal_size", mib((max_wal / 4).min(512 * MIB))),
            ("checkpoint_timeout", "10min".into()),
            ("checkpoint_completion_target", "0.9".into()),
        ];
        if self.lz4 {
            // Records of more than 2 kB are stored compressed, and are read far more often than written.
            settings.push(("default_toast_compression", "lz4".into()));
        }
        if cfg!(target_os = "linux") {
            settings.push(("effective_io_concurrency", "100".into()));
            // After a crash of the machine: one sync of the whole disk instead of one per file.
            settings.push(("recovery_init_sync_method", "syncfs".into()));
        }
        settings
    }

    fn planner_settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("random_page_cost", "1.1".into()),
            ("jit", "off".into()),
            ("max_parallel_workers_per_gather", (self.processors / 2).clamp(1, 4).to_string()),
            ("default_statistics_target", "200".into()),
            ("autovacuum_vacuum_scale_factor", "0.05".into()),
            ("autovacuum_analyze_scale_factor", "0.02".into()),
        ]
    }

    fn housekeeping_settings(&self) -> Vec<(&'static str, String)> {
        let mut settings = vec![
            ("timezone", "UTC".into()),
            ("log_timezone", "UTC".into()),
            ("lc_messages", "C".into()),
            ("log_destination", "stderr".into()),
            ("logging_collector", "off".into()),
            ("log_line_prefix", "%m [%p] ".into()),
            ("log_checkpoints", "off".into()),
            ("log_startup_progress_interval", "2s".into()),
        ];
        if self.statement_statistics {
            settings.push(("shared_preload_libraries", "pg_stat_statements".into()));
        }
        settings
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = String::from(
            "# Carrel's settings, fitted to this machine. Rewritten at each start: to change one,\n\
             # use ALTER SYSTEM SET, or write it in postgresql.conf below the line that includes this file.\n",
        );
        for (name, value) in self.settings() {
            text.push_str(&format!("{name} = '{value}'\n"));
        }
        text
    }
}

fn mib(bytes: u64) -> String {
    format!("{}MB", bytes / MIB)
}

fn on_off(on: bool) -> String {
    if on { "on" } else { "off" }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(memory: u64, connections: u32) -> Plan {
        Plan {
            memory,
            processors: 2,
            free_disk: 100 * GIB,
            shared_memory: Some(GIB),
            connections,
            fsync: true,
            lz4: true,
            statement_statistics: true,
        }
    }

    fn value(plan: &Plan, name: &str) -> Option<String> {
        let settings = plan.settings();
        settings.into_iter().find(|(n, _)| *n == name).map(|(_, value)| value)
    }

    #[test]
    fn memory_settings_follow_the_machine() {
        let cases = [
            // memory, connections, shared_buffers, work_mem
            (64 * MIB, 20, "32MB", "4MB"),
            (2 * GIB, 90, "512MB", "5MB"),
            (24 * GIB, 90, "6144MB", "61MB"),
            (24 * GIB, 20, "6144MB", "64MB"),
            (256 * GIB, 490, "8192MB", "64MB"),
        ];
        for (memory, connections, shared_buffers, work_mem) in cases {
            let plan = plan(memory, connections);
            assert_eq!(value(&plan, "shared_buffers").as_deref(), Some(shared_buffers));
            assert_eq!(value(&plan, "work_mem").as_deref(), Some(work_mem));
        }
    }

    #[test]
    fn a_small_disk_gets_a_small_log_of_changes() {
        let mut plan = plan(GIB, 20);
        assert_eq!(value(&plan, "max_wal_size").as_deref(), Some("4096MB"));
        plan.free_disk = GIB;
        assert_eq!(value(&plan, "max_wal_size").as_deref(), Some("256MB"));
    }

    #[test]
    fn settings_the_build_or_container_lacks_are_left_out() {
        let mut plan = plan(GIB, 20);
        plan.lz4 = false;
        plan.statement_statistics = false;
        plan.shared_memory = Some(64 * MIB);
        assert_eq!(value(&plan, "wal_compression").as_deref(), Some("pglz"));
        assert_eq!(value(&plan, "default_toast_compression"), None);
        assert_eq!(value(&plan, "shared_preload_libraries"), None);
        assert_eq!(value(&plan, "dynamic_shared_memory_type").as_deref(), Some("sysv"));
    }

    #[test]
    fn only_a_throw_away_cluster_goes_without_fsync() {
        let mut plan = plan(GIB, 20);
        assert_eq!(value(&plan, "fsync").as_deref(), Some("on"));
        plan.fsync = false;
        assert!(plan.text().contains("\nsynchronous_commit = 'on'\n"));
        assert_eq!(value(&plan, "fsync").as_deref(), Some("off"));
    }

    #[test]
    fn a_server_without_standby_keeps_no_log_for_one() {
        let plan = plan(GIB, 20);
        // PostgreSQL starts only with both together.
        assert_eq!(value(&plan, "wal_level").as_deref(), Some("minimal"));
        assert_eq!(value(&plan, "max_wal_senders").as_deref(), Some("0"));
    }
}
