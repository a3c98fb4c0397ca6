//! A small independent server with the routes of the shipped workloads and known delays.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes},
    http::{HeaderMap, Method, Response, Uri},
};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

/// Behaviour of the stub.
#[derive(Clone)]
pub struct Behaviour {
    /// Duration of an answer, by path.
    pub delay: fn(&str) -> Duration,
    /// After this many requests, all requests wait this long, once.
    pub stall: Option<(u64, Duration)>,
    /// Number of items, patrons and holdings.
    pub records: usize,
    /// Replaces the answer of a path.
    pub instead: fn(&str) -> Option<(u16, &'static str)>,
    /// Whether the log-in with expiry exists.
    pub expiring: bool,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self { delay: |_| Duration::ZERO, stall: None, records: 50, instead: |_| None, expiring: true }
    }
}

/// The server; dropping it stops the server.
pub struct Stub {
    pub url: String,
    state: Arc<State>,
    task: JoinHandle<()>,
}

struct State {
    behaviour: Behaviour,
    requests: AtomicU64,
    stalled_until: Mutex<Option<Instant>>,
    /// Barcodes of items on loan, with the patron's.
    lent: Mutex<HashMap<String, String>>,
    /// Every requested path with its query.
    asked: Mutex<Vec<String>>,
    /// Real duration of the answers, by path.
    took: Mutex<HashMap<String, Vec<Duration>>>,
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Stub {
    pub async fn start(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let state = Arc::new(State {
            behaviour,
            requests: AtomicU64::new(0),
            stalled_until: Mutex::default(),
            lent: Mutex::default(),
            asked: Mutex::default(),
            took: Mutex::default(),
        });
        let serving = Arc::clone(&state);
        let router = Router::new().fallback(move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
            let state = Arc::clone(&serving);
            async move { state.answer(&method, &uri, &headers, &body).await }
        });
        let task = tokio::spawn(async move { axum::serve(listener, router).await.expect("served") });
        Self { url, state, task }
    }

    /// Median duration of a path's answers inside the stub.
    pub fn median(&self, path: &str) -> Duration {
        let took = self.state.took.lock().expect("whole");
        let mut took = took[path].clone();
        took.sort();
        took[took.len() / 2]
    }

    /// Number of answered requests.
    pub fn requests(&self) -> u64 {
        self.state.requests.load(Ordering::Relaxed)
    }

    /// The requested paths with queries that contain `part`, in order.
    pub fn asked(&self, part: &str) -> Vec<String> {
        let asked = self.state.asked.lock().expect("whole");
        asked.iter().filter(|path| path.contains(part)).cloned().collect()
    }

    /// Number of items on loan.
    pub fn lent(&self) -> usize {
        self.state.lent.lock().expect("whole").len()
    }
}

impl State {
    async fn answer(&self, method: &Method, uri: &Uri, headers: &HeaderMap, body: &[u8]) -> Response<Body> {
        let began = Instant::now();
        let path = uri.path().to_owned();
        tokio::time::sleep((self.behaviour.delay)(&path)).await;
        self.stall().await;
        let query = percent_decode_str(uri.query().unwrap_or_default()).decode_utf8_lossy().into_owned();
        let line = format!("{path}?{query}");
        self.asked.lock().expect("whole").push(line);
        let (status, text) = match (self.behaviour.instead)(&path) {
            Some((status, text)) => (status, text.to_owned()),
            None => self.folio(method, &path, &query, headers, body),
        };
        let mut took = self.took.lock().expect("whole");
        took.entry(path.clone()).or_default().push(began.elapsed());
        let answer = Response::builder().status(status);
        let answer = match path.as_str() {
            "/authn/login-with-expiry" => answer.header("set-cookie", "folioAccessToken=right; Path=/; HttpOnly"),
            "/authn/login" => answer.header("x-okapi-token", "right"),
            path if path.ends_with("/resources") => {
                answer.header("server-timing", "db;dur=4000;desc=\"3120 statements\"")
            }
            _ => answer,
        };
        answer.body(Body::from(text)).expect("an answer")
    }

