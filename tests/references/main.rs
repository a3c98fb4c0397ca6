//! Every reference to the contract in `docs/folio` names an existing page and heading, and no reference is a section
//! number of a text outside the repository.

mod circles;
mod errors;
mod public;
mod sizes;
mod sql;

use std::{
    fs,
    path::{Path, PathBuf},
};

const SECTION: char = '\u{a7}';
const CONTRACT: &str = "docs/folio/";
/// Applied migrations keep their text, including comments.
const UNCHANGEABLE: &str = "crates/store/sql/tenant";

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Adds all files below a folder with their texts.
fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || name == "node_modules" || name == "target" {
            continue;
        }
        if path.is_dir() {
            collect(&path, found);
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path, text));
        }
    }
}

/// The lines of a document that are not code.
fn prose(document: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    document.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(document: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for line in prose(document) {
        let title = line.trim_start_matches('#');
        if title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let title = title.trim().to_lowercase().replace(' ', "-");
        let slug = title.replace(|c: char| !c.is_alphanumeric() && !"-_".contains(c), "");
        let again = (1..).map(|number| format!("{slug}-{number}"));
        let mut names = std::iter::once(slug.clone()).chain(again);
        anchors.extend(names.find(|name| !anchors.contains(name)));
    }
    anchors
}

/// The references in a line to pages of the contract.
fn references(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices(CONTRACT).filter_map(|(start, _)| {
        let belongs = |c: char| c.is_ascii_alphanumeric() || "-_/.#".contains(c);
        let reference = line[start..].split(|c| !belongs(c)).next()?;
        let reference = reference.trim_end_matches('.');
        reference.contains(".md").then_some(reference)
    })
}

/// The targets of a line's links within the repository.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1);
    let targets = targets.filter_map(|rest| Some(rest.split_once(')')?.0));
    targets.filter(|target| !target.contains(':'))
}

/// Whether a target exists, seen from a folder. Without a path it is a heading of the document itself.
fn is_there(target: &str, folder: &Path, document: &str) -> bool {
    let has = |text: &str, anchor: &str| anchors(text).iter().any(|known| known == anchor);
    match target.split_once('#') {
        None => folder.join(target).exists(),
        Some(("", anchor)) => has(document, anchor),
        Some((path, anchor)) => fs::read_to_string(folder.join(path)).is_ok_and(|text| has(&text, anchor)),
    }
}

#[test]
fn every_reference_to_the_contract_resolves() {
    let root = root();
    let (mut files, mut wrong) = (Vec::new(), Vec::new());
    for folder in ["crates", "tests", "web/src", "docs"] {
        collect(&root.join(folder), &mut files);
    }
    for (path, text) in &files {
        let mut tell = |what: &str| wrong.push(format!("{}: {what}", path.display()));
        let missing = |target: &&str| !is_there(target, &root, text);
        let references = text.lines().flat_map(references);
        references.filter(missing).for_each(&mut tell);
        if path.starts_with(root.join("docs")) {
            let folder = path.parent().expect("a folder");
            let missing = |target: &&str| !is_there(target, folder, text);
            let is_page = path.extension().is_some_and(|kind| kind == "md");
            let links = prose(text).filter(|_| is_page).flat_map(links);
            links.filter(missing).for_each(&mut tell);
        } else if text.contains(SECTION) && !path.starts_with(root.join(UNCHANGEABLE)) {
            tell("names a section by its number");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn anchors_are_made_as_on_github() {
    let document = "# A `b`'s c\n## Log-in\n```\n# code\n```\n## Log-in\n#none\n### a_b: c – d\n";
    let expected = ["a-bs-c", "log-in", "log-in-1", "a_b-c--d"];
    assert_eq!(anchors(document), expected);
}
