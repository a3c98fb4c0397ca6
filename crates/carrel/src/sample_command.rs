//! `carrel sample`: creates a sample library of any size, and the one for `carrel serve --sample`.

use std::sync::Arc;

use anyhow::bail;
use api::app::App;
use jiff::Timestamp;
use load::library::{Administrator, Found, complete, create, find};
use sample::Plan;

use crate::{cli::SampleOptions, command::with_app, config::SettingFlags, progress::Watcher};

/// The tenant of FOLIO's own sample installations.
const TENANT: &str = "diku";

pub fn run(flags: &SettingFlags, options: &SampleOptions) -> anyhow::Result<()> {
    let plan = plan(options, Timestamp::now());
    let tenant = options.tenant.as_str();
    with_app(flags, |app| async move {
        if find(&app, tenant) == Found::Tenant && !options.replace {
            bail!(
                "there is a tenant {tenant} already. --replace removes it with everything it has; \
                 --tenant makes the sample library under another id"
            );
        }
        make(&app, tenant, plan, options.replace).await
    })
}

/// Creates the standard sample library unless its tenant exists; one that was made before there were archives gets them.
pub async fn ensure(app: &Arc<App>) -> anyhow::Result<()> {
    match find(app, TENANT) {
        Found::Tenant => {
            let watcher = Watcher::new();
            let completed = complete(app, TENANT, Plan::standard((app.clock)()), &watcher).await;
            watcher.end();
            Ok(completed?)
        }
        _ => make(app, TENANT, Plan::standard((app.clock)()), false).await,
    }
}

async fn make(app: &Arc<App>, tenant: &str, plan: Plan, replace: bool) -> anyhow::Result<()> {
    let administrator = Administrator::of(tenant);
    let watcher = Watcher::new();
    let made = create(app, tenant, &administrator, plan, replace, &watcher).await;
    watcher.end();
    made?;
    eprint!("{}", summary(tenant, &administrator, plan));
    Ok(())
}

fn summary(tenant: &str, administrator: &Administrator, plan: Plan) -> String {
    let Administrator { username, password } = administrator;
    format!(
        "\nSample library: tenant {tenant}, {} instances, {} items, {} patrons (seed {})\n\
         Sign in as {username} with the password {password}\n\
         Archives: {} collections, {} components; sign in as admin with the password admin\n\n\
         WARNING: INSECURE. These passwords are publicly known, and both users may do everything there.\n\
         Do not keep real patrons here, and do not let this server be reached from outside.\n\n",
        plan.instances, plan.items, plan.users, plan.seed, plan.resources, plan.components
    )
}

/// Derives missing numbers from the given ones: eight items for five instances and for one patron.
fn plan(options: &SampleOptions, now: Timestamp) -> Plan {
    let standard = Plan::standard(now);
    let of = |number: u32, numerator: u64, denominator: u64| {
        let share = u64::from(number) * numerator / denominator;
        u32::try_from(share).unwrap_or(u32::MAX).max(1)
    };
    let items = match (options.items, options.instances) {
        (Some(items), _) => items,
        (None, Some(instances)) => of(instances, 8, 5),
        (None, None) => standard.items,
    };
    Plan {
        seed: options.seed,
        instances: options.instances.unwrap_or_else(|| of(items, 5, 8)),
        items,
        users: options.users.unwrap_or_else(|| of(items, 1, 8)),
        resources: options.resources.unwrap_or(standard.resources),
        components: options.components.unwrap_or(standard.components),
        now,
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Command};

    fn planned(arguments: &[&str]) -> (u32, u32, u32) {
        let cli = Cli::try_parse_from([&["carrel", "sample"], arguments].concat()).expect("valid");
        let Command::Sample(options) = cli.command else { panic!("another command") };
        let plan = plan(&options, Timestamp::UNIX_EPOCH);
        (plan.instances, plan.items, plan.users)
    }

    #[test]
    fn missing_numbers_follow_from_the_given_ones() {
        assert_eq!(planned(&[]), (5_000, 8_000, 1_000));
        assert_eq!(planned(&["--items", "1000000"]), (625_000, 1_000_000, 125_000));
        assert_eq!(planned(&["--instances", "50"]), (50, 80, 10));
        assert_eq!(planned(&["--items=3", "--instances=1", "--users=0"]), (1, 3, 0));
        assert_eq!(planned(&["--items=0"]), (1, 0, 1));
    }

    #[test]
    fn the_password_is_called_insecure() {
        let plan = Plan::standard(Timestamp::UNIX_EPOCH);
        let text = summary("diku", &Administrator::of("diku"), plan);
        for part in ["diku_admin", "password admin", "INSECURE", "8000 items", "20 collections"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
