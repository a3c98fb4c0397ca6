//! Which collection the files of a folder belong to: the folders' names say it, and a folder named after a module
//! (`mod-users`) says which module's collection it is.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use api::{app::App, load::place};
use serde_json::json;
use store::collection::Collection;

use super::read::extension;
use crate::LoadError;

/// How the records of a path are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// Posted to a collection.
    Post,
    /// Replaces the only record there is, like the circulation rules.
    Put,
    /// Replaces records that every tenant has, like the conditions of patron blocks.
    PutEach,
    /// Not sent: these records come with Carrel.
    Never,
}

/// Files whose records belong to one path.
#[derive(Debug)]
pub(super) struct Target {
    pub path: String,
    pub method: Method,
    /// The name of the list in a page of the collection.
    pub list: Option<&'static str>,
    pub files: Vec<PathBuf>,
}

/// Files that were left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    /// Their folder.
    pub folder: PathBuf,
    /// How many there are.
    pub files: usize,
    pub reason: &'static str,
}

const NO_COLLECTION: &str = "no collection is called so";
const FIXED: &str = "these records come with Carrel and cannot be changed";
const NO_RECORDS: &str = "only .json, .ndjson and .jsonl files hold records";

/// The files below a folder, by target.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Ordered so that references point backwards.
    pub targets: Vec<Target>,
    pub aside: Vec<Aside>,
}

