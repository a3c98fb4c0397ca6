//! Keeps the server running: a thread that starts it, restarts it when it dies, and stops it on request.

use std::process::Child;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::EmbeddedError;
use super::server::{Server, Stop};

/// How often the server is checked.
const TICK: Duration = Duration::from_millis(100);
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// A supervised server; dropping it stops the server.
#[derive(Debug)]
pub(super) struct Supervisor {
    orders: Sender<Stop>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// The server's process id while it is ready; otherwise 0.
    process_id: Arc<AtomicU32>,
}

impl Supervisor {
    /// Starts the server and returns when it is ready.
    pub fn start(server: Server) -> Result<Self, EmbeddedError> {
        let (orders, inbox) = mpsc::channel();
        let (report, outcome) = mpsc::channel();
        let process_id = Arc::new(AtomicU32::new(0));
        let shown = Arc::clone(&process_id);
        let thread = std::thread::Builder::new()
            .name("postgres".into())
            .spawn(move || supervise(&server, &inbox, &report, &shown))
            .map_err(|source| EmbeddedError::CannotRun { program: "a thread for PostgreSQL".into(), source })?;
        // The thread reports exactly once, before it can end.
        outcome.recv().unwrap_or(Err(EmbeddedError::Stopped))?;
        Ok(Self { orders, thread: Mutex::new(Some(thread)), process_id })
    }

    /// The server's process id while it is ready.
    pub fn process_id(&self) -> Option<u32> {
        Some(self.process_id.load(Ordering::Acquire)).filter(|id| *id != 0)
    }

    /// Stops the server and waits until it has ended.
    pub fn stop(&self) {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = thread.take() {
            // Both fail only if the thread has already ended.
            let _ = self.orders.send(Stop);
            let _ = thread.join();
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.stop();
    }
}

fn supervise(
    server: &Server,
    orders: &Receiver<Stop>,
    report: &Sender<Result<(), EmbeddedError>>,
    process_id: &AtomicU32,
) {
    let mut child = match server.launch(orders) {
        Ok(child) => child,
        Err(error) => {
            let _ = report.send(Err(error));
            return;
        }
    };
    process_id.store(child.id(), Ordering::Release);
    let _ = report.send(Ok(()));
    while died(server, &mut child, orders) {
        process_id.store(0, Ordering::Release);
        match start_again(server, orders) {
            Some(restarted) => child = restarted,
            None => return,
        }
        process_id.store(child.id(), Ordering::Release);
    }
    process_id.store(0, Ordering::Release);
    server.stop(&mut child);
}

/// Waits until the server dies (true) or a stop is requested (false).
fn died(server: &Server, child: &mut Child, orders: &Receiver<Stop>) -> bool {
    while let Err(RecvTimeoutError::Timeout) = orders.recv_timeout(TICK) {
        match child.try_wait() {
            Ok(None) => server.tend_log(),
            ended => {
                let status = ended.ok().flatten().map(|status| status.to_string());
                let status = status.unwrap_or_default();
                tracing::error!(status, log = server.log_tail(), "PostgreSQL died; starting it again");
                return true;
            }
        }
    }
    false
}

/// Restarts the server with increasing pauses until it runs, since the obstacle (a full disk, say) may be removed while
/// Carrel runs. `None` after an order to stop.
fn start_again(server: &Server, orders: &Receiver<Stop>) -> Option<Child> {
    let mut pause = FIRST_PAUSE;
    loop {
        match server.launch(orders) {
            Ok(child) => {
                tracing::info!("PostgreSQL runs again");
                return Some(child);
            }
            Err(EmbeddedError::Stopped) => return None,
            Err(error) => tracing::error!(%error, ?pause, "PostgreSQL cannot be started again yet"),
        }
        if !matches!(orders.recv_timeout(pause), Err(RecvTimeoutError::Timeout)) {
            return None;
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
