//! Tables as `docs/errors.md` shows them.

use crate::{Table, Wording};

impl Wording {
    /// The beginning of its line: status, code, text, parameters and when it is given.
    pub fn line(&self) -> String {
        let code = self.code.map(|code| format!("`{code}`"));
        let parameters = self.parameters.iter().map(|key| format!("`{key}`"));
        let cells = [
            self.status.to_string(),
            code.unwrap_or_default(),
            self.text.to_owned(),
            parameters.collect::<Vec<_>>().join(", "),
            self.when.to_owned(),
        ];
        let cells = cells.map(|cell| cell.replace('|', "\\|"));
        format!("| {} |", cells.join(" | "))
    }
}

impl Table {
    /// The lines before its rows.
    pub fn head(&self) -> String {
        let page = self.docs.trim_start_matches("docs/");
        format!(
            "## {}\n\n[{page}]({page})\n\n| status | code | text | parameters | when | endpoints |\n\
             | --- | --- | --- | --- | --- | --- |\n",
            self.about.trim().split('.').next().unwrap_or_default()
        )
    }
}