impl Layout {
    /// Reads the layout of a folder.
    pub fn of(app: &App, folder: &Path) -> Result<Self, LoadError> {
        let places = Places::of(app);
        let mut files = Vec::new();
        walk(folder, &mut files)?;
        let mut found: BTreeMap<usize, Vec<PathBuf>> = BTreeMap::new();
        let mut aside: BTreeMap<(PathBuf, &'static str), usize> = BTreeMap::new();
        for file in files {
            let parent = file.parent().unwrap_or(folder).to_path_buf();
            if !matches!(extension(&file), Some("json" | "ndjson" | "jsonl")) {
                *aside.entry((parent, NO_RECORDS)).or_default() += 1;
                continue;
            }
            match places.find(&names(folder, &file)) {
                Some(place) if places.0[place].method == Method::Never => {
                    *aside.entry((parent, FIXED)).or_default() += 1;
                }
                Some(place) => found.entry(place).or_default().push(file),
                None => *aside.entry((parent, NO_COLLECTION)).or_default() += 1,
            }
        }
        let targets = found.into_iter().map(|(place, files)| places.0[place].target(files));
        let aside = aside.into_iter().map(|((folder, reason), files)| Aside { folder, files, reason });
        Ok(Self { targets: targets.collect(), aside: aside.collect() })
    }
}

/// All files below a folder, sorted by name.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), LoadError> {
    let unreadable = |error| LoadError::Read { place: folder.display().to_string(), error };
    let mut entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(unreadable)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // Follows links: a folder may be assembled from others.
        match fs::metadata(&path).map_err(unreadable)?.is_dir() {
            true => walk(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

/// The names of the folders above a file, from the outermost, and the file's own without its extension. Version
/// suffixes of FOLIO (`users-15.4.0`) are removed.
fn names(root: &Path, file: &Path) -> Vec<String> {
    let inside = file.strip_prefix(root).unwrap_or(file).with_extension("");
    let root = root.file_name().into_iter().map(Path::new);
    let parts = root.chain(inside.iter().map(Path::new));
    parts.map(|part| without_version(&part.to_string_lossy()).to_lowercase()).collect()
}

fn without_version(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((plain, version)) if version.split('.').all(|part| part.parse::<u32>().is_ok()) => plain,
        _ => name,
    }
}

/// A path that accepts records.
struct Place {
    path: String,
    method: Method,
    module: Option<&'static str>,
    /// The name of the list in a page of the collection.
    list: Option<&'static str>,
}

impl Place {
    fn target(&self, files: Vec<PathBuf>) -> Target {
        Target { path: self.path.clone(), method: self.method, list: self.list, files }
    }
}

/// The paths that accept records, collections in the order of their references first.
struct Places(Vec<Place>);

impl Places {
    fn of(app: &App) -> Self {
        let collections = app.collections.iter();
        let mut places: Vec<_> = collections.filter_map(|collection| collection_place(app, collection)).collect();
        let others = app.routes.all().iter().filter(|route| !route.path.contains('{'));
        for route in others {
            let known = places.iter().any(|place| place.path == route.path);
            let method = match route.method {
                http::Method::POST => Method::Post,
                http::Method::PUT => Method::Put,
                _ => continue,
            };
            if !known {
                places.push(Place { path: route.path.clone(), method, module: route.module, list: None });
            }
        }
        Self(places)
    }

    /// The place of a file, by the last of its names that stands for one.
    fn find(&self, names: &[String]) -> Option<usize> {
        let module = names.iter().rev().find(|name| name.starts_with("mod-"));
        let folders = names.len().saturating_sub(1);
        // The folder decides; if it says nothing, the file's name does.
        [&names[..folders], names].into_iter().find_map(|names| {
            let candidates = |by: fn(&Place, &[String]) -> bool| {
                let fitting = self.0.iter().enumerate().filter(move |(_, place)| by(place, names));
                let of_module = fitting
                    .filter(|(_, place)| module.is_none_or(|module| place.module.is_none_or(|owner| owner == module)));
                of_module.map(|(index, _)| index).collect::<Vec<_>>()
            };
            // A whole path is more specific than its end, and that is more specific than the name of the list.
            [by_path as fn(&Place, &[String]) -> bool, by_end, by_list].into_iter().find_map(|by| {
                match candidates(by)[..] {
                    [one] => Some(one),
                    _ => None,
                }
            })
        })
    }
}

fn collection_place(app: &App, collection: &Collection) -> Option<Place> {
    let one = format!("{}/x", collection.path);
    let below = place(collection.path, &json!({"courseListingId": "x"}));
    let ways = [
        (Method::Post, http::Method::POST, below.as_ref()),
        (Method::PutEach, http::Method::PUT, one.as_str()),
        (Method::Put, http::Method::PUT, collection.path),
        (Method::Never, http::Method::GET, collection.path),
    ];
    let mut ways = ways.into_iter();
    let (method, route) = ways.find_map(|(method, http, path)| {
        let (route, _) = app.routes.find(&http, path)?;
        Some((method, route))
    })?;
    Some(Place { path: collection.path.to_owned(), method, module: route.module, list: Some(collection.list) })
}

/// The folders end with the whole path: `location-units/institutions`.
fn by_path(place: &Place, names: &[String]) -> bool {
    let parts: Vec<_> = place.path.trim_start_matches('/').split('/').collect();
    names.len() >= parts.len() && names[names.len() - parts.len()..].iter().eq(parts)
}

/// The last folder has the name of the end of a collection's path: `loans` of `/loan-storage/loans`.
fn by_end(place: &Place, names: &[String]) -> bool {
    let end = place.path.rsplit('/').next();
    names.last().map(String::as_str) == end && (place.list.is_some() || place.method == Method::Put)
}

/// The last folder has the name of the collection's list: `holdingsrecords`.
fn by_list(place: &Place, names: &[String]) -> bool {
    let (Some(last), Some(list)) = (names.last(), place.list) else {
        return false;
    };
    last.eq_ignore_ascii_case(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_do_not_belong_to_names() {
        for (name, plain) in [
            ("users-15.4.0", "users"),
            ("addresstypes-15.4.0", "addresstypes"),
            ("staff-slips", "staff-slips"),
            ("mod-users", "mod-users"),
            ("bound-with", "bound-with"),
        ] {
            assert_eq!(without_version(name), plain);
        }
        let names = names(Path::new("/x/export"), Path::new("/x/export/mod-users/Users-1.0/ann.json"));
        assert_eq!(names, ["export", "mod-users", "users", "ann"]);
    }
}
