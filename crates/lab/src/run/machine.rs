//! The generator's machine, and its use of it.

use std::fs;

use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeValLike,
};

use crate::results::model::{Environment, Named};

/// What the system reports about the machine.
pub(super) fn environment(same_machine: bool, commit: Option<String>) -> Environment {
    let cores = std::thread::available_parallelism().ok();
    Environment {
        commit,
        cpu: line("/proc/cpuinfo", "model name"),
        cores: cores.and_then(|cores| u32::try_from(cores.get()).ok()),
        memory_bytes: memory(),
        system: system(),
        same_machine,
        postgres: Named::new(),
    }
}

fn line(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn memory() -> Option<u64> {
    let kilobytes = line("/proc/meminfo", "MemTotal")?;
    Some(kilobytes.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

fn system() -> Option<String> {
    let read = |file| fs::read_to_string(file).map(|text| text.trim().to_owned()).ok();
    Some(format!("{} {}", read("/proc/sys/kernel/ostype")?, read("/proc/sys/kernel/osrelease")?))
}

/// Processor time of this process, in seconds.
pub(super) fn processor_time() -> f64 {
    getrusage(UsageWho::RUSAGE_SELF).map_or(0.0, |usage| {
        (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1e6
    })
}
