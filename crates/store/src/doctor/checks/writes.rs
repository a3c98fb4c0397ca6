//! Whether the database accepts changes.

use crate::doctor::{
    facts::Server,
    finding::{Finding, Level},
};

const CHECK: &str = "writes";

pub fn check(server: &Server) -> Vec<Finding> {
    let (text, advice) = if server.setting("in_hot_standby") == "on" {
        (
            "The database is a standby of another server",
            "name the primary in database_url, or every server of the cluster, with \
             target_session_attrs=read-write; if the primary is lost, promote this one (SELECT pg_promote())",
        )
    } else if server.setting("default_transaction_read_only") == "on" {
        (
            "The database is set to take no changes",
            "find out why, then ALTER SYSTEM RESET default_transaction_read_only; SELECT pg_reload_conf()",
        )
    } else {
        return vec![Finding::ok(CHECK, "The database takes changes")];
    };
    let finding = Finding::new(CHECK, Level::Fail, text)
        .because("Nothing can be checked out, checked in or changed")
        .command(advice);
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::{
        checks::sample,
        facts::{Server, Setting},
    };

    fn with(name: &str) -> Server {
        let mut server = sample::server();
        let (value, unit) = ("on".to_owned(), None);
        server.settings.insert(name.to_owned(), Setting { value, unit });
        server
    }

    #[test]
    fn a_database_must_take_changes() {
        assert_eq!(sample::worst_and_text(&check(&sample::server())).0, Level::Ok);
        for (setting, words) in
            [("in_hot_standby", "pg_promote"), ("default_transaction_read_only", "ALTER SYSTEM RESET")]
        {
            let (level, text) = sample::worst_and_text(&check(&with(setting)));
            assert_eq!(level, Level::Fail);
            assert!(text.contains(words), "{text}");
        }
    }
}
