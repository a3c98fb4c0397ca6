//! A module and its interfaces, as its descriptor declares them.

use serde_json::Value;

use super::{
    ids::{product_of, version_of},
    versions::is_compatible,
};

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
    pub fn product(&self) -> &str {
        product_of(&self.id)
    }

    /// Its display name.
    pub fn name(&self) -> &str {
        self.descriptor.get("name").and_then(Value::as_str).unwrap_or(&self.id)
    }

    /// The permissions it defines.
    #[must_use]
    pub(crate) fn permission_sets(&self) -> &[Value] {
        self.descriptor.get("permissionSets").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The products that it takes the place of.
    #[must_use]
    pub(crate) fn replaces(&self) -> &[Value] {
        self.descriptor.get("replaces").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// True if it provides the interface in a compatible version.
    #[must_use]
    pub(crate) fn supplies(&self, wanted: &Interface) -> bool {
        let fits = |one: &&Interface| one.id == wanted.id && one.is_regular();
        let provided = self.provides.iter().find(fits);
        provided.is_some_and(|one| is_compatible(&one.version, &wanted.version))
    }

    /// True if it provides an interface that other modules may call.
    pub fn provides(&self, interface: &str) -> bool {
        self.provides.iter().any(|provided| provided.id == interface && provided.is_regular())
    }
}

fn interfaces(descriptor: &Value, member: &str) -> Vec<Interface> {
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
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
