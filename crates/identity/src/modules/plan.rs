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
/// module provides it already. Disabling a module does not disable others: all modules are one program, and those that
/// need it notice only when they call it.
///
/// # Errors
/// [`PlanError`]; unmet requirements are an error only with `check`.
pub fn plan(registry: &Registry, enabled: &[String], wanted: &[Wanted], check: bool) -> Result<Vec<Change>, PlanError> {
    let mut planner = Planner {
        registry,
        enabled: enabled.iter().map(|id| (product_of(id).to_owned(), id.clone())).collect(),
        changes: Vec::new(),
    };
    for one in wanted {
        match one.action {
            Action::Disable => planner.disable(&one.id),
            Action::Enable | Action::UpToDate => planner.enable_wanted(&one.id)?,
        }
    }
    let unmet = planner.unmet();
    if check && !unmet.is_empty() {
        return Err(PlanError::Unmet(unmet));
    }
    Ok(planner.changes)
}

struct Planner<'a> {
    registry: &'a Registry,
    /// Module ids by product, after the changes so far.
    enabled: BTreeMap<String, String>,
    changes: Vec<Change>,
}

impl<'a> Planner<'a> {
    fn enable_wanted(&mut self, id: &str) -> Result<(), PlanError> {
        let unknown = || PlanError::Unknown(id.to_owned());
        let current = self.enabled.get(product_of(id));
        if version_of(id).is_none()
            && let Some(current) = current
        {
            let current = current.clone();
            self.note(&current, None, Action::UpToDate);
            return Ok(());
        }
        let module = self.registry.resolve(id).ok_or_else(unknown)?;
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

    /// Enables a provider of the interface, unless an enabled module provides a compatible version.
    fn supply(&mut self, interface: &Interface) {
        let mut enabled = self.modules().into_iter();
        let supplied = enabled.any(|module| module.supplies(interface));
        if !supplied && let Some(provider) = self.registry.provider(interface) {
            self.enable(provider);
        }
    }

    fn modules(&self) -> Vec<&'a Module> {
        let ids = self.enabled.values();
        ids.filter_map(|id| self.registry.find(id)).collect()
    }

    /// The unmet requirements of modules enabled by these changes.
    fn unmet(&self) -> Vec<String> {
        let modules = self.modules();
        let is_new = |module: &&&Module| {
            let enables = |change: &Change| change.id == module.id && change.action == Action::Enable;
            self.changes.iter().any(enables)
        };
        let new = modules.iter().filter(is_new);
        new.flat_map(|module| dependencies::unmet(module, &modules)).collect()
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
        let cases: [(&[&str], &[&str], &[&str]); 8] = [
            (&[], &["mod-top-1.0.0"], &["Enable mod-base-1.0.0", "Enable mod-top-1.0.0"]),
            (&["mod-base-1.0.0"], &["mod-top-1.0.0"], &["Enable mod-top-1.0.0"]),
            (&[], &["mod-top"], &["Enable mod-base-1.0.0", "Enable mod-top-2.0.0"]),
            (&["mod-base-1.0.0", "mod-top-1.0.0"], &["mod-top"], &["UpToDate mod-top-1.0.0"]),
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
    fn an_unknown_module_is_named() {
        let unknown = PlanError::Unknown("mod-nothing-1.0.0".into());
        assert_eq!(steps(&[], &["mod-nothing-1.0.0"]), Err(unknown));
    }
}
