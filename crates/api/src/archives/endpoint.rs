//! The routes of the archives' API: path, parameters, who may call it, and its handler (contract 3).

use std::{collections::HashMap, future::Future, pin::Pin, sync::Arc};

use http::Method;
use store::db::Lane;

use super::{call::Call, parameters::Parameter};
use crate::{
    answer::{Problem, Reply},
    gateway::entry::Served,
    measures::Measures,
};

/// The result of a handler.
pub(super) type Answer = Result<Reply, Problem>;

type Handler = Arc<dyn Fn(Call) -> Pin<Box<dyn Future<Output = Answer> + Send>> + Send + Sync>;

/// Which parameters of lists a route takes (contract 2, "Listing").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paging {
    None,
    /// One of `page`, `id_set` and `all_ids`.
    Paginated,
}

/// A route.
pub(super) struct Endpoint {
    path: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) paging: Paging,
    /// Whether the body is a record, and not a form with parameters.
    pub(super) takes_record: bool,
    /// Whether its handler needs the value lists.
    pub(super) reads_lists: bool,
    /// Permission codes that the caller needs, all of them; empty: anybody may call it.
    pub(super) needs: &'static [&'static str],
    /// The connections that its handler uses, and thus its time limit.
    pub(super) lane: Lane,
    measures: Measures,
    handler: Handler,
    names: Vec<String>,
}

impl Served for Endpoint {
    fn path(&self) -> &str {
        &self.path
    }

    fn measures(&self) -> &Measures {
        &self.measures
    }
}

impl Endpoint {
    /// Whether the request names a repository, in its path or in a parameter.
    pub(super) fn names_repository(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.is("repo_id"))
    }

    pub(super) fn run(&self, call: Call) -> Pin<Box<dyn Future<Output = Answer> + Send>> {
        (self.handler)(call)
    }

    /// Declares parameters beside those in the path, in the notation of [`Parameter::read`].
    pub(super) fn asks(&mut self, parameters: &'static str) -> &mut Self {
        self.parameters.extend(parameters.split_whitespace().map(Parameter::read));
        self
    }

    /// Declares a parameter that is a list of texts.
    pub(super) fn asks_texts(&mut self, name: &str) {
        self.parameters.push(Parameter::read(&format!("{name}:texts")));
    }

    /// Declares the body to be a record.
    pub(super) fn takes_record(&mut self) -> &mut Self {
        self.takes_record = true;
        self.reads_lists()
    }

    /// Declares that the handler needs the value lists.
    pub(super) fn reads_lists(&mut self) -> &mut Self {
        self.reads_lists = true;
        self
    }

    /// Declares an answer that may be as large as the whole library.
    pub(super) fn streams(&mut self) -> &mut Self {
        self.lane = Lane::Streams;
        self
    }

    /// Declares a list.
    pub(super) fn paginated(&mut self) -> &mut Self {
        self.paging = Paging::Paginated;
        self
    }
}

/// A route and its path parameters by name, still percent-encoded.
pub(super) type Found = (Arc<Endpoint>, Vec<(String, String)>);

/// The routes while they are declared.
#[derive(Default)]
pub(super) struct Endpoints(Vec<(Method, Endpoint)>);

impl Endpoints {
    pub(super) fn add<F, A>(
        &mut self,
        method: Method,
        path: &str,
        needs: &'static [&'static str],
        handler: F,
    ) -> &mut Endpoint
    where
        F: Fn(Call) -> A + Send + Sync + 'static,
        A: Future<Output = Answer> + Send + 'static,
    {
        let names = path.split(['{', '}']).skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        let of_path = |name: &String| match name.as_str() {
            "repo_id" | "id" => Some(Parameter::integer(name)),
            _ => None,
        };
        let endpoint = Endpoint {
            path: path.to_owned(),
            parameters: names.iter().filter_map(of_path).collect(),
            paging: Paging::None,
            takes_record: false,
            reads_lists: false,
            needs,
            lane: Lane::Records,
            measures: Measures::default(),
            handler: Arc::new(move |call| Box::pin(handler(call))),
            names,
        };
        self.0.push((method, endpoint));
        let last = self.0.len() - 1;
        &mut self.0[last].1
    }

    pub(super) fn table(self) -> Table {
        let mut paths: HashMap<String, HashMap<Method, Arc<Endpoint>>> = HashMap::new();
        for (method, endpoint) in self.0 {
            paths.entry(endpoint.path.clone()).or_default().insert(method, Arc::new(endpoint));
        }
        let mut router = matchit::Router::new();
        for (path, methods) in paths {
            router.insert(path.clone(), methods).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
        Table(router)
    }
}

/// All routes, by path and method.
pub(super) struct Table(matchit::Router<HashMap<Method, Arc<Endpoint>>>);

impl Table {
    /// The route for a request. GET routes also serve HEAD.
    pub(super) fn find(&self, method: &Method, path: &str) -> Option<Found> {
        let found = self.0.at(path).ok()?;
        let of_get = || found.value.get(&Method::GET).filter(|_| method == Method::HEAD);
        let endpoint = found.value.get(method).or_else(of_get)?;
        let values = found.params.iter().map(|(_, value)| value.to_owned());
        Some((Arc::clone(endpoint), endpoint.names.iter().cloned().zip(values).collect()))
    }
}
