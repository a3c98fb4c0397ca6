//! The known modules: Carrel's own, reduced to what it serves of FOLIO's descriptors, and those posted by clients.

mod built_in;

use std::{collections::HashSet, sync::Arc};

use serde_json::Value;

use self::built_in::BUILT_IN;
use super::{Interface, Module, ids::compare_ids};

/// All known modules, by product and version.
#[derive(Debug, Clone)]
pub struct Registry {
    modules: Vec<Arc<Module>>,
}

impl Registry {
    /// Carrel's `own` modules ([`served`]) and those `posted` by clients.
    pub fn with(own: &[Arc<Module>], posted: Vec<Module>) -> Self {
        let mut modules = own.to_vec();
        modules.retain(|own| posted.iter().all(|other| other.id != own.id));
        modules.extend(posted.into_iter().map(Arc::new));
        modules.sort_by(|a, b| compare_ids(&a.id, &b.id));
        Self { modules }
    }

    /// True for one of Carrel's own modules.
    pub fn is_built_in(id: &str) -> bool {
        BUILT_IN.iter().any(|module| module.id == id)
    }

    /// Ids of Carrel's own modules, Okapi's first.
    pub fn built_in_ids() -> Vec<String> {
        BUILT_IN.iter().map(|module| module.id.clone()).collect()
    }

    /// The id of Carrel's own module of that product, as a list for [`store::tenants`]; empty if there is none.
    pub fn built_in(product: &str) -> Vec<String> {
        let of_product = BUILT_IN.iter().filter(|module| module.product() == product);
        of_product.map(|module| module.id.clone()).collect()
    }

    /// All modules, in ascending order.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        self.modules.iter().map(AsRef::as_ref)
    }

    pub fn find(&self, id: &str) -> Option<&Module> {
        self.modules().find(|module| module.id == id)
    }

    /// The module with that id, or the newest version of that product.
    pub fn resolve(&self, id_or_product: &str) -> Option<&Module> {
        self.find(id_or_product).or_else(|| {
            let of_product = |module: &&Arc<Module>| module.product() == id_or_product;
            self.modules.iter().rfind(of_product).map(AsRef::as_ref)
        })
    }

    /// The newest module that provides the interface, preferably in a compatible version.
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
/// interfaces with such handlers, and of the required interfaces those that an own module provides. None requires those
/// of the gateway, because an open tenant has all modules but mod-authtoken.
pub fn served(serves: impl Fn(&str, &str) -> bool) -> Vec<Arc<Module>> {
    let provided: Vec<_> =
        BUILT_IN.iter().map(|module| (module, handled(&module.descriptor["provides"], &serves))).collect();
    let announced: HashSet<_> =
        provided.iter().flat_map(|(_, provides)| provides.iter().filter_map(|one| one["id"].as_str())).collect();
    let known = |interfaces: &Value| -> Vec<Value> {
        let listed = interfaces.as_array().into_iter().flatten();
        let is_announced =
            |one: &&Value| one["id"].as_str().is_some_and(|id| announced.contains(id) && !OF_THE_GATEWAY.contains(&id));
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

/// Interfaces of modules that only serve the gateway: Carrel makes and checks tokens itself. Staff applications require
/// them without calling them.
const OF_THE_GATEWAY: [&str; 2] = ["authtoken", "authtoken2"];

/// The interfaces with their served handlers, without those whose handlers are all unserved.
fn handled(provides: &Value, serves: &impl Fn(&str, &str) -> bool) -> Vec<Value> {
    let is_served = |handler: &Value| {
        let (method, path) = (&handler["methods"][0], &handler["pathPattern"]);
        method.as_str().zip(path.as_str()).is_some_and(|(method, path)| serves(method, path))
    };
    let mut kept = Vec::new();
    for interface in provides.as_array().into_iter().flatten() {
        let mut interface = interface.clone();
        let is_of_the_gateway = interface["id"].as_str().is_some_and(|id| OF_THE_GATEWAY.contains(&id));
        let Some(handlers) = interface["handlers"].as_array_mut() else {
            continue;
        };
        let had_some = !handlers.is_empty();
        handlers.retain(is_served);
        if !handlers.is_empty() || !had_some || is_of_the_gateway {
            kept.push(interface);
        }
    }
    kept
}

#[cfg(test)]
mod tests;
