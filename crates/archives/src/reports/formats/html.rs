//! A report as a page, with its rows in a table.

use std::io::{self, Write};

use serde_json::Value;

use super::{Head, Rows, cell, words};

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A value in a page; lists as lists.
fn shown(value: &Value) -> String {
    let Value::Array(items) = value else { return escaped(&cell(value)) };
    let items = items.iter().map(|item| {
        let Value::Object(members) = item else { return format!("<li>{}</li>", shown(item)) };
        let members = members.iter().filter(|(_, value)| !value.is_null());
        let texts: Vec<String> = members
            .map(|(name, value)| match words(name) {
                name if name.is_empty() => shown(value),
                name => format!("{}: {}", escaped(&name), shown(value)),
            })
            .collect();
        format!("<li>{}</li>", texts.join("; "))
    });
    format!("<ul>{}</ul>", items.collect::<String>())
}

pub(super) fn write(head: &Head, rows: &Rows, out: &mut impl Write) -> io::Result<()> {
    let title = escaped(head.title);
    write!(out, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>{title}</title></head><body>\n")?;
    writeln!(out, "<h1>{title}</h1>\n<dl>")?;
    for (name, value) in &head.info {
        writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(&words(name)), escaped(&cell(value)))?;
    }
    writeln!(out, "</dl>")?;
    let mut columns: Option<Vec<String>> = None;
    for row in rows.rows()? {
        let row = row?;
        if columns.is_none() {
            let names: String = row.keys().map(|name| format!("<th>{}</th>", escaped(&words(name)))).collect();
            writeln!(out, "<table><thead><tr>{names}</tr></thead><tbody>")?;
        }
        let columns = columns.get_or_insert_with(|| row.keys().cloned().collect());
        let cells = columns.iter().map(|name| format!("<td>{}</td>", row.get(name).map(shown).unwrap_or_default()));
        writeln!(out, "<tr>{}</tr>", cells.collect::<String>())?;
    }
    let end = if columns.is_none() { "<p>No results found.</p>" } else { "</tbody></table>" };
    write!(out, "{end}\n</body></html>\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{head, written};

    #[test]
    fn a_page_has_a_table() {
        let rows = [
            json!({"record_title": "One", "names": [{"role": "<x>", "_date": "1900", "none": null}]}),
            json!({"record_title": null, "names": null}),
        ];
        let head = head(&json!({"repository": "A & B"}));
        let page = written("html", &head, &rows).expect("a page");
        assert!(page.contains("<th>Record title</th><th>Names</th>"), "{page}");
        assert!(page.contains("<dd>A &amp; B</dd>") && page.contains("<li>Role: &lt;x&gt;; 1900</li>"), "{page}");
        assert!(written("html", &head, &[]).expect("a page").contains("<p>No results found.</p>"));
    }
}
