//! Which modules there are: those Carrel provides, with what it serves of FOLIO's own descriptors, and those clients
//! have posted.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
    sync::{Arc, LazyLock},
};

use serde_json::{Map, Value, json};

use super::dependencies::is_compatible;

const PRODUCTS: &str = include_str!("../../../store/data/descriptors/products.tsv");
const INTERFACES: &str = include_str!("../../../store/data/descriptors/modules.json");
const PERMISSIONS: &str = include_str!("../../../store/data/descriptors/permission-sets.json");
const ROUTES: &str = include_str!("../../../store/data/descriptors/routes-permissions.tsv");

static BUILT_IN: LazyLock<Vec<Arc<Module>>> =
    LazyLock::new(|| built_in().into_iter().map(Arc::new).collect());

/// An interface a module provides or needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// Its id, `users`.
    pub id: String,
    /// Version provided, or the versions accepted with blanks between them.
    pub version: String,
    /// `system`, `multiple` or nothing.
    pub kind: Option<String>,
}

impl Interface {
    /// True when other modules may require it.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        self.kind.as_deref().is_none_or(|kind| kind == "proxy")
    }
}

/// A module.
#[derive(Debug, Clone, PartialEq)]
pub struct Module {
    /// Product and version, `mod-users-19.5.4`.
    pub id: String,
    /// What the tenant gets.
    pub provides: Vec<Interface>,
    /// What it cannot do without.
    pub requires: Vec<Interface>,
    /// What it uses when it is there.
    pub optional: Vec<Interface>,
    /// The module descriptor, in Okapi's shape.
    pub descriptor: Value,
}

impl Module {
    /// Reads a module descriptor; `None` when it has no id with a version.
    #[must_use]
    pub fn read(descriptor: Value) -> Option<Self> {
        let id = descriptor.get("id")?.as_str()?.to_owned();
        version_of(&id)?;
        Some(Self {
            provides: interfaces(&descriptor, "provides"),
            requires: interfaces(&descriptor, "requires"),
            optional: interfaces(&descriptor, "optional"),
            descriptor,
            id,
        })
    }

    /// The product, `mod-users`.
    #[must_use]
    pub fn product(&self) -> &str {
        product_of(&self.id)
    }

    /// Its name for people.
    #[must_use]
    pub fn name(&self) -> &str {
        self.descriptor
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or(&self.id)
    }

    /// The permissions it defines.
    #[must_use]
    pub fn permission_sets(&self) -> &[Value] {
        self.descriptor
            .get("permissionSets")
            .and_then(Value::as_array)
            .map_or(&[], Vec::as_slice)
    }

    /// True when it provides the interface in a version that fits.
    #[must_use]
    pub fn supplies(&self, wanted: &Interface) -> bool {
        let fits = |one: &&Interface| one.id == wanted.id && one.is_regular();
        let provided = self.provides.iter().find(fits);
        provided.is_some_and(|one| is_compatible(&one.version, &wanted.version))
    }

    /// True when it provides an interface that other modules may call.
    #[must_use]
    pub fn provides(&self, interface: &str) -> bool {
        self.provides
            .iter()
            .any(|provided| provided.id == interface && provided.is_regular())
    }
}

/// Every module known to the platform, by product and then by version.
#[derive(Debug, Clone)]
pub struct Catalogue {
    modules: Vec<Arc<Module>>,
}

impl Catalogue {
    /// Carrel's `own` modules ([`served`]), and `posted` ones of clients.
    #[must_use]
    pub fn with(own: &[Arc<Module>], posted: Vec<Module>) -> Self {
        let mut modules = own.to_vec();
        modules.retain(|own| posted.iter().all(|other| other.id != own.id));
        modules.extend(posted.into_iter().map(Arc::new));
        modules.sort_by(|a, b| compare_ids(&a.id, &b.id));
        Self { modules }
    }

    /// True for a module Carrel provides itself.
    #[must_use]
    pub fn is_built_in(id: &str) -> bool {
        BUILT_IN.iter().any(|module| module.id == id)
    }

    /// Ids of all modules Carrel provides, Okapi's first.
    #[must_use]
    pub fn built_in_ids() -> Vec<String> {
        BUILT_IN.iter().map(|module| module.id.clone()).collect()
    }

