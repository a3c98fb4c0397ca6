//! The machine, the database, the data and the command.

use crate::{
    document::{
        Block, number,
        table::{Cell, Table},
    },
    results::model::Results,
};

pub(super) fn blocks(results: &Results) -> Vec<Block> {
    let (environment, target) = (&results.environment, &results.target);
    let generator = if environment.same_machine {
        "on the server's machine, sharing its processors"
    } else {
        "on another machine, or not known to be on the same"
    };
    let facts = [
        ("Server", Some(target.url.clone())),
        ("Tenant", target.tenant.clone()),
        ("Product", target.product.clone()),
        ("Version", target.version.clone()),
        ("Commit", environment.commit.clone()),
        ("Processor", environment.cpu.clone()),
        ("Processors", environment.cores.map(|cores| cores.to_string())),
        ("Memory", environment.memory_bytes.map(|bytes| number::bytes(bytes as f64))),
        ("Operating system", environment.system.clone()),
        ("Generator", Some(format!("carrel lab {}, {generator}", results.run.lab))),
        ("Workload", Some(format!("{}, SHA-256 {}", results.workload.name, results.workload.sha256))),
    ];
    let known = facts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let records = target.records.iter().map(|(kind, count)| (kind.clone(), number::count(*count)));
    let settings = environment.postgres.iter().map(|(name, value)| (name.clone(), value.clone()));
    vec![
        Block::Table(table("Environment", "What", "Value", known)),
        Block::Table(table("Volume of data before the run", "Records", "Count", records)),
        Block::Table(table("PostgreSQL", "Setting", "Value", settings)),
        Block::Text(if results.run.command.is_empty() { String::new() } else { "The command:".to_owned() }),
        Block::Command(results.run.command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")),
    ]
}

fn table(caption: &str, what: &str, value: &str, facts: impl Iterator<Item = (String, String)>) -> Table {
    let mut table = Table::new(caption, &[what, value]);
    facts.for_each(|(name, value)| table.row(vec![Cell::text(name), Cell::text(value)]));
    table
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
