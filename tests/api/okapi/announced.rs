//! The announced modules match what is served.

use std::collections::{HashMap, HashSet};

use super::*;

/// Method and path, with unnamed parameters.
type Endpoint = (String, String);

fn shape(path: &str) -> String {
    api::descriptors::shape(path)
}

/// The handlers of Carrel's own modules with their modules, as `/_/proxy/modules?full=true` lists them.
async fn announced(library: &Library) -> Vec<(String, String, String)> {
    let modules = library.open.get("/_/proxy/modules?full=true").await;
    let modules = modules.expect(200).json();
    let mut handlers = Vec::new();
    for module in modules.as_array().expect("a list") {
        let product = api::app::product(module["id"].as_str().expect("an id")).to_owned();
        for interface in module["provides"].as_array().expect("provides") {
            for handler in interface["handlers"].as_array().expect("handlers") {
                for method in handler["methods"].as_array().expect("methods") {
                    let path = handler["pathPattern"].as_str().expect("a path");
                    let method = method.as_str().expect("a method");
                    handlers.push((product.clone(), method.to_owned(), path.to_owned()));
                }
            }
        }
    }
    handlers
}

#[tokio::test]
async fn every_announced_handler_has_a_route() {
    let library = library().await;
    let routes: HashMap<Endpoint, Option<&str>> = library
        .app
        .routes
        .all()
        .iter()
        .map(|route| {
            let endpoint = (route.method.to_string(), shape(&route.path));
            (endpoint, route.module)
        })
        .collect();
    let announced = announced(&library).await;
    assert!(announced.len() > 500, "{}", announced.len());
    let lost: Vec<_> = announced
        .iter()
        .filter(|(product, method, path)| {
            let module = routes.get(&(method.clone(), shape(path)));
            module != Some(&Some(product.as_str()))
        })
        .collect();
    assert!(lost.is_empty(), "{lost:#?}");
}

/// Below these, routes are Carrel's own: events by webhook, and what decided a due date, a fee or a refusal.
const CARRELS_OWN: [&str; 2] = ["/pubsub/subscriptions", "/carrel/"];

/// Timers are system interfaces and not announced to clients.
#[tokio::test]
async fn every_route_of_a_module_is_announced() {
    let library = library().await;
    let announced = announced(&library).await;
    let exact: HashSet<Endpoint> = announced.iter().map(|(_, method, path)| (method.clone(), shape(path))).collect();
    let open_ended: Vec<_> = announced
        .iter()
        .filter(|(_, _, path)| path.ends_with('*'))
        .map(|(_, method, path)| (method.as_str(), shape(path)))
        .collect();
    let mut timers: HashSet<_> = api::platform::timers::paths().collect();
    timers.insert("/delayedTask/retryFailedEmails");
    let forgotten: Vec<_> = library
        .app
        .routes
        .all()
        .iter()
        .filter(|route| route.module.is_some() && !timers.contains(route.path.as_str()))
        .filter(|route| !CARRELS_OWN.iter().any(|own| route.path.starts_with(own)))
        .map(|route| (route.method.to_string(), shape(&route.path)))
        .filter(|(method, path)| {
            let goes_on = |(of_method, begin): &(&str, String)| of_method == method && path.starts_with(begin.as_str());
            !exact.contains(&(method.clone(), path.clone())) && !open_ended.iter().any(goes_on)
        })
        .collect();
    assert!(forgotten.is_empty(), "{forgotten:#?}");
}

