//! The order to stop: SIGTERM from a service manager, SIGINT from a terminal.

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Tells all waiting tasks that Carrel is to stop.
#[derive(Debug, Clone)]
pub struct StopSignal {
    requested: watch::Receiver<bool>,
}

impl StopSignal {
    /// Listens for the signals. The second one ends the process at once: the user is impatient. (The embedded
    /// PostgreSQL then stops by itself, or is stopped at the next start.) `before_that` writes what must not be lost.
    pub fn listen(before_that: impl FnOnce() + Send + 'static) -> std::io::Result<Self> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let (tell, requested) = watch::channel(false);
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
            before_that();
            #[expect(
                clippy::disallowed_methods,
                reason = "the second signal ends what does not stop; PostgreSQL notices and stops by itself"
            )]
            std::process::exit(130);
        });
        Ok(Self { requested })
    }

    /// Waits for the order to stop.
    pub async fn requested(mut self) {
        // The sender lives as long as the process.
        let _ = self.requested.wait_for(|requested| *requested).await;
    }
}
