//! `batch_imports` (contract 2): records that refer to each other by temporary addresses, saved all together or not at all.

use std::{sync::Arc, time::Duration};

use ::archives::import::{ImportError, Progress, Saved, Stage, batch, save_all};
use axum::body::Body;
use bytes::{Buf, Bytes};
use futures_util::{StreamExt, stream};
use http::Method;
use serde_json::{Value, json};
use tokio::{sync::mpsc, time::interval};

use super::{
    call::{Call, storable},
    endpoint::{Answer, Endpoints},
};
use crate::answer::Reply;

/// How often clients are told how far it is.
const TICK: Duration = Duration::from_secs(1);
/// A client that takes nothing for so long gets no more.
const PATIENCE: Duration = Duration::from_secs(60);
/// Addresses are sent in parts of about this many bytes.
const PART: usize = 32 * 1024;

pub(super) fn routes(endpoints: &mut Endpoints) {
    endpoints
        .add(Method::POST, "/repositories/{repo_id}/batch_imports", &["import_records"], import)
        .summary("Save records that refer to each other, all or none")
        .takes("[object]")
        .gives_text()
        .asks("migration:bool skip_results:bool");
}

/// The answer is 200 before the import begins; its last part says how it went. A client that goes away ends it.
async fn import(call: Call) -> Answer {
    storable(&call.body)?;
    let (to, parts) = mpsc::channel::<Bytes>(4);
    tokio::spawn(async move {
        let teller = Teller { to };
        // Nobody is there to be told that nobody is there.
        let _ = teller.tell_all(call).await;
    });
    let parts = stream::unfold(parts, |mut parts| async move {
        let part = parts.recv().await?;
        Some((Ok::<_, std::convert::Infallible>(part), parts))
    });
    // What compresses it asks once more after the end.
    Ok(Reply::typed("text/plain", Body::from_stream(parts.fuse())))
}

/// The client is gone.
struct Gone;

struct Teller {
    to: mpsc::Sender<Bytes>,
}

impl Teller {
    async fn tell(&self, text: impl Into<Bytes>) -> Result<(), Gone> {
        self.to.send_timeout(text.into(), PATIENCE).await.map_err(|_| Gone)
    }

    async fn tell_all(&self, call: Call) -> Result<(), Gone> {
        self.tell("[\n").await?;
        let progress = Arc::new(Progress::default());
        let skips_results = call.parameters.boolean("skip_results").unwrap_or_default();
        let outcome = {
            let work = carry_out(call, Arc::clone(&progress));
            tokio::pin!(work);
            self.status("1", "Reading and saving the records", "started").await?;
            let mut ticks = interval(TICK);
            ticks.tick().await;
            loop {
                tokio::select! {
                    outcome = &mut work => break outcome,
                    _ = ticks.tick() => {
                        let (written, total) = progress.written();
                        let told = json!({"ticks": progress.read() + written, "total": progress.read() + total.max(1)});
                        if self.tell(format!("{told},\n")).await.is_err() {
                            progress.cancel();
                            return Err(Gone);
                        }
                    }
                    () = self.to.closed() => {
                        progress.cancel();
                        return Err(Gone);
                    }
                }
            }
        };
        self.status("1", "Reading and saving the records", "done").await?;
        match outcome {
            Ok(saved) if skips_results || saved.is_empty() => self.tell("{\"saved\":[]}").await?,
            Ok(saved) => self.saved(&saved).await?,
            Err(error) => {
                let told: Value = json!({"saved": [], "errors": [format!("Server error: {error}")]});
                self.tell(told.to_string()).await?;
            }
        }
        self.tell("\n]").await
    }

    async fn status(&self, id: &str, label: &str, kind: &str) -> Result<(), Gone> {
        self.tell(format!("{},\n", json!({"status": [{"id": id, "label": label, "type": kind}]}))).await
    }

    async fn saved(&self, saved: &Saved) -> Result<(), Gone> {
        let mut part = "{\"saved\":{".to_owned();
        for (place, (temporary, address)) in saved.addresses().enumerate() {
            let id: i64 = address.rsplit('/').next().and_then(|id| id.parse().ok()).unwrap_or_default();
            let comma = if place == 0 { "" } else { "," };
            part.push_str(&format!("{comma}{}:{}", json!(temporary), json!([address, id])));
            if part.len() >= PART {
                self.tell(std::mem::take(&mut part)).await?;
            }
        }
        part.push_str("}}");
        self.tell(part).await
    }
}

async fn carry_out(call: Call, progress: Arc<Progress>) -> Result<Saved, ImportError> {
    let folder = call.app.settings.spool.directory.clone();
    let lists = Arc::clone(&call.lists);
    let repository = call.repository.unwrap_or_default();
    let (body, reading) = (call.body.clone(), Arc::clone(&progress));
    let staged = tokio::task::spawn_blocking(move || {
        let mut stage = Stage::new(repository, lists, folder.as_deref(), reading)?;
        batch::read(&mut stage, body.reader())?;
        stage.finish()
    });
    let staged = Arc::new(staged.await.map_err(|error| ImportError::Disk(std::io::Error::other(error)))??);
    let session = call.app.session(&call.tenant)?;
    let saved = save_all(&session, &staged, &call.author(), &progress, None).await?;
    call.tenant.archives.wrote();
    if staged.adds_values() {
        call.tenant.archives.forget_lists();
    }
    Ok(saved)
}
