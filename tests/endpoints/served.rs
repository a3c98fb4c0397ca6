//! The lists that need no test run: all routes of both APIs in `docs/endpoints.md`, and in `README.md` what is served of
//! FOLIO's modules. Each is between two marks; the rest of the documents is written by hand.

use std::{collections::BTreeMap, fmt::Write as _};

use api::route::RouteTable;
use identity::modules::{Module, served};
use serde_json::Value;

/// The line before a list of what the FOLIO API serves.
pub const OF_FOLIO: &str = "<!-- made by `make endpoints` from the routes: do not edit -->";
/// The line before the list of what the archives' API serves.
pub const OF_ARCHIVES: &str = "<!-- made by `make endpoints` from the archives' routes: do not edit -->";
/// The line after each.
const END: &str = "<!-- end of what is made -->";

/// The document with `list` after its mark.
pub fn with_list(document: &str, mark: &str, list: &str) -> String {
    let parts = document.split_once(mark).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) = parts.expect("the marks of the list");
    format!("{before}{mark}\n\n{list}\n{END}{after}")
}

/// A route as a list shows it.
struct Shown<'r> {
    method: String,
    path: &'r str,
    permissions: Vec<&'r str>,
    summary: &'r str,
}

/// All routes of the FOLIO API by module, with permission and purpose.
pub fn routes(table: &RouteTable) -> String {
    let mut modules: BTreeMap<&str, Vec<Shown<'_>>> = BTreeMap::new();
    for route in table.all() {
        modules.entry(route.module.unwrap_or(GATEWAY)).or_default().push(Shown {
            method: route.method.to_string(),
            path: &route.path,
            permissions: route.required.clone(),
            summary: &route.summary,
        });
    }
    tables(modules)
}

/// All routes of the archives' API by what they are about, as its API document has them.
pub fn archives(document: &Value) -> String {
    let mut subjects: BTreeMap<&str, Vec<Shown<'_>>> = BTreeMap::new();
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            let codes = operation["security"][0]["session"].as_array().into_iter().flatten();
            subjects.entry(operation["tags"][0].as_str().unwrap_or_default()).or_default().push(Shown {
                method: method.to_uppercase(),
                path,
                permissions: codes.filter_map(Value::as_str).collect(),
                summary: operation["summary"].as_str().unwrap_or_default(),
            });
        }
    }
    tables(subjects)
}

fn tables(groups: BTreeMap<&str, Vec<Shown<'_>>>) -> String {
    let mut list = String::new();
    for (group, mut routes) in groups {
        routes.sort_by_key(|route| (route.path, route.method.clone()));
        let _ = writeln!(list, "### {group}\n\n| endpoint | permissions | |\n| --- | --- | --- |");
        for Shown { method, path, permissions, summary } in routes {
            let needed: Vec<_> = permissions.iter().map(|name| format!("`{name}`")).collect();
            let _ = writeln!(list, "| `{method} {path}` | {} | {} |", needed.join(", "), summary.replace('|', "\\|"));
        }
        list.push('\n');
    }
    list.truncate(list.trim_end().len());
    list + "\n"
}

const GATEWAY: &str = "the gateway itself";

/// For each of FOLIO's modules: how many endpoints are served, and which interfaces are not.
pub fn modules(table: &RouteTable) -> String {
    let shapes = table.shapes();
    let all = served(|_, _| true);
    let ours = served(|method, path| shapes.serve(method, path));
    let mut list = String::from("| FOLIO's module | endpoints served | not served |\n| --- | --- | --- |\n");
    let mut by_name_only = Vec::new();
    for (module, own) in all.iter().zip(&ours) {
        let handlers = handlers(module);
        let total: usize = handlers.values().sum();
        if total == 0 {
            by_name_only.push(format!("`{}`", module.product()));
            continue;
        }
        let own = self::handlers(own);
        let count: usize = own.values().sum();
        let partly = |name: &&String| own.get(*name).is_some_and(|some| *some < handlers[*name]);
        let names = |names: Vec<&String>| {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        let lacking = names(handlers.keys().filter(|name| !own.contains_key(*name)).collect());
        let partly = names(handlers.keys().filter(partly).collect());
        let missing = match (count, partly.is_empty(), lacking.is_empty()) {
            (0, ..) => "all of it".to_owned(),
            (_, true, _) => lacking,
            (_, false, true) => format!("parts of {partly}"),
            (_, false, false) => format!("{lacking}; parts of {partly}"),
        };
        let product = module.product();
        let _ = writeln!(list, "| `{product}` | {count} of {total} | {missing} |");
    }
    by_name_only.retain(|name| name != "`okapi`");
    let _ = writeln!(
        list,
        "\nKnown by name, so that installers can enable them, and nothing more: {}.",
        by_name_only.join(", ")
    );
    list
}

/// The number of handlers of each interface of a module.
fn handlers(module: &Module) -> BTreeMap<String, usize> {
    let provides = module.descriptor["provides"].as_array();
    let counted = provides.into_iter().flatten().filter_map(|interface| {
        let count = interface["handlers"].as_array()?.len();
        (count > 0).then(|| (interface["id"].as_str().unwrap_or_default().to_owned(), count))
    });
    counted.collect()
}
