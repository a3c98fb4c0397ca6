//! Records by their names in addresses of the public site (contract 3.5: `/slug`).

use store::{Session, StoreError, statements::archives::BY_SLUG};

use crate::model::derive::clean_slug;

/// A record that was found, or where it was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The type; absent if the kind of page is unknown or has several.
    pub kind: Option<String>,
    /// Id and repository.
    pub found: Option<(i64, Option<i64>)>,
}

/// The record with this name that a page of the public site shows; `term` tells a page of terms from one of
/// classifications. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn find(session: &Session, slug: &str, page: &str, action: &str) -> Result<Named, StoreError> {
    let kinds: &[&str] = match page {
        "repositories" => &["repository"],
        "agents" => &["agent_person", "agent_family", "agent_corporate_entity", "agent_software"],
        "subjects" => &["subject"],
        "objects" => &["archival_object", "digital_object", "digital_object_component"],
        "resources" => &["resource"],
        "accessions" => &["accession"],
        "classifications" if action == "term" => &["classification_term"],
        "classifications" => &["classification"],
        _ => &[],
    };
    let only = Some(kinds).filter(|kinds| kinds.len() == 1).map(|kinds| kinds[0].to_owned());
    let kinds: Vec<&str> = kinds.to_vec();
    let found = session.find(BY_SLUG, &[&slug, &clean_slug(slug), &kinds]).await?;
    Ok(match found {
        Some(row) => Named { kind: Some(row.get("kind")), found: Some((row.get("id"), row.get("repository"))) },
        None => Named { kind: only, found: None },
    })
}
