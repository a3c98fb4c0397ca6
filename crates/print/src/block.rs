//! What a finding aid is made of when it is printed.

/// How letters look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Face {
    #[default]
    Regular,
    Bold,
    Italic,
}

/// A piece of text in one look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) face: Face,
    /// Where it leads, on the web.
    pub(crate) link: Option<String>,
}

impl Span {
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    pub(crate) fn bold(text: impl Into<String>) -> Self {
        Self { text: text.into(), face: Face::Bold, link: None }
    }
}

/// The mark of entries that are not numbered.
pub(crate) const BULLET: &str = "•";

/// A part of a finding aid that stands below the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Block {
    /// A heading that is in the contents: 1 for a part, 2 for a section.
    Heading { level: u8, text: String },
    /// A paragraph, so many steps from the left.
    Paragraph { spans: Vec<Span>, indent: u8 },
    /// A member of the description with its name.
    Pair { label: String, spans: Vec<Span>, indent: u8 },
    /// An entry of a list, after its mark: a bullet or a number.
    Item { mark: String, spans: Vec<Span>, indent: u8 },
    /// What comes next begins a page.
    Page,
    /// A component: what it is called, and the containers it is in.
    Component { depth: u8, spans: Vec<Span>, containers: String, in_contents: Option<String> },
}

/// What the title page tells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Front {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    pub(crate) author: String,
    pub(crate) identifier: String,
    /// Who publishes it, and where: a line each.
    pub(crate) publisher: Vec<String>,
    /// How and when it was made, in which language, by which rules: a line each.
    pub(crate) notes: Vec<String>,
    /// A code of ISO 639-2.
    pub(crate) language: String,
}
