//! The known modules: Carrel's own, reduced to what it serves of FOLIO's descriptors, and those posted by clients.

mod built_in;
mod ids;

pub use ids::{product_of, version_of};

use std::{collections::HashSet, sync::Arc};

use serde_json::Value;

use self::{built_in::BUILT_IN, ids::compare_ids};
use super::dependencies::is_compatible;

/// An interface that a module provides or requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// Such as `users`.
    pub id: String,
    /// The provided version, or the accepted versions separated by spaces.
    pub version: String,
    /// `system`, `multiple` or nothing.
    pub kind: Option<String>,
}

impl Interface {
    /// True if other modules may require it.
    #[must_use]
    pub(crate) fn is_regular(&self) -> bool {
        self.kind.as_deref().is_none_or(|kind| kind == "proxy")
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Module {
    /// Product and version, `mod-users-19.5.4`.
    pub id: String,
    pub provides: Vec<Interface>,
    pub requires: Vec<Interface>,
    /// Required only if present.
    pub optional: Vec<Interface>,
    /// The module descriptor, in Okapi's form.
    pub descriptor: Value,
}

impl Module {
    /// Parses a module descriptor; `None` if its id has no version.
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

    /// Its display name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.descriptor.get("name").and_then(Value::as_str).unwrap_or(&self.id)
    }

    /// The permissions it defines.
    #[must_use]
    pub(crate) fn permission_sets(&self) -> &[Value] {
        self.descriptor.get("permissionSets").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// True if it provides the interface in a compatible version.
    #[must_use]
    pub(crate) fn supplies(&self, wanted: &Interface) -> bool {
        let fits = |one: &&Interface| one.id == wanted.id && one.is_regular();
        let provided = self.provides.iter().find(fits);
        provided.is_some_and(|one| is_compatible(&one.version, &wanted.version))
    }

    /// True if it provides an interface that other modules may call.
    #[must_use]
    pub fn provides(&self, interface: &str) -> bool {
        self.provides.iter().any(|provided| provided.id == interface && provided.is_regular())
    }
}

/// All known modules, by product and version.
#[derive(Debug, Clone)]
pub struct Registry {
    modules: Vec<Arc<Module>>,
}

impl Registry {
    /// Carrel's `own` modules ([`served`]) and those `posted` by clients.
    #[must_use]
    pub fn with(own: &[Arc<Module>], posted: Vec<Module>) -> Self {
        let mut modules = own.to_vec();
        modules.retain(|own| posted.iter().all(|other| other.id != own.id));
        modules.extend(posted.into_iter().map(Arc::new));
        modules.sort_by(|a, b| compare_ids(&a.id, &b.id));
        Self { modules }
    }

    /// True for one of Carrel's own modules.
    #[must_use]
    pub fn is_built_in(id: &str) -> bool {
        BUILT_IN.iter().any(|module| module.id == id)
    }

    /// Ids of Carrel's own modules, Okapi's first.
    #[must_use]
    pub fn built_in_ids() -> Vec<String> {
        BUILT_IN.iter().map(|module| module.id.clone()).collect()
    }

    /// The id of Carrel's own module of that product, as a list for [`store::tenants`]; empty if there is none.
    #[must_use]
    pub fn built_in(product: &str) -> Vec<String> {
        let of_product = BUILT_IN.iter().filter(|module| module.product() == product);
        of_product.map(|module| module.id.clone()).collect()
    }

    /// All modules, in ascending order.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        self.modules.iter().map(AsRef::as_ref)
    }

    #[must_use]
    pub fn find(&self, id: &str) -> Option<&Module> {
        self.modules().find(|module| module.id == id)
    }

    /// The module with that id, or the newest version of that product.
    #[must_use]
    pub fn resolve(&self, id_or_product: &str) -> Option<&Module> {
        self.find(id_or_product).or_else(|| {
            let of_product = |module: &&Arc<Module>| module.product() == id_or_product;
            self.modules.iter().rfind(of_product).map(AsRef::as_ref)
        })
    }

    /// The newest module that provides the interface, preferably in a compatible version.
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

/// Carrel's own modules as announced: the handlers in FOLIO's descriptors for which `serves(method, path)` is true, the
/// interfaces with such handlers, and of the required interfaces those that an own module provides.
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

/// The interfaces with their served handlers, without those whose handlers are all unserved.
fn handled(provides: &Value, serves: &impl Fn(&str, &str) -> bool) -> Vec<Value> {
    let is_served = |handler: &Value| {
        let (method, path) = (&handler["methods"][0], &handler["pathPattern"]);
        method.as_str().zip(path.as_str()).is_some_and(|(method, path)| serves(method, path))
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

fn interfaces(descriptor: &Value, member: &str) -> Vec<Interface> {
    let text =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
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

#[cfg(test)]
mod tests;
