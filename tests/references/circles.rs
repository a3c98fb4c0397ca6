//! The children of a module use each other in one direction, so that a module can be read without those that use it.
//! Each child counts with what is below it.

use std::collections::{BTreeMap, BTreeSet};

use super::{collect, root};

/// One circle remains: a handler takes a call, a call has the application, and the application has the routes.
const KNOTS: [(&str, &str); 1] = [("api", "app call route")];

/// A file of shipped code.
struct Source {
    /// The path of its module, without the crate.
    module: Vec<String>,
    file: String,
    /// Without comments and unit tests.
    code: String,
}

/// Which modules a module uses, each with a file that does so.
type Uses = BTreeMap<String, BTreeMap<String, String>>;

/// Code without comments and unit tests.
fn shipped(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next();
    let lines = code.unwrap_or_default().lines();
    let code = lines.map(|line| line.split("//").next().unwrap_or_default());
    code.collect::<Vec<_>>().join("\n")
}

fn name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// The paths in a tree of paths: `a::{b, c::d}` gives `a::b` and `a::c::d`.
fn paths(tree: &str) -> Vec<Vec<&str>> {
    let Some(inner) = tree.strip_prefix('{') else {
        let name = name(tree);
        let rest = tree[name.len()..].strip_prefix("::").filter(|_| !name.is_empty());
        let below = rest.map_or_else(|| vec![Vec::new()], paths);
        return below.into_iter().map(|path| [vec![name], path].concat()).collect();
    };
    let (mut depth, mut all, mut begins) = (0, Vec::new(), true);
    for (place, c) in inner.char_indices() {
        match c {
            '{' if depth == 0 && begins => break,
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            _ if begins && !c.is_whitespace() => {
                all.extend(paths(&inner[place..]));
                begins = false;
            }
            _ => {}
        }
    }
    all
}

/// The paths behind a prefix: of `crate::{a, b::c}` behind `crate::`, `a` and `b::c`.
fn paths_behind<'t>(code: &'t str, prefix: &str) -> Vec<Vec<&'t str>> {
    let places = code.match_indices(prefix);
    let begins = |place: usize| {
        let before = code[..place].strip_suffix("::").unwrap_or(&code[..place]);
        let before = before.chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
    };
    let trees = places.filter(|(place, _)| begins(*place));
    trees.flat_map(|(place, _)| paths(&code[place + prefix.len()..])).collect()
}

/// The first names behind a prefix: of `crate::{a, b::c}` behind `crate::`, `a` and `b`.
pub fn names_in<'t>(code: &'t str, prefix: &str) -> Vec<&'t str> {
    paths_behind(code, prefix).into_iter().filter_map(|path| path.first().copied()).collect()
}

/// What a file uses of a module that it is in, `depth` modules below it; an absolute path begins with `module`.
fn used_of<'t>(code: &'t str, module: &[String], depth: usize) -> Vec<&'t str> {
    let absolute = paths_behind(code, "crate::").into_iter();
    let below = absolute.filter_map(|path| {
        let within = path.len() > module.len() && module.iter().zip(&path).all(|(a, b)| a == b);
        within.then(|| path[module.len()])
    });
    let relative = match depth {
        0 => Vec::new(),
        _ => names_in(code, &"super::".repeat(depth)),
    };
    below.chain(relative).collect()
}

/// The child modules whose names a module re-exports: `pub use rules::Matcher` belongs to `rules`.
fn handed_on(code: &str) -> BTreeMap<&str, &str> {
    let uses = code.split(" use ").skip(1).flat_map(paths);
    uses.filter_map(|path| Some((*path.last()?, *path.first()?))).collect()
}

