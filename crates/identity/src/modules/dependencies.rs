//! Checks that required interfaces are provided, with Okapi's messages 10200, 10201 and 10211.

use super::{
    Interface, Module,
    versions::{is_compatible, parts},
};

/// What prevents `module` from being enabled beside the `enabled` modules, one sentence per interface.
#[must_use]
pub(crate) fn unmet(module: &Module, enabled: &[&Module]) -> Vec<String> {
    let of = |(wanted, is_optional)| fault(module, wanted, is_optional, enabled);
    wanted(module).filter_map(of).collect()
}

/// What `module` had of the modules `before` and lacks `after`, one sentence per interface.
#[must_use]
pub(crate) fn lost(module: &Module, before: &[&Module], after: &[&Module]) -> Vec<String> {
    let had = |wanted: &Interface, is_optional| fault(module, wanted, is_optional, before).is_none();
    let had = wanted(module).filter(|(wanted, is_optional)| had(wanted, *is_optional));
    had.filter_map(|(wanted, is_optional)| fault(module, wanted, is_optional, after)).collect()
}

/// What a module requires, with whether only if it is there.
fn wanted(module: &Module) -> impl Iterator<Item = (&Interface, bool)> {
    let required = module.requires.iter().map(|one| (one, false));
    required.chain(module.optional.iter().map(|one| (one, true)))
}

fn fault(module: &Module, wanted: &Interface, is_optional: bool, enabled: &[&Module]) -> Option<String> {
    let provider = enabled.iter().find_map(|other| {
        let provided = other.provides.iter().filter(|one| one.is_regular());
        Some((*other, provided.into_iter().find(|one| one.id == wanted.id)?))
    });
    match provider {
        None if is_optional => None,
        None => Some(format!("interface {} required by module {} not found", wanted.id, module.id)),
        Some((_, provided)) if is_compatible(&provided.version, &wanted.version) => None,
        Some((other, provided)) => Some(incompatible(module, wanted, &format!("{}/{}", provided.version, other.id))),
    }
}

/// What prevents `module` from being registered beside the `known` modules, one sentence per interface.
pub fn missing(module: &Module, known: &[&Module]) -> Vec<String> {
    let of = |wanted: &Interface, is_optional: bool| {
        let provided = known.iter().flat_map(|other| &other.provides);
        let mut versions: Vec<_> = provided.filter(|one| one.id == wanted.id).map(|one| one.version.as_str()).collect();
        versions.sort_by_key(|version| std::cmp::Reverse(parts(version)));
        versions.dedup();
        if versions.iter().any(|version| is_compatible(version, &wanted.version))
            || (is_optional && versions.is_empty())
        {
            return None;
        }
        if versions.is_empty() {
            return Some(format!("Missing dependency: {} requires {}: {}", module.id, wanted.id, wanted.version));
        }
        let have: Vec<_> = versions.iter().map(|version| with_providers(version, &wanted.id, known)).collect();
        Some(incompatible(module, wanted, &have.join(" ")))
    };
    wanted(module).filter_map(|(wanted, is_optional)| of(wanted, is_optional)).collect()
}

fn incompatible(module: &Module, wanted: &Interface, have: &str) -> String {
    format!(
        "Incompatible version for module {} interface {}. Need {}. Have {have}",
        module.id, wanted.id, wanted.version
    )
}

/// The version, and the modules that provide it.
fn with_providers(version: &str, interface: &str, known: &[&Module]) -> String {
    let mut text = version.to_owned();
    for module in known {
        let provides = |one: &Interface| one.id == interface && is_compatible(version, &one.version);
        if module.provides.iter().any(provides) {
            text += "/";
            text += &module.id;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_interface_serves_its_major_version_from_its_minor_one_on() {
        for (provided, required, fits) in [
            ("1.2", "1.2", true),
            ("1.2", "1.1", true),
            ("1.2", "1.3", false),
            ("1.2.3", "1.2.4", false),
            ("2.0", "1.0", false),
            ("2.0", "1.0 2.0", true),
            ("1.4", "1.3 2.0", true),
            ("10.2", "9.0", false),
            ("10.2", "8.7 9.0 10.0", true),
        ] {
            assert_eq!(is_compatible(provided, required), fits, "{provided} {required}");
        }
    }

    fn module(id: &str, provides: &[(&str, &str)], requires: &[(&str, &str)]) -> Module {
        let list = |interfaces: &[(&str, &str)]| -> Vec<_> {
            let interfaces = interfaces.iter();
            interfaces.map(|(id, version)| json!({"id": id, "version": version})).collect()
        };
        let descriptor = json!({"id": id, "provides": list(provides), "requires": list(requires)});
        Module::read(descriptor).unwrap()
    }

    #[test]
    fn missing_interfaces_are_reported_in_okapis_words() {
        let base = module("mod-base-1.0.0", &[("base", "1.1")], &[]);
        let needs = |version| module("mod-top-1.0.0", &[], &[("base", version)]);
        let known = [&base];
        assert_eq!(unmet(&needs("1.0"), &known), [""; 0]);
        assert_eq!(missing(&needs("1.0"), &known), [""; 0]);
        assert_eq!(unmet(&needs("1.0"), &[]), ["interface base required by module mod-top-1.0.0 not found"]);
        assert_eq!(missing(&needs("1.0"), &[]), ["Missing dependency: mod-top-1.0.0 requires base: 1.0"]);
        let text = "Incompatible version for module mod-top-1.0.0 interface base. Need 2.0. Have 1.1/mod-base-1.0.0";
        assert_eq!(unmet(&needs("2.0"), &known), [text]);
        assert_eq!(missing(&needs("2.0"), &known), [text]);
    }
}