    /// Id of the module of that product Carrel provides, in a list for [`store::tenants`]; empty for another.
    #[must_use]
    pub fn built_in(product: &str) -> Vec<String> {
        let of_product = BUILT_IN.iter().filter(|module| module.product() == product);
        of_product.map(|module| module.id.clone()).collect()
    }

    /// All modules, in ascending order.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        self.modules.iter().map(AsRef::as_ref)
    }

    /// The module of that id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&Module> {
        self.modules().find(|module| module.id == id)
    }

    /// The module of that id, or the newest version of that product.
    #[must_use]
    pub fn resolve(&self, id_or_product: &str) -> Option<&Module> {
        self.find(id_or_product).or_else(|| {
            let of_product = |module: &&Arc<Module>| module.product() == id_or_product;
            self.modules.iter().rfind(of_product).map(AsRef::as_ref)
        })
    }

    /// The newest module that provides the interface, in a fitting version if there is one.
    #[must_use]
    pub fn provider(&self, interface: &Interface) -> Option<&Module> {
        let fits = |module: &&Arc<Module>| module.supplies(interface);
        let provides = |module: &&Arc<Module>| module.provides(&interface.id);
        let mut modules = self.modules.iter();
        let found = modules.rfind(fits);
        let found = found.or_else(|| self.modules.iter().rfind(provides));
        found.map(AsRef::as_ref)
    }
}

/// Carrel's own modules as they are announced: of FOLIO's descriptors the handlers that `serves` (method, path) knows, the
/// interfaces that have such, and of what a module requires that which an own module provides.
pub fn served(serves: impl Fn(&str, &str) -> bool) -> Vec<Arc<Module>> {
    let provided: Vec<_> = BUILT_IN
        .iter()
        .map(|module| (module, handled(&module.descriptor["provides"], &serves)))
        .collect();
    let announced: HashSet<_> = provided
        .iter()
        .flat_map(|(_, provides)| provides.iter().filter_map(|one| one["id"].as_str()))
        .collect();
    let known = |interfaces: &Value| -> Vec<Value> {
        let listed = interfaces.as_array().into_iter().flatten();
        let is_announced =
            |one: &&Value| one["id"].as_str().is_some_and(|id| announced.contains(id));
        listed.filter(is_announced).cloned().collect()
    };
    let announce = |(module, provides): &(&Arc<Module>, Vec<Value>)| {
        let mut descriptor = module.descriptor.clone();
        descriptor["provides"] = provides.clone().into();
        for member in ["requires", "optional"] {
            descriptor[member] = known(&descriptor[member]).into();
        }
        Module::read(descriptor).map(Arc::new)
    };
    provided.iter().filter_map(announce).collect()
}

/// The interfaces with the handlers that are served; one that has handlers and none of them served is left out.
fn handled(provides: &Value, serves: &impl Fn(&str, &str) -> bool) -> Vec<Value> {
    let is_served = |handler: &Value| {
        let (method, path) = (&handler["methods"][0], &handler["pathPattern"]);
        method
            .as_str()
            .zip(path.as_str())
            .is_some_and(|(method, path)| serves(method, path))
    };
    let mut kept = Vec::new();
    for interface in provides.as_array().into_iter().flatten() {
        let mut interface = interface.clone();
        let Some(handlers) = interface["handlers"].as_array_mut() else {
            continue;
        };
        let had_some = !handlers.is_empty();
        handlers.retain(is_served);
        if !handlers.is_empty() || !had_some {
            kept.push(interface);
        }
    }
    kept
}

/// The product of a module id: `mod-users` of `mod-users-19.5.4`; an id without version is a product.
#[must_use]
pub fn product_of(id: &str) -> &str {
    version_start(id).map_or(id, |start| &id[..start - 1])
}

/// The version of a module id: `19.5.1` of `mod-users-19.5.4`.
#[must_use]
pub fn version_of(id: &str) -> Option<&str> {
    version_start(id).map(|start| &id[start..])
}

fn version_start(id: &str) -> Option<usize> {
    id.match_indices('-')
        .map(|(place, _)| place + 1)
        .find(|start| id[*start..].starts_with(|c: char| c.is_ascii_digit()))
}

