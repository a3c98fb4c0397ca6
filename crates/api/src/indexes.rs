//! The indexes for searches, of all libraries that this process serves (decision 62): which are opened at the start, how they
//! stand, and what the doctor says of them.

use std::path::Path;

use ::archives::search::{self, Described};
use ::catalogue::Records;
use indexing::Status;
use store::{
    Database, StoreError,
    doctor::finding::{Finding, Level},
    tenants::{self, Tenant, schema_name},
};

use crate::{
    app::{App, TenantState, product},
    archives,
    folio::catalogue,
    platform::SUPERTENANT,
};

/// The module that searches the catalogue.
const SEARCHING: &str = "mod-search";

/// Opens indexes in the background, so that the first search does not wait for them. That of the archives is made if it is not
/// there. Those of catalogues are not: a library that never searches has no index to keep. Without a folder, as in tests, all
/// are made when somebody searches.
pub(crate) fn open(app: &App, with_archives: bool) {
    let Some(directory) = &app.settings.search_directory else { return };
    if with_archives {
        archives::open_index(app);
    }
    for tenant in app.all_tenants() {
        let is_there = |of: Records| of.folder(directory, &tenant.schema).is_dir();
        if tenant.has_module(SEARCHING) && is_there(Records::Instances) {
            let catalogue = catalogue(app, &tenant);
            if is_there(Records::Authorities) {
                catalogue.standing(Records::Authorities);
            }
        }
    }
}

/// Tells how the indexes stand.
pub(crate) fn gauge(app: &App) {
    for tenant in app.all_tenants() {
        for (index, status) in statuses(&tenant) {
            let values = [
                ("carrel_search_documents", status.documents),
                ("carrel_search_segments", status.segments),
                ("carrel_search_documents_behind", status.behind),
                ("carrel_search_seconds_behind", status.seconds),
                ("carrel_search_building", u64::from(status.is_building)),
                ("carrel_search_records_read", status.read),
                ("carrel_search_failing", u64::from(status.is_failing)),
            ];
            let labels = [("tenant", tenant.tenant.id.clone()), ("index", index.to_owned())];
            for (name, value) in values {
                metrics::gauge!(name, &labels).set(value as f64);
            }
        }
    }
}

fn statuses(tenant: &TenantState) -> impl Iterator<Item = (&'static str, Status)> {
    let archives = tenant.archives.started_index().map(|index| ("archives", index.status()));
    let catalogue = tenant.catalogue.get().map(|catalogue| catalogue.status());
    archives.into_iter().chain(catalogue.into_iter().flatten())
}

/// What is to be said of the indexes in a folder: of the catalogue of each library that has `mod-search`, and of the archives of
/// the library whose archives are served, if any are: the chosen one, or the only one.
pub async fn examine(database: &Database, directory: &Path, with_archives: bool, chosen: Option<&str>) -> Vec<Finding> {
    let examined = async {
        let mut all = tenants::list(database).await?;
        all.retain(|tenant| tenant.id != SUPERTENANT);
        let is_served = |id: &str| with_archives && chosen.map_or(all.len() == 1, |chosen| chosen == id);
        let mut findings = Vec::new();
        for tenant in &all {
            findings.extend(of_tenant(database, directory, tenant, is_served(&tenant.id)).await?);
        }
        Ok::<_, StoreError>(findings)
    };
    examined.await.unwrap_or_else(|error| {
        let unknown = Finding::new("search", Level::Warn, "The indexes for searches could not be examined");
        vec![unknown.because(error.to_string())]
    })
}

async fn of_tenant(
    database: &Database,
    directory: &Path,
    tenant: &Tenant,
    with_archives: bool,
) -> Result<Vec<Finding>, StoreError> {
    let schema = schema_name(&tenant.id);
    let session = database.session(&schema)?;
    let mut findings = Vec::new();
    if with_archives {
        findings = indexing::examine(&Described, &search::folder(directory, &schema), &session).await?;
    }
    if tenant.modules.iter().any(|id| product(id) == SEARCHING) {
        findings.extend(::catalogue::examine(&tenant.id, &schema, directory, &session).await?);
    }
    findings.iter_mut().for_each(|finding| finding.tenant = Some(tenant.id.clone()));
    Ok(findings)
}