    async fn stall(&self) {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let until = {
            let mut until = self.stalled_until.lock().expect("whole");
            if let Some((after, lasts)) = self.behaviour.stall
                && number >= after
            {
                until.get_or_insert_with(|| Instant::now() + lasts);
            }
            *until
        };
        if let Some(until) = until {
            tokio::time::sleep_until(until.into()).await;
        }
    }

    fn folio(&self, method: &Method, path: &str, query: &str, headers: &HeaderMap, body: &[u8]) -> (u16, String) {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if path.starts_with("/authn/") {
            return self.log_in(path, header("x-okapi-tenant"), &body);
        }
        if path.starts_with("/users/") || path.starts_with("/repositories") {
            return archives(path, query, header("x-archivesspace-session"));
        }
        if path != "/plain" && (header("x-okapi-token") != "right" || header("x-okapi-tenant") != "diku") {
            return (401, "no token".to_owned());
        }
        match (method.as_str(), path) {
            ("POST", "/circulation/check-out-by-barcode") => self.check_out(&body),
            ("POST", "/circulation/check-in-by-barcode") => self.check_in(&body),
            ("POST", "/circulation/end-patron-action-session") => (204, String::new()),
            ("GET", "/circulation/loans") => self.loans(query),
            ("GET", path) if path.starts_with("/circulation/loans/") => self.loan(path),
            ("GET", path) => (200, self.list(path, query).to_string()),
            _ => (405, "not here".to_owned()),
        }
    }

    fn log_in(&self, path: &str, tenant: &str, body: &Value) -> (u16, String) {
        match () {
            () if path.ends_with("expiry") && !self.behaviour.expiring => (404, "no such route".to_owned()),
            () if tenant != "diku" => (400, format!("No such Tenant {tenant}")),
            () if body["password"] != "admin" => {
                (422, json!({"errors": [{"message": "Password does not match"}]}).to_string())
            }
            () => (201, json!({"accessTokenExpiration": "2099-01-01T00:00:00Z"}).to_string()),
        }
    }

    fn check_out(&self, body: &Value) -> (u16, String) {
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        let (item, patron) = (text("itemBarcode"), text("userBarcode"));
        let mut lent = self.lent.lock().expect("whole");
        if item == "item-0" || lent.contains_key(&item) {
            return (422, json!({"errors": [{"message": "Item is not lendable"}]}).to_string());
        }
        lent.insert(item.clone(), patron);
        (201, json!({"id": format!("loan-{item}"), "status": {"name": "Open"}}).to_string())
    }

    fn check_in(&self, body: &Value) -> (u16, String) {
        let item = body["itemBarcode"].as_str().unwrap_or_default();
        match self.lent.lock().expect("whole").remove(item) {
            None => (200, json!({"item": {"id": item}}).to_string()),
            Some(_) => {
                let loan = json!({"id": "loan", "userId": "patron-1", "status": {"name": "Closed"}});
                (200, json!({"loan": loan, "item": {"id": item}}).to_string())
            }
        }
    }

    fn loans(&self, query: &str) -> (u16, String) {
        let lent = self.lent.lock().expect("whole");
        let of = |patron: &str| query.contains(&format!("\"{patron}\""));
        let loans = lent.iter().filter(|(_, patron)| query.contains("Open") || of(patron));
        let loans: Vec<_> = loans.map(|(item, _)| json!({"itemId": item, "item": {"barcode": item}})).collect();
        (200, json!({"totalRecords": loans.len(), "loans": loans}).to_string())
    }

    fn loan(&self, path: &str) -> (u16, String) {
        let item = path.trim_start_matches("/circulation/loans/loan-");
        match self.lent.lock().expect("whole").get(item) {
            Some(patron) => (200, json!({"borrower": {"barcode": patron}}).to_string()),
            None => (404, "no such loan".to_owned()),
        }
    }

