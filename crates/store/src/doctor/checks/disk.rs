//! Whether the disk has room, and syncs fast enough.

use std::time::Duration;

use crate::doctor::{
    facts::Disk,
    finding::{Finding, Level, size},
};

const CHECK: &str = "disk";
const GIB: u64 = 1 << 30;
/// No disk that really stores the data is faster.
const TOO_GOOD: Duration = Duration::from_micros(15);
/// Each check-out waits for one sync; a slower one is noticeable at the desk.
const SLOW: Duration = Duration::from_millis(10);

pub fn check(disk: Option<&Disk>) -> Vec<Finding> {
    let Some(disk) = disk else {
        let text = "The disk of a PostgreSQL of your own is not looked at";
        return vec![Finding::new(CHECK, Level::Skip, text)];
    };
    vec![space(disk), speed(disk)]
}

fn space(disk: &Disk) -> Finding {
    let share = disk.free as f64 / disk.size.max(1) as f64;
    let path = disk.path.display();
    let left =
        format!("{} of {} ({:.0} %) are free on the disk of {path}", size(disk.free), size(disk.size), share * 100.0);
    let level = match () {
        () if disk.free < GIB || (share < 0.03 && disk.free < 10 * GIB) => Level::Fail,
        () if disk.free < 5 * GIB || (share < 0.10 && disk.free < 50 * GIB) => Level::Warn,
        () => return Finding::ok(CHECK, left),
    };
    Finding::new(CHECK, level, left)
        .because("When the disk is full, PostgreSQL stops, and no item can be checked out or in")
        .command(format!("free some space there, or move data_dir to a bigger disk (du -xhd2 {path} | sort -h)"))
}

fn speed(disk: &Disk) -> Finding {
    let path = disk.path.display();
    let time = match &disk.sync {
        Ok(time) => *time,
        Err(why) => {
            return Finding::new(CHECK, Level::Warn, format!("The disk of {path} could not be measured"))
                .because(why.clone());
        }
    };
    let text = format!("The disk of {path} needs {:.2} ms to write a page durably", time.as_secs_f64() * 1000.0);
    match time {
        time if time < TOO_GOOD => Finding::new(CHECK, Level::Warn, text)
            .because("No disk is that fast: it is memory, or a disk that confirms writes too early and loses them at a power cut")
            .command("keep data_dir on a disk; switch off a write cache without a battery (hdparm -W0)"),
        time if time >= SLOW => Finding::new(CHECK, Level::Warn, text)
            .because("Every check-out and check-in waits for this")
            .command("move data_dir to an SSD, best one with power-loss protection, and not to a network drive"),
        _ => Finding::ok(CHECK, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::checks::sample;

    fn disk(free: u64, size: u64, micros: u64) -> Disk {
        let sync = Ok(Duration::from_micros(micros));
        Disk { path: "/data".into(), free, size, sync }
    }

    #[test]
    fn a_disk_needs_room() {
        for (free, size, level) in [
            (400 * GIB, 500 * GIB, Level::Ok),
            (60 * GIB, 1000 * GIB, Level::Ok),
            (40 * GIB, 500 * GIB, Level::Warn),
            (6 * GIB, 10 * GIB, Level::Ok),
            (4 * GIB, 10 * GIB, Level::Warn),
            (GIB - 1, 2 * GIB, Level::Fail),
            (9 * GIB, 1000 * GIB, Level::Fail),
            (0, 0, Level::Fail),
        ] {
            let found = space(&disk(free, size, 1_000));
            assert_eq!(found.level, level, "{}", found.finding);
        }
    }

    #[test]
    fn a_disk_must_be_fast_and_honest() {
        for (micros, level) in
            [(1, Level::Warn), (14, Level::Warn), (15, Level::Ok), (9_999, Level::Ok), (10_000, Level::Warn)]
        {
            let found = speed(&disk(GIB, GIB, micros));
            assert_eq!(found.level, level, "{}", found.finding);
        }
        let unmeasured = Disk { sync: Err("read-only file system".to_owned()), ..disk(GIB, GIB, 0) };
        let found = speed(&unmeasured);
        assert_eq!((found.level, found.reason.as_deref()), (Level::Warn, Some("read-only file system")));
    }

    #[test]
    fn the_disk_of_another_machine_is_not_judged() {
        assert_eq!(sample::worst_and_text(&check(None)).0, Level::Skip);
    }
}
