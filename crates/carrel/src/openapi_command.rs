//! `carrel openapi`: the API document, for generating clients.

use std::io::Write;

/// Prints the document of the FOLIO API with all paths or the given ones, or that of the archives' port.
pub fn run(paths: &[String], of_archives: bool) -> anyhow::Result<()> {
    if of_archives {
        return print(&api::archives::document());
    }
    let collections = api::folio::all_collections();
    let routes = api::folio::all_routes(&collections).build().map_err(|faults| anyhow::anyhow!(faults.join("\n")))?;
    let wanted = |path: &str| paths.is_empty() || paths.iter().any(|named| named == path);
    let document = api::open_api::document_of(&routes, wanted);
    print(&document)
}

fn print(document: &serde_json::Value) -> anyhow::Result<()> {
    let document = serde_json::to_string_pretty(document)?;
    // A reader may close the pipe early.
    let _ = writeln!(std::io::stdout(), "{document}");
    Ok(())
}
