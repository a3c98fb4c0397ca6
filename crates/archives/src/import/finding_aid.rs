//! Finding aids in EAD 2002 and EAD3 (contract 6.4 to 6.6).

use std::{
    cell::Cell,
    collections::{BTreeMap, HashMap},
    io::{self, BufRead, Read},
    rc::Rc,
    sync::{Arc, mpsc},
    thread,
};

use ead::{ImportOptions, Importer, Item, Limits, Mode};
use rand::Rng;
use store::{Session, StoreError, statements::archives::CONTAINER_PROFILES};

use super::{ImportError, Stage, Trouble};
use crate::model::{ValueLists, lists::starting_value};

/// Records go from the thread that reads a file to the one that checks them in parts of so many,
const PART: usize = 32;
/// or fewer, from so many bytes of the file.
const PART_BYTES: u64 = 1 << 18;
/// So many parts wait between the two.
const PARTS: usize = 2;

/// How finding aids are read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Puts right what breaks a rule instead of refusing the file.
    pub tolerant: bool,
    /// Addresses of container profiles by name.
    pub container_profiles: HashMap<String, String>,
}

impl Reading {
    /// With the container profiles of the library. One round trip.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn of(session: &Session, tolerant: bool) -> Result<Self, StoreError> {
        let rows = session.query(CONTAINER_PROFILES, &[]).await?;
        let profiles = rows.iter().map(|row| (row.get("name"), row.get("uri")));
        Ok(Self { tolerant, container_profiles: profiles.collect() })
    }
}

/// What a finding aid brought: how many records of each type.
pub type Counts = BTreeMap<String, u64>;

/// The value lists of the library, as the import of EAD asks for them.
struct Values(Arc<dyn ValueLists + Send + Sync>);

impl ead::Lists for Values {
    fn label<'a>(&'a self, _list: &str, _value: &str) -> Option<&'a str> {
        None
    }

    fn value<'a>(&'a self, list: &str, label: &str) -> Option<&'a str> {
        starting_value(list, label)
    }

    fn allows(&self, list: &str, value: &str) -> bool {
        self.0.has(list, value)
    }
}

/// An input that counts what was read of it.
struct Counted<R> {
    input: R,
    bytes: Rc<Cell<u64>>,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(to)?;
        self.bytes.set(self.bytes.get() + read as u64);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.bytes.set(self.bytes.get() + bytes as u64);
        self.input.consume(bytes);
    }
}

/// What was read of a file, in its order.
type Part = Vec<Result<Item, ead::ImportError>>;

/// Reads a file to its end, or until nobody takes its parts any more.
fn read_parts(input: impl BufRead, options: ImportOptions<'_>, to: &mpsc::SyncSender<Part>) {
    let bytes = Rc::new(Cell::new(0));
    let importer = Importer::new(Counted { input, bytes: Rc::clone(&bytes) }, options);
    let mut importer = match importer {
        Ok(importer) => importer,
        Err(error) => {
            let _ = to.send(vec![Err(error)]);
            return;
        }
    };
    loop {
        let (mut part, began) = (Part::new(), bytes.get());
        while part.len() < PART
            && bytes.get() - began < PART_BYTES
            && let Some(item) = importer.next()
        {
            part.push(item);
        }
        if part.is_empty() || to.send(part).is_err() {
            return;
        }
    }
}

/// Reads a finding aid into an import. `tell` gets each repair of a tolerant import. One thread reads the file, this one checks
/// the records.
///
/// # Errors
/// What is wrong with the file, and where.
pub fn read(
    stage: &mut Stage,
    name: &str,
    input: impl BufRead + Send,
    reading: &Reading,
    tell: &mut dyn FnMut(&Trouble),
) -> Result<Counts, ImportError> {
    stage.begin_file(name);
    stage.tolerant = reading.tolerant;
    let (values, repository) = (Values(stage.lists()), stage.repository());
    let (to, parts) = mpsc::sync_channel(PARTS);
    thread::scope(|scope| {
        let values = &values;
        scope.spawn(move || {
            let options = ImportOptions {
                mode: if reading.tolerant { Mode::Tolerant } else { Mode::Strict },
                limits: Limits::default(),
                repository,
                lists: values,
                container_profiles: &reading.container_profiles,
                ids: Box::new(|| format!("{:032x}", rand::rng().random::<u128>())),
            };
            read_parts(input, options, &to);
        });
        take(stage, parts, tell)
    })
}

/// Takes what was read into an import.
fn take(stage: &mut Stage, parts: mpsc::Receiver<Part>, tell: &mut dyn FnMut(&Trouble)) -> Result<Counts, ImportError> {
    let broken = |stage: &Stage, error: ead::ImportError| {
        let place = if error.element.is_empty() { String::new() } else { format!("{}: ", error.element) };
        let reason = format!("{place}{}", error.reason);
        ImportError::Refused(Box::new(stage.trouble(error.line, error.identifier, reason)))
    };
    let mut counts = Counts::new();
    for item in parts.into_iter().flatten() {
        match item.map_err(|error| broken(stage, error))? {
            Item::Record { record, line } => {
                let kind = record["jsonmodel_type"].as_str().unwrap_or_default().to_owned();
                *counts.entry(kind).or_default() += 1;
                stage.add(record, line)?;
            }
            Item::Revised { record, line } => stage.revise(record, line)?,
            Item::Repair(repair) => {
                let reason = format!("{}: {}; {}", repair.element, repair.problem, repair.action);
                tell(&stage.trouble(repair.line, repair.identifier, reason));
            }
        }
        std::mem::take(&mut stage.repairs).iter().for_each(&mut *tell);
    }
    Ok(counts)
}
