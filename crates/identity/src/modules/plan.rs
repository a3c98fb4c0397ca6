//! Decides what to do when a client enables or disables modules: a pure decision.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Interface, Module, Registry, dependencies, product_of, version_of};

/// What happens to a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Enable,
    Disable,
    /// Already enabled.
    UpToDate,
}

/// A client's request for one module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// A module id or a product.
    pub id: String,
    /// [`Action::Enable`] or [`Action::Disable`].
    pub action: Action,
}

/// A step of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    pub id: String,
    /// The version it replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    pub action: Action,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// No module has that id or product.
    #[error("Module {0} not found")]
    Unknown(String),
    /// Required interfaces are missing.
    #[error("{}", .0.join(". "))]
    Unmet(Vec<String>),
}

/// The steps from the `enabled` modules to the wanted ones. What a module requires is enabled before it, unless some
/// module provides it already. With `check`, modules that need the version that is replaced follow with a version of
/// their own. Disabling a module does not disable others: all modules are one program, and those that need it notice
/// only when they call it.
///
/// # Errors
/// [`PlanError`]; unmet requirements are an error only with `check`.
pub fn plan(registry: &Registry, enabled: &[String], wanted: &[Wanted], check: bool) -> Result<Vec<Change>, PlanError> {
    let mut planner = Planner {
        registry,
        before: enabled.iter().filter_map(|id| registry.find(id)).collect(),
        enabled: enabled.iter().map(|id| (product_of(id).to_owned(), id.clone())).collect(),
        changes: Vec::new(),
    };
    for one in wanted {
        match one.action {
            Action::Disable => planner.disable(&one.id),
            Action::Enable | Action::UpToDate => planner.enable_wanted(&one.id)?,
        }
    }
    if check {
        planner.upgrade_dependents();
        let unmet = planner.unmet();
        if !unmet.is_empty() {
            return Err(PlanError::Unmet(unmet));
        }
    }
    Ok(planner.changes)
}

struct Planner<'a> {
    registry: &'a Registry,
    /// The modules enabled at first.
    before: Vec<&'a Module>,
    /// Module ids by product, after the changes so far.
    enabled: BTreeMap<String, String>,
    changes: Vec<Change>,
}

impl<'a> Planner<'a> {
    fn enable_wanted(&mut self, id: &str) -> Result<(), PlanError> {
        let module = self.registry.resolve(id).ok_or_else(|| PlanError::Unknown(id.to_owned()))?;
        self.enable(module);
        Ok(())
    }

    fn enable(&mut self, module: &Module) {
        let before = self.enabled.insert(module.product().to_owned(), module.id.clone());
        if before.as_ref() == Some(&module.id) {
            self.note(&module.id, None, Action::UpToDate);
            return;
        }
        for needed in &module.requires {
            self.supply(needed);
        }
        self.note(&module.id, before, Action::Enable);
    }

    /// Enables a provider of the interface, unless an enabled module provides a compatible version, or another version
    /// of the provider is wanted.
    fn supply(&mut self, interface: &Interface) {
        let mut enabled = self.modules().into_iter();
        let supplied = enabled.any(|module| module.supplies(interface));
        if !supplied
            && let Some(provider) = self.registry.provider(interface)
            && !self.has_settled(provider.product())
        {
            self.enable(provider);
        }
    }

    /// True if these changes say which version of a product is enabled.
    fn has_settled(&self, product: &str) -> bool {
        let settles = |change: &Change| change.action != Action::Disable && product_of(&change.id) == product;
        self.changes.iter().any(settles)
    }

