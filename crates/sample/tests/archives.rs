//! What holds for every sample of archives, whatever its seed and size.

// The helpers of a test may fail by a panic, too.
#![allow(clippy::unwrap_used)]

use std::{collections::HashSet, convert::Infallible};

use jiff::Timestamp;
use sample::{Library, Plan};
use serde_json::Value;

fn library(seed: u64, resources: u32, components: u32) -> Library {
    let now: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
    Library::new(Plan { seed, instances: 1, items: 1, users: 1, resources, components, now }).unwrap()
}

fn collection(library: &Library, number: u32, components: u32) -> Vec<Value> {
    let mut records = Vec::new();
    let taken: Result<(), Infallible> = library.collection(number, components, &mut |record| {
        records.push(record);
        Ok(())
    });
    taken.unwrap();
    records
}

fn of<'a>(records: &'a [Value], kind: &str) -> Vec<&'a Value> {
    records.iter().filter(|record| record["jsonmodel_type"] == kind).collect()
}

#[test]
fn sizes_add_up_and_the_first_collection_is_the_largest() {
    for (resources, components) in [(0, 0), (1, 77), (2, 5), (20, 5_000), (1_000, 1_000_000), (50, 7)] {
        let sizes = library(1, resources, components).collection_sizes();
        assert_eq!((sizes.len() as u32, sizes.iter().sum::<u32>()), (resources, components));
    }
    let sizes = library(1, 20, 5_000).collection_sizes();
    assert_eq!((sizes[0], sizes.iter().max()), (1_000, Some(&1_000)));
    assert!(sizes.iter().all(|size| *size > 50), "{sizes:?}");
}

#[test]
fn a_collection_has_as_many_components_as_asked_for() {
    let library = library(1, 20, 5_000);
    for (number, size) in [(0, 0), (1, 1), (2, 29), (3, 30), (4, 61), (5, 1_000)] {
        let records = collection(&library, number, size);
        assert_eq!(of(&records, "archival_object").len(), size as usize);
        assert_eq!(of(&records, "resource").len(), 1);
    }
    let large = collection(&library, 7, 4_000);
    let nodes = of(&large, "archival_object");
    let of_level = |level: &str| nodes.iter().filter(|node| node["level"] == level).count();
    assert_eq!(of_level("series"), 8);
    assert!(of_level("subseries") > 10 && of_level("item") > 500, "{}, {}", of_level("subseries"), of_level("item"));
    assert!(!of(&large, "top_container").is_empty() && !of(&large, "digital_object").is_empty());
    let second = nodes.iter().skip(1).position(|node| node["level"] == "series").unwrap();
    assert_eq!(second + 1, 1_000, "the first series has a quarter");
}

#[test]
fn the_same_plan_gives_the_same_archives() {
    let again = || library(7, 5, 400);
    assert_eq!(collection(&again(), 2, 90), collection(&again(), 2, 90));
    assert_eq!(again().shared_archives(), again().shared_archives());
    assert_ne!(collection(&again(), 2, 90), collection(&library(8, 5, 400), 2, 90));
}

/// Every address in a record under the name `ref`.
fn named(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("ref").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|value| named(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| named(value, found)),
        _ => {}
    }
}

#[test]
fn every_record_that_is_named_exists_and_none_is_there_twice() {
    let library = library(1, 6, 1_200);
    let mut records = library.shared_archives();
    for (number, size) in (0..).zip(library.collection_sizes()) {
        records.extend(collection(&library, number, size));
    }
    let texts = |member: &str| -> Vec<String> {
        records.iter().filter_map(|record| record[member].as_str()).map(str::to_owned).collect()
    };
    for member in ["uri", "ref_id", "barcode", "digital_object_id", "ead_id"] {
        let all = texts(member);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len(), "{member}");
    }
    let known: HashSet<String> = texts("uri").into_iter().collect();
    for record in &records {
        let mut addresses = Vec::new();
        named(record, &mut addresses);
        for address in addresses {
            assert!(known.contains(&address), "{address} of {record}");
        }
    }
}