/// Products by name, their versions by number.
fn compare_ids(a: &str, b: &str) -> Ordering {
    product_of(a)
        .cmp(product_of(b))
        .then_with(|| numbers(a).cmp(&numbers(b)))
        .then_with(|| a.cmp(b))
}

fn numbers(id: &str) -> Vec<u64> {
    version_of(id)
        .unwrap_or_default()
        .split(|c: char| !c.is_ascii_digit())
        .map(|part| part.parse().unwrap_or(0))
        .collect()
}

fn interfaces(descriptor: &Value, member: &str) -> Vec<Interface> {
    let text = |value: &Value, name: &str| {
        value
            .get(name)
            .and_then(Value::as_str)
            .map(ToOwned::to_owned)
    };
    descriptor
        .get(member)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|interface| {
            Some(Interface {
                id: text(interface, "id")?,
                version: text(interface, "version").unwrap_or_default(),
                kind: text(interface, "interfaceType"),
            })
        })
        .collect()
}

fn built_in() -> Vec<Module> {
    let interfaces = by_product(INTERFACES);
    let permissions = by_product(PERMISSIONS);
    let handlers = handlers();
    PRODUCTS
        .lines()
        .skip(1)
        .filter_map(|line| {
            let mut columns = line.split('\t');
            let (product, version, name) = (columns.next()?, columns.next()?, columns.next()?);
            let described = interfaces.get(product);
            let list = |member: &str| {
                described
                    .and_then(|module| module.get(member).cloned())
                    .unwrap_or_else(|| json!([]))
            };
            let sets = permissions
                .get(product)
                .and_then(|module| module.get("permissionSets").cloned());
            Module::read(json!({
                "id": format!("{product}-{version}"),
                "name": name,
                "provides": with_handlers(list("provides"), product, &handlers),
                "requires": list("requires"),
                "optional": list("optional"),
                "permissionSets": sets.unwrap_or_else(|| json!([])),
            }))
        })
        .collect()
}

fn by_product(json: &str) -> HashMap<String, Map<String, Value>> {
    let list: Vec<Map<String, Value>> =
        serde_json::from_str(json).expect("the descriptors of this program are JSON");
    list.into_iter()
        .filter_map(|module| Some((module.get("module")?.as_str()?.to_owned(), module)))
        .collect()
}

/// Routing entries by product and interface (`users 16.5`).
fn handlers() -> HashMap<(&'static str, &'static str), Vec<Value>> {
    let names = |column: &str| -> Vec<String> {
        column
            .split(',')
            .filter(|name| !name.is_empty() && *name != "-")
            .map(ToOwned::to_owned)
            .collect()
    };
    let mut handlers: HashMap<_, Vec<Value>> = HashMap::new();
    for line in ROUTES.lines().skip(1) {
        if let [product, interface, method, path, required, desired] =
            line.split('\t').collect::<Vec<_>>()[..]
        {
            let mut entry = json!({"methods": [method], "pathPattern": path,
                "permissionsRequired": names(required)});
            if desired != "-" {
                entry["permissionsDesired"] = names(desired).into();
            }
            let interface = interface.split(' ').next().unwrap_or(interface);
            handlers
                .entry((product, interface))
                .or_default()
                .push(entry);
        }
    }
    handlers
}

