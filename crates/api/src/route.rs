//! The table of routes. Every handler is entered here with its path; the permissions it needs come from
//! FOLIO's descriptors, or are named where FOLIO's descriptors have none. A route with neither is a mistake
//! that [`Routes::build`] reports, so nothing can be served unprotected by oversight.

use std::{
    collections::{HashMap, HashSet},
    future::Future,
    pin::Pin,
    sync::Arc,
};

use http::Method;
use store::{db::Lane, record::Schema};

use crate::{
    answer::{Problem, Reply},
    call::Call,
    descriptors,
};

/// What a handler answers.
pub type Answer = Result<Reply, Problem>;

/// What the gateway's own jobs ask of a client: that it may change the timers of its library, and so may have them run
/// when it likes.
pub const RUN_TIMERS: &str = "okapi.proxy.self.timers.patch";

type Handler = Arc<dyn Fn(Call) -> Pin<Box<dyn Future<Output = Answer> + Send>> + Send + Sync>;

/// Who may call a route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// As FOLIO's descriptors say.
    Described,
    /// Anybody, with or without a token.
    Open,
    /// Callers that have all of these permissions.
    Needs(Vec<&'static str>),
}

/// A route: path, handler, permissions, and what the API document says of it.
pub struct Route {
    /// Method.
    pub method: Method,
    /// Path with named parameters, `/users/{id}`.
    pub path: String,
    /// Product whose route it is; `None` for the gateway's own, which every tenant has.
    pub module: Option<&'static str>,
    /// Permissions needed, all of them.
    pub required: Vec<&'static str>,
    /// Permissions needed instead where `{tenant}` of the path is the caller's own (docs/folio/okapi.md#ones-own-tenant).
    pub required_of_own: Option<Vec<&'static str>>,
    /// Permissions handed on when the caller has them.
    pub desired: Vec<&'static str>,
    /// One line for the API document.
    pub summary: String,
    /// Body of the request.
    pub takes: Option<Schema>,
    /// Body of the answer.
    pub gives: Option<Schema>,
    /// Where the answer is a page of such bodies: the member they are in.
    pub list: Option<&'static str>,
    /// Largest body accepted, in bytes, when not the general limit.
    pub body_limit: Option<usize>,
    /// What a larger body is answered with, when not 413.
    pub too_large: Option<fn() -> Problem>,
    /// Takes bodies of any type, not only JSON.
    pub any_type: bool,
    /// Whose database connections it uses, and so how long it may take.
    pub lane: Lane,
    access: Access,
    handler: Handler,
    names: Vec<String>,
}

impl Route {
    /// Runs the handler.
    pub fn run(&self, call: Call) -> Pin<Box<dyn Future<Output = Answer> + Send>> {
        (self.handler)(call)
    }

    /// The same route, described in one line.
    pub fn summary(&mut self, text: &str) -> &mut Self {
        text.clone_into(&mut self.summary);
        self
    }

    /// The body it takes, in the notation of [`store::record`].
    pub fn takes(&mut self, members: &str) -> &mut Self {
        self.takes = Some(Schema::declare(members));
        self
    }

    /// The body it gives, in the notation of [`store::record`].
    pub fn gives(&mut self, members: &str) -> &mut Self {
        self.gives = Some(Schema::declare(members));
        self
    }

    /// The answer is a page of what it gives, in the member `name`; `query`, `limit` and `offset` choose it.
    pub fn lists(&mut self, name: &'static str) -> &mut Self {
        self.list = Some(name);
        self
    }

