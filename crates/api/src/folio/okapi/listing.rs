//! The parameters that filter and sort Okapi's module lists.

use identity::modules::{Module, product_of, version_of};
use serde_json::{Value, json};

use crate::call::Query;

/// The parameters that [`narrowed`] and [`shown`] read.
pub(super) const PARAMETERS: &str = "filter, provide, require, latest:int, order:(asc|desc), orderBy, full:bool,
    preRelease, npmSnapshot, scope";

/// An interface a module provides, with whatever else its descriptor says.
pub(super) const INTERFACE: &str =
    "id*, version*, interfaceType, handlers[{methods[], pathPattern, permissionsRequired[], ...}], ...";

/// A module descriptor, with any other members the client sent; lists show the id alone, or with the name.
pub(super) const MODULE: &str = "id*, name, provides[{id*, version*, ...}], requires[{id*, version*, ...}],
    optional[{id*, version*, ...}], permissionSets[{permissionName*, ...}], ...";

/// The modules that match the query, in its order.
pub(super) fn narrowed<'a>(modules: impl Iterator<Item = &'a Module>, query: &Query) -> Vec<&'a Module> {
    let interface_of = |text: &str| text.split('=').next().unwrap_or(text).to_owned();
    let provided = query.get("provide").map(interface_of);
    let required = query.get("require").map(interface_of);
    let mut found: Vec<_> = modules
        .filter(|module| query.get("filter").is_none_or(|filter| fits(&module.id, filter)))
        .filter(|module| provided.as_ref().is_none_or(|id| module.provides.iter().any(|i| i.id == *id)))
        .filter(|module| required.as_ref().is_none_or(|id| module.requires.iter().any(|i| i.id == *id)))
        .collect();
    if let Some(count) = query.get("latest").and_then(|text| text.parse().ok()) {
        found = latest(&found, count);
    }
    if query.get("order") == Some("desc") {
        found.reverse();
    }
    found
}

/// True if `filter` is the module's product, its id, or a prefix of its version.
fn fits(id: &str, filter: &str) -> bool {
    if product_of(id) == filter || id == filter {
        return true;
    }
    version_of(filter).is_some() && id.strip_prefix(filter).is_some_and(|rest| rest.starts_with(['.', '-']))
}

/// The newest `count` versions of each product.
fn latest<'a>(modules: &[&'a Module], count: usize) -> Vec<&'a Module> {
    let newer = |place: usize, module: &Module| {
        modules[place + 1..].iter().filter(|other| other.product() == module.product()).count()
    };
    modules
        .iter()
        .enumerate()
        .filter(|(place, module)| newer(*place, module) < count)
        .map(|(_, module)| *module)
        .collect()
}

/// A module as lists show it: with `full=true` its descriptor, otherwise its id and, in the platform's list, its name.
pub(super) fn shown(module: &Module, query: &Query, with_name: bool) -> Value {
    if query.flag("full") {
        module.descriptor.clone()
    } else if with_name {
        json!({"id": module.id, "name": module.name()})
    } else {
        json!({"id": module.id})
    }
}

#[cfg(test)]
mod tests {
    use identity::modules::{Registry, served};

    use super::*;

    fn ids(query: &str) -> Vec<String> {
        let posted = ["mod-users-18.0.0", "mod-users-2.1.0", "mod-circulation-23.0.0"];
        let posted = posted.iter().filter_map(|id| Module::read(json!({ "id": id }))).collect();
        let registry = Registry::with(&served(|_, _| true), posted);
        let found = narrowed(registry.modules(), &Query::read(query));
        found.iter().map(|module| module.id.clone()).collect()
    }

    #[test]
    fn a_filter_names_a_product_or_the_beginning_of_a_version() {
        assert_eq!(ids("filter=mod-users"), ["mod-users-2.1.0", "mod-users-18.0.0", "mod-users-19.5.4"]);
        assert_eq!(ids("filter=mod-users-18.0.0"), ["mod-users-18.0.0"]);
        assert_eq!(ids("filter=mod-users-19"), ["mod-users-19.5.4"]);
        assert_eq!(ids("filter=mod-users-1"), [""; 0]);
        assert_eq!(ids("filter=mod-circulation"), ["mod-circulation-23.0.0", "mod-circulation-24.4.18"]);
        assert_eq!(ids("filter=mod-nothing"), [""; 0]);
    }

    #[test]
    fn lists_can_be_cut_turned_and_searched_by_interface() {
        assert_eq!(ids("filter=mod-users&latest=1"), ["mod-users-19.5.4"]);
        assert_eq!(ids("filter=mod-users&latest=2&order=desc"), ["mod-users-19.5.4", "mod-users-18.0.0"]);
        assert_eq!(ids("provide=users"), ["mod-users-19.5.4"]);
        assert_eq!(ids("provide=users=16.0"), ["mod-users-19.5.4"]);
        assert!(ids("require=users").contains(&"mod-login-7.13.2".to_owned()));
        assert!(ids("").len() > 45);
    }
}
