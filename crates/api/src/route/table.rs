//! Look-up of routes by path and method.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use http::Method;

use super::Route;
use crate::descriptors;

/// A route and its path parameters by name, still percent-encoded.
pub type Found = (Arc<Route>, Vec<(String, String)>);

/// All routes, by path and method.
#[derive(Clone)]
pub struct RouteTable {
    pub(super) paths: matchit::Router<HashMap<Method, Arc<Route>>>,
    pub(super) all: Vec<Arc<Route>>,
}

impl RouteTable {
    /// The route for `method path`. GET routes also serve HEAD: the response is the same, without its body.
    pub fn find(&self, method: &Method, path: &str) -> Option<Found> {
        let found = self.paths.at(path).ok()?;
        let of_get = || found.value.get(&Method::GET).filter(|_| method == Method::HEAD);
        let route = found.value.get(method).or_else(of_get)?;
        let values = found.params.iter().map(|(_, value)| value.to_owned());
        Some((Arc::clone(route), route.names.iter().cloned().zip(values).collect()))
    }

    /// The served routes, in the notation of module descriptors.
    pub fn shapes(&self) -> Shapes {
        let shape = |route: &Arc<Route>| (route.method.to_string(), descriptors::shape(&route.path));
        Shapes(self.all.iter().map(shape).collect())
    }

    /// All routes in registration order.
    pub fn all(&self) -> &[Arc<Route>] {
        &self.all
    }
}

/// The served methods and paths, with unnamed parameters.
pub struct Shapes(HashSet<(String, String)>);

impl Shapes {
    /// True if a route serves a descriptor's path. If that ends in `*`, the route's path may be longer.
    pub fn serve(&self, method: &str, path: &str) -> bool {
        let shape = descriptors::shape(path);
        let longer = |(of_method, served): &(String, String)| of_method == method && served.starts_with(&shape);
        self.0.contains(&(method.to_owned(), shape.clone())) || (path.ends_with('*') && self.0.iter().any(longer))
    }
}
