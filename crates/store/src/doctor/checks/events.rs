//! Whether the subscribers of events receive them.

use super::or_ok;
use crate::doctor::{
    facts::Listener,
    finding::{Finding, Level},
};

const CHECK: &str = "events";
/// A subscriber that restarts misses a few attempts.
const PATIENCE: u64 = 5;

pub fn check(tenant: &str, listeners: &[Listener]) -> Vec<Finding> {
    let findings = listeners.iter().flat_map(judge).collect();
    let findings = or_ok(findings, || Finding::ok(CHECK, format!("The subscribers of {tenant} get its events")));
    let of_tenant = |mut finding: Finding| {
        finding.tenant = Some(tenant.to_owned());
        finding
    };
    findings.into_iter().map(of_tenant).collect()
}

fn judge(listener: &Listener) -> Vec<Finding> {
    let Listener { name, waiting, dead, .. } = listener;
    let error = listener.error.as_deref().unwrap_or("nothing");
    let resume = format!("POST /pubsub/subscriptions/{name}/resume");
    let mut findings = Vec::new();
    if listener.broken {
        let text = format!("{name} no longer gets events; {waiting} wait for it");
        let why = format!("It has not accepted them for too long. Last error: {error}");
        let what = format!("Repair the receiver, then {resume}; or delete its subscriptions");
        findings.push(Finding::new(CHECK, Level::Fail, text).because(why).command(what));
    } else if listener.failures > PATIENCE {
        let text = format!("{name} cannot be reached; {waiting} events wait for it");
        let why = format!("It gets no more once too many wait. Last error: {error}");
        findings.push(Finding::new(CHECK, Level::Warn, text).because(why).command("Repair the receiver"));
    }
    if *dead > 0 {
        let text = format!("{name} refused {dead} events for good");
        let why = format!("It does not know about these changes. Last error: {error}");
        let what = format!(
            "Look at them with GET /pubsub/history, then {resume}, or DELETE /pubsub/subscriptions/{name}/dead-events"
        );
        findings.push(Finding::new(CHECK, Level::Warn, text).because(why).command(what));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listener(broken: bool, failures: u64, dead: u64) -> Listener {
        Listener { name: "mod-ear-1.0.0".into(), broken, failures, waiting: 7, dead, error: Some("status 503".into()) }
    }

    #[test]
    fn undelivered_events_are_reported() {
        for (found, levels) in [
            (vec![], vec![Level::Ok]),
            (vec![listener(false, 0, 0)], vec![Level::Ok]),
            (vec![listener(false, 3, 0)], vec![Level::Ok]),
            (vec![listener(false, 9, 0)], vec![Level::Warn]),
            (vec![listener(false, 0, 2)], vec![Level::Warn]),
            (vec![listener(true, 9, 2)], vec![Level::Fail, Level::Warn]),
        ] {
            let findings = check("a", &found);
            let judged: Vec<_> = findings.iter().map(|finding| finding.level).collect();
            assert_eq!(judged, levels, "{found:?}");
        }
    }

    #[test]
    fn a_broken_subscriber_is_reported_with_advice() {
        let findings = check("a", &[listener(true, 9, 0)]);
        assert_eq!(findings[0].finding, "mod-ear-1.0.0 no longer gets events; 7 wait for it");
        assert!(findings[0].reason.as_deref().unwrap().ends_with("status 503"));
        assert!(findings[0].command.as_deref().unwrap().contains("/pubsub/subscriptions/mod-ear-1.0.0/resume"));
    }
}
