//! Writes the finding aids of a repository to a folder, a file for each resource.

use std::{collections::HashSet, path::Path, sync::Arc};

use api::app::{App, TenantState};
use archives::{
    exports::Exported,
    finding_aid::{Asked, ead},
    records::{Listing, Place, Seen, get, list},
};
use futures_util::TryStreamExt;
use jiff::Timestamp;
use serde_json::Value;
use store::archives::Sort;
use tokio::io::AsyncWriteExt;

use super::repository_of;
use crate::{LoadError, progress::Progress};

/// What is written.
#[derive(Debug, Clone)]
pub struct Export {
    /// Code of the repository.
    pub repository: String,
    pub include_unpublished: bool,
    pub ead3: bool,
}

/// Writes the finding aids of all resources of a repository; returns their number. A file is there only when it is whole.
///
/// # Errors
/// The repository does not exist, a file cannot be written, the database fails.
pub async fn export(
    app: &Arc<App>,
    tenant: &Arc<TenantState>,
    folder: &Path,
    what: &Export,
    progress: &dyn Progress,
) -> Result<u64, LoadError> {
    let unwritten = |error| LoadError::Read { place: folder.display().to_string(), error };
    let session = app.session(tenant)?;
    let repository = repository_of(&session, &what.repository).await?;
    let place = Place { kind: "resource", repository: Some(repository) };
    let ids = list(&session, place, &Listing::AllIds(Sort::IDS), Timestamp::UNIX_EPOCH, Seen::All).await?;
    let ids: Vec<i64> = ids.as_array().into_iter().flatten().filter_map(Value::as_i64).collect();
    tokio::fs::create_dir_all(folder).await.map_err(unwritten)?;
    progress.begin("Writing finding aids", ids.len() as u64);
    let asked = Asked {
        include_unpublished: what.include_unpublished,
        include_daos: true,
        numbered_cs: false,
        include_uris: true,
        ead3: what.ead3,
    };
    let mut names = HashSet::new();
    for id in &ids {
        let resource = get(&session, place, *id, Seen::All).await?;
        let name = file_name(&resource, *id, &mut names);
        let (under_way, whole) = (folder.join(format!(".{name}.part")), folder.join(name));
        let of = Exported { repository, id: *id, seen: Seen::All };
        let mut parts = Box::pin(ead(&session, of, asked, (app.clock)()).await?);
        let mut file = tokio::fs::File::create(&under_way).await.map_err(unwritten)?;
        while let Some(part) = parts.try_next().await? {
            file.write_all(&part.text).await.map_err(unwritten)?;
        }
        file.flush().await.map_err(unwritten)?;
        tokio::fs::rename(&under_way, &whole).await.map_err(unwritten)?;
        progress.advance(1);
    }
    Ok(ids.len() as u64)
}

/// The resource's identifier as letters, digits, `.`, `-` and `_`; with its number if another file has that name.
fn file_name(resource: &Value, id: i64, names: &mut HashSet<String>) -> String {
    let parts = ["id_0", "id_1", "id_2", "id_3"].iter().filter_map(|part| resource[*part].as_str());
    let kept = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' };
    let called: String = parts.collect::<Vec<_>>().join("-").chars().map(kept).collect();
    // A name that begins with a dot is hidden, or means a folder.
    let called = called.trim_start_matches('.').to_lowercase();
    let usable = !called.is_empty() && names.insert(called.clone());
    if usable { format!("{called}.xml") } else { format!("{called}_resource_{id}.xml") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_is_called_like_its_resource() {
        let mut names = HashSet::new();
        let mut name = |record: Value, id| file_name(&record, id, &mut names);
        assert_eq!(name(json!({"id_0": "MS 1", "id_1": "A/B"}), 1), "ms_1-a_b.xml");
        assert_eq!(name(json!({"id_0": "ms_1-a:b"}), 2), "ms_1-a_b_resource_2.xml");
        assert_eq!(name(json!({"id_0": "../.."}), 3), "_...xml");
        assert_eq!(name(json!({}), 4), "_resource_4.xml");
    }
}