/// How the children of a module use each other.
fn uses(module: &[String], files: &[&Source]) -> Uses {
    let own = files.iter().find(|source| source.module == module);
    let handed_on = own.map(|source| handed_on(&source.code)).unwrap_or_default();
    let child = |source: &Source| source.module.get(module.len()).cloned();
    let children: BTreeSet<String> = files.iter().filter_map(|source| child(source)).collect();
    let mut uses = Uses::new();
    for source in files {
        let Some(user) = child(source) else { continue };
        for name in used_of(&source.code, module, source.module.len() - module.len()) {
            let handed = handed_on.get(name).copied().unwrap_or_default();
            let used = if children.contains(name) { name } else { handed };
            if children.contains(used) && used != user {
                uses.entry(user.clone()).or_default().insert(used.to_owned(), source.file.clone());
            }
        }
    }
    uses
}

/// Whether one module uses another, directly or indirectly.
fn reaches(uses: &Uses, from: &str, to: &str) -> bool {
    let (mut seen, mut todo) = (BTreeSet::new(), vec![from]);
    while let Some(module) = todo.pop() {
        for used in uses.get(module).into_iter().flat_map(BTreeMap::keys) {
            if used == to {
                return true;
            }
            if seen.insert(used) {
                todo.push(used);
            }
        }
    }
    false
}

/// The sources of each crate.
fn crates() -> BTreeMap<String, Vec<Source>> {
    let mut sources = Vec::new();
    collect(&root().join("crates"), &mut sources);
    let mut crates = BTreeMap::<_, Vec<_>>::new();
    for (path, text) in sources {
        let file = path.strip_prefix(root()).expect("below the root");
        let file = file.to_string_lossy().into_owned();
        let Some((name, module)) =
            file.strip_prefix("crates/").and_then(|rest| rest.strip_suffix(".rs")?.split_once("/src/"))
        else {
            continue;
        };
        let parts: Vec<_> = module.split('/').map(str::to_owned).collect();
        let of_tests = |part: &String| part == "tests" || part == "testing";
        if parts.iter().any(of_tests) {
            continue;
        }
        let is_named = |part: &String| !["mod", "lib", "main"].contains(&part.as_str());
        let module = parts.into_iter().filter(is_named).collect();
        let name = name.to_owned();
        crates.entry(name).or_default().push(Source { module, file, code: shipped(&text) });
    }
    crates
}

#[test]
fn modules_use_each_other_in_one_direction() {
    let (mut found, mut knots) = (Vec::new(), Vec::new());
    let crates = crates();
    assert!(crates.len() > 15, "only {:?}", crates.keys());
    for (name, sources) in &crates {
        let parents: BTreeSet<_> =
            sources.iter().flat_map(|source| (0..source.module.len()).map(|depth| &source.module[..depth])).collect();
        for parent in parents {
            let below: Vec<_> = sources.iter().filter(|source| source.module.starts_with(parent)).collect();
            let uses = uses(parent, &below);
            let in_circle: Vec<_> = uses.keys().filter(|module| reaches(&uses, module, module)).collect();
            let modules = in_circle.iter().map(|module| module.as_str());
            let modules = modules.collect::<Vec<_>>().join(" ");
            let place = [std::slice::from_ref(name), parent].concat().join("::");
            if KNOTS.contains(&(place.as_str(), modules.as_str())) {
                knots.push(place);
                continue;
            }
            for module in in_circle {
                for (used, file) in &uses[module] {
                    if reaches(&uses, used, module) {
                        found.push(format!("{place}: {module} uses {used} ({file})"));
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "circles:\n{}", found.join("\n"));
    assert_eq!(knots.len(), KNOTS.len(), "a knot is gone: take it off the list");
}

#[test]
fn trees_of_paths_are_read() {
    assert_eq!(paths("a::b;"), [["a", "b"]]);
    assert_eq!(paths("{\n    a::{b, c::e},\n    d,\n}; use e"), [vec!["a", "b"], vec!["a", "c", "e"], vec!["d"]]);
    let code = "use crate::{a::b, c}; super::d::e(); core_crate::f()";
    assert_eq!(used_of(code, &[], 1), ["a", "c", "d"]);
    assert_eq!(used_of(code, &["a".to_owned()], 1), ["b", "d"]);
    assert_eq!(used_of("super::a(); super::super::b()", &[], 2), ["b"]);
}