    /// Callers need these permissions instead of the described ones.
    pub fn needs(&mut self, permissions: &[&'static str]) -> &mut Self {
        self.access = Access::Needs(permissions.to_vec());
        self
    }

    /// Callers need these permissions instead where `{tenant}` of the path is their own tenant; none at all is enough for
    /// any user of it.
    pub fn needs_of_own_tenant(&mut self, permissions: &[&'static str]) -> &mut Self {
        self.required_of_own = Some(permissions.to_vec());
        self
    }

    /// Anybody may call it.
    pub fn open(&mut self) -> &mut Self {
        self.access = Access::Open;
        self
    }

    /// A job of the product that the gateway runs by a timer. FOLIO describes it as a system interface, which Okapi calls
    /// by itself and does not route, so its handler asks for no permission.
    pub fn timer_of(&mut self, module: &'static str) -> &mut Self {
        self.of_module(module).needs(&[RUN_TIMERS])
    }

    /// The product whose route it is, where the descriptors do not know it.
    pub fn of_module(&mut self, module: &'static str) -> &mut Self {
        self.module = Some(module);
        self
    }

    /// Takes bodies up to that many bytes.
    pub fn body_limit(&mut self, bytes: usize) -> &mut Self {
        self.body_limit = Some(bytes);
        self
    }

    /// Larger bodies are refused so, as the route's module does it.
    pub fn too_large(&mut self, refusal: fn() -> Problem) -> &mut Self {
        self.too_large = Some(refusal);
        self
    }

    /// A patron stands there and waits: it has the desk's database connections.
    pub fn at_the_desk(&mut self) -> &mut Self {
        self.lane = Lane::Desk;
        self
    }

    /// Its answers may be as large as the library: it has few database connections and much time.
    pub fn streams(&mut self) -> &mut Self {
        self.lane = Lane::Streams;
        self
    }

    /// Takes bodies of any type.
    pub fn any_type(&mut self) -> &mut Self {
        self.any_type = true;
        self
    }
}

/// Collects routes.
#[derive(Default)]
pub struct Routes {
    routes: Vec<Route>,
}

impl Routes {
    /// Enters a route.
    pub fn add<H, F>(&mut self, method: Method, path: &str, handler: H) -> &mut Route
    where
        H: Fn(Call) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        let names = path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
            .map(|name| name.trim_start_matches('*').to_owned())
            .collect();
        self.routes.push(Route {
            method,
            path: path.to_owned(),
            module: None,
            required: Vec::new(),
            required_of_own: None,
            desired: Vec::new(),
            summary: String::new(),
            takes: None,
            gives: None,
            list: None,
            body_limit: None,
            too_large: None,
            any_type: false,
            lane: Lane::Records,
            access: Access::Described,
            handler: Arc::new(move |call| Box::pin(handler(call))),
            names,
        });
        let last = self.routes.len() - 1;
        &mut self.routes[last]
    }

    /// Enters a GET.
    pub fn get<H, F>(&mut self, path: &str, handler: H) -> &mut Route
    where
        H: Fn(Call) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        self.add(Method::GET, path, handler)
    }

    /// Enters a POST.
    pub fn post<H, F>(&mut self, path: &str, handler: H) -> &mut Route
    where
        H: Fn(Call) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        self.add(Method::POST, path, handler)
    }

    /// Enters a PUT.
    pub fn put<H, F>(&mut self, path: &str, handler: H) -> &mut Route
    where
        H: Fn(Call) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        self.add(Method::PUT, path, handler)
    }

    /// Enters a PATCH.
    pub fn patch<H, F>(&mut self, path: &str, handler: H) -> &mut Route
    where
        H: Fn(Call) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        self.add(Method::PATCH, path, handler)
    }

    /// Enters a DELETE.
    pub fn delete<H, F>(&mut self, path: &str, handler: H) -> &mut Route
    where
        H: Fn(Call) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        self.add(Method::DELETE, path, handler)
    }

    /// Makes the table the gateway looks requests up in.
    ///
    /// # Errors
    /// One line for each route that has no permissions declared or clashes with another.
    pub fn build(self) -> Result<RouteTable, Vec<String>> {
        let mut faults = Vec::new();
        let mut by_path: HashMap<String, HashMap<Method, Arc<Route>>> = HashMap::new();
        let mut all = Vec::with_capacity(self.routes.len());
        for mut route in self.routes {
            describe(&mut route, &mut faults);
            let route = Arc::new(route);
            let methods = by_path.entry(numbered(&route.path)).or_default();
            if methods
                .insert(route.method.clone(), Arc::clone(&route))
                .is_some()
            {
                faults.push(format!("{} {} is entered twice", route.method, route.path));
            }
            all.push(route);
        }
        let mut paths = matchit::Router::new();
        for (path, methods) in by_path {
            if let Err(error) = paths.insert(path.clone(), methods) {
                faults.push(format!("{path}: {error}"));
            }
        }
        if faults.is_empty() {
            Ok(RouteTable { paths, all })
        } else {
            Err(faults)
        }
    }
}

