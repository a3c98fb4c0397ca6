//! Finds the PostgreSQL server programs on the machine.

use std::path::{Path, PathBuf};

use super::{EmbeddedError, OLDEST_VERSION, environment};

/// Folders with one subfolder per version: folder, prefix of the subfolder's name, and the path of the programs in it.
/// Debian; Red Hat's community packages; Alpine; Homebrew on both kinds of Mac.
const VERSIONED: [(&str, &str, &str); 5] = [
    ("/usr/lib/postgresql", "", "bin"),
    ("/usr", "pgsql-", "bin"),
    ("/usr/libexec", "postgresql", ""),
    ("/opt/homebrew/opt", "postgresql@", "bin"),
    ("/usr/local/opt", "postgresql@", "bin"),
];

/// The server programs of one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Programs {
    dir: PathBuf,
    version: String,
    major: u32,
}

impl Programs {
    /// Finds the programs: only in `explicit`, or in all usual places. An existing cluster needs its own major version;
    /// a new one gets the newest.
    pub fn find(explicit: Option<&Path>, cluster: Option<(&Path, u32)>) -> Result<Self, EmbeddedError> {
        let places = match explicit {
            Some(dir) => vec![dir.to_owned()],
            None => usual_places(),
        };
        let found = places.iter().filter_map(|dir| Self::in_dir(dir)).collect();
        choose(found, cluster)?.ok_or_else(|| EmbeddedError::ProgramsNotFound {
            searched: match explicit {
                Some(dir) => vec![dir.display().to_string()],
                None => {
                    ["PATH".to_owned()]
                        .into_iter()
                        .chain(VERSIONED.map(|(dir, prefix, bin)| {
                            format!("{dir}/{prefix}*/{bin}").trim_end_matches('/').to_owned()
                        }))
                        .collect()
                }
            },
        })
    }

    fn in_dir(dir: &Path) -> Option<Self> {
        if !dir.join("initdb").is_file() {
            return None;
        }
        let version = version_in(&output_of(&dir.join("postgres"), "--version")?)?.to_owned();
        let major = major_of(&version)?;
        Some(Self { dir: dir.to_owned(), version, major })
    }

    pub fn postgres(&self) -> PathBuf {
        self.dir.join("postgres")
    }

    pub fn initdb(&self) -> PathBuf {
        self.dir.join("initdb")
    }

    /// In PostgreSQL's form, `15.18`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Whether a loadable library (an extension of `contrib`) is installed with these programs.
    pub(crate) fn has_library(&self, name: &str) -> bool {
        let configured = output_of(&self.dir.join("pg_config"), "--pkglibdir");
        let beside = ["../lib", "../lib/postgresql"].map(|lib| self.dir.join(lib));
        configured
            .map(|dir| PathBuf::from(dir.trim()))
            .into_iter()
            .chain(beside)
            .any(|dir| ["so", "dylib"].iter().any(|suffix| dir.join(format!("{name}.{suffix}")).is_file()))
    }
}

/// Chooses among the programs found; `None` if there are none.
fn choose(mut found: Vec<Programs>, cluster: Option<(&Path, u32)>) -> Result<Option<Programs>, EmbeddedError> {
    found.sort_by_key(|programs| (programs.major, minor_of(&programs.version)));
    let Some(newest) = found.last().cloned() else {
        return Ok(None);
    };
    if let Some((dir, major)) = cluster {
        let versions: Vec<&str> = found.iter().map(|p| p.version.as_str()).collect();
        let error =
            EmbeddedError::OtherMajorVersion { cluster: major, found: versions.join(", "), dir: dir.to_owned() };
        let of_cluster = found.iter().rfind(|p| p.major == major).cloned();
        return of_cluster.map(Some).ok_or(error);
    }
    if newest.major < OLDEST_VERSION {
        return Err(EmbeddedError::TooOld { found: newest.version, dir: newest.dir });
    }
    Ok(Some(newest))
}

fn usual_places() -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    for (parent, prefix, bin) in VERSIONED {
        let children = std::fs::read_dir(parent).into_iter().flatten().flatten();
        places.extend(
            children
                .filter(|child| child.file_name().to_string_lossy().starts_with(prefix))
                .map(|child| child.path().join(bin)),
        );
    }
    let configured = output_of(Path::new("pg_config"), "--bindir");
    places.extend(configured.map(|dir| PathBuf::from(dir.trim())));
    places
}

fn output_of(program: &Path, argument: &str) -> Option<String> {
    let output = environment::command(program).arg(argument).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// The version in `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`.
fn version_in(banner: &str) -> Option<&str> {
    let (_, after) = banner.split_once("(PostgreSQL) ")?;
    after.split_whitespace().next()
}

/// The major version: 15 of `15.18`, 19 of `19devel`.
fn major_of(version: &str) -> Option<u32> {
    leading_number(version)
}

fn minor_of(version: &str) -> Option<u32> {
    leading_number(version.split_once('.')?.1)
}

fn leading_number(text: &str) -> Option<u32> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programs(version: &str) -> Programs {
        Programs {
            dir: PathBuf::from("/opt").join(version),
            version: version.into(),
            major: major_of(version).expect("a number"),
        }
    }

    fn chosen(found: &[&str], cluster: Option<u32>) -> String {
        let found = found.iter().map(|version| programs(version)).collect();
        let cluster = cluster.map(|major| (Path::new("/data/postgres"), major));
        match choose(found, cluster) {
            Ok(Some(programs)) => programs.version,
            Ok(None) => "none".into(),
            Err(EmbeddedError::TooOld { found, .. }) => format!("too old: {found}"),
            Err(EmbeddedError::OtherMajorVersion { cluster, found, .. }) => {
                format!("needs {cluster}, has {found}")
            }
            Err(other) => other.to_string(),
        }
    }

    #[test]
    fn a_new_cluster_gets_the_newest_and_an_old_one_its_own() {
        let cases: [(&[&str], Option<u32>, &str); 9] = [
            (&[], None, "none"),
            (&["15.18"], None, "15.18"),
            (&["15.18", "17.2", "16.4"], None, "17.2"),
            (&["17.10", "17.9"], None, "17.10"),
            (&["13.4", "14.1"], None, "too old: 14.1"),
            (&["19devel", "18.1"], None, "19devel"),
            (&["15.18", "17.2"], Some(15), "15.18"),
            (&["15.18"], Some(17), "needs 17, has 15.18"),
            (&["16.1", "18.1"], Some(17), "needs 17, has 16.1, 18.1"),
        ];
        for (found, cluster, expected) in cases {
            assert_eq!(chosen(found, cluster), expected, "{found:?} for {cluster:?}");
        }
    }

    #[test]
    fn versions_are_read_from_the_banner() {
        let debian = "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n";
        assert_eq!(version_in(debian), Some("15.18"));
        assert_eq!(version_in("postgres (PostgreSQL) 19devel\n"), Some("19devel"));
        assert_eq!(version_in("something else"), None);
        assert_eq!(major_of("19beta2"), Some(19));
        assert_eq!(major_of("devel"), None);
    }
}
