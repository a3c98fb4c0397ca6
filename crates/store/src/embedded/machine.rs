//! The machine's memory, disk and processors, which determine PostgreSQL's settings.

use std::path::Path;

/// Assumed if the system does not report it.
const UNKNOWN_MEMORY: u64 = 2 << 30;

/// Memory in bytes available to this process: the machine's, or the container's limit.
pub(crate) fn memory() -> u64 {
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limits = limits.iter().filter_map(|path| read(path)?.trim().parse().ok());
    let machine = read("/proc/meminfo").and_then(|text| total_memory(&text));
    limits.chain(machine).min().unwrap_or(UNKNOWN_MEMORY)
}

/// Free bytes on the disk of a directory; `None` if the system does not report them.
pub(crate) fn free_space(dir: &Path) -> Option<u64> {
    let stat = nix::sys::statvfs::statvfs(dir).ok()?;
    #[allow(clippy::useless_conversion)] // the widths differ between systems
    Some(u64::from(stat.blocks_available()) * u64::from(stat.fragment_size()))
}

/// Size in bytes of the disk of a directory; `None` if the system does not report it.
pub(crate) fn disk_size(dir: &Path) -> Option<u64> {
    let stat = nix::sys::statvfs::statvfs(dir).ok()?;
    #[allow(clippy::useless_conversion)] // the widths differ between systems
    Some(u64::from(stat.blocks()) * u64::from(stat.fragment_size()))
}

pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

fn total_memory(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_memory_is_read_from_meminfo() {
        let text = "MemTotal:       24683440 kB\nMemFree:        21750000 kB\n";
        assert_eq!(total_memory(text), Some(24_683_440 * 1024));
        assert_eq!(total_memory("MemFree: 1 kB\n"), None);
    }
}
