//! The order to stop: SIGTERM from a service manager, SIGINT from a terminal.

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Tells everybody who waits for it that Carrel was told to stop.
#[derive(Debug, Clone)]
pub struct StopSignal {
    told: watch::Receiver<bool>,
}

impl StopSignal {
    /// Listens for the signals. The second one ends the process at once: somebody is impatient.
    /// (The embedded PostgreSQL then stops by itself, or is stopped at the next start.)
    pub fn listen() -> std::io::Result<Self> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let (tell, told) = watch::channel(false);
        tokio::spawn(async move {
            let mut next = async || {
                tokio::select! {
                    _ = terminate.recv() => "SIGTERM",
                    _ = interrupt.recv() => "SIGINT",
                }
            };
            let signal = next().await;
            tracing::info!(signal, "stopping; a second signal stops at once");
            let _ = tell.send(true);
            next().await;
            std::process::exit(130);
        });
        Ok(Self { told })
    }

    /// Waits until Carrel is told to stop.
    pub async fn told(mut self) {
        // The sender lives as long as the process.
        let _ = self.told.wait_for(|told| *told).await;
    }
}
