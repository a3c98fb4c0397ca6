//! The command line: the subcommands, and a flag for every setting.

use clap::{Args, Parser, Subcommand};

use crate::{config::SettingFlags, lab_command::LabCommand};

/// Runs a library: its catalogue, its patrons, its check-out desk.
#[derive(Debug, Parser)]
#[command(name = "carrel", version, max_term_width = 100)]
pub struct Cli {
    /// Settings given as flags.
    #[command(flatten)]
    pub settings: SettingFlags,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What Carrel can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the FOLIO API and the staff pages until it is told to stop.
    Serve(ServeOptions),
    /// Create, list and delete tenants: the libraries of this installation.
    #[command(subcommand)]
    Tenant(TenantCommand),
    /// Create a sample library: titles, items, patrons, loans and a desk that is set up. Its
    /// administrator's password is known to everybody. Not for a library of your own.
    Sample(SampleOptions),
    /// Load records from elsewhere.
    #[command(subcommand)]
    Load(LoadCommand),
    /// The performance lab: measure any server that speaks FOLIO's or ArchivesSpace's API.
    #[command(subcommand)]
    Lab(LabCommand),
    /// Examine this installation: what should be fixed, why, and how. Works beside a running Carrel, too.
    /// Exit code 1 when something must be fixed.
    Doctor(DoctorOptions),
    /// Print the OpenAPI document of the FOLIO API.
    Openapi {
        /// Only these paths; all of them when there is none.
        #[arg(long = "path")]
        paths: Vec<String>,
    },
    /// Show the settings.
    #[command(subcommand)]
    Config(ConfigCommand),
}

/// What to do with tenants. Works beside a running Carrel, too.
#[derive(Debug, Subcommand)]
pub enum TenantCommand {
    /// Create a library with every module and an administrator, whose password is printed once.
    Create {
        /// Id: a small letter, then small letters and digits, at most 31 in all.
        id: String,
        /// Name of the library; the id when there is none.
        #[arg(long)]
        name: Option<String>,
        /// User name of the administrator; `<id>_admin` when there is none.
        #[arg(long)]
        admin: Option<String>,
        /// Start without FOLIO's reference data (material types, patron groups, …).
        #[arg(long)]
        without_reference_data: bool,
    },
    /// List the tenants.
    List,
    /// Delete a tenant with everything it has.
    Delete {
        /// Its id.
        id: String,
        /// Do not ask.
        #[arg(long)]
        yes: bool,
    },
}

/// Barcodes have room for so many.
const MOST_RECORDS: i64 = 90_000_000;

/// What the sample library is like.
#[derive(Debug, Args)]
pub struct SampleOptions {
    /// How many instances (titles); five for eight items when not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_RECORDS))]
    pub instances: Option<u32>,
    /// How many items; 8000 when no number is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=MOST_RECORDS))]
    pub items: Option<u32>,
    /// How many patrons; one for eight items when not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=MOST_RECORDS))]
    pub users: Option<u32>,
    /// Another seed makes another library; the same seed makes the same one again.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Id of the tenant; its administrator is `<id>_admin`.
    #[arg(long, value_name = "ID", default_value = "diku")]
    pub tenant: String,
    /// Remove the tenant with everything it has, if it is there, and make it anew.
    #[arg(long)]
    pub replace: bool,
}

/// What to load.
#[derive(Debug, Subcommand)]
pub enum LoadCommand {
    /// Load a folder of FOLIO's JSON records: a folder for each collection, with one record in a
    /// file, lists of them, or one on each line (.ndjson, .jsonl). Each record is checked as if it
    /// was posted; those that are refused are named with the reason, and the exit code is then 1.
    Folio {
        /// The folder.
        #[arg(value_name = "DIR")]
        folder: std::path::PathBuf,
        /// Id of the tenant.
        #[arg(long, value_name = "ID", default_value = "diku")]
        tenant: String,
    },
}

/// What `carrel serve` does beside serving.
#[derive(Debug, Args)]
pub struct ServeOptions {
    /// First create a sample library, tenant diku with the administrator diku_admin and the
    /// well-known password admin, unless it is there. Not for a library of your own.
    #[arg(long, help_heading = None)]
    pub sample: bool,
}

/// How to examine the installation.
#[derive(Debug, Args)]
pub struct DoctorOptions {
    /// Print the findings as JSON.
    #[arg(long)]
    pub json: bool,
    /// First count the loans and debts of all patrons of this tenant again. Its desk goes on meanwhile.
    #[arg(long, value_name = "TENANT")]
    pub repair_counters: Option<String>,
}

/// What to show of the settings.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum ConfigCommand {
    /// The settings that apply, and where each is from. Secrets are masked.
    Print,
    /// Every setting with its default, as a file to start from.
    Default,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn settings_are_flags_of_every_subcommand() {
        let cli = Cli::try_parse_from([
            "carrel",
            "serve",
            "--sample",
            "--data-dir",
            "/var/lib/carrel",
            "--allow-open-tenants",
            "--legacy-tokens=false",
        ]);
        let cli = cli.expect("valid");
        let given = |name| cli.settings.given.get(name).map(String::as_str);
        assert!(matches!(
            cli.command,
            Command::Serve(ServeOptions { sample: true })
        ));
        assert_eq!(given("data_dir"), Some("/var/lib/carrel"));
        assert_eq!(given("allow_open_tenants"), Some("true"));
        assert_eq!(given("legacy_tokens"), Some("false"));
        assert_eq!(given("log_level"), None);
    }
}
