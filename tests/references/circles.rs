//! Modules of a crate use each other in one direction, so that a module can be read without those that use it. Only
//! top-level modules count, each with its children.

use std::collections::{BTreeMap, BTreeSet};

use super::{collect, root};

/// One circle remains: a handler takes a call, a call has the application, and the application has the routes.
const KNOTS: [(&str, &str); 1] = [("api", "app call route")];

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

/// The first names of a path or of a tree of paths: `a::b` gives `a`, `{a::{b, c}, d}` gives `a` and `d`.
fn first_names(tree: &str) -> Vec<&str> {
    let Some(inner) = tree.strip_prefix('{') else {
        return vec![name(tree)];
    };
    let (mut depth, mut names, mut begins) = (0, Vec::new(), true);
    for (place, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            _ if begins && !c.is_whitespace() => {
                names.push(name(&inner[place..]));
                begins = false;
            }
            _ => {}
        }
    }
    names
}

/// The first names behind a prefix: of `crate::{a, b::c}` behind `crate::`, `a` and `b`.
pub fn names_in<'t>(code: &'t str, prefix: &str) -> Vec<&'t str> {
    let places = code.match_indices(prefix);
    let begins = |place: usize| {
        let before = code[..place].strip_suffix("::").unwrap_or(&code[..place]);
        let before = before.chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
    };
    let trees = places.filter(|(place, _)| begins(*place));
    let trees = trees.map(|(place, _)| &code[place + prefix.len()..]);
    trees.flat_map(first_names).collect()
}

/// The names at the crate's root that a file uses, `depth` modules below the root.
fn names_of_root(code: &str, depth: usize) -> Vec<&str> {
    let mut names = names_in(code, "crate::");
    if depth > 0 {
        names.extend(names_in(code, &"super::".repeat(depth)));
    }
    names
}

/// The modules whose names the root re-exports: `pub use rules::Matcher` belongs to `rules`.
fn handed_on(root: &str) -> BTreeMap<&str, &str> {
    let uses = root.split("pub use ").skip(1);
    let uses = uses.filter_map(|rest| rest.split_once(';'));
    let trees = uses.filter_map(|(path, _)| path.split_once("::"));
    let named = trees.flat_map(|(module, tree)| {
        let names = first_names(tree.trim());
        names.into_iter().map(move |name| (name, module))
    });
    named.collect()
}

fn uses(files: &[(Vec<String>, String, String)]) -> Uses {
    let of_root = |(path, _, _): &&(Vec<String>, String, String)| path.is_empty();
    let handed_on: Vec<_> =
        files.iter().filter(of_root).map(|(_, _, code)| handed_on(code)).collect();
    let tops: BTreeSet<&str> =
        files.iter().filter_map(|(path, _, _)| Some(path.first()?.as_str())).collect();
    let mut uses = Uses::new();
    for (path, file, code) in files {
        let Some(top) = path.first() else { continue };
        for name in names_of_root(code, path.len()) {
            let handed = handed_on.iter().find_map(|names| names.get(name).copied());
            let module = if tops.contains(name) { name } else { handed.unwrap_or_default() };
            if tops.contains(module) && module != top {
                uses.entry(top.clone()).or_default().insert(module.to_owned(), file.clone());
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

/// The sources of each crate: module, file, code.
fn crates() -> BTreeMap<String, Vec<(Vec<String>, String, String)>> {
    let mut sources = Vec::new();
    collect(&root().join("crates"), &mut sources);
    let mut crates = BTreeMap::<_, Vec<_>>::new();
    for (path, text) in sources {
        let file = path.strip_prefix(root()).expect("below the root");
        let file = file.to_string_lossy().into_owned();
        let Some((name, module)) = file
            .strip_prefix("crates/")
            .and_then(|rest| rest.strip_suffix(".rs")?.split_once("/src/"))
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
        crates.entry(name).or_default().push((module, file, shipped(&text)));
    }
    crates
}

#[test]
fn modules_use_each_other_in_one_direction() {
    let (mut found, mut knots) = (Vec::new(), Vec::new());
    let crates = crates();
    assert!(crates.len() > 15, "only {:?}", crates.keys());
    for (name, files) in &crates {
        let uses = uses(files);
        let in_circle: Vec<_> =
            uses.keys().filter(|module| reaches(&uses, module, module)).collect();
        let modules = in_circle.iter().map(|module| module.as_str());
        let modules = modules.collect::<Vec<_>>().join(" ");
        if KNOTS.contains(&(name.as_str(), modules.as_str())) {
            knots.push(name);
            continue;
        }
        for module in in_circle {
            for (used, file) in &uses[module] {
                if reaches(&uses, used, module) {
                    found.push(format!("{name}: {module} uses {used} ({file})"));
                }
            }
        }
    }
    assert!(found.is_empty(), "circles:\n{}", found.join("\n"));
    assert_eq!(knots.len(), KNOTS.len(), "a knot is gone: take it off the list");
}

#[test]
fn trees_of_paths_are_read() {
    assert_eq!(first_names("a::b;"), ["a"]);
    assert_eq!(first_names("{\n    a::{b, c},\n    d,\n}; use e"), ["a", "d"]);
    assert_eq!(
        names_of_root("use crate::{a::b, c}; super::d::e(); core_crate::f()", 1),
        ["a", "c", "d"]
    );
    assert_eq!(names_of_root("super::a(); super::super::b()", 2), ["b"]);
}
