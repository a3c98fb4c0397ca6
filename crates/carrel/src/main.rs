//! Carrel: one program that runs a library. See `carrel --help` and docs/architecture.md.

mod announce;
mod cli;
mod command;
mod config;
mod config_command;
mod counters;
mod database;
mod doctor_command;
mod ead_command;
mod lab_command;
mod lab_report;
mod lab_time;
mod listeners;
mod load_command;
mod log_queue;
mod logging;
mod metrics_help;
mod open_files;
mod openapi_command;
mod progress;
mod sample_command;
mod self_checks;
mod serve;
mod stop;
mod tenant_command;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("carrel: {}", in_words(&error));
            lab_command::exit_code(&error).map_or(ExitCode::FAILURE, ExitCode::from)
        }
    }
}

/// An error and its causes without repetition: many errors include the text of their cause.
fn in_words(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| {
        let cause = cause.to_string();
        match text.contains(&cause) {
            true => text,
            false if text.is_empty() => cause,
            false => format!("{text}: {cause}"),
        }
    })
}

fn run(cli: &Cli) -> anyhow::Result<()> {
    match &cli.command {
        Command::Serve(options) => serve::run(&cli.settings, options),
        Command::Tenant(command) => tenant_command::run(&cli.settings, command),
        Command::Sample(options) => sample_command::run(&cli.settings, options),
        Command::Load(command) => load_command::run(&cli.settings, command),
        Command::Export(command) => ead_command::run_export(&cli.settings, command),
        Command::Lab(command) => lab_command::run(&cli.settings, command),
        Command::Doctor(options) => doctor_command::run(&cli.settings, options),
        Command::Openapi { paths, archives } => openapi_command::run(paths, *archives),
        Command::Config(command) => config_command::run(&cli.settings, command),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_printed_once() {
        let cause = || std::io::Error::other("no such folder");
        let hidden = anyhow::Error::new(cause()).context("cannot start");
        assert_eq!(in_words(&hidden), "cannot start: no such folder");
        let named = anyhow::Error::new(cause()).context("no such folder; make one");
        assert_eq!(in_words(&named), "no such folder; make one");
    }
}
