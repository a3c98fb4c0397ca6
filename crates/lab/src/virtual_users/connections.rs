//! The connections of one virtual user.

use std::sync::Mutex;

use super::{Run, tally::lock};
use crate::client::{Answer, Connection, Failure};

/// The connections of one user: as many as it has concurrent requests.
#[derive(Default)]
pub struct Connections(Mutex<Vec<Connection>>);

impl Connections {
    /// Opens a connection in advance, as a browser already has one.
    pub async fn warm(&self, run: &Run) {
        // If the server is unreachable, the first request notices and counts it.
        if let Ok(Ok(connection)) = tokio::time::timeout(run.timeout, run.access.target.connect()).await {
            lock(&self.0).push(connection);
        }
    }

    /// Sends a request over a free or new connection.
    pub async fn send(&self, run: &Run, request: &[u8], keep: bool) -> Result<Answer, Failure> {
        let mut connection = match self.free().await {
            Some(connection) => connection,
            None => run.access.target.connect().await?,
        };
        let answer = connection.send(request, keep).await?;
        lock(&self.0).push(connection);
        Ok(answer)
    }

    async fn free(&self) -> Option<Connection> {
        loop {
            let mut connection = lock(&self.0).pop()?;
            if connection.is_open().await {
                return Some(connection);
            }
        }
    }
}
