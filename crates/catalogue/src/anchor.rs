//! From where a list is browsed, and which way (contract 1.7): one range, or two around an anchor.

use cql::Relation;
use refusals::Refused;

use crate::refusal::ANCHORS_DIFFER;

/// Which way a list is browsed, and whether the anchor itself is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Forward { with_anchor: bool },
    Backward { with_anchor: bool },
    Around { with_anchor: bool },
}

/// What comes after an anchor, or before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Range {
    anchor: String,
    is_forward: bool,
    with_anchor: bool,
}

impl Range {
    /// The range that a relation to an anchor is; `None`: it is none.
    pub(crate) fn of(relation: &Relation, anchor: &str) -> Option<Self> {
        let (is_forward, with_anchor) = match relation {
            Relation::Greater => (true, false),
            Relation::GreaterOrEqual => (true, true),
            Relation::Less => (false, false),
            Relation::LessOrEqual => (false, true),
            _ => return None,
        };
        Some(Self { anchor: anchor.to_owned(), is_forward, with_anchor })
    }
}

/// The anchor and the way of ranges of which one must hold; `None`: no list is browsed so. Around an anchor, the range after it
/// says whether it is looked up.
///
/// # Errors
/// Two ranges with different anchors.
pub(crate) fn way(ranges: &[Range], query: &str) -> Result<Option<(String, Way)>, Refused> {
    let (range, way) = match ranges {
        [range @ Range { is_forward: true, with_anchor, .. }] => (range, Way::Forward { with_anchor: *with_anchor }),
        [range @ Range { with_anchor, .. }] => (range, Way::Backward { with_anchor: *with_anchor }),
        [one, other] if one.is_forward != other.is_forward => {
            if one.anchor != other.anchor {
                return Err(ANCHORS_DIFFER.with("query", query).into());
            }
            let after = if one.is_forward { one } else { other };
            (one, Way::Around { with_anchor: after.with_anchor })
        }
        _ => return Ok(None),
    };
    Ok(Some((range.anchor.clone(), way)))
}
