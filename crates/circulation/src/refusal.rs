//! How a refusal is told to clients: FOLIO's message, code and parameters.

use crate::blocks::{BlockKind, Granted, OverridableBlock};

/// A refusal in FOLIO's words. Each use case has an enum of its refusals, which is rendered as this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The sentence.
    pub message: String,
    /// The code, where FOLIO gives one.
    pub code: Option<&'static str>,
    /// Keys and values, in order.
    pub parameters: Vec<(&'static str, Option<String>)>,
    /// The block that stands behind it, when staff may override it.
    pub block: Option<OverridableBlock>,
}

impl Told {
    /// A sentence without code and parameters.
    pub fn new(message: impl Into<String>) -> Told {
        Told {
            message: message.into(),
            code: None,
            parameters: Vec::new(),
            block: None,
        }
    }

    /// With a code.
    pub fn code(mut self, code: &'static str) -> Told {
        self.code = Some(code);
        self
    }

    /// With one more parameter.
    pub fn about(mut self, key: &'static str, value: Option<impl Into<String>>) -> Told {
        self.parameters.push((key, value.map(Into::into)));
        self
    }

    /// With the block that staff may override.
    pub fn block(mut self, kind: BlockKind, granted: &Granted) -> Told {
        self.block = Some(OverridableBlock {
            kind,
            permission_missing: !granted.has(kind),
        });
        self
    }
}
