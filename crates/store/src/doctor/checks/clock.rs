//! Compares the clocks of the database and of this machine.

use jiff::SignedDuration;

use crate::doctor::finding::{Finding, Level};

const CHECK: &str = "clock";
/// Smaller differences do no harm.
const NOTICED: SignedDuration = SignedDuration::from_secs(2);
/// Larger differences break tokens and due dates.
const WRONG: SignedDuration = SignedDuration::from_secs(30);

/// `ahead` is how far the database's clock is ahead.
pub fn check(ahead: SignedDuration) -> Vec<Finding> {
    let off = ahead.abs();
    let level = match off {
        off if off >= WRONG => Level::Fail,
        off if off >= NOTICED => Level::Warn,
        _ => {
            return vec![Finding::ok(CHECK, "The clocks of the database and of this machine agree")];
        }
    };
    let direction = if ahead.is_negative() { "behind" } else { "ahead of" };
    let text = format!("The database's clock is {:.1} seconds {direction} this machine's", off.as_secs_f64());
    let finding = Finding::new(CHECK, level, text)
        .because("Sign-ins end too early or too late, and loans made near closing time get the wrong due date")
        .command("timedatectl set-ntp true    (on both machines)");
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::checks::sample;

    #[test]
    fn clocks_may_differ_a_little() {
        for (millis, level, words) in [
            (0, Level::Ok, "agree"),
            (1_900, Level::Ok, "agree"),
            (-1_900, Level::Ok, "agree"),
            (2_000, Level::Warn, "2.0 seconds ahead of"),
            (-5_500, Level::Warn, "5.5 seconds behind"),
            (3_600_000, Level::Fail, "3600.0 seconds ahead of"),
            (-30_000, Level::Fail, "30.0 seconds behind"),
        ] {
            let (worst, text) = sample::worst_and_text(&check(SignedDuration::from_millis(millis)));
            assert_eq!(worst, level, "{millis}");
            assert!(text.contains(words), "{text}");
        }
    }
}
