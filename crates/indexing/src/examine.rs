//! How the indexes of a library stand on disk, and what to do about them: for `carrel doctor`, which may run beside a server.
//! Nothing of an index is opened for writing.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use search::{
    SearchError,
    fields::Fields,
    inspect::{Inspected, inspect},
};
use store::{
    Session, StoreError,
    doctor::finding::{Finding, Level},
};
use tokio::task::spawn_blocking;

use crate::{
    keeper::{is_recent, position},
    on_disk::{Position, is_ahead, numbered},
    source::{Source, Waiting},
};

const CHECK: &str = "search";
/// A server takes changes every second; this many seconds later, it does not.
const PATIENCE: u64 = 60;
/// What is written to see whether the disk takes it, in bytes.
const PAGE: [u8; 8192] = [0x5a; 8192];

/// How an index stands.
#[derive(Debug, PartialEq, Eq)]
enum Stand {
    Missing {
        is_needed: bool,
    },
    Unreadable(String),
    Unwritable(String),
    /// Damaged.
    Unusable(String),
    /// It is not of this database, or ahead of it.
    Foreign,
    /// It is made for the first time.
    Begun {
        documents: u64,
    },
    /// Another version made it.
    Older {
        documents: u64,
    },
    /// It lacks changes that are not kept any more.
    TooOld {
        documents: u64,
    },
    Behind {
        documents: u64,
        waiting: Waiting,
    },
}

/// An index that was looked at.
struct Seen {
    path: PathBuf,
    /// Whether a process uses it.
    is_used: bool,
    outcome: Result<Vec<Inspected>, Stand>,
}

/// What is to be said of the indexes that a library has of a source below a folder. At most two round trips for each, and one.
///
/// # Errors
/// [`StoreError`].
pub async fn examine<S: Source>(source: &S, folder: &Path, session: &Session) -> Result<Vec<Finding>, StoreError> {
    let (place, fields) = (folder.to_owned(), source.fields());
    let seen = spawn_blocking(move || look(&place, &fields));
    let seen = seen.await.map_err(|error| StoreError::Other(error.to_string()))?;
    let mut findings = Vec::new();
    for Seen { path, is_used, outcome } in seen {
        let stand = match outcome {
            Err(stand) => stand,
            Ok(found) => stand(source, session, &found).await?,
        };
        findings.push(judge(source.name(), &path, is_used, &stand));
    }
    if findings.is_empty() {
        let is_needed = !source.is_empty(session).await?;
        findings.push(judge(source.name(), folder, false, &Stand::Missing { is_needed }));
    }
    Ok(findings)
}

/// The first place, and those that other processes use.
fn look(folder: &Path, fields: &Fields) -> Vec<Seen> {
    let unreadable = |path: &Path, error: io::Error| Seen {
        path: path.to_owned(),
        is_used: false,
        outcome: Err(Stand::Unreadable(error.to_string())),
    };
    let places = match numbered(folder) {
        Ok(places) => places,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => return vec![unreadable(folder, error)],
    };
    let mut seen = Vec::new();
    for (order, (_, path)) in places.into_iter().enumerate() {
        // Whoever uses it holds its lock.
        let is_used = File::open(path.join("lock")).is_ok_and(|lock| lock.try_lock().is_err());
        if order == 0 || is_used {
            match numbered(&path) {
                Ok(all) if all.is_empty() && !is_used => {}
                Ok(all) => seen.push(Seen { outcome: inspected(&path, &all, fields, is_used), path, is_used }),
                Err(error) => seen.push(unreadable(&path, error)),
            }
        }
    }
    seen
}

/// What there is of the indexes of a place, the newest first.
fn inspected(
    path: &Path,
    generations: &[(u64, PathBuf)],
    fields: &Fields,
    is_used: bool,
) -> Result<Vec<Inspected>, Stand> {
    write(path).map_err(|error| Stand::Unwritable(error.to_string()))?;
    let mut found = Vec::new();
    let mut unusable = None;
    for (_, generation) in generations.iter().rev() {
        // Files come and go while it is used, so only what is at rest is read as a whole.
        match inspect(generation, fields, !is_used) {
            Ok(index) => found.extend(index),
            Err(SearchError::Unusable(reason)) => unusable = unusable.or(Some(reason)),
            // An index that was replaced this moment.
            Err(SearchError::Failed(_)) if is_used && !generation.exists() => {}
            Err(SearchError::Failed(reason)) => return Err(Stand::Unreadable(reason)),
        }
    }
    match unusable {
        Some(reason) if found.is_empty() => Err(Stand::Unusable(reason)),
        _ => Ok(found),
    }
}

