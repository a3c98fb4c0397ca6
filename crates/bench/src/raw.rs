//! The same writes without Carrel: pgbench makes them with the statement that writes an ordinary check-out or check-in,
//! or statement by statement, as a program without such statements would.

use std::{
    io::Write,
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context, bail};

use crate::{desk::Desk, process::Carrel};

/// What the desk writes an ordinary check-out and check-in with, and the types of the parameters.
const WRITES: [(&str, &str, &str); 2] = [
    (
        "bench_write_check_out",
        "uuid, text, jsonb, uuid, jsonb, uuid, uuid, int, uuid, uuid, text, uuid, jsonb, boolean, text, text, uuid, text, \
         uuid, uuid, uuid, uuid, uuid",
        include_str!("../../store/queries/circulation/check_out.sql"),
    ),
    (
        "bench_write_check_in",
        "uuid, text, jsonb, uuid, text, text, text, uuid, uuid, uuid, text, uuid, uuid, jsonb, text, jsonb, text[], \
         uuid, uuid, text, uuid, text",
        include_str!("../../store/queries/circulation/check_in.sql"),
    ),
];
const FUNCTIONS: &str = include_str!("pairs.sql");
const STATEMENTS: &str = include_str!("statements.sql");
/// Pairs of item and patron for each pgbench client.
const PAIRS: usize = 100;

/// Prepares pairs of item and patron, taken from the end, so that Carrel's clients use others.
pub fn prepare(carrel: &Carrel, desk: &Desk) -> anyhow::Result<()> {
    let mut sql = String::from(
        "SET search_path = t_diku, carrel; DROP TABLE IF EXISTS bench_pair CASCADE;
         CREATE TABLE bench_pair (n int PRIMARY KEY, item uuid NOT NULL, patron uuid NOT NULL);
         INSERT INTO bench_pair VALUES ",
    );
    let items = desk.items.iter().rev().zip(desk.patrons.iter().cycle()).take(60 * PAIRS);
    let rows: Vec<_> =
        items.enumerate().map(|(n, ((item, _), (patron, _)))| format!("({n}, '{item}', '{patron}')")).collect();
    sql.push_str(&rows.join(","));
    sql.push_str(";\nINSERT INTO patron_counters (user_id) SELECT patron FROM bench_pair ON CONFLICT DO NOTHING;\n");
    // In PL/pgSQL, which keeps the plan.
    for (name, parameters, statement) in WRITES {
        sql.push_str(&format!(
            "CREATE OR REPLACE FUNCTION {name}({parameters}) RETURNS void LANGUAGE plpgsql AS $$
             DECLARE done record; BEGIN FOR done IN {statement} LOOP NULL; END LOOP; END $$;\n"
        ));
    }
    sql.push_str(FUNCTIONS);
    run(carrel, &sql)
}

/// Runs statements.
pub fn run(carrel: &Carrel, sql: &str) -> anyhow::Result<()> {
    let mut psql = command("psql", carrel).args(["-q", "-v", "ON_ERROR_STOP=1"]).stdin(Stdio::piped()).spawn()?;
    psql.stdin.take().context("no input")?.write_all(sql.as_bytes())?;
    if !psql.wait()?.success() {
        bail!("the statements were refused");
    }
    Ok(())
}

/// The number that a statement returns.
pub fn number(carrel: &Carrel, sql: &str) -> anyhow::Result<i64> {
    text(carrel, sql)?.parse().context("no number")
}

/// The text that a statement returns.
pub fn text(carrel: &Carrel, sql: &str) -> anyhow::Result<String> {
    let output = command("psql", carrel).args(["-Atqc", sql]).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// How pgbench writes.
#[derive(Clone, Copy)]
pub enum Way {
    /// One statement for a check-out, one for a check-in.
    OneCall,
    /// A transaction of plain statements for each.
    Statements,
}

/// Check-outs and check-ins per second.
pub fn rate(carrel: &Carrel, way: Way, clients: usize, time: Duration) -> anyhow::Result<f64> {
    let writes = match way {
        Way::OneCall => "SELECT bench_check_out(:n);\nSELECT bench_check_in(:n);\n",
        Way::Statements => STATEMENTS,
    };
    let script = format!("\\set n :client_id * {PAIRS} + random(0, {})\n{writes}", PAIRS - 1);
    let file = carrel.data.join("pair.pgbench");
    std::fs::write(&file, script)?;
    let output = command("pgbench", carrel)
        .args(["-n", "-M", "prepared", "-c", &clients.to_string(), "-j", "2"])
        .args(["-T", &time.as_secs().to_string(), "-f"])
        .arg(&file)
        .output()
        .context("pgbench is missing: apt install postgresql-contrib")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let tps = text.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse::<f64>().ok());
    match tps {
        Some(tps) => Ok(tps * 2.0),
        None => bail!("pgbench: {text}{}", String::from_utf8_lossy(&output.stderr)),
    }
}

fn command(program: &str, carrel: &Carrel) -> Command {
    let mut command = Command::new(program);
    command
        .arg("-h")
        .arg(carrel.data.join("run"))
        .args(["-U", "carrel"])
        .env("PGDATABASE", "carrel")
        .env("PGOPTIONS", "-c search_path=t_diku,carrel -c jit=off");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_statement_has_a_type_for_each_parameter() {
        for (name, types, statement) in WRITES {
            let numbers = statement.split('$').skip(1).map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
            let last = numbers.filter_map(|digits| digits?.parse::<usize>().ok()).max();
            assert_eq!(last, Some(types.split(", ").count()), "{name}");
        }
    }
}
