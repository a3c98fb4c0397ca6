//! The routes of the archives' API: path, parameters, who may call it, and its handler (contract 3).

use std::{collections::HashMap, future::Future, pin::Pin, sync::Arc};

use http::{Method, StatusCode};
use store::{db::Lane, record::Kind};

use super::{call::Call, parameters::Parameter};
use crate::{
    answer::{Problem, Reply},
    gateway::entry::Served,
    measures::Measures,
    route::{Body, Given, TEXT},
};

/// The media type of forms with files.
const FORM: &str = "multipart/form-data";

/// The result of a handler.
pub(super) type Answer = Result<Reply, Problem>;

type Handler = Arc<dyn Fn(Call) -> Pin<Box<dyn Future<Output = Answer> + Send>> + Send + Sync>;

/// Which parameters of lists a route takes (contract 2, "Listing").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paging {
    None,
    /// One of `page`, `id_set` and `all_ids`.
    Paginated,
    /// Only `page`.
    Paged,
}

/// What a route says of itself in the API document, beside its parameters and permissions. What is missing follows from its
/// place, if it is at the address of a record type ([`super::open_api`]).
#[derive(Debug, Default)]
pub(super) struct Described {
    /// One line.
    pub(super) summary: String,
    /// The body of a request, if it is JSON.
    pub(super) takes: Option<Body>,
    /// The usual answer, whose status is 200.
    pub(super) gives: Option<Body>,
    /// Other answers that are no refusals.
    pub(super) or_gives: Vec<Given>,
    /// Statuses of refusals that do not follow from its method, path, parameters and permissions.
    pub(super) refuses: Vec<u16>,
    /// Statuses of refusals that would follow from them, but that it never gives.
    pub(super) never_refuses: Vec<u16>,
    /// Refusals whose bodies are not the usual ones.
    pub(super) refuses_with: Vec<(u16, Kind)>,
}

/// A route.
pub(super) struct Endpoint {
    pub(super) method: Method,
    pub(super) path: String,
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
    /// Whether it changes nothing that searches find.
    pub(super) only_reads: bool,
    /// For the API document.
    pub(super) described: Described,
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

    /// Says in one line what it does.
    pub(super) fn summary(&mut self, text: &str) -> &mut Self {
        text.clone_into(&mut self.described.summary);
        self
    }

    /// Declares the body of the request in the notation of [`store::record`]. A record of a type has the name of its class
    /// there, as everywhere in the API document: `:ArchivalObject`, `[Subject]`, `children*[ArchivalObject]`.
    pub(super) fn takes(&mut self, body: &str) -> &mut Self {
        self.described.takes = Some(Body::json(body));
        self.takes_record()
    }

    /// Declares the body to be a form with files.
    pub(super) fn takes_form(&mut self, members: &str) -> &mut Self {
        self.takes(members);
        self.described.takes = self.described.takes.take().map(|body| Body { media: FORM, ..body });
        self
    }

    /// Declares the answer, in the same notation; of a list, one of its records.
    pub(super) fn gives(&mut self, body: &str) -> &mut Self {
        self.described.gives = Some(Body::json(body));
        self
    }

    /// Declares an answer that is not JSON.
    pub(super) fn gives_media(&mut self, media: &'static str) -> &mut Self {
        self.described.gives = Some(Body::media(media));
        self
    }

    /// Declares a text as answer.
    pub(super) fn gives_text(&mut self) -> &mut Self {
        self.gives_media(TEXT)
    }

    /// Declares another answer that is no refusal.
    pub(super) fn or_gives(&mut self, status: StatusCode, body: Body) -> &mut Self {
        self.described.or_gives.push(Given { status: Some(status), body: Some(body) });
        self
    }

    /// Declares refusals that do not follow from its method, path, parameters and permissions.
    pub(super) fn refuses(&mut self, statuses: &[u16]) -> &mut Self {
        self.described.refuses.extend(statuses);
        self
    }

    /// Declares that it never gives refusals that would follow from its method and path.
    pub(super) fn never_refuses(&mut self, statuses: &[u16]) -> &mut Self {
        self.described.never_refuses.extend(statuses);
        self
    }

    /// Declares a refusal whose body is not the usual one, in the notation of [`store::record`].
    pub(super) fn refuses_with(&mut self, status: u16, body: &str) -> &mut Self {
        self.described.refuses_with.push((status, Kind::declare(body)));
        self
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

    /// Declares a list that is only read in pages.
    pub(super) fn paged(&mut self) -> &mut Self {
        self.paging = Paging::Paged;
        self
    }
}

/// A route and its path parameters by name, still percent-encoded.
pub(super) type Found = (Arc<Endpoint>, Vec<(String, String)>);

/// The routes while they are declared.
#[derive(Default)]
pub(super) struct Endpoints(Vec<Endpoint>);

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
            described: Described::default(),
            parameters: names.iter().filter_map(of_path).collect(),
            paging: Paging::None,
            takes_record: false,
            reads_lists: false,
            needs,
            lane: Lane::Records,
            only_reads: method == Method::GET || path.ends_with("/search") || path.starts_with("/search/"),
            method,
            measures: Measures::default(),
            handler: Arc::new(move |call| Box::pin(handler(call))),
            names,
        };
        self.0.push(endpoint);
        let last = self.0.len() - 1;
        &mut self.0[last]
    }

    pub(super) fn table(self) -> Table {
        let mut paths: HashMap<String, HashMap<Method, Arc<Endpoint>>> = HashMap::new();
        let all: Vec<Arc<Endpoint>> = self.0.into_iter().map(Arc::new).collect();
        for endpoint in &all {
            paths.entry(endpoint.path.clone()).or_default().insert(endpoint.method.clone(), Arc::clone(endpoint));
        }
        let mut router = matchit::Router::new();
        for (path, methods) in paths {
            router.insert(path.clone(), methods).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
        Table { router, all }
    }
}

/// All routes, by path and method.
pub(super) struct Table {
    router: matchit::Router<HashMap<Method, Arc<Endpoint>>>,
    pub(super) all: Vec<Arc<Endpoint>>,
}

impl Table {
    /// The route for a request. GET routes also serve HEAD.
    pub(super) fn find(&self, method: &Method, path: &str) -> Option<Found> {
        let found = self.router.at(path).ok()?;
        let of_get = || found.value.get(&Method::GET).filter(|_| method == Method::HEAD);
        let endpoint = found.value.get(method).or_else(of_get)?;
        let values = found.params.iter().map(|(_, value)| value.to_owned());
        Some((Arc::clone(endpoint), endpoint.names.iter().cloned().zip(values).collect()))
    }
}