fn write(path: &Path) -> io::Result<()> {
    let path = path.join(format!(".carrel-doctor-{}", std::process::id()));
    let written = File::create_new(&path).and_then(|mut file| {
        file.write_all(&PAGE)?;
        file.sync_all()
    });
    let removed = fs::remove_file(&path);
    written.and(removed)
}

/// How the best of the indexes of a place stands to the database.
async fn stand<S: Source>(source: &S, session: &Session, found: &[Inspected]) -> Result<Stand, StoreError> {
    let now = position(source, session).await?;
    let read =
        |index: &Inspected| -> Option<Position<S::Key>> { serde_json::from_str(index.position.as_deref()?).ok() };
    let positions: Vec<_> = found.iter().filter_map(|index| Some((read(index)?, index))).collect();
    if positions.is_empty() {
        return Ok(Stand::Begun { documents: 0 });
    }
    let is_of_this = |of: &Position<S::Key>| of.origin == now.origin && !is_ahead(&of.snapshot, &now.snapshot);
    let of_this: Vec<_> = positions.iter().filter(|(of, _)| is_of_this(of)).collect();
    if of_this.is_empty() {
        return Ok(Stand::Foreign);
    }
    let complete: Vec<_> = of_this.iter().filter(|(of, _)| of.cursor.is_none()).collect();
    let is_older = |of: &Position<S::Key>, index: &Inspected| index.is_older || of.version != S::VERSION;
    let is_current = |of: &Position<S::Key>, index: &Inspected| is_recent(of, &now) && !is_older(of, index);
    if let Some((of, index)) = complete.iter().find(|(of, index)| is_current(of, index)) {
        let waiting = source.waiting(session, &of.snapshot).await?;
        return Ok(Stand::Behind { documents: index.documents, waiting });
    }
    Ok(match complete.first() {
        Some((of, index)) if is_older(of, index) => Stand::Older { documents: index.documents },
        Some((_, index)) => Stand::TooOld { documents: index.documents },
        None => Stand::Begun { documents: of_this.iter().map(|(_, index)| index.documents).max().unwrap_or(0) },
    })
}

fn judge(name: &str, path: &Path, is_used: bool, stand: &Stand) -> Finding {
    let index = format!("The index for searches in the {name}, in {},", path.display());
    let say = |level, text: &str| Finding::new(CHECK, level, format!("{index} {text}"));
    let until = |when: &str| format!("Until {when}, searches wait five seconds and are then refused");
    let (incomplete, gone) = (until("it is complete"), until("there is another"));
    let makes = "start Carrel, which makes another";
    let meanwhile = "It is searched, with a warning in the answers, until there is another";
    match stand {
        Stand::Missing { is_needed: false } => say(Level::Ok, "is not there, and nothing is to be found"),
        Stand::Missing { is_needed: true } => {
            say(Level::Warn, "is not there").because(incomplete).command("start Carrel and search once, which makes it")
        }
        Stand::Unreadable(why) => say(Level::Fail, &format!("cannot be read: {why}"))
            .because("Searches fail")
            .command("give the account that Carrel runs as the right to read and write there, or delete the folder"),
        Stand::Unwritable(why) => say(Level::Fail, &format!("cannot be written: {why}"))
            .because("What is saved is not found; nothing that is saved is lost")
            .command("free some space there, and give the account that Carrel runs as the right to write"),
        Stand::Unusable(why) => say(Level::Warn, &format!("is damaged: {why}")).because(gone).command(makes),
        Stand::Foreign => say(Level::Warn, "is of another database, or of a later state of this one")
            .because(format!("It would find what is not there. {gone}"))
            .command(makes),
        Stand::Begun { documents } if is_used => {
            say(Level::Warn, &format!("is being made: {documents} documents so far")).because(incomplete)
        }
        Stand::Begun { documents } => say(Level::Warn, &format!("is not complete: {documents} documents so far"))
            .because(incomplete)
            .command("start Carrel, which goes on with it"),
        Stand::Older { documents } | Stand::TooOld { documents } => {
            let why = match stand {
                Stand::Older { .. } => "is of another version of Carrel",
                _ => "lacks changes that are no longer kept",
            };
            let finding = say(Level::Warn, &format!("has {documents} documents and {why}")).because(meanwhile);
            if is_used { finding } else { finding.command(makes) }
        }
        Stand::Behind { documents, waiting: Waiting { changes: 0, .. } } => {
            say(Level::Ok, &format!("has everything: {documents} documents"))
        }
        Stand::Behind { waiting: Waiting { changes, seconds }, .. } if is_used && *seconds > PATIENCE => {
            say(Level::Fail, &format!("lacks {changes} changes, the first of them for {seconds} seconds"))
                .because("What was saved since is not found; nothing that is saved is lost")
                .command("look in the log of Carrel for \"the index is not up to date\"")
        }
        Stand::Behind { documents, waiting: Waiting { changes, seconds } } => {
            let when = if is_used { "in a moment" } else { "at its next start" };
            let text = format!(
                "has {documents} documents and lacks {changes} changes, the first of them for {seconds} seconds, \
                 which Carrel takes over {when}"
            );
            say(Level::Ok, &text)
        }
    }
}

