//! `carrel openapi`: the API document, for generating clients.

use std::io::Write;

/// Prints the document with all paths or the given ones.
pub fn run(paths: &[String]) -> anyhow::Result<()> {
    let collections = api::folio::all_collections();
    let routes = api::folio::all_routes(&collections).build().map_err(|faults| anyhow::anyhow!(faults.join("\n")))?;
    let wanted = |path: &str| paths.is_empty() || paths.iter().any(|named| named == path);
    let document = api::open_api::document_of(&routes, wanted);
    let document = serde_json::to_string_pretty(&document)?;
    // A reader may close the pipe early.
    let _ = writeln!(std::io::stdout(), "{document}");
    Ok(())
}