    fn modules(&self) -> Vec<&'a Module> {
        let ids = self.enabled.values();
        ids.filter_map(|id| self.registry.find(id)).collect()
    }

    /// Upgrades modules that another's new version would leave without what they require.
    fn upgrade_dependents(&mut self) {
        let fitting = |planner: &Self| {
            let left = planner.modules().into_iter().filter(|module| !planner.has_settled(module.product()));
            let mut broken = left.filter(|module| !planner.lost(module).is_empty());
            broken.find_map(|module| planner.fitting(module))
        };
        while let Some(module) = fitting(self) {
            self.enable(module);
        }
    }

    /// What a module loses by these changes, except with modules that are disabled.
    fn lost(&self, module: &Module) -> Vec<String> {
        let stays = |other: &&&Module| self.enabled.contains_key(other.product());
        let before: Vec<_> = self.before.iter().filter(stays).copied().collect();
        dependencies::lost(module, &before, &self.modules())
    }

    /// The newest version of a module that requires nothing that is now provided in another version only.
    fn fitting(&self, module: &Module) -> Option<&'a Module> {
        let enabled = self.modules();
        let fits = |wanted: &Interface| {
            enabled.iter().any(|other| other.supplies(wanted))
                || !enabled.iter().any(|other| other.provides(&wanted.id))
        };
        let versions = self.registry.modules().filter(|other| other.product() == module.product());
        versions.filter(|version| version.id != module.id && version.requires.iter().all(fits)).last()
    }

    /// The unmet requirements of modules enabled by these changes, and those that these changes leave unmet.
    fn unmet(&self) -> Vec<String> {
        let modules = self.modules();
        let is_new = |module: &Module| {
            let enables = |change: &Change| change.id == module.id && change.action == Action::Enable;
            self.changes.iter().any(enables)
        };
        let of = |module: &&Module| match is_new(module) {
            true => dependencies::unmet(module, &modules),
            false => self.lost(module),
        };
        modules.iter().flat_map(of).collect()
    }

    fn disable(&mut self, id: &str) {
        let product = product_of(id);
        let Some(current) = self.enabled.get(product).cloned() else {
            return;
        };
        if version_of(id).is_none() || current == id {
            self.enabled.remove(product);
            self.note(&current, None, Action::Disable);
        }
    }

    fn note(&mut self, id: &str, from: Option<String>, action: Action) {
        // Modules changed by this plan are not also reported as up to date.
        let noted = |change: &Change| change.id == id && (change.action == action || action == Action::UpToDate);
        if !self.changes.iter().any(noted) {
            let id = id.to_owned();
            self.changes.push(Change { id, from, action });
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn registry() -> Registry {
        let descriptors = [
            json!({"id": "mod-base-1.0.0", "provides": [{"id": "base", "version": "1.0"}]}),
            json!({"id": "mod-top-1.0.0", "provides": [{"id": "top", "version": "1.0"}],
                   "requires": [{"id": "base", "version": "1.0"}]}),
            json!({"id": "mod-lost-1.0.0", "requires": [{"id": "nobody-has-it", "version": "1.0"}]}),
            json!({"id": "mod-newer-1.0.0", "requires": [{"id": "base", "version": "2.0"}]}),
            json!({"id": "mod-top-2.0.0", "provides": [{"id": "top", "version": "2.0"}],
                   "requires": [{"id": "base", "version": "1.0"}]}),
            json!({"id": "mod-ring-a-1.0.0", "provides": [{"id": "a", "version": "1.0"}],
                   "requires": [{"id": "b", "version": "1.0"}]}),
            json!({"id": "mod-ring-b-1.0.0", "provides": [{"id": "b", "version": "1.0"}],
                   "requires": [{"id": "a", "version": "1.0"}]}),
        ];
        Registry::with(&[], descriptors.into_iter().filter_map(Module::read).collect())
    }

    fn steps(enabled: &[&str], wanted: &[&str]) -> Result<Vec<String>, PlanError> {
        checked(enabled, wanted, true)
    }

    fn checked(enabled: &[&str], wanted: &[&str], check: bool) -> Result<Vec<String>, PlanError> {
        let enabled: Vec<_> = enabled.iter().map(|id| (*id).to_owned()).collect();
        let wanted: Vec<_> = wanted
            .iter()
            .map(|text| match text.strip_prefix('-') {
                Some(id) => Wanted { id: id.into(), action: Action::Disable },
                None => Wanted { id: (*text).into(), action: Action::Enable },
            })
            .collect();
        let changes = plan(&registry(), &enabled, &wanted, check)?;
        Ok(changes
            .iter()
            .map(|change| {
                let from = change.from.as_ref().map(|id| format!(" from {id}"));
                format!("{:?} {}{}", change.action, change.id, from.unwrap_or_default())
            })
            .collect())
    }

    #[test]
    fn requirements_come_first() {
        let cases: [(&[&str], &[&str], &[&str]); 9] = [
            (&[], &["mod-top-1.0.0"], &["Enable mod-base-1.0.0", "Enable mod-top-1.0.0"]),
            (&["mod-base-1.0.0"], &["mod-top-1.0.0"], &["Enable mod-top-1.0.0"]),
            (&[], &["mod-top"], &["Enable mod-base-1.0.0", "Enable mod-top-2.0.0"]),
            (&["mod-base-1.0.0", "mod-top-2.0.0"], &["mod-top"], &["UpToDate mod-top-2.0.0"]),
            (&["mod-base-1.0.0", "mod-top-1.0.0"], &["mod-top"], &["Enable mod-top-2.0.0 from mod-top-1.0.0"]),
            (&["mod-base-1.0.0", "mod-top-1.0.0"], &["mod-top-2.0.0"], &["Enable mod-top-2.0.0 from mod-top-1.0.0"]),
            (&["mod-base-1.0.0"], &["mod-base-1.0.0"], &["UpToDate mod-base-1.0.0"]),
            (&[], &["mod-ring-a-1.0.0"], &["Enable mod-ring-b-1.0.0", "Enable mod-ring-a-1.0.0"]),
            (&[], &["mod-base", "mod-top-1.0.0"], &["Enable mod-base-1.0.0", "Enable mod-top-1.0.0"]),
        ];
        for (enabled, wanted, expected) in cases {
            let found = steps(enabled, wanted).unwrap();
            assert_eq!(found, expected, "{enabled:?} {wanted:?}");
        }
    }

    #[test]
    fn disabling_affects_no_other_module_and_no_missing_module_is_an_error() {
        let both = &["mod-base-1.0.0", "mod-top-1.0.0"];
        assert_eq!(steps(both, &["-mod-base-1.0.0"]).unwrap(), ["Disable mod-base-1.0.0"]);
        assert_eq!(steps(both, &["-mod-top"]).unwrap(), ["Disable mod-top-1.0.0"]);
        assert_eq!(steps(&[], &["-mod-base-1.0.0"]).unwrap(), [""; 0]);
        assert_eq!(steps(both, &["-mod-unknown-1.0.0"]).unwrap(), [""; 0]);
    }

    #[test]
    fn a_module_with_unmet_requirements_is_refused_only_if_checked() {
        for (id, text) in [
            ("mod-lost-1.0.0", "interface nobody-has-it required by module mod-lost-1.0.0 not found"),
            (
                "mod-newer-1.0.0",
                "Incompatible version for module mod-newer-1.0.0 interface base. Need 2.0. Have 1.0/mod-base-1.0.0",
            ),
        ] {
            let refused = steps(&["mod-base-1.0.0"], &[id]).unwrap_err();
            assert_eq!(refused.to_string(), text);
            let unchecked = checked(&["mod-base-1.0.0"], &[id], false).unwrap();
            assert!(unchecked.contains(&format!("Enable {id}")), "{unchecked:?}");
        }
    }

    #[test]
    fn modules_follow_the_new_version_of_what_they_require() {
        let module = |id: &str, provided: &str, required: &str| {
            json!({"id": id, "provides": [{"id": id.split('-').next(), "version": provided}],
                "requires": [{"id": "base", "version": required}]})
        };
        let base = |id: &str, version: &str| json!({"id": id, "provides": [{"id": "base", "version": version}]});
        let descriptors = [
            base("base-1.0.0", "1.0"),
            base("base-2.0.0", "2.0"),
            module("top-1.0.0", "1.0", "1.0"),
            module("top-2.0.0", "1.0", "2.0"),
            module("stuck-1.0.0", "1.0", "1.0"),
        ];
        let registry = Registry::with(&[], descriptors.into_iter().filter_map(Module::read).collect());
        let steps = |enabled: &[&str], wanted: &[&str], check: bool| {
            let enabled: Vec<_> = enabled.iter().map(|id| (*id).to_owned()).collect();
            let wanted: Vec<_> =
                wanted.iter().map(|id| Wanted { id: (*id).to_owned(), action: Action::Enable }).collect();
            let changes = plan(&registry, &enabled, &wanted, check).map_err(|error| error.to_string())?;
            Ok::<_, String>(changes.into_iter().map(|change| change.id).collect::<Vec<_>>())
        };
        let both = &["base-1.0.0", "top-1.0.0"];
        assert_eq!(steps(both, &["base"], true).unwrap(), ["base-2.0.0", "top-2.0.0"]);
        assert_eq!(steps(both, &["base"], false).unwrap(), ["base-2.0.0"]);
        let unmet =
            |id: &str| format!("Incompatible version for module {id} interface base. Need 1.0. Have 2.0/base-2.0.0");
        assert_eq!(steps(&["base-1.0.0", "stuck-1.0.0"], &["base"], true), Err(unmet("stuck-1.0.0")));
        // Whoever names a version wants that one.
        assert_eq!(steps(&["base-1.0.0"], &["base-2.0.0", "top-1.0.0"], true), Err(unmet("top-1.0.0")));
        assert_eq!(steps(both, &["base", "top-1.0.0"], true), Err(unmet("top-1.0.0")));
        // What was unmet before is no fault of these changes.
        assert_eq!(steps(&["stuck-1.0.0"], &["base"], true).unwrap(), ["base-2.0.0"]);
    }

    #[test]
    fn an_unknown_module_is_named() {
        let unknown = PlanError::Unknown("mod-nothing-1.0.0".into());
        assert_eq!(steps(&[], &["mod-nothing-1.0.0"]), Err(unknown));
    }
}
