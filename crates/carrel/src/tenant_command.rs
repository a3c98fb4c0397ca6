//! `carrel tenant`: creates, lists and deletes tenants.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::bail;
use api::{
    first_users,
    platform::{self, FirstUser},
};

use crate::{
    cli::TenantCommand,
    command::{in_words, with_app},
    config::SettingFlags,
};

pub fn run(flags: &SettingFlags, command: &TenantCommand) -> anyhow::Result<()> {
    match command {
        TenantCommand::Create { id, name, admin, without_reference_data } => {
            let username = admin.clone().unwrap_or_else(|| format!("{id}_admin"));
            let name = name.as_deref().unwrap_or(id);
            create(flags, id, name, &username, !without_reference_data)
        }
        TenantCommand::List => list(flags),
        TenantCommand::Delete { id, yes } => delete(flags, id, *yes),
    }
}

fn create(flags: &SettingFlags, id: &str, name: &str, username: &str, load_reference: bool) -> anyhow::Result<()> {
    let first = FirstUser { username, password: None, of_the_platform: false };
    let (password, of_archives) = with_app(flags, |app| async move {
        let created = platform::create_library(&app, id, name, &first, load_reference, false).await;
        let password = created.map_err(in_words)?;
        let of_archives = app.settings.archives_admin_password.as_deref();
        if let Some(tenant) = app.tenant(id) {
            first_users::enter_first_users(&app, &tenant, of_archives).await.map_err(in_words)?;
        }
        Ok((password, of_archives.is_some()))
    })?;
    println!("Tenant {id} is created.");
    println!("Administrator: {username}");
    println!("Password:      {password}");
    println!("The password is shown this once; change it after the first sign-in.");
    if of_archives {
        println!("In the archives also: admin, with the password of archives_admin_password.");
    }
    Ok(())
}

fn list(flags: &SettingFlags) -> anyhow::Result<()> {
    let tenants = with_app(flags, |app| async move { Ok(store::tenants::list(&app.database).await?) })?;
    let width = tenants.iter().map(|tenant| tenant.id.len()).max().unwrap_or_default();
    for tenant in tenants {
        println!("{:width$}  {}  ({} modules)", tenant.id, tenant.name, tenant.modules.len());
    }
    Ok(())
}

fn delete(flags: &SettingFlags, id: &str, yes: bool) -> anyhow::Result<()> {
    if id == platform::SUPERTENANT {
        bail!("Can not delete the superTenant {id}");
    }
    if !yes && !confirmed(id)? {
        bail!("nothing was deleted");
    }
    let found = with_app(flags, |app| async move { platform::delete_tenant(&app, id).await.map_err(in_words) })?;
    if !found {
        bail!("there is no tenant {id}; `carrel tenant list` shows those there are");
    }
    println!("Tenant {id} is deleted.");
    Ok(())
}

/// Asks for confirmation; scripts must pass `--yes`.
fn confirmed(id: &str) -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() {
        bail!("deleting {id} removes everything it has; say --yes to do it without being asked");
    }
    print!("This removes the tenant {id} with everything it has. Type its id to go on: ");
    std::io::stdout().flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(answer.trim() == id)
}
