//! `carrel doctor`: what to fix in this installation.

use std::{fmt::Write as _, io::Write as _};

use anyhow::{Context, bail};
use jiff::Timestamp;
use store::{
    Database,
    db::Address,
    doctor::{
        self, disk,
        facts::Surroundings,
        finding::{Finding, Level, Report},
    },
    embedded::Embedded,
    tenants,
};

use crate::{
    cli::DoctorOptions,
    config::{Config, SettingFlags},
    database::DatabaseServer,
    logging,
};

/// The doctor's statements run one after the other.
const CONNECTIONS: usize = 1;

/// Runs the checks, prints the findings, and fails if something must be fixed.
pub fn run(flags: &SettingFlags, options: &DoctorOptions) -> anyhow::Result<()> {
    let (config, _) = Config::load(flags)?;
    logging::start(&config)?;
    let own = config.database_url.is_none();
    if own && !config.data_dir.join("postgres").is_dir() {
        bail!(
            "there is no database in {} to examine; name the right data_dir, or start Carrel first",
            config.data_dir.display()
        );
    }
    let runtime = tokio::runtime::Runtime::new().context("cannot start the threads")?;
    let report = runtime.block_on(async {
        let server = match DatabaseServer::open_to_examine(&config).await {
            Ok(server) => server,
            // The disk may be full: then the findings are about that.
            Err(error) => {
                let around = surroundings(&config, own);
                return Ok(doctor::without_database(&format!("{error:#}"), &around));
            }
        };
        let examined = examine(&config, &server.address(), options).await;
        server.close().await;
        examined
    })?;
    let text = if options.json {
        serde_json::to_string_pretty(&report)? + "\n"
    } else {
        in_words(&report, &psql_command(&config))
    };
    // A reader may close the pipe early.
    let _ = std::io::stdout().write_all(text.as_bytes());
    if report.must_be_fixed() {
        bail!("{} must be fixed", things(report.count(Level::Fail)));
    }
    Ok(())
}

async fn examine(config: &Config, address: &Address, options: &DoctorOptions) -> anyhow::Result<Report> {
    let database = Database::at(address.clone(), CONNECTIONS);
    let collections = api::folio::all_collections();
    let collections: Vec<_> = collections.iter().map(|one| (**one).clone()).collect();
    for tenant in [&options.repair_counters, &options.repair_columns].into_iter().flatten() {
        if tenants::find(&database, tenant).await?.is_none() {
            bail!("there is no tenant {tenant}; `carrel tenant list` shows those there are");
        }
    }
    if let Some(tenant) = &options.repair_columns {
        doctor::repair::plain_columns(&database, &collections, tenant).await?;
    }
    if let Some(tenant) = &options.repair_counters {
        doctor::repair::patron_counters(&database, tenant).await?;
    }
    let own = config.database_url.is_none();
    let around = surroundings(config, own || is_here(address));
    let mut report = doctor::examine(&database, &collections, &around, &Timestamp::now).await;
    let (directory, chosen) = (config.data_dir.join("search"), config.archives_tenant.as_deref());
    let with_archives = config.archives_listen.is_some();
    report.findings.extend(api::indexes::examine(&database, &directory, with_archives, chosen).await);
    Ok(Report::new(report.findings))
}

/// Facts from outside the database, which may be on this machine.
fn surroundings(config: &Config, is_here: bool) -> Surroundings {
    let own = config.database_url.is_none();
    Surroundings {
        memory: is_here.then(disk::memory),
        connections_of_a_tenant: config.database_tenant_connections,
        disk: own.then(|| disk::measure(&config.data_dir)).flatten(),
    }
}

/// Whether the database's host name is this machine.
fn is_here(address: &Address) -> bool {
    let place = address.place();
    ["/", "localhost:", "127.", "::1:", "[::1]"].iter().any(|here| place.starts_with(here))
}

/// The command that runs SQL on the database.
fn psql_command(config: &Config) -> String {
    match &config.database_url {
        Some(url) => {
            let place = Address::from_url(url.reveal()).map(|address| address.place());
            format!("psql with your database_url ({})", place.unwrap_or_default())
        }
        None => {
            let beside = Address::plain(Embedded::beside(&config.data_dir)).place();
            format!(
                "psql -h {beside} -U carrel carrel    (while Carrel runs, as root or the account PostgreSQL runs as)"
            )
        }
    }
}

/// The findings for people, the worst last, where the reader starts.
fn in_words(report: &Report, psql_command: &str) -> String {
    let mut findings: Vec<&Finding> = report.findings.iter().collect();
    findings.sort_by_key(|finding| finding.level);
    let mut text = String::new();
    let width = findings.iter().map(|finding| looked_at(finding).chars().count()).max();
    for finding in &findings {
        tell(&mut text, finding, width.unwrap_or_default());
    }
    if findings.iter().any(|finding| finding.sql.is_some()) {
        let _ = writeln!(text, "\nLines with sql are for {psql_command}");
    }
    let (warn, fail) = (report.count(Level::Warn), report.count(Level::Fail));
    let _ = match (fail, warn) {
        (0, 0) => writeln!(text, "\nAll is well."),
        (0, warn) => writeln!(text, "\nNothing must be fixed; {} could be better.", things(warn)),
        (fail, warn) => {
            writeln!(text, "\n{} must be fixed, {} could be better.", things(fail), things(warn))
        }
    };
    text
}

/// The name of the check, with its tenant.
fn looked_at(finding: &Finding) -> String {
    let of = finding.tenant.as_ref();
    of.map_or_else(|| finding.check.to_owned(), |tenant| format!("{} ({tenant})", finding.check))
}

fn tell(text: &mut String, finding: &Finding, width: usize) {
    let (level, check) = (finding.level.name(), looked_at(finding));
    // Writing to a String does not fail.
    let _ = writeln!(text, "{level:4}  {check:width$}  {}", finding.finding);
    let more = [("why", &finding.reason), ("do", &finding.command), ("sql", &finding.sql)];
    for (label, line) in more.into_iter().filter_map(|(label, line)| Some((label, line.as_ref()?))) {
        let _ = writeln!(text, "          {label:3}  {line}");
    }
}

fn things(count: usize) -> String {
    match count {
        1 => "1 thing".to_owned(),
        count => format!("{count} things"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_finding_reason_and_advice() {
        let findings = vec![
            Finding::new("settings", Level::Fail, "fsync is off")
                .because("A power cut destroys the database")
                .sql("ALTER SYSTEM SET fsync = 'on';"),
            Finding::ok("clock", "The clocks agree"),
            Finding::new("bloat", Level::Warn, "Dead rows").of_schema("t_diku"),
        ];
        let text = in_words(&Report::new(findings), "psql");
        assert_eq!(
            text,
            "ok    clock         The clocks agree\n\
             warn  bloat (diku)  Dead rows\n\
             fail  settings      fsync is off\n          \
             why  A power cut destroys the database\n          \
             sql  ALTER SYSTEM SET fsync = 'on';\n\n\
             Lines with sql are for psql\n\n\
             1 thing must be fixed, 1 thing could be better.\n"
        );
        let well = in_words(&Report::new(vec![Finding::ok("clock", "fine")]), "psql");
        assert!(well.ends_with("\nAll is well.\n") && !well.contains("psql"), "{well}");
    }
}
