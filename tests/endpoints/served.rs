//! The lists that need no test run: all routes in `docs/endpoints.md`, and in `README.md` what is served of FOLIO's
//! modules. Both are between two marks; the rest of the documents is written by hand.

use std::{collections::BTreeMap, fmt::Write as _};

use api::route::{Route, RouteTable};
use identity::modules::{Module, served};

/// The lines around a generated list.
pub const MARKS: (&str, &str) =
    ("<!-- made by `make endpoints` from the routes: do not edit -->", "<!-- end of what is made -->");

/// The document with `list` between its marks.
pub fn with_list(document: &str, list: &str) -> String {
    let (begin, end) = MARKS;
    let parts = document.split_once(begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(end)?;
        Some((before, after))
    });
    let (before, after) = parts.expect("the marks of the list");
    format!("{before}{begin}\n\n{list}\n{end}{after}")
}

/// All routes by module, with permission and purpose.
pub fn routes(table: &RouteTable) -> String {
    let mut modules: BTreeMap<&str, Vec<&Route>> = BTreeMap::new();
    for route in table.all() {
        modules.entry(route.module.unwrap_or(GATEWAY)).or_default().push(route);
    }
    let mut list = String::new();
    for (module, mut routes) in modules {
        routes.sort_by_key(|route| (route.path.clone(), route.method.to_string()));
        let _ = writeln!(list, "### {module}\n\n| endpoint | permissions | |\n| --- | --- | --- |");
        for route in routes {
            let needed: Vec<_> = route.required.iter().map(|name| format!("`{name}`")).collect();
            let _ = writeln!(
                list,
                "| `{} {}` | {} | {} |",
                route.method,
                route.path,
                needed.join(", "),
                route.summary.replace('|', "\\|")
            );
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
