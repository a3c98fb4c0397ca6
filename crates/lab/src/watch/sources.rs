//! The samplers available to a run.

use super::{
    Sampler, Watch,
    database::{Database, connect::Address},
    metrics::Metrics,
    processes::{Ports, Processes},
};
use crate::client::Target;

/// What can be watched.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The address of the target.
    pub target: String,
    /// The address of its metrics.
    pub metrics: Option<String>,
    /// The token for its metrics.
    pub metrics_token: Option<String>,
    /// The address of its database.
    pub database: Option<String>,
}

impl Sources {
    /// Creates the samplers without connecting yet: unreachable sources are reported once, in the results.
    ///
    /// # Errors
    /// A message about an invalid address.
    pub fn open(&self) -> Result<Watch, String> {
        let mut watch = Watch::default();
        let target = Target::parse(&self.target).map_err(|error| error.to_string())?;
        let database = self.database.as_deref().map(Address::parse).transpose()?;
        let mut samplers: Vec<Box<dyn Sampler>> = Vec::new();
        if target.is_here() {
            let database = database.as_ref().and_then(Address::port_here);
            let ports = Ports { server: target.port(), database };
            samplers.push(Box::new(Processes::new(ports, watch.notes.clone())));
        }
        if let Some(metrics) = &self.metrics {
            let address = Target::parse(metrics).map_err(|error| error.to_string())?;
            let metrics = Metrics::new(address, !target.is_here(), watch.notes.clone());
            let metrics = metrics.with_token(self.metrics_token.as_deref());
            samplers.push(Box::new(metrics));
        }
        if let Some(database) = database {
            samplers.push(Box::new(Database::new(database, watch.notes.clone())));
        }
        watch.samplers = samplers;
        Ok(watch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_depend_on_where_they_are() {
        for (target, metrics, database, samplers) in [
            ("http://127.0.0.1:9130", None, None, 1),
            ("http://folio.example.org", None, None, 0),
            ("http://folio.example.org", Some("http://folio.example.org:8080/metrics"), None, 1),
            ("http://localhost", Some("http://localhost:8080/metrics"), Some("postgres://localhost/x"), 3),
        ] {
            let sources = Sources {
                target: target.to_owned(),
                metrics: metrics.map(str::to_owned),
                database: database.map(str::to_owned),
                ..Sources::default()
            };
            assert_eq!(sources.open().map(|watch| watch.samplers.len()), Ok(samplers), "{target}");
        }
        let bad = Sources { target: "http://x".to_owned(), metrics: Some("x".to_owned()), ..Sources::default() };
        assert!(bad.open().is_err());
    }
}
