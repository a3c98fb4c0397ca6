//! The route table. Every handler is registered here with its path. Its required permissions come from FOLIO's
//! descriptors or, where those have none, are given explicitly. [`Routes::build`] reports a route with neither as a
//! mistake, so no route is left unprotected by oversight. The bodies and refusals of a route are declared here, too,
//! for the API document (decision 34).

mod body;
mod table;

use std::{collections::HashMap, future::Future, pin::Pin, sync::Arc};

use http::{Method, StatusCode};
use store::{
    collection::Collection,
    db::Lane,
    record::{Kind, Schema},
};

pub use body::{Body, Form, Given, JSON, TEXT};
pub use table::{Found, RouteTable, Shapes};

use crate::{
    answer::{Problem, Reply},
    call::Call,
    descriptors,
    measures::Measures,
};

/// The result of a handler.
pub type Answer = Result<Reply, Problem>;

/// The permission for jobs run by the gateway's timers: a user who may change the tenant's timers could run the jobs at
/// any time anyway.
pub const RUN_TIMERS: &str = "okapi.proxy.self.timers.patch";

type Handler = Arc<dyn Fn(Call) -> Pin<Box<dyn Future<Output = Answer> + Send>> + Send + Sync>;

/// Who may call a route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Callers with the permissions in FOLIO's descriptors.
    Described,
    /// Every caller, with or without a token.
    Open,
    /// Callers with all of these permissions.
    Needs(Vec<&'static str>),
}

/// A route: path, handler, permissions, and its entry in the API document.
pub struct Route {
    /// HTTP method.
    pub method: Method,
    /// Path with named parameters, for example `/users/{id}`.
    pub path: String,
    /// The product that provides the route; `None` for the gateway's own, available to every tenant.
    pub module: Option<&'static str>,
    /// Required permissions, all of them.
    pub required: Vec<&'static str>,
    /// Permissions required instead if `{tenant}` in the path is the caller's own
    /// (docs/folio/okapi.md#ones-own-tenant).
    pub required_of_own: Option<Vec<&'static str>>,
    /// Permissions passed on to the handler if the caller has them.
    pub desired: Vec<&'static str>,
    /// One-line summary for the API document.
    pub summary: String,
    /// Query parameters, in addition to those of a list.
    pub asks: Schema,
    /// Request body. Absent if the route reads none.
    pub takes: Option<Body>,
    /// The usual successful response.
    pub gives: Given,
    /// Other successful responses.
    pub or_gives: Vec<Given>,
    /// For a route that returns a page of such bodies, the member that contains them.
    pub list: Option<&'static str>,
    /// For a route that returns all such bodies, the member that contains them.
    pub whole_list: Option<&'static str>,
    /// Whether lists end with `resultInfo`.
    pub result_info: bool,
    /// Refusals in addition to those common to all routes of the module.
    pub refuses: Vec<(StatusCode, Option<Form>)>,
    /// Maximum body size in bytes, if different from the general limit.
    pub body_limit: Option<usize>,
    /// The refusal of a larger body, if not 413.
    pub too_large: Option<fn() -> Problem>,
    /// Whether to accept bodies of any type instead of JSON only.
    pub any_type: bool,
    /// What its requests take, for the metrics.
    pub(crate) measures: Measures,
    /// The database connections the handler uses, and thus its time limit.
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

    /// Sets the one-line summary.
    pub fn summary(&mut self, text: &str) -> &mut Self {
        text.clone_into(&mut self.summary);
        self
    }

    /// Declares query parameters, in the notation of [`store::record`].
    pub fn asks(&mut self, parameters: &str) -> &mut Self {
        self.asks = std::mem::take(&mut self.asks).and(parameters);
        self
    }

    /// Declares the request body, in the notation of [`store::record`].
    pub fn takes(&mut self, body: &str) -> &mut Self {
        self.takes_body(Body::json(body))
    }

    /// Declares the request body to be a record of the collection.
    pub(crate) fn takes_record(&mut self, collection: &Collection) -> &mut Self {
        self.takes_body(Body::record(collection))
    }

    /// Declares the request body.
    pub(crate) fn takes_body(&mut self, body: Body) -> &mut Self {
        self.takes = Some(body);
        self
    }

