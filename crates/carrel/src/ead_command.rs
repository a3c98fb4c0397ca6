//! `carrel load ead` and `carrel export ead`: finding aids in and out of the archives.

use std::sync::Arc;

use anyhow::bail;
use load::{
    LoadError,
    finding_aids::{Export, Load, Report, Tell, export, load},
};

use crate::{
    cli::{ExportCommand, LoadEadOptions},
    command::with_app,
    config::SettingFlags,
    progress::Watcher,
};

pub fn run_load(flags: &SettingFlags, options: &LoadEadOptions) -> anyhow::Result<()> {
    let how = Load {
        repository: options.repository.clone(),
        tolerant: options.tolerant,
        at_once: options.at_once.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from).min(8)),
        folder: None,
    };
    let tenant = options.tenant.as_str();
    let report = with_app(flags, |app| async move {
        let state = app.tenant(tenant).ok_or_else(|| LoadError::NoTenant(tenant.to_owned()))?;
        let tell: Tell = Arc::new(|line| println!("{line}"));
        let watcher = Watcher::new();
        let loaded = load(&app, &state, &options.sources, &how, &watcher, &tell).await;
        watcher.end();
        Ok(loaded?)
    })?;
    println!("{}", summary(&report));
    match report {
        Report { loaded: 0, known: 0, refused: 0, .. } => bail!("no .xml files were found"),
        Report { refused: 0, .. } => Ok(()),
        Report { refused, .. } => bail!("files refused: {refused}; the reasons are above"),
    }
}

pub fn run_export(flags: &SettingFlags, command: &ExportCommand) -> anyhow::Result<()> {
    let ExportCommand::Ead { folder, repository, tenant, ead3, unpublished } = command;
    let what = Export { repository: repository.clone(), include_unpublished: *unpublished, ead3: *ead3 };
    let written = with_app(flags, |app| async move {
        let state = app.tenant(tenant).ok_or_else(|| LoadError::NoTenant(tenant.clone()))?;
        let watcher = Watcher::new();
        let written = export(&app, &state, folder, &what, &watcher).await;
        watcher.end();
        Ok(written?)
    })?;
    println!("finding aids written to {}: {written}", folder.display());
    Ok(())
}

fn summary(report: &Report) -> String {
    let Report { loaded, known, refused, components, repairs } = report;
    format!(
        "finding aids: {loaded} loaded (components: {components}, repairs: {repairs}), {known} already there, {refused} refused"
    )
}
