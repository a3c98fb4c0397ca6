//! Section 6.5: what is imported, exported and imported again stays as it is.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;

use common::{Labels, count, export, export_all, import, lines, samples, settled};
use ead::{ExportOptions, Mode};

/// Element counts that an import and export must keep, and how an imported file may say them.
const KEPT: [(&str, &[&str]); 5] = [
    ("components", &["c", "c01", "c02", "c03", "c04", "c05", "c06", "c07", "c08", "c09", "c10", "c11", "c12"]),
    ("containers", &["container"]),
    ("digital objects", &["dao", "daogrp"]),
    ("abstracts", &["abstract"]),
    ("scope notes", &["scopecontent"]),
];

/// Elements of a `controlaccess` that an import knows.
const TERMS: [&str; 9] =
    ["persname", "famname", "corpname", "function", "genreform", "geogname", "occupation", "subject", "title"];

fn counts(xml: &str) -> BTreeMap<&'static str, usize> {
    let kept = KEPT.iter().map(|(what, elements)| (*what, elements.iter().map(|element| count(xml, element)).sum()));
    kept.chain([("terms", terms(xml))]).collect()
}

/// The terms in `controlaccess` elements; a term within a term is part of it.
fn terms(xml: &str) -> usize {
    let (mut depth, mut terms, mut inside) = (0, 0, None);
    for line in lines(xml) {
        let Some(tag) = line.strip_prefix('<') else { continue };
        let name = tag.trim_start_matches('/').split([' ', '>']).next().unwrap_or_default().to_owned();
        let opens = !tag.starts_with('/');
        if name == "controlaccess" {
            depth += if opens { 1 } else { -1 };
        } else if depth > 0 && inside.is_none() && opens && TERMS.contains(&name.as_str()) {
            terms += 1;
            inside = Some(name);
        } else if !opens && inside.as_ref() == Some(&name) {
            inside = None;
        }
    }
    terms
}

#[test]
fn a_second_round_changes_nothing() {
    for (name, bytes) in samples() {
        let options = export_all(ExportOptions::new(&Labels, "2026-01-01"));
        let first = import(&bytes, Mode::Tolerant).unwrap_or_else(|error| panic!("{name}: {error}"));
        let b = export(&first.described(), options.clone());
        let second = import(b.as_bytes(), Mode::Strict).unwrap_or_else(|error| panic!("{name}, exported: {error}"));
        assert_eq!(second.repairs, [], "{name}");
        let c = export(&second.described(), options);
        let (b, c) = (settled(&b), settled(&c));
        let differ = b.iter().zip(&c).position(|(b, c)| b != c);
        if let Some(at) = differ {
            panic!("{name}: {:#?} became {:#?}", &b[at.saturating_sub(3)..=at], &c[at.saturating_sub(3)..=at]);
        }
        assert_eq!(b.len(), c.len(), "{name}");
    }
}

#[test]
fn the_first_round_keeps_what_there_is() {
    for (name, bytes) in samples() {
        let a = String::from_utf8(bytes.clone()).unwrap();
        let options = export_all(ExportOptions::new(&Labels, "2026-01-01"));
        let imported = import(&bytes, Mode::Tolerant).unwrap();
        let b = export(&imported.described(), options);
        let mut wanted = counts(&a);
        let empty = imported.repairs.iter().filter(|repair| repair.action == "empty note left out");
        let scopes = empty.filter(|repair| repair.element == "scopecontent").count();
        *wanted.get_mut("scope notes").unwrap() -= scopes;
        assert_eq!(wanted, counts(&b), "{name}");
    }
}