    /// Declares the response body, in the notation of [`store::record`].
    pub fn gives(&mut self, body: &str) -> &mut Self {
        self.gives_body(Body::json(body))
    }

    /// Declares the response body to be a record of the collection.
    pub(crate) fn gives_record(&mut self, collection: &Collection) -> &mut Self {
        self.gives_body(Body::record(collection))
    }

    /// Declares the response body.
    pub(crate) fn gives_body(&mut self, body: Body) -> &mut Self {
        self.gives.body = Some(body);
        self
    }

    /// Declares a response of such bodies one after the other, not in a list.
    pub(crate) fn gives_sequence(&mut self, of: Kind) -> &mut Self {
        self.gives_body(Body { is_sequence: true, ..Body::of(of) })
    }

    /// Declares that the response has no body.
    pub(crate) fn gives_nothing(&mut self) -> &mut Self {
        self.gives.body = None;
        self
    }

    /// Declares a plain-text response.
    pub(crate) fn gives_text(&mut self) -> &mut Self {
        self.gives_body(Body::media(TEXT))
    }

    /// Sets the status of a successful response. The default is 200, or 204 without a body.
    pub(crate) fn with_status(&mut self, status: StatusCode) -> &mut Self {
        self.gives.status = Some(status);
        self
    }

    /// Declares another successful response without a body.
    pub(crate) fn or_status(&mut self, status: StatusCode) -> &mut Self {
        self.or_gives.push(Given { status: Some(status), body: None });
        self
    }

    /// Declares another successful response with a body.
    pub(crate) fn or_gives(&mut self, status: StatusCode, body: Body) -> &mut Self {
        self.or_gives.push(Given { status: Some(status), body: Some(body) });
        self
    }

    /// Declares refusals with these statuses, in the module's error format.
    pub fn refuses(&mut self, statuses: &[u16]) -> &mut Self {
        let statuses = statuses.iter().map(|status| (status_of(*status), None));
        self.refuses.extend(statuses);
        self
    }

    /// Declares a refusal with this status and format.
    pub(crate) fn refuses_as(&mut self, status: u16, form: Form) -> &mut Self {
        self.refuses.push((status_of(status), Some(form)));
        self
    }

