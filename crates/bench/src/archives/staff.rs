//! Somebody of the staff, signed in to the archives of the sample.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use anyhow::{Context, ensure};
use lab::{
    access::{Access, Credentials},
    client::{Answer, Target},
    workload::Protocol,
};
use serde_json::Value;

use crate::line::PATIENCE;

pub const REPOSITORY: &str = "/repositories/2";
/// The longest that an answer may take that is measured alone.
const LONG: Duration = Duration::from_secs(600);

pub struct Staff {
    pub access: Arc<Access>,
    /// The number of collections.
    pub resources: u32,
}

impl Staff {
    pub async fn sign_in(address: SocketAddr, resources: u32) -> anyhow::Result<Self> {
        let [tenant, user, password] = ["diku", "admin", "admin"].map(str::to_owned);
        let target = Target::parse(&format!("http://{address}"))?;
        let credentials = Credentials { tenant, user, password };
        let access = Access::open(target, Protocol::Archives, credentials, PATIENCE).await?;
        Ok(Self { access: Arc::new(access), resources })
    }

    /// Sends a request, however long its answer takes.
    pub async fn send(&self, method: &str, path: &str) -> anyhow::Result<Answer> {
        self.send_with(method, path, None).await
    }

    /// Sends a record.
    pub async fn post(&self, path: &str, record: &Value) -> anyhow::Result<Answer> {
        self.send_with("POST", path, Some(("application/json", &record.to_string()))).await
    }

    async fn send_with(&self, method: &str, path: &str, body: Option<(&str, &str)>) -> anyhow::Result<Answer> {
        let mut connection = self.access.target.connect().await?;
        let request = self.access.request(method, path, body);
        let answer = tokio::time::timeout(LONG, connection.send(&request, true)).await;
        let answer = answer.with_context(|| format!("no answer to {path}"))??;
        ensure!(answer.status == 200, "{path}: {} {}", answer.status, answer.excerpt(200));
        Ok(answer)
    }

    pub async fn get(&self, path: &str) -> anyhow::Result<Value> {
        Ok(serde_json::from_slice(&self.send("GET", path).await?.body)?)
    }

    /// The components directly below a resource, at most a waypoint.
    pub async fn top_level(&self, resource: &str) -> anyhow::Result<Vec<String>> {
        let items = self.get(&format!("{resource}/tree/waypoint?offset=0")).await?;
        let items = items.as_array().into_iter().flatten();
        Ok(items.filter_map(|item| item["uri"].as_str()).map(str::to_owned).collect())
    }
}

/// The address of a resource, counted from 1.
pub fn resource(number: u32) -> String {
    format!("{REPOSITORY}/resources/{number}")
}

/// The address of its finding aid in EAD, with digital objects and what is not published.
pub fn finding_aid(number: u32) -> String {
    format!("{REPOSITORY}/resource_descriptions/{number}.xml?include_daos=true&include_unpublished=true")
}