    /// A list of records: those matching `id==(a or b)` or `barcode=="a"`, or all, page by page.
    fn list(&self, path: &str, query: &str) -> Value {
        let (member, stem) = match path.rsplit('/').next().unwrap_or_default() {
            "items" => ("items", "item"),
            "users" => ("users", "patron"),
            "holdings" => ("holdingsRecords", "holding"),
            "instances" => ("instances", "instance"),
            "service-points" => ("servicepoints", "desk"),
            _ => ("things", "thing"),
        };
        let asked = ids(query);
        let record = |name: String| {
            let group = "group";
            json!({"id": name, "barcode": name, "patronGroup": group, "status": {"name": "Available"}})
        };
        let number = |name: &str| query.split('&').find_map(|part| part.strip_prefix(name)?.parse::<usize>().ok());
        let (limit, offset) = (number("limit=").unwrap_or(10), number("offset=").unwrap_or(0));
        let names: Vec<String> = match asked {
            Some(asked) => asked,
            None => {
                let all = (0..self.behaviour.records).map(|at| format!("{stem}-{at}"));
                let mut all: Vec<_> = all.collect();
                if query.contains("sortby id") {
                    all.sort_unstable();
                }
                if let Some((_, last)) = query.split_once("id>\"") {
                    let last = last.split('"').next().unwrap_or_default();
                    all.retain(|name| name.as_str() > last);
                }
                all.split_off(offset.min(all.len()))
            }
        };
        let found: Vec<_> = names.into_iter().take(limit).map(record).collect();
        json!({member: found, "totalRecords": self.behaviour.records})
    }
}

/// `…id==(a or b)…` or `…barcode=="a"…`: a, b.
fn ids(query: &str) -> Option<Vec<String>> {
    if let Some((_, list)) = query.split_once("==(") {
        let list = list.split(')').next().unwrap_or_default();
        return Some(list.split(" or ").map(str::to_owned).collect());
    }
    let quoted = query.split_once("==\"")?.1.split('"').next()?;
    Some(vec![quoted.to_owned()])
}

/// A repository with two resources, the second without components.
fn archives(path: &str, query: &str, session: &str) -> (u16, String) {
    let child = json!([{"uri": "/repositories/2/archival_objects/9"}]);
    let root = |number: usize| match number {
        1 => json!({"child_count": 1, "precomputed_waypoints": {"": {"0": child}}}),
        _ => json!({"child_count": 0, "precomputed_waypoints": {}}),
    };
    let resource = |number: usize| json!({"uri": format!("/repositories/2/resources/{number}")});
    match path {
        "/users/diku_admin/login" => return (200, json!({"session": "f00"}).to_string()),
        path if path.starts_with("/users/") => {
            return (403, json!({"error": "Login failed"}).to_string());
        }
        _ if session != "f00" => return (412, json!({"code": "SESSION_GONE"}).to_string()),
        _ => {}
    }
    let answer = match path {
        "/repositories" => json!([{"uri": "/repositories/2"}]),
        "/repositories/2/resources" => {
            json!({"results": [resource(1), resource(2)], "last_page": 1})
        }
        "/repositories/2/resources/1" => resource(1),
        "/repositories/2/resources/2" => resource(2),
        "/repositories/2/resources/1/tree/root" => root(1),
        "/repositories/2/resources/2/tree/root" => root(2),
        "/repositories/2/resources/1/tree/waypoint" | "/repositories/2/resources/2/tree/waypoint" => json!([]),
        "/repositories/2/resources/1/tree/node" if query == "node_uri=/repositories/2/archival_objects/9" => {
            json!({})
        }
        "/repositories/2/resource_descriptions/1.xml" | "/repositories/2/resource_descriptions/2.xml" => {
            return (200, format!("<ead>{}</ead>", "x".repeat(9_989)));
        }
        _ => return (404, json!({"error": "Record not found"}).to_string()),
    };
    (200, answer.to_string())
}