    /// The declared bodies.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &Body> {
        let given = std::iter::once(&self.gives).chain(&self.or_gives);
        self.takes.iter().chain(given.filter_map(|given| given.body.as_ref()))
    }

    /// The members of the request body, if it is an object.
    pub fn members(&self) -> Option<&Schema> {
        match &self.takes.as_ref()?.kind {
            Kind::Object(schema) => Some(schema),
            _ => None,
        }
    }

    /// Declares the response to be a page of the bodies, in the member `name`, selected by `query`, `limit` and
    /// `offset`.
    pub fn lists(&mut self, name: &'static str) -> &mut Self {
        self.list = Some(name);
        self
    }

    /// Declares the response to contain all of the bodies, in the member `name`.
    pub(crate) fn lists_all(&mut self, name: &'static str) -> &mut Self {
        self.whole_list = Some(name);
        self
    }

    /// Requires these permissions instead of the described ones.
    pub fn needs(&mut self, permissions: &[&'static str]) -> &mut Self {
        self.access = Access::Needs(permissions.to_vec());
        self
    }

    /// Requires these permissions instead if `{tenant}` in the path is the caller's own. With an empty list, every user
    /// of the tenant may call the route.
    pub(crate) fn needs_of_own_tenant(&mut self, permissions: &[&'static str]) -> &mut Self {
        self.required_of_own = Some(permissions.to_vec());
        self
    }

    /// Opens the route to every caller.
    pub fn open(&mut self) -> &mut Self {
        self.access = Access::Open;
        self
    }

    /// Declares a job of the product that the gateway runs by a timer. In FOLIO it is a system interface, which only
    /// Okapi itself calls, so its handler checks no permission.
    pub(crate) fn timer_of(&mut self, module: &'static str) -> &mut Self {
        self.lane = Lane::Background;
        self.of_module(module).needs(&[RUN_TIMERS])
    }

    /// Sets the product that provides the route, if the descriptors do not know it.
    pub fn of_module(&mut self, module: &'static str) -> &mut Self {
        self.module = Some(module);
        self
    }

    /// Sets the maximum body size.
    pub fn body_limit(&mut self, bytes: usize) -> &mut Self {
        self.body_limit = Some(bytes);
        self
    }

    /// Sets the module's own refusal of larger bodies.
    pub(crate) fn too_large(&mut self, refusal: fn() -> Problem) -> &mut Self {
        self.too_large = Some(refusal);
        self
    }

    /// Uses the database connections reserved for circulation, because a patron is waiting.
    pub(crate) fn at_the_desk(&mut self) -> &mut Self {
        self.lane = Lane::Desk;
        self
    }

    /// For responses that may be as large as the library: uses few database connections and has a long time limit.
    pub fn streams(&mut self) -> &mut Self {
        self.lane = Lane::Streams;
        self
    }

    /// Accepts bodies of any type.
    pub(crate) fn any_type(&mut self) -> &mut Self {
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
    /// Adds a route.
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
            asks: Schema::default(),
            takes: None,
            gives: Given { status: None, body: None },
            or_gives: Vec::new(),
            list: None,
            whole_list: None,
            result_info: false,
            refuses: Vec::new(),
            body_limit: None,
            too_large: None,
            any_type: false,
            measures: Measures::default(),
            lane: Lane::Records,
            access: Access::Described,
            handler: Arc::new(move |call| Box::pin(handler(call))),
            names,
        });
        let last = self.routes.len() - 1;
        &mut self.routes[last]
    }

    /// Adds a GET route.
    pub fn get<H, F>(&mut self, path: &str, handler: H) -> &mut Route
    where
        H: Fn(Call) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        self.add(Method::GET, path, handler)
    }

    /// Adds a POST route.
    pub fn post<H, F>(&mut self, path: &str, handler: H) -> &mut Route
    where
        H: Fn(Call) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        self.add(Method::POST, path, handler)
    }

    /// Adds a PUT route.
    pub fn put<H, F>(&mut self, path: &str, handler: H) -> &mut Route
    where
        H: Fn(Call) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        self.add(Method::PUT, path, handler)
    }

    /// Adds a PATCH route.
    pub fn patch<H, F>(&mut self, path: &str, handler: H) -> &mut Route
    where
        H: Fn(Call) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        self.add(Method::PATCH, path, handler)
    }

    /// Adds a DELETE route.
    pub fn delete<H, F>(&mut self, path: &str, handler: H) -> &mut Route
    where
        H: Fn(Call) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        self.add(Method::DELETE, path, handler)
    }

    /// Builds the table in which the gateway looks up requests. The error has one line for each route that declares no
    /// permissions or clashes with another.
    pub fn build(self) -> Result<RouteTable, Vec<String>> {
        let mut faults = Vec::new();
        let mut by_path: HashMap<String, HashMap<Method, Arc<Route>>> = HashMap::new();
        let mut all = Vec::with_capacity(self.routes.len());
        for mut route in self.routes {
            describe(&mut route, &mut faults);
            let route = Arc::new(route);
            let methods = by_path.entry(numbered(&route.path)).or_default();
            if methods.insert(route.method.clone(), Arc::clone(&route)).is_some() {
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
        if faults.is_empty() { Ok(RouteTable { paths, all }) } else { Err(faults) }
    }
}

/// Panics if a declaration has an invalid status.
fn status_of(status: u16) -> StatusCode {
    StatusCode::from_u16(status).expect("a status")
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
            faults.push(format!("{method} {path} needs nothing: say that it is open, or a timer's"));
        }
        (Access::Needs(permissions), _) => route.required.clone_from(permissions),
        (Access::Described, Some(descriptor)) => route.required.clone_from(&descriptor.required),
        (Access::Described, None) => {
            faults.push(format!("{} {} has no permission declared", route.method, route.path));
        }
    }
}

/// The path with its parameters numbered, because two routes may give the same position different names.
fn numbered(path: &str) -> String {
    let mut place = 0;
    let parts: Vec<_> = path
        .split('/')
        .map(|part| {
            if !part.starts_with('{') {
                return part.to_owned();
            }
            place += 1;
            if part.starts_with("{*") { format!("{{*p{place}}}") } else { format!("{{p{place}}}") }
        })
        .collect();
    parts.join("/")
}
