//! The module and permissions of each route: FOLIO's own module descriptors, as a table.

use std::{collections::HashMap, sync::LazyLock};

use http::Method;

/// One entry of the descriptors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Descriptor {
    /// The product that provides the route, for example `mod-users`.
    pub module: &'static str,
    /// Permissions the caller must have, all of them.
    pub required: Vec<&'static str>,
    /// Permissions passed on to the handler if the caller has them.
    pub desired: Vec<&'static str>,
}

const TABLE: &str = include_str!("../../store/data/descriptors/routes-permissions.tsv");

static ROUTES: LazyLock<HashMap<(String, String), Descriptor>> = LazyLock::new(|| {
    let mut routes = HashMap::new();
    for line in TABLE.lines().skip(1) {
        let columns: Vec<_> = line.split('\t').collect();
        if let [module, _interface, method, path, required, desired] = columns[..] {
            let key = (method.to_owned(), shape(path));
            let descriptor = Descriptor { module, required: names(required), desired: names(desired) };
            if path.ends_with('*') {
                routes.entry((key.0.clone(), format!("{}*", key.1))).or_insert_with(|| descriptor.clone());
            }
            routes.entry(key).or_insert(descriptor);
        }
    }
    routes
});

/// The descriptor of a route. The names of path parameters do not matter. A described path that ends in `*` covers
/// every path with that prefix that has no descriptor of its own.
pub fn find(method: &Method, path: &str) -> Option<&'static Descriptor> {
    let path = shape(path);
    let exact = ROUTES.get(&(method.as_str().to_owned(), path.clone()));
    exact.or_else(|| {
        let ends = path.char_indices().map(|(place, c)| place + c.len_utf8()).rev();
        ends.into_iter().find_map(|end| ROUTES.get(&(method.as_str().to_owned(), format!("{}*", &path[..end]))))
    })
}

/// All described routes, as method and path with unnamed parameters.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str, &'static Descriptor)> {
    ROUTES.iter().map(|((method, path), descriptor)| (method.as_str(), path.as_str(), descriptor))
}

/// The product that provides a path, for any method.
pub fn owner(path: &str) -> Option<&'static str> {
    let methods = [Method::GET, Method::POST, Method::PUT, Method::DELETE];
    methods.iter().find_map(|method| Some(find(method, path)?.module))
}

fn names(column: &'static str) -> Vec<&'static str> {
    column.split(',').filter(|name| !name.is_empty() && *name != "-").collect()
}

/// The path with unnamed parameters: `/users/{id}` and `/users/{userId}` are the same route. A trailing `*`, as in
/// `/groups*`, is dropped.
pub fn shape(path: &str) -> String {
    let parts: Vec<_> = path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part }).collect();
    parts.join("/").trim_end_matches('*').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_descriptors_tell_module_and_permissions() {
        let found = find(&Method::GET, "/material-types/{anything}").unwrap();
        assert_eq!(found.module, "mod-inventory-storage");
        assert_eq!(found.required, ["inventory-storage.material-types.item.get"]);
        let check_out = find(&Method::POST, "/circulation/check-out-by-barcode").unwrap();
        assert_eq!(check_out.desired.len(), 3);
        let groups = find(&Method::POST, "/groups").unwrap();
        assert_eq!(groups.required, ["usergroups.item.post"]);
        assert_eq!(find(&Method::GET, "/no-such-route"), None);
        for path in ["/perms/users", "/perms/users/{id}/permissions"] {
            assert_eq!(find(&Method::GET, path).unwrap().required, ["perms.users.get"]);
        }
        assert_eq!(owner("/perms/users"), Some("mod-permissions"));
    }
}
