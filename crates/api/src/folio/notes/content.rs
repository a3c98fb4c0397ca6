//! Cleans the HTML of notes as mod-notes does (docs/folio/notes-and-tags.md#content-of-notes).

use std::sync::LazyLock;

use ammonia::Builder;

const TAGS: [&str; 12] = ["p", "strong", "em", "a", "u", "ol", "ul", "li", "h1", "h2", "h3", "br"];

/// Links keep their `rel` and `target`. FOLIO allows any address; here a link cannot run a script.
static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = Builder::new();
    cleaner
        .tags(TAGS.into())
        .generic_attributes(["class"].into())
        .tag_attributes([("a", ["href", "rel", "target"].into())].into())
        .link_rel(None);
    cleaner
});

/// Removes tags and attributes that notes may not have. Their text stays, except that of scripts.
pub(super) fn cleaned(content: &str) -> String {
    if content.trim().is_empty() {
        return content.to_owned();
    }
    CLEANER.clean(content).to_string()
}

#[cfg(test)]
mod tests {
    use super::cleaned;

    #[test]
    fn only_allowed_tags_and_attributes_stay() {
        for (sent, kept) in [
            ("", ""),
            (" \n", " \n"),
            ("Owes a book & more", "Owes a book &amp; more"),
            ("<p class=\"ql\">A <strong>b</strong><br></p>", "<p class=\"ql\">A <strong>b</strong><br></p>"),
            ("<ol><li>1</li></ol><h1>x</h1><h4>y</h4>", "<ol><li>1</li></ol><h1>x</h1>y"),
            ("<p onclick=\"steal()\" style=\"top:0\">x</p>", "<p>x</p>"),
            ("a<script>steal()</script>b", "ab"),
            ("<img src=x onerror=steal()>c", "c"),
            (
                "<a href=\"https://example.org/?a=1\" rel=\"noopener\" target=\"_blank\">l</a>",
                "<a href=\"https://example.org/?a=1\" rel=\"noopener\" target=\"_blank\">l</a>",
            ),
            ("<a href=\"javascript:steal()\">l</a>", "<a>l</a>"),
        ] {
            assert_eq!(cleaned(sent), kept, "{sent}");
            assert_eq!(cleaned(kept), kept, "cleaning twice changes nothing");
        }
    }
}
