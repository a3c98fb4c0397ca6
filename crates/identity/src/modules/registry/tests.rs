use std::collections::{HashMap, HashSet};

use serde_json::json;

use super::{built_in::ROUTES, *};
use crate::modules::{dependencies, product_of, version_of};

fn with(posted: Vec<Module>) -> Registry {
    Registry::with(&served(|_, _| true), posted)
}

#[test]
fn an_id_is_a_product_and_a_version() {
    for (id, product, version) in [
        ("mod-users-19.5.4", "mod-users", Some("19.5.4")),
        ("mod-inventory-storage-29.0.0-SNAPSHOT.1", "mod-inventory-storage", Some("29.0.0-SNAPSHOT.1")),
        ("folio_users-12.1.16", "folio_users", Some("12.1.16")),
        ("mod-users", "mod-users", None),
        ("mod-z3950", "mod-z3950", None),
    ] {
        assert_eq!((product_of(id), version_of(id)), (product, version), "{id}");
    }
}

#[test]
fn versions_are_ordered_by_number() {
    let posted = ["mod-x-2.0.0", "mod-x-10.0.0", "mod-x-9.1.0", "mod-x-10.0.0-SNAPSHOT.7"];
    let posted = posted.iter().filter_map(|id| Module::read(json!({ "id": id }))).collect();
    let registry = with(posted);
    assert_eq!(registry.resolve("mod-x").map(|m| m.id.as_str()), Some("mod-x-10.0.0"));
    assert_eq!(registry.resolve("mod-x-9.1.0").map(|m| m.id.as_str()), Some("mod-x-9.1.0"));
    assert!(registry.resolve("mod-nothing").is_none());
}

#[test]
fn every_product_has_its_routes_and_permissions() {
    let registry = with(Vec::new());
    let product = |name: &str| registry.resolve(name).unwrap_or_else(|| panic!("no {name}"));
    for name in ["okapi", "mod-circulation", "mod-data-export-worker", "edge-rtac", "folio_users"] {
        product(name);
    }
    assert_eq!(product("mod-circulation").product(), "mod-circulation");
    assert_eq!(product("okapi").permission_sets().len(), 52);
    let users = &product("mod-users").descriptor["provides"];
    let users = users.as_array().unwrap().iter().find(|i| i["id"] == "users").unwrap();
    assert!(users["handlers"].as_array().unwrap().len() > 10);
    let routed: HashSet<_> = ROUTES.lines().skip(1).filter_map(|l| l.split('\t').next()).collect();
    for name in routed {
        product(name);
    }
}

/// Required by pages and tools of the release (R1 2025).
#[test]
fn interfaces_have_the_versions_of_the_release() {
    let registry = with(Vec::new());
    for (product, interface, version) in [
        ("okapi", "okapi", "1.9"),
        ("mod-inventory-storage", "item-storage", "10.2"),
        ("mod-inventory-storage", "holdings-storage", "8.0"),
        ("mod-inventory", "inventory", "14.3"),
        ("mod-permissions", "permissions", "5.8"),
        ("mod-users", "users", "16.4"),
        ("mod-circulation", "circulation", "14.6"),
        ("mod-search", "search", "1.3"),
        ("mod-search", "browse", "2.0"),
    ] {
        let module = registry.resolve(product).unwrap();
        let found = module.provides.iter().find(|one| one.id == interface);
        let found = found.map(|one| one.version.as_str());
        assert_eq!(found, Some(version), "{interface} of {product}");
    }
}

#[test]
fn unserved_interfaces_are_neither_announced_nor_required() {
    let none = served(|_, path| !path.starts_with("/search") && path != "/groups");
    let registry = Registry::with(&none, Vec::new());
    let search = registry.resolve("mod-search").unwrap();
    assert!(!search.provides("search") && search.provides("browse"));
    let users = registry.resolve("mod-users").unwrap();
    assert!(users.provides("users"));
    assert!(!users.descriptor["provides"].to_string().contains("\"/groups\""));
    let served: Vec<_> = registry.modules().collect();
    for module in &served {
        assert_eq!(dependencies::unmet(module, &served), [""; 0]);
    }
}

/// An open tenant has mod-users-bl without mod-authtoken.
#[test]
fn interfaces_of_the_gateway_are_announced_but_not_required() {
    let registry = Registry::with(&served(|_, path| !path.contains("token")), Vec::new());
    let tokens = registry.resolve("mod-authtoken").unwrap();
    assert!(tokens.provides("authtoken") && tokens.provides("authtoken2"));
    let users = registry.resolve("mod-users-bl").unwrap();
    assert!(users.requires.iter().all(|interface| !interface.id.starts_with("authtoken")));
}

/// Clients give an administrator the permissions that no other contains, and expect that these include all.
#[test]
fn every_permission_is_reachable_from_a_top_level_one() {
    let mut children: HashMap<String, Vec<String>> = HashMap::new();
    for set in BUILT_IN.iter().flat_map(|module| module.permission_sets()) {
        let subs = set["subPermissions"].as_array().into_iter().flatten();
        let subs = subs.filter_map(|s| s.as_str().map(ToOwned::to_owned)).collect();
        children.insert(set["permissionName"].as_str().unwrap().to_owned(), subs);
    }
    let contained: HashSet<_> = children.values().flatten().cloned().collect();
    let mut reached: HashSet<_> = children.keys().filter(|name| !contained.contains(*name)).cloned().collect();
    assert!(reached.contains("okapi.all") && reached.contains("users.all"));
    let mut next: Vec<_> = reached.iter().cloned().collect();
    while let Some(name) = next.pop() {
        for child in children.get(&name).into_iter().flatten() {
            if reached.insert(child.clone()) {
                next.push(child.clone());
            }
        }
    }
    let lost: Vec<_> = children.keys().filter(|name| !reached.contains(*name)).collect();
    assert!(lost.is_empty(), "{lost:?}");
}
