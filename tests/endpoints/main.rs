//! Generates `docs/endpoints.md`: all that is served on the ports of both APIs, and which test covers each endpoint of
//! circulation and of the archives, its success and each of its refusals. The summary of FOLIO's modules goes into
//! `README.md`, and `docs/errors.md` follows from the tables of refusals.
//!
//! `make endpoints` runs the tests, which record requests and answers (`CARREL_EXCHANGES`), and then this. Without that
//! file it makes only the lists that do not need it. What must be covered is in `wanted.rs`. A refusal that no request
//! causes may be covered by a test of its rule.

mod errors;
mod rules;
mod served;
mod wanted;

use std::{
    collections::{BTreeMap, HashSet},
    fmt::Write as _,
    fs,
    path::PathBuf,
};

use http::Method;
use serde_json::Value;
use testkit::{Api, Exchange};

use self::wanted::Wanted;

/// Tests that call every route.
const CALLS_ALL: &str = "archives::document::";

/// A route's method and path, with all parameters named `{id}`.
type Endpoint = (String, String);

fn main() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let (_, routes) = testkit::routes();
    let archives = api::archives::document();
    let change = |name: &str, mark: &str, list: &str| {
        let text = fs::read_to_string(root.join(name)).expect(name);
        fs::write(root.join(name), served::with_list(&text, mark, list)).expect(name);
    };
    change("README.md", served::OF_FOLIO, &served::modules(&routes));
    change("docs/endpoints.md", served::OF_FOLIO, &served::routes(&routes));
    change("docs/endpoints.md", served::OF_ARCHIVES, &served::archives(&archives));
    let exchanges = std::env::args().nth(1);
    let exchanges = exchanges.map(|name| fs::read_to_string(name).expect("exchanges"));
    let in_folio = |method: &Method, path: &str| routes.find(method, path).map(|(route, _)| nameless(&route.path));
    let met = exchanges.as_ref().map(|exchanges| by_endpoint(Api::Folio, in_folio, exchanges));
    let errors = root.join("docs/errors.md");
    let known = fs::read_to_string(&errors).unwrap_or_default();
    let served: HashSet<Endpoint> =
        routes.all().iter().map(|route| (route.method.to_string(), nameless(&route.path))).collect();
    let document = errors::document(&served, met.as_ref(), &known);
    fs::write(errors, document).expect("docs/errors.md");
    let (Some(met), Some(exchanges)) = (met, exchanges) else {
        return;
    };
    let in_archives = |method: &Method, path: &str| api::archives::path_of(method, path);
    let met_in_archives = by_endpoint(Api::Archives, in_archives, &exchanges);
    let rules = rules::read(&root.join("crates"));
    let mut uncovered = Vec::new();
    let of_circulation = list(&wanted::of_circulation(), &met, &rules, &mut uncovered);
    let of_archives = list(&wanted::of_archives(&archives), &met_in_archives, &rules, &mut uncovered);
    let document = fs::read_to_string(root.join("docs/endpoints.md")).expect("docs/endpoints.md");
    let (before, _) = document.split_once(wanted::CIRCULATION).expect("the list of tests");
    let parts = [before, wanted::CIRCULATION, &of_circulation, "\n", wanted::ARCHIVES, &of_archives];
    fs::write(root.join("docs/endpoints.md"), parts.concat()).expect("docs/endpoints.md");
    println!("{} lines without a test", uncovered.len());
    for line in uncovered {
        println!("  {line}");
    }
}

fn nameless(path: &str) -> String {
    let parts = path.split('/').map(|part| match part.starts_with('{') {
        true => "{id}",
        false => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

/// An answer that a test got from an endpoint.
struct Met {
    test: String,
    status: u16,
    texts: Vec<String>,
}

/// What tests met on the ports of an API, by endpoint, which `find` finds for a request.
fn by_endpoint(
    api: Api,
    find: impl Fn(&Method, &str) -> Option<String>,
    exchanges: &str,
) -> BTreeMap<Endpoint, Vec<Met>> {
    let mut met: BTreeMap<Endpoint, Vec<Met>> = BTreeMap::new();
    let exchanges = exchanges.lines().map(|line| serde_json::from_str::<Exchange>(line).expect("an exchange"));
    for exchange in exchanges.filter(|exchange| exchange.api == api) {
        let method = exchange.method.parse().expect("a method");
        let Some(path) = find(&method, &exchange.path) else {
            continue;
        };
        met.entry((exchange.method, path)).or_default().push(Met {
            test: exchange.test,
            status: exchange.status,
            texts: texts(&exchange.text),
        });
    }
    for of_endpoint in met.values_mut() {
        // A test of the matter says more than one that calls all routes.
        let calls_all = |met: &Met| met.test.starts_with(CALLS_ALL);
        of_endpoint.sort_by(|one, other| (calls_all(one), &one.test).cmp(&(calls_all(other), &other.test)));
    }
    met
}

/// All texts in a body.
fn texts(body: &str) -> Vec<String> {
    let mut found = vec![body.to_owned()];
    let mut todo = vec![serde_json::from_str(body).unwrap_or(Value::Null)];
    while let Some(value) = todo.pop() {
        match value {
            Value::String(text) => found.push(text),
            Value::Array(values) => todo.extend(values),
            Value::Object(members) => todo.extend(members.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    found
}

/// The table of the wanted answers with their tests. Adds those without one to `uncovered`.
fn list(
    wanted: &[Wanted],
    met: &BTreeMap<Endpoint, Vec<Met>>,
    rules: &[rules::RuleTest],
    uncovered: &mut Vec<String>,
) -> String {
    let by_rule = |one: &Wanted| rules::covering(rules, one.message.as_deref()?);
    let test = |one: &Wanted| {
        let of_endpoint = met.get(&(one.method.clone(), one.path.clone())).map_or(&[][..], Vec::as_slice);
        of_endpoint.iter().find(|met| one.is(met)).map(|met| met.test.clone()).or_else(|| by_rule(one))
    };
    let tested = wanted.iter().map(|one| (one, test(one)));
    let (listed, tests): (Vec<&Wanted>, Vec<_>) = tested.filter(|(one, by)| one.must || by.is_some()).unzip();
    let mut list = wanted::COLUMNS.to_owned();
    for ((one, by), begin) in listed.iter().zip(tests).zip(wanted::begins(&listed)) {
        let by = by.map(|test| format!("`{test}`")).unwrap_or_else(|| {
            uncovered.push(format!("{} {}: {}", one.method, one.path, one.answer()));
            wanted::NONE.to_owned()
        });
        let _ = writeln!(list, "{begin} {by} |");
    }
    list
}

impl Wanted {
    fn is(&self, met: &Met) -> bool {
        let says = |message: &str| met.texts.iter().any(|text| is_like(text, message));
        met.status == self.status && self.message.as_deref().is_none_or(says)
    }
}

/// Whether a text matches a pattern in which `%` stands for anything.
fn is_like(text: &str, pattern: &str) -> bool {
    let mut rest = text;
    for (place, part) in pattern.split('%').enumerate() {
        match rest.find(part) {
            Some(0) => rest = &rest[part.len()..],
            Some(found) if place > 0 => rest = &rest[found + part.len()..],
            _ => return false,
        }
    }
    rest.is_empty() || pattern.ends_with('%')
}