fn with_handlers(
    mut provides: Value,
    product: &str,
    handlers: &HashMap<(&'static str, &'static str), Vec<Value>>,
) -> Value {
    for interface in provides.as_array_mut().into_iter().flatten() {
        let id = interface
            .get("id")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let entries = handlers.get(&(product, id)).cloned().unwrap_or_default();
        interface["handlers"] = entries.into();
    }
    provides
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::modules::dependencies;

    fn with(posted: Vec<Module>) -> Catalogue {
        Catalogue::with(&served(|_, _| true), posted)
    }

    #[test]
    fn an_id_is_a_product_and_a_version() {
        for (id, product, version) in [
            ("mod-users-19.5.4", "mod-users", Some("19.5.4")),
            (
                "mod-inventory-storage-29.0.0-SNAPSHOT.1",
                "mod-inventory-storage",
                Some("29.0.0-SNAPSHOT.1"),
            ),
            ("folio_users-12.1.16", "folio_users", Some("12.1.16")),
            ("mod-users", "mod-users", None),
            ("mod-z3950", "mod-z3950", None),
        ] {
            assert_eq!((product_of(id), version_of(id)), (product, version), "{id}");
        }
    }

    #[test]
    fn versions_are_ordered_by_number() {
        let posted = ["mod-x-2.0.0", "mod-x-10.0.0", "mod-x-9.1.0"];
        let posted = posted
            .iter()
            .filter_map(|id| Module::read(json!({ "id": id })))
            .collect();
        let catalogue = with(posted);
        assert_eq!(
            catalogue.resolve("mod-x").map(|m| m.id.as_str()),
            Some("mod-x-10.0.0")
        );
        assert_eq!(
            catalogue.resolve("mod-x-9.1.0").map(|m| m.id.as_str()),
            Some("mod-x-9.1.0")
        );
        assert!(catalogue.resolve("mod-nothing").is_none());
    }

    #[test]
    fn every_product_clients_look_up_is_known_with_its_routes_and_permissions() {
        let catalogue = with(Vec::new());
        let product = |name: &str| {
            catalogue
                .resolve(name)
                .unwrap_or_else(|| panic!("no {name}"))
        };
        for name in [
            "okapi",
            "mod-circulation",
            "mod-data-export-worker",
            "edge-rtac",
            "folio_users",
        ] {
            product(name);
        }
        assert_eq!(product("mod-circulation").product(), "mod-circulation");
        assert_eq!(product("okapi").permission_sets().len(), 52);
        let users = &product("mod-users").descriptor["provides"];
        let users = users
            .as_array()
            .unwrap()
            .iter()
            .find(|i| i["id"] == "users")
            .unwrap();
        assert!(users["handlers"].as_array().unwrap().len() > 10);
        let routed: HashSet<_> = ROUTES
            .lines()
            .skip(1)
            .filter_map(|l| l.split('\t').next())
            .collect();
        for name in routed {
            product(name);
        }
    }

    /// What the pages and tools of the release ask for (R1 2025).
    #[test]
    fn interfaces_have_the_versions_of_the_release() {
        let catalogue = with(Vec::new());
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
            let module = catalogue.resolve(product).unwrap();
            let found = module.provides.iter().find(|one| one.id == interface);
            let found = found.map(|one| one.version.as_str());
            assert_eq!(found, Some(version), "{interface} of {product}");
        }
    }

    #[test]
    fn what_is_not_served_is_neither_announced_nor_required() {
        let none = served(|_, path| !path.starts_with("/search") && path != "/groups");
        let catalogue = Catalogue::with(&none, Vec::new());
        let search = catalogue.resolve("mod-search").unwrap();
        assert!(!search.provides("search") && search.provides("browse"));
        let users = catalogue.resolve("mod-users").unwrap();
        assert!(users.provides("users"));
        assert!(
            !users.descriptor["provides"]
                .to_string()
                .contains("\"/groups\"")
        );
        let served: Vec<_> = catalogue.modules().collect();
        for module in &served {
            assert_eq!(dependencies::unmet(module, &served), [""; 0]);
        }
    }

    /// Clients give an administrator the permissions that no other contains, and expect everything.
    #[test]
    fn every_permission_is_reachable_from_a_top_level_one() {
        let mut children: HashMap<String, Vec<String>> = HashMap::new();
        for set in BUILT_IN.iter().flat_map(|module| module.permission_sets()) {
            let subs = set["subPermissions"].as_array().into_iter().flatten();
            let subs = subs
                .filter_map(|s| s.as_str().map(ToOwned::to_owned))
                .collect();
            children.insert(set["permissionName"].as_str().unwrap().to_owned(), subs);
        }
        let contained: HashSet<_> = children.values().flatten().cloned().collect();
        let mut reached: HashSet<_> = children
            .keys()
            .filter(|name| !contained.contains(*name))
            .cloned()
            .collect();
        assert!(reached.contains("okapi.all") && reached.contains("users.all"));
        let mut next: Vec<_> = reached.iter().cloned().collect();
        while let Some(name) = next.pop() {
            for child in children.get(&name).into_iter().flatten() {
                if reached.insert(child.clone()) {
                    next.push(child.clone());
                }
            }
        }
        let lost: Vec<_> = children
            .keys()
            .filter(|name| !reached.contains(*name))
            .collect();
        assert!(lost.is_empty(), "{lost:?}");
    }
}
