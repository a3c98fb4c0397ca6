//! `carrel load`: loads records of other systems into a tenant.

use std::{fmt::Write as _, path::Path};

use anyhow::bail;
use load::{
    LoadError,
    folder::{self, Listener, Refusal, Report, Summary},
};

use crate::{cli::LoadCommand, command::with_app, config::SettingFlags, ead_command};

pub fn run(flags: &SettingFlags, command: &LoadCommand) -> anyhow::Result<()> {
    let (folder, tenant) = match command {
        LoadCommand::Folio { folder, tenant } => (folder, tenant),
        LoadCommand::Ead(options) => return ead_command::run_load(flags, options),
    };
    let report = with_app(flags, |app| async move {
        let state = app.tenant(tenant).ok_or_else(|| LoadError::NoTenant(tenant.clone()))?;
        Ok(folder::load(&app, &state, folder, &mut Lines).await?)
    })?;
    print!("{}", summary(&report));
    verdict(&report, folder)
}

/// Fails if a record or file was left out.
fn verdict(report: &Report, folder: &Path) -> anyhow::Result<()> {
    match (report.read(), report.refused()) {
        (0, _) => bail!("no records were found in {}", folder.display()),
        (_, 0) if report.aside.is_empty() => Ok(()),
        (_, 0) => bail!("some folders were not loaded: they are named above"),
        (read, refused) => bail!("{refused} of {read} records were refused"),
    }
}

/// Prints the progress of the load.
struct Lines;

impl Listener for Lines {
    fn begins(&mut self, path: &str, files: usize) {
        tracing::debug!(path, files, "loading");
    }

    fn refused(&mut self, refusal: &Refusal<'_>) {
        println!("{}", line_of(refusal));
    }

    fn ends(&mut self, summary: &Summary) {
        eprintln!("{}: {} records read", summary.path, summary.read);
    }
}

fn line_of(refusal: &Refusal<'_>) -> String {
    let mut line = format!("refused {}", refusal.file.display());
    if let Some(number) = refusal.line {
        let _ = write!(line, ":{number}");
    }
    let id = refusal.id.unwrap_or("record without id");
    let _ = write!(line, " {id}: {}", refusal.reason);
    line
}

fn summary(report: &Report) -> String {
    let mut text = String::new();
    for aside in &report.aside {
        let folder = aside.folder.display();
        let _ = writeln!(text, "not loaded {folder} ({} files): {}", aside.files, aside.reason);
    }
    let width = report.summaries.iter().map(|summary| summary.path.len()).max().unwrap_or(0);
    let columns = ["read", "created", "replaced", "already there", "refused"];
    let _ = write!(text, "\n{:width$}", "");
    for column in columns {
        let _ = write!(text, "  {column:>13}");
    }
    text.push('\n');
    for summary in &report.summaries {
        let _ = write!(text, "{:width$}", summary.path);
        let Summary { read, created, replaced, already_there, refused, .. } = summary;
        for number in [read, created, replaced, already_there, refused] {
            let _ = write!(text, "  {number:>13}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use load::folder::Aside;

    use super::*;

    #[test]
    fn a_refused_record_is_named_with_its_place() {
        let mut refusal = Refusal {
            path: "/users",
            file: Path::new("export/users.ndjson"),
            line: Some(3),
            id: Some("a"),
            reason: "must not be null (title)",
        };
        assert_eq!(line_of(&refusal), "refused export/users.ndjson:3 a: must not be null (title)");
        refusal.line = None;
        refusal.id = None;
        assert_eq!(line_of(&refusal), "refused export/users.ndjson record without id: must not be null (title)");
    }

    #[test]
    fn the_summary_has_a_line_for_everything() {
        let users =
            Summary { path: "/users".into(), read: 3, created: 1, already_there: 1, refused: 1, ..Summary::default() };
        let aside = Aside { folder: "export/strange".into(), files: 2, reason: "no collection is called so" };
        let mut report = Report { summaries: vec![users], aside: vec![aside] };
        let text = summary(&report);
        assert!(text.contains("not loaded export/strange (2 files): no collection is called so"));
        let row = text.lines().last().unwrap();
        assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["/users", "3", "1", "0", "1", "1"]);
        let folder = Path::new("export");
        let words = |report: &Report| verdict(report, folder).map_err(|error| error.to_string());
        assert_eq!(words(&report), Err("1 of 3 records were refused".into()));
        report.summaries[0].refused = 0;
        let left = "some folders were not loaded: they are named above";
        assert_eq!(words(&report), Err(left.into()));
        report.aside.clear();
        assert_eq!(words(&report), Ok(()));
        report.summaries.clear();
        assert_eq!(words(&report), Err("no records were found in export".into()));
    }
}
