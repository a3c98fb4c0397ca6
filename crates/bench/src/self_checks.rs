//! Self-checks: many terminals at once, each checking items out and in, first alone and then beside misbehaving
//! terminals, which must change nothing.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use lab::results::histogram::Latencies;
use sip2::{Dialect, Kind, Message, Part, Trailer, field};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinHandle,
};

use crate::{
    desk::{Desk, Measured, SERVICE_POINT, per_second, share},
    process::Carrel,
};

/// Number of misbehaving terminals of each kind.
const BAD: usize = 25;
/// How often a misbehaving terminal sends something.
const NUISANCE: Duration = Duration::from_millis(100);
/// How often one connects and leaves: the machine must not run out of ports.
const VISIT: Duration = Duration::from_millis(200);

/// Measures `terminals` at once, for `time` alone and for `time` beside misbehaving ones.
pub async fn measure(carrel: &Carrel, desk: &Desk, terminals: usize, time: Duration) -> anyhow::Result<()> {
    ensure!(
        desk.items.len() >= terminals && desk.patrons.len() >= terminals,
        "the library is too small for {terminals} terminals"
    );
    let began = Instant::now();
    let mut connected = Vec::new();
    for _ in 0..terminals {
        connected.push(Terminal::sign_in(carrel.sip2).await?);
    }
    println!("\n{terminals} terminals signed in one after the other in {:.1} s\n", began.elapsed().as_secs_f64());
    println!("| terminals | beside them | transaction | p50 ms | p95 ms | p99 ms | per second |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let connected = part(carrel, desk, connected, "none", time).await?;
    let nuisances = nuisances(carrel.sip2);
    let name = format!("{} bad terminals", nuisances.len());
    part(carrel, desk, connected, &name, time).await?;
    nuisances.iter().for_each(JoinHandle::abort);
    Ok(())
}

async fn part(
    carrel: &Carrel,
    desk: &Desk,
    terminals: Vec<Terminal>,
    beside: &str,
    time: Duration,
) -> anyhow::Result<Vec<Terminal>> {
    let number = terminals.len();
    carrel.usage().await?;
    let mut working = Vec::new();
    for (place, terminal) in terminals.into_iter().enumerate() {
        let items = share(&desk.items, place, number);
        let patrons = share(&desk.patrons, place, number);
        working.push(tokio::spawn(work(terminal, items, patrons, time)));
    }
    let mut terminals = Vec::new();
    let mut all = Measured::over(time);
    for one in working {
        let (terminal, measured) = one.await??;
        terminals.push(terminal);
        all.merge(&measured);
    }
    let usage = carrel.usage().await?;
    let row = |what: &str, latencies: &Latencies| {
        println!(
            "| {number} | {beside} | {what} | {:.0} | {:.0} | {:.0} | {:.0} |",
            latencies.quantile_ms(0.5),
            latencies.quantile_ms(0.95),
            latencies.quantile_ms(0.99),
            per_second(latencies.count(), time)
        );
    };
    row("check-out", &all.check_out);
    row("check-in", &all.check_in);
    println!("| {number} | {beside} | both | | | | {:.0} |", all.rate());
    println!(
        "\n{:.0} transactions in a core-second of Carrel; {} refused; {:.0} MB\n",
        all.rate() / usage.cores.max(0.01),
        all.refused,
        usage.megabytes
    );
    Ok(terminals)
}

async fn work(
    mut terminal: Terminal,
    items: Vec<String>,
    mut patrons: Vec<String>,
    time: Duration,
) -> anyhow::Result<(Terminal, Measured)> {
    let mut measured = Measured::over(time);
    let end = Instant::now() + time;
    let mut turn = 0;
    while Instant::now() < end && !patrons.is_empty() {
        let (item, place) = (&items[turn % items.len()], turn % patrons.len());
        turn += 1;
        let check_out = Message::new(Kind::CheckOut)
            .with_part(Part::RenewalPolicy, "N")
            .with_part(Part::NoBlock, "N")
            .with(field::INSTITUTION, "diku")
            .with(field::PATRON, &patrons[place])
            .with(field::ITEM, item);
        let began = Instant::now();
        let answer = terminal.ask(&check_out).await?;
        if !answer.flag(Part::Ok) {
            measured.refused += 1;
            patrons.swap_remove(place);
            continue;
        }
        measured.check_out.record(began.elapsed());
        let check_in = Message::new(Kind::CheckIn)
            .with_part(Part::NoBlock, "N")
            .with(field::INSTITUTION, "diku")
            .with(field::ITEM, item);
        let began = Instant::now();
        let answer = terminal.ask(&check_in).await?;
        ensure!(answer.flag(Part::Ok), "check-in: {:?}", answer.field(field::SCREEN_MESSAGE));
        measured.check_in.record(began.elapsed());
    }
    Ok((terminal, measured))
}

/// A terminal with error detection.
struct Terminal {
    stream: TcpStream,
    sequence: u8,
    waiting: Vec<u8>,
}

impl Terminal {
    async fn sign_in(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await.context("no SIP2")?;
        stream.set_nodelay(true)?;
        let mut terminal = Self { stream, sequence: 0, waiting: Vec::new() };
        let login = Message::new(Kind::Login)
            .with_part(Part::UserAlgorithm, "0")
            .with_part(Part::PasswordAlgorithm, "0")
            .with(field::LOGIN_USER, "diku_admin@diku")
            .with(field::LOGIN_PASSWORD, "admin")
            .with(field::LOCATION, SERVICE_POINT);
        ensure!(terminal.ask(&login).await?.flag(Part::Ok), "not let in");
        Ok(terminal)
    }

    async fn ask(&mut self, message: &Message) -> anyhow::Result<Message> {
        self.sequence = (self.sequence + 1) % 10;
        let trailer = Trailer { sequence: Some(self.sequence), checked: true };
        let dialect = Dialect::default();
        let bytes = dialect.write(message, trailer);
        self.stream.write_all(&bytes).await?;
        let mut buffer = [0; 2_048];
        loop {
            if let Some(end) = self.waiting.iter().position(|byte| *byte == b'\r') {
                let line: Vec<u8> = self.waiting.drain(..=end).take(end).collect();
                let received = dialect.read(&line)?;
                ensure!(received.trailer == trailer, "the answer to another message");
                return Ok(received.message);
            }
            match self.stream.read(&mut buffer).await? {
                0 => bail!("the terminal was let go"),
                length => self.waiting.extend_from_slice(&buffer[..length]),
            }
        }
    }
}

/// Terminals that send garbage, begin messages and never end them, ask and never read, or connect and leave.
fn nuisances(address: SocketAddr) -> Vec<JoinHandle<()>> {
    let kinds: [&'static [u8]; 4] = [b"\x16\x03\x01 no message at all\r", b"1", b"9900802.00\r", b""];
    let all = kinds.into_iter().flat_map(|bytes| (0..BAD).map(move |_| bytes));
    all.map(|bytes| tokio::spawn(nuisance(address, bytes))).collect()
}

async fn nuisance(address: SocketAddr, bytes: &'static [u8]) {
    let visits = bytes.is_empty();
    let mut every = tokio::time::interval(if visits { VISIT } else { NUISANCE });
    loop {
        every.tick().await;
        let Ok(mut stream) = TcpStream::connect(address).await else {
            continue;
        };
        while !visits && stream.write_all(bytes).await.is_ok() {
            every.tick().await;
        }
    }
}
