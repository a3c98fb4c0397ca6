//! Whether there are enough connections, now and when every tenant is busy.

use super::or_ok;
use crate::doctor::{
    facts::{Server, Surroundings},
    finding::{Finding, Level},
};

const CHECK: &str = "connections";

pub fn check(server: &Server, around: &Surroundings) -> Vec<Finding> {
    let most = server.number("max_connections").unwrap_or(0);
    let reserved = ["superuser_reserved_connections", "reserved_connections"];
    let reserved: u64 = reserved.iter().filter_map(|name| server.number(name)).sum();
    let room = most.saturating_sub(reserved).max(1);
    let mut findings = Vec::new();
    findings.extend(in_use(server, room));
    findings.extend(demand(server, around, room));
    if server.forgotten > 0 {
        let text = format!("{} transactions have been left open for more than five minutes", server.forgotten);
        let sql = "SELECT pid, usename, application_name, state_change, query FROM pg_stat_activity \
                   WHERE state LIKE 'idle in transaction%';";
        findings.push(
            Finding::new(CHECK, Level::Warn, text)
                .because("They hold locks and block vacuum; they are not Carrel's, which ends its own within a minute")
                .sql(sql),
        );
    }
    or_ok(findings, || Finding::ok(CHECK, format!("{} of {room} connections are in use", server.connections)))
}

fn in_use(server: &Server, room: u64) -> Option<Finding> {
    let used = server.connections;
    let level = match () {
        () if used * 100 >= room * 95 => Level::Fail,
        () if used * 100 >= room * 80 => Level::Warn,
        () => return None,
    };
    let finding = Finding::new(CHECK, level, format!("{used} of {room} connections are in use"))
        .because("When none is left, the desk gets errors instead of answers");
    Some(more(finding, used * 2))
}

fn demand(server: &Server, around: &Surroundings, room: u64) -> Option<Finding> {
    // One more pool for the shared schema.
    let pools = server.tenants + 1;
    let wanted = pools.saturating_mul(u64::try_from(around.connections_of_a_tenant).unwrap_or(u64::MAX));
    if server.tenants == 0 || wanted <= room.max(60) || around.connections_of_a_tenant == 0 {
        return None;
    }
    let text = format!("{} tenants may ask for {wanted} connections together, and there are {room}", server.tenants);
    let finding = Finding::new(CHECK, Level::Warn, text)
        .because("When all libraries are busy at once, some of their requests fail");
    Some(more(finding, wanted))
}

fn more(finding: Finding, connections: u64) -> Finding {
    let connections = connections + 10;
    finding.command(format!(
        "set database_max_connections = {connections} and restart Carrel (with your own PostgreSQL: ALTER SYSTEM SET \
         max_connections = {connections}, and restart it), or lower database_tenant_connections"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::checks::sample;

    #[test]
    fn connections_must_suffice_now_and_when_all_are_busy() {
        for (used, tenants, each, forgotten, level, words) in [
            (5, 2, 20, 0, Level::Ok, "5 of 107"),
            (85, 2, 20, 0, Level::Ok, "85 of 107"),
            (86, 2, 20, 0, Level::Warn, "86 of 107"),
            (102, 2, 20, 0, Level::Fail, "102 of 107"),
            (5, 4, 20, 0, Level::Ok, "5 of 107"),
            (5, 5, 20, 0, Level::Warn, "5 tenants may ask for 120 connections"),
            (5, 2, 20, 3, Level::Warn, "3 transactions have been left open"),
        ] {
            let server = crate::doctor::facts::Server { connections: used, tenants, forgotten, ..sample::server() };
            let around = Surroundings { connections_of_a_tenant: each, ..sample::around() };
            let (worst, text) = sample::worst_and_text(&check(&server, &around));
            assert_eq!(worst, level, "{text}");
            assert!(text.contains(words), "{text}");
        }
    }
}
