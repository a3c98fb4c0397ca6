//! `carrel openapi`: the API document, for generating clients.

use std::io::Write;

/// Prints the document.
pub fn run() -> anyhow::Result<()> {
    let collections = api::folio::all_collections();
    let routes = api::folio::all_routes(&collections)
        .build()
        .map_err(|faults| anyhow::anyhow!(faults.join("\n")))?;
    let document = serde_json::to_string_pretty(&api::open_api::document(&routes))?;
    // A reader that closes the pipe early has seen what it wanted.
    let _ = writeln!(std::io::stdout(), "{document}");
    Ok(())
}
