//! Carrel's own modules, built from FOLIO's descriptors.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use serde_json::{Map, Value, json};

use super::Module;

const PRODUCTS: &str = include_str!("../../../../store/data/descriptors/products.tsv");
const INTERFACES: &str = include_str!("../../../../store/data/descriptors/modules.json");
const PERMISSIONS: &str = include_str!("../../../../store/data/descriptors/permission-sets.json");
pub(super) const ROUTES: &str = include_str!("../../../../store/data/descriptors/routes-permissions.tsv");

pub(super) static BUILT_IN: LazyLock<Vec<Arc<Module>>> =
    LazyLock::new(|| built_in().into_iter().map(Arc::new).collect());

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
            let list =
                |member: &str| described.and_then(|module| module.get(member).cloned()).unwrap_or_else(|| json!([]));
            let sets = permissions.get(product).and_then(|module| module.get("permissionSets").cloned());
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
    let list: Vec<Map<String, Value>> = serde_json::from_str(json).expect("the descriptors of this program are JSON");
    list.into_iter().filter_map(|module| Some((module.get("module")?.as_str()?.to_owned(), module))).collect()
}

/// Routing entries by product and interface (`users 16.5`).
fn handlers() -> HashMap<(&'static str, &'static str), Vec<Value>> {
    let names = |column: &str| -> Vec<String> {
        column.split(',').filter(|name| !name.is_empty() && *name != "-").map(ToOwned::to_owned).collect()
    };
    let mut handlers: HashMap<_, Vec<Value>> = HashMap::new();
    for line in ROUTES.lines().skip(1) {
        if let [product, interface, method, path, required, desired] = line.split('\t').collect::<Vec<_>>()[..] {
            let mut entry = json!({"methods": [method], "pathPattern": path,
                "permissionsRequired": names(required)});
            if desired != "-" {
                entry["permissionsDesired"] = names(desired).into();
            }
            let interface = interface.split(' ').next().unwrap_or(interface);
            handlers.entry((product, interface)).or_default().push(entry);
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
        let id = interface.get("id").and_then(Value::as_str).unwrap_or_default();
        let entries = handlers.get(&(product, id)).cloned().unwrap_or_default();
        interface["handlers"] = entries.into();
    }
    provides
}
