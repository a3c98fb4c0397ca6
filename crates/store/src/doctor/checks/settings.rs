//! Settings that risk data, and settings that do not suit the machine.

use super::or_ok;
use crate::doctor::{
    facts::{Server, Surroundings},
    finding::{Finding, Level, size},
};

const CHECK: &str = "settings";
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// Required settings: name, accepted values, level of any other value, and the reason.
const MUST: [(&str, &[&str], Level, &str, &str); 6] = [
    (
        "fsync",
        &["on"],
        Level::Fail,
        "Without it, a power cut can destroy the whole database, not only the last check-outs",
        "on",
    ),
    (
        "full_page_writes",
        &["on"],
        Level::Fail,
        "Without it, a power cut can leave half-written pages that cannot be repaired",
        "on",
    ),
    (
        "synchronous_commit",
        &["on", "local", "remote_write", "remote_apply"],
        Level::Fail,
        "Check-outs that the desk has confirmed are lost when the machine stops",
        "on",
    ),
    (
        "autovacuum",
        &["on"],
        Level::Fail,
        "Tables grow with every change and are never tidied; in the end the database stops to protect itself",
        "on",
    ),
    ("track_counts", &["on"], Level::Fail, "The tidying of tables does not know what there is to tidy", "on"),
    (
        "zero_damaged_pages",
        &["off"],
        Level::Fail,
        "Damaged pages are silently emptied: records disappear without a word",
        "off",
    ),
];

pub fn check(server: &Server, around: &Surroundings) -> Vec<Finding> {
    let mut findings: Vec<_> = MUST
        .iter()
        .filter(|(name, good, ..)| {
            let value = server.setting(name);
            !value.is_empty() && !good.contains(&value)
        })
        .map(|(name, _, level, reason, right)| {
            Finding::new(CHECK, *level, format!("{name} is {}", server.setting(name)))
                .because(*reason)
                .sql(format!("ALTER SYSTEM SET {name} = '{right}'; SELECT pg_reload_conf();"))
        })
        .collect();
    if let Some(memory) = around.memory {
        findings.extend(shared_buffers(server, memory));
        findings.extend(work_mem(server, memory));
    }
    or_ok(findings, || {
        let fit = match around.memory {
            Some(memory) => format!("fit this machine ({} of memory)", size(memory)),
            None => "keep its data safe".to_owned(),
        };
        Finding::ok(CHECK, format!("The settings of PostgreSQL {} {fit}", server.version))
    })
}

/// A quarter of the memory is usual; a sixteenth is far too little, and more than 60 % leaves too little for the rest.
fn shared_buffers(server: &Server, memory: u64) -> Option<Finding> {
    let bytes = server.number("shared_buffers")?;
    let right = (memory / 4).clamp(32 * MIB, 8 * GIB);
    let fault = |level, what| {
        let text = format!("shared_buffers is {}, {what} {} of memory", size(bytes), size(memory));
        Finding::new(CHECK, level, text)
            .sql(format!("ALTER SYSTEM SET shared_buffers = '{}MB';", right / MIB))
            .command("restart PostgreSQL afterwards (with its own PostgreSQL: restart Carrel)")
    };
    if bytes < right / 4 {
        let reason = "The database reads from the disk what could be in memory; lists and searches are slow";
        return Some(fault(Level::Warn, "little for a machine with").because(reason));
    }
    let reason = "Too little is left for sessions and for the system; PostgreSQL may be killed for lack of memory";
    (bytes > memory / 5 * 3).then(|| fault(Level::Fail, "too much for a machine with").because(reason))
}

/// Each connection may use it several times. If all use it twice, half of the memory must suffice.
fn work_mem(server: &Server, memory: u64) -> Option<Finding> {
    let (bytes, connections) = (server.number("work_mem")?, server.number("max_connections")?.max(1));
    if bytes.saturating_mul(connections) <= memory / 2 {
        return None;
    }
    let right = (memory / 4 / connections / MIB).max(4);
    let text = format!(
        "work_mem is {} for each of {connections} connections, and the machine has {} of memory",
        size(bytes),
        size(memory)
    );
    (right * MIB < bytes).then(|| {
        Finding::new(CHECK, Level::Warn, text)
            .because("On a busy day the sessions together may need more memory than there is, and PostgreSQL is killed")
            .sql(format!("ALTER SYSTEM SET work_mem = '{right}MB'; SELECT pg_reload_conf();"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::checks::sample;

    #[test]
    fn settings_that_lose_data_must_be_fixed() {
        for (name, value, level) in [
            ("fsync", "on", Level::Ok),
            ("fsync", "off", Level::Fail),
            ("full_page_writes", "off", Level::Fail),
            ("synchronous_commit", "off", Level::Fail),
            ("synchronous_commit", "local", Level::Ok),
            ("synchronous_commit", "remote_apply", Level::Ok),
            ("autovacuum", "off", Level::Fail),
            ("track_counts", "off", Level::Fail),
            ("zero_damaged_pages", "on", Level::Fail),
        ] {
            let findings = check(&sample::with(name, value), &sample::around());
            let (worst, text) = sample::worst_and_text(&findings);
            assert_eq!((worst, findings.len()), (level, 1), "{name} = {value}: {text}");
            if level == Level::Fail {
                assert!(text.contains(&format!("{name} is {value}")), "{text}");
                assert!(text.contains(&format!("ALTER SYSTEM SET {name} = ")), "{text}");
            }
        }
    }

    #[test]
    fn memory_must_fit_the_machine() {
        for (name, value, memory, level) in [
            ("shared_buffers", "262144", 8 * GIB, Level::Ok),
            ("shared_buffers", "16384", 8 * GIB, Level::Warn),
            ("shared_buffers", "16384", 256 * MIB, Level::Ok),
            ("shared_buffers", "786432", 8 * GIB, Level::Fail),
            ("shared_buffers", "1048576", 1024 * GIB, Level::Ok),
            ("work_mem", "8192", 8 * GIB, Level::Ok),
            ("work_mem", "262144", 8 * GIB, Level::Warn),
            ("work_mem", "4096", 256 * MIB, Level::Ok),
        ] {
            let mut server = sample::with(name, value);
            let other = if name == "work_mem" { "shared_buffers" } else { "work_mem" };
            server.settings.remove(other);
            let around = Surroundings { memory: Some(memory), ..sample::around() };
            let (worst, text) = sample::worst_and_text(&check(&server, &around));
            assert_eq!(worst, level, "{name} = {value}, {memory}: {text}");
        }
    }

    #[test]
    fn another_machine_is_not_judged_by_this_ones_memory() {
        let around = Surroundings { memory: None, ..sample::around() };
        let (worst, text) = sample::worst_and_text(&check(&sample::with("shared_buffers", "16"), &around));
        assert_eq!(worst, Level::Ok, "{text}");
    }
}
