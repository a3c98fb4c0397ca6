//! Reasons not to explain.

refusals::table! {
    /// "Why?" and "what if".
    pub(crate) TABLE: Circulation, "docs/why.md";
    NO_SUCH_VALUE: "A patron group, type or location to try does not exist." => 422 "{member} {id} does not exist" ["{member}"];
}
