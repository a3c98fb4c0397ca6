//! The command line: the subcommands, and a flag for every setting.

use clap::{Args, Parser, Subcommand};

use crate::{config::SettingFlags, lab_command::LabCommand};

/// Runs a library: its inventory, its patrons, its check-out desk.
#[derive(Debug, Parser)]
#[command(name = "carrel", version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    pub settings: SettingFlags,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the FOLIO API and the staff pages until stopped.
    Serve(ServeOptions),
    /// Create, list and delete tenants: the libraries of this installation.
    #[command(subcommand)]
    Tenant(TenantCommand),
    /// Create a sample library: titles, items, patrons, loans and a configured desk; archives with collections, boxes and
    /// digital objects. Its administrators' passwords are publicly known. Not for a library of your own.
    Sample(SampleOptions),
    /// Load records from other systems.
    #[command(subcommand)]
    Load(LoadCommand),
    /// Write records to files.
    #[command(subcommand)]
    Export(ExportCommand),
    /// The performance lab: measure any server that speaks FOLIO's or ArchivesSpace's API.
    #[command(subcommand)]
    Lab(LabCommand),
    /// Examine this installation: what to fix, why, and how. Also works beside a running Carrel. Exit code 1 if
    /// something must be fixed.
    Doctor(DoctorOptions),
    /// Print the OpenAPI document of the FOLIO API, or of the archives' API.
    Openapi {
        /// Only these paths; by default all.
        #[arg(long = "path")]
        paths: Vec<String>,
        /// The archives' API, all of it.
        #[arg(long, conflicts_with = "paths")]
        archives: bool,
    },
    /// Show the settings.
    #[command(subcommand)]
    Config(ConfigCommand),
}

/// What to do with tenants. Also works beside a running Carrel.
#[derive(Debug, Subcommand)]
pub enum TenantCommand {
    /// Create a library with every module and an administrator, whose password is printed once.
    Create {
        /// Id: a lower-case letter, followed by lower-case letters and digits, at most 31 characters.
        id: String,
        /// Name of the library; by default the id.
        #[arg(long)]
        name: Option<String>,
        /// User name of the administrator; by default `<id>_admin`.
        #[arg(long)]
        admin: Option<String>,
        /// Start without FOLIO's reference data (material types, patron groups, …).
        #[arg(long)]
        without_reference_data: bool,
    },
    /// List the tenants.
    List,
    /// Delete a tenant with all its data.
    Delete {
        /// Its id.
        id: String,
        /// Do not ask for confirmation.
        #[arg(long)]
        yes: bool,
    },
}

/// Barcodes have room for this many.
const MOST_RECORDS: i64 = 90_000_000;

/// Barcodes of boxes have room for this many collections.
const MOST_COLLECTIONS: i64 = 90_000;
/// An import has at most five million records, boxes among them.
const MOST_COMPONENTS: i64 = 4_000_000;

/// Properties of the sample library.
#[derive(Debug, Args)]
pub struct SampleOptions {
    /// Number of instances (titles); by default five for eight items.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_RECORDS))]
    pub instances: Option<u32>,
    /// Number of items; 8000 if no number is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=MOST_RECORDS))]
    pub items: Option<u32>,
    /// Number of patrons; by default one for eight items.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=MOST_RECORDS))]
    pub users: Option<u32>,
    /// Number of collections in the archives; 20 by default, none with 0.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=MOST_COLLECTIONS))]
    pub resources: Option<u32>,
    /// Number of components of all collections together; 5000 by default. The first has a fifth of them.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=MOST_COMPONENTS))]
    pub components: Option<u32>,
    /// The same seed makes the same library again, another seed a different one.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Id of the tenant; its administrator is `<id>_admin`.
    #[arg(long, value_name = "ID", default_value = "diku")]
    pub tenant: String,
    /// If the tenant exists, delete it with all its data and create it again.
    #[arg(long)]
    pub replace: bool,
}

/// What to load.
#[derive(Debug, Subcommand)]
pub enum LoadCommand {
    /// Load a folder of FOLIO's JSON records: a subfolder for each collection, with one record per file, lists of
    /// records, or one per line (.ndjson, .jsonl). Each record is checked as if it was posted; refused ones are
    /// reported with the reason, and the exit code is then 1.
    Folio {
        /// The folder.
        #[arg(value_name = "DIR")]
        folder: std::path::PathBuf,
        /// Id of the tenant.
        #[arg(long, value_name = "ID", default_value = "diku")]
        tenant: String,
    },
    /// Load finding aids in EAD 2002 or EAD3 into a repository of the archives. Each file is loaded whole or not at all; a
    /// file that was loaded before is passed over, so an interrupted load can be repeated. Refused files are reported with
    /// line and reason, and the exit code is then 1.
    Ead(LoadEadOptions),
}

/// Options of `carrel load ead`.
#[derive(Debug, Args)]
pub struct LoadEadOptions {
    /// Files, and folders with .xml files.
    #[arg(value_name = "DIR|FILE", required = true)]
    pub sources: Vec<std::path::PathBuf>,
    /// Code of the repository.
    #[arg(long, value_name = "CODE")]
    pub repository: String,
    /// Id of the tenant.
    #[arg(long, value_name = "ID", default_value = "diku")]
    pub tenant: String,
    /// Put right what breaks a rule instead of refusing the file, and list each repair.
    #[arg(long)]
    pub tolerant: bool,
    /// Files to load at the same time; by default one for each processor, at most 8.
    #[arg(long, value_name = "N")]
    pub at_once: Option<usize>,
}

/// What to write.
#[derive(Debug, Subcommand)]
pub enum ExportCommand {
    /// Write the finding aids of a repository of the archives as EAD, a file for each resource.
    Ead {
        /// The folder; made if missing.
        #[arg(value_name = "DIR")]
        folder: std::path::PathBuf,
        /// Code of the repository.
        #[arg(long, value_name = "CODE")]
        repository: String,
        /// Id of the tenant.
        #[arg(long, value_name = "ID", default_value = "diku")]
        tenant: String,
        /// EAD3 instead of EAD 2002.
        #[arg(long)]
        ead3: bool,
        /// Also what is not published.
        #[arg(long)]
        unpublished: bool,
    },
}

/// Options of `carrel serve`.
#[derive(Debug, Args)]
pub struct ServeOptions {
    /// First create a sample library, unless it exists: tenant diku with the administrator diku_admin and the publicly
    /// known password admin, and in its archives the user admin with the same. Not for a library of your own.
    #[arg(long, help_heading = None)]
    pub sample: bool,
}

/// Options of `carrel doctor`.
#[derive(Debug, Args)]
pub struct DoctorOptions {
    /// Print the findings as JSON.
    #[arg(long)]
    pub json: bool,
    /// First recount the loans and debts of all patrons of this tenant, while its desk keeps working.
    #[arg(long, value_name = "TENANT")]
    pub repair_counters: Option<String>,
    /// First derive the columns that the desk finds records by from the records again, where they differ.
    #[arg(long, value_name = "TENANT")]
    pub repair_columns: Option<String>,
}

/// Which settings to show.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum ConfigCommand {
    /// The current settings, and where each comes from. Secrets are masked.
    Print,
    /// All settings with their defaults, as a file to start from.
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
        assert!(matches!(cli.command, Command::Serve(ServeOptions { sample: true })));
        assert_eq!(given("data_dir"), Some("/var/lib/carrel"));
        assert_eq!(given("allow_open_tenants"), Some("true"));
        assert_eq!(given("legacy_tokens"), Some("false"));
        assert_eq!(given("log_level"), None);
    }
}