fn describe(route: &mut Route, faults: &mut Vec<String>) {
    let described = descriptors::find(&route.method, &route.path);
    if let Some(descriptor) = described {
        route.module = route.module.or(Some(descriptor.module));
        route.desired.clone_from(&descriptor.desired);
    }
    match (&route.access, described) {
        (Access::Open, _) => {}
        (Access::Needs(permissions), _) if permissions.is_empty() => {
            let Route { method, path, .. } = &route;
            faults.push(format!(
                "{method} {path} needs nothing: say that it is open, or a timer's"
            ));
        }
        (Access::Needs(permissions), _) => route.required.clone_from(permissions),
        (Access::Described, Some(descriptor)) => route.required.clone_from(&descriptor.required),
        (Access::Described, None) => {
            faults.push(format!(
                "{} {} has no permission declared",
                route.method, route.path
            ));
        }
    }
}

/// Parameters are named by their place, since two routes may name the same place differently.
fn numbered(path: &str) -> String {
    let mut place = 0;
    let parts: Vec<_> = path
        .split('/')
        .map(|part| {
            if !part.starts_with('{') {
                return part.to_owned();
            }
            place += 1;
            if part.starts_with("{*") {
                format!("{{*p{place}}}")
            } else {
                format!("{{p{place}}}")
            }
        })
        .collect();
    parts.join("/")
}

/// A route, with the values of its path's parameters (still percent-encoded) by their names.
pub type Found = (Arc<Route>, Vec<(String, String)>);

/// All routes, by path and method.
pub struct RouteTable {
    paths: matchit::Router<HashMap<Method, Arc<Route>>>,
    all: Vec<Arc<Route>>,
}

impl RouteTable {
    /// The route that serves `method path`. What serves GET serves HEAD, too: the answer is the same, and its body is not
    /// sent.
    #[must_use]
    pub fn find(&self, method: &Method, path: &str) -> Option<Found> {
        let found = self.paths.at(path).ok()?;
        let of_get = || {
            found
                .value
                .get(&Method::GET)
                .filter(|_| method == Method::HEAD)
        };
        let route = found.value.get(method).or_else(of_get)?;
        let values = found.params.iter().map(|(_, value)| value.to_owned());
        Some((
            Arc::clone(route),
            route.names.iter().cloned().zip(values).collect(),
        ))
    }

    /// What is served, in the notation of module descriptors.
    #[must_use]
    pub fn shapes(&self) -> Shapes {
        let shape =
            |route: &Arc<Route>| (route.method.to_string(), descriptors::shape(&route.path));
        Shapes(self.all.iter().map(shape).collect())
    }

    /// All routes in the order they were entered.
    #[must_use]
    pub fn all(&self) -> &[Arc<Route>] {
        &self.all
    }
}

/// The methods and paths that are served, the parameters without names.
pub struct Shapes(HashSet<(String, String)>);

impl Shapes {
    /// True when a route serves the path of a descriptor; one that ends in `*` may go on.
    #[must_use]
    pub fn serve(&self, method: &str, path: &str) -> bool {
        let shape = descriptors::shape(path);
        let longer = |(of_method, served): &(String, String)| {
            of_method == method && served.starts_with(&shape)
        };
        self.0.contains(&(method.to_owned(), shape.clone()))
            || (path.ends_with('*') && self.0.iter().any(longer))
    }
}