#[cfg(test)]
mod tests {
    use search::fields::Kind;

    use super::*;

    #[test]
    fn each_stand_has_its_level_and_advice() {
        let behind = |changes, seconds| Stand::Behind { documents: 5, waiting: Waiting { changes, seconds } };
        for (stand, is_used, level, text, advice) in [
            (Stand::Missing { is_needed: false }, false, Level::Ok, "is not there", None),
            (Stand::Missing { is_needed: true }, false, Level::Warn, "is not there", Some("search once")),
            (Stand::Unreadable("no".into()), false, Level::Fail, "cannot be read: no", Some("right to read")),
            (Stand::Unwritable("full".into()), true, Level::Fail, "cannot be written: full", Some("free some space")),
            (Stand::Unusable("torn".into()), false, Level::Warn, "is damaged: torn", Some("makes another")),
            (Stand::Foreign, false, Level::Warn, "of another database", Some("makes another")),
            (Stand::Begun { documents: 3 }, true, Level::Warn, "is being made: 3 documents", None),
            (Stand::Begun { documents: 3 }, false, Level::Warn, "is not complete", Some("goes on with it")),
            (Stand::TooOld { documents: 3 }, true, Level::Warn, "no longer kept", None),
            (Stand::TooOld { documents: 3 }, false, Level::Warn, "no longer kept", Some("makes another")),
            (Stand::Older { documents: 3 }, true, Level::Warn, "of another version", None),
            (Stand::Older { documents: 3 }, false, Level::Warn, "of another version", Some("makes another")),
            (behind(0, 0), true, Level::Ok, "has everything: 5 documents", None),
            (behind(2, 10), true, Level::Ok, "lacks 2 changes, the first of them for 10 seconds, which", None),
            (behind(2, 999), true, Level::Fail, "lacks 2 changes, the first of them for 999 seconds", Some("log")),
            (behind(2, 999), false, Level::Ok, "at its next start", None),
        ] {
            let found = judge("archives", Path::new("/data/search/t_a/1"), is_used, &stand);
            assert_eq!(found.level, level, "{stand:?}");
            assert!(found.finding.contains("the archives, in /data/search/t_a/1, "), "{found:?}");
            assert!(found.finding.contains(text), "{found:?}");
            let command = found.command.unwrap_or_default();
            assert!(
                command.contains(advice.unwrap_or_default()) && command.is_empty() == advice.is_none(),
                "{command}"
            );
        }
    }

    #[test]
    fn what_cannot_be_read_or_written_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let fields = Fields::declare([("title", Kind::Text)]);
        let look = |folder: &Path| look(folder, &fields);
        assert!(look(&folder.path().join("nothing")).is_empty());
        let place = folder.path().join("1");
        fs::write(&place, "a file").expect("written");
        assert!(matches!(look(folder.path())[0].outcome, Err(Stand::Unreadable(_))));
        fs::remove_file(&place).expect("removed");
        fs::create_dir_all(place.join("7")).expect("a folder");
        assert!(look(folder.path())[0].outcome.as_ref().is_ok_and(Vec::is_empty), "an empty index has begun");
        fs::write(place.join("7/meta.json"), "{").expect("written");
        assert!(matches!(&look(folder.path())[0].outcome, Err(Stand::Unusable(_))), "a damaged one");
        assert_eq!(fs::read_dir(&place).expect("a folder").count(), 1, "it is left as it was");
    }
}