/// FOLIO's pages look there for the features they can use.
#[tokio::test]
async fn the_interfaces_of_a_tenant_are_those_of_the_release() {
    let library = library().await;
    let path = "/_/proxy/tenants/test/interfaces";
    let all = library.open.get(path).await.expect(200).json();
    for (id, version) in [
        ("okapi", "1.9"),
        ("item-storage", "10.2"),
        ("permissions", "5.8"),
        ("search", "1.3"),
        ("browse", "2.0"),
        ("authority-storage", "2.2"),
        ("authority-source-files", "2.2"),
        ("authority-note-types", "1.0"),
        ("authority-reindex", "0.1"),
        ("users", "16.4"),
        ("circulation-logs", "1.2"),
        ("course-reserves-storage", "0.3"),
        ("term-storage", "0.1"),
        ("department-storage", "0.1"),
        ("course-type-storage", "0.1"),
        ("processing-status-storage", "0.1"),
        ("copyright-status-storage", "0.1"),
        ("role-storage", "0.1"),
        ("course-storage", "0.1"),
        ("reserves-storage", "0.1"),
    ] {
        let interface = json!({"id": id, "version": version});
        assert!(all.as_array().unwrap().contains(&interface), "{interface}");
    }
    for later in ["source-storage-records", "circulation-item"] {
        let there = all.as_array().unwrap().iter().any(|one| one["id"] == later);
        assert!(!there, "{later} is not served");
    }
}

/// Installers also enable modules by name that Carrel does not serve yet.
#[tokio::test]
async fn a_module_that_is_not_served_can_be_enabled_by_name() {
    let library = library().await;
    library.open.create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"})).await;
    for product in ["mod-search", "mod-source-record-storage", "mod-circulation-item"] {
        let done = install(&library, "", json!([{"id": product, "action": "enable"}])).await;
        let ids = ids(&done);
        let last = ids.last().expect("a step");
        assert_eq!(api::app::product(last), product);
    }
}

#[tokio::test]
async fn a_module_with_unmet_requirements_is_refused() {
    let library = library().await;
    let needing = |id: &str, interface: &str, version: &str| json!({"id": id, "requires": [{"id": interface, "version": version}]});
    let lost = needing("mod-lost-1.0.0", "nobody-has-it", "1.0");
    let newer = needing("mod-newer-1.0.0", "users", "99.0");
    let users = "users-19.5.4";
    for (module, known, installed) in [
        (
            lost,
            "Missing dependency: mod-lost-1.0.0 requires nobody-has-it: 1.0".to_owned(),
            "interface nobody-has-it required by module mod-lost-1.0.0 not found".to_owned(),
        ),
        (
            newer,
            format!(
                "Incompatible version for module mod-newer-1.0.0 interface users. Need 99.0. Have 16.4/mod-{users}"
            ),
            format!(
                "Incompatible version for module mod-newer-1.0.0 interface users. Need 99.0. Have 16.4/mod-{users}"
            ),
        ),
    ] {
        let refused = library.open.post("/_/proxy/modules", &module).await;
        assert_eq!(refused.expect(400).text, known);
        let several = json!([module]);
        let refused = library.open.post("/_/proxy/import/modules", &several).await;
        assert_eq!(refused.expect(400).text, known);
        let unchecked = "/_/proxy/modules?check=false";
        library.open.post(unchecked, &module).await.expect(201);

        let steps = json!([{"id": module["id"], "action": "enable"}]);
        let path = "/_/proxy/tenants/test/install";
        let refused = library.open.post(path, &steps).await.expect(400);
        assert_eq!(refused.text, installed);
        let one = json!({"id": module["id"]});
        let refused = library.open.post("/_/proxy/tenants/test/modules", &one).await;
        assert_eq!(refused.expect(400).text, installed);
        let unchecked = format!("{path}?depCheck=false");
        library.open.post(&unchecked, &steps).await.expect(200);
    }
}

/// Modules that need each other can be posted together.
#[tokio::test]
async fn descriptors_posted_together_may_require_each_other() {
    let library = library().await;
    let modules = json!([
        {"id": "mod-one-1.0.0", "provides": [{"id": "one", "version": "1.0"}],
         "requires": [{"id": "two", "version": "1.0"}]},
        {"id": "mod-two-1.0.0", "provides": [{"id": "two", "version": "1.0"}],
         "requires": [{"id": "one", "version": "1.0"}]}
    ]);
    let path = "/_/proxy/import/modules";
    library.open.post(path, &modules).await.expect(204);
}
