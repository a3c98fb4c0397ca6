//! The command line: the subcommands, and a flag for every setting.

use clap::{Args, Parser, Subcommand};

use crate::config::SettingFlags;

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
    /// Print the OpenAPI document of the FOLIO API.
    Openapi,
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

/// What `carrel serve` does beside serving.
#[derive(Debug, Args)]
pub struct ServeOptions {
    /// First create a sample library, tenant diku with the administrator diku_admin and the
    /// well-known password admin, unless it is there. Not for a library of your own.
    #[arg(long, help_heading = None)]
    pub sample: bool,
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
