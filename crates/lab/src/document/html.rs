//! Documents as one self-contained HTML page with styles and charts.

use minijinja::{Environment, Value, context, syntax::SyntaxConfig, value::Serde};

use super::{Block, Document};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

/// Renders the page.
///
/// # Errors
/// The template does not match the document: a bug.
pub fn render(document: &Document) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    environment.set_syntax(syntax.trim_blocks(true).lstrip_blocks(true).build()?);
    environment.add_template("page.html", PAGE)?;
    let sections: Vec<_> = document
        .sections
        .iter()
        .enumerate()
        .map(|(number, section)| {
            let blocks: Vec<_> = section.blocks.iter().map(shown).collect();
            context! { id => format!("section-{}", number + 1), title => &*section.title, blocks }
        })
        .collect();
    let page = environment.get_template("page.html")?;
    page.render(context! { title => &*document.title, about => &*document.about, style => STYLE, sections })
}

/// A block with what only a page needs: the two header lines of a table.
fn shown(block: &Block) -> Value {
    match block {
        Block::Table(table) => {
            let grouped = table.columns.iter().any(|column| column.group.is_some());
            let (content, headings) = (Value::from(Serde(table)), Value::from(Serde(table.headings())));
            context! { kind => "table", content, headings, grouped }
        }
        other => Value::from(Serde(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};

    #[test]
    fn text_is_escaped_and_nothing_is_fetched() {
        let page = render(&sample::document()).expect("a page");
        assert!(page.contains("Check-in &amp; check-out."), "{page}");
        assert!(page.contains("GET &lt;item&gt; | by *barcode*"), "{page}");
        for fetched in ["<script", "src=", "href=\"http", "url(", "@import"] {
            assert!(!page.contains(fetched), "{fetched}");
        }
    }

    #[test]
    fn table_cells_have_their_headers() {
        let page = render(&sample::document()).expect("a page");
        assert!(page.contains("<caption>Response times"), "{page}");
        assert!(page.contains("scope=\"row\">GET &lt;item"), "{page}");
        assert!(page.contains("colspan=\"2\" scope=\"colgroup\">Check-in<"), "{page}");
        assert!(page.contains("rowspan=\"2\" scope=\"col\">Request<"), "{page}");
        assert!(page.contains("class=\"number worse\">1,234<"), "{page}");
    }
}
