//! Tables of refusals.

/// A refusal in FOLIO's words: a row of a [`Table`].
#[derive(Debug, PartialEq, Eq)]
pub struct Wording {
    /// What the code calls it.
    pub name: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// FOLIO's code, where there is one; in a code, too, `{name}` stands for a value.
    pub code: Option<&'static str>,
    /// Its type, where it has one of its own and not that of its shape.
    pub kind: Option<&'static str>,
    /// The text; `{name}` stands for a value.
    pub text: &'static str,
    /// Keys of the parameters, in order; in a key, too, `{name}` stands for a value.
    pub parameters: &'static [&'static str],
    /// When it is given.
    pub when: &'static str,
    /// The shape of the answer.
    pub shape: Shape,
}

/// The shape of a refusal (docs/folio/conventions.md#error-shapes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// mod-circulation: 422 with `errors`, printed in its own way; plain text with any other status.
    Circulation,
    /// The RMB modules: 422 with `errors` of type 1; plain text with any other status.
    Storage,
    /// mod-inventory: 422 with `errors` without types; plain text with any other status.
    Inventory,
    /// mod-login: `errors` of type `error`, with any status.
    LogIn,
    /// mod-audit, mod-pubsub, mod-users-bl: `errors` and their number, with any status.
    Counted,
    /// mod-notes and mod-tags: `errors` of type -1, with any status.
    Spring,
    /// mod-password-validator: one error of type -2 that is in no list.
    Alone,
    /// mod-inventory where records move: `errors` are sentences.
    Sentences,
    /// Plain text, or a shape of the endpoint's own.
    Text,
}

/// The refusals of a use case.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    /// What they refuse.
    pub about: &'static str,
    /// Where the contract describes them.
    pub docs: &'static str,
    /// The rows.
    pub rows: &'static [&'static Wording],
}

/// Declares a [`Table`] and its rows: what a row is called, when it is given, and the answer: the status, FOLIO's code (in
/// brackets and quotes if it is no identifier), after `as` the type, the text, the keys of the parameters (quoted if they are no
/// identifiers). A row is a constant.
///
/// ```
/// refusals::table! {
///     /// A renewal.
///     pub TABLE: Circulation, "docs/folio/renewals.md";
///     LOST: "The item is lost." => 422 ITEM_LOST "item is {status}" [itemId];
///     NOT_NAMED: "The request does not name an item." => 400 "name an item";
/// }
/// let refusal = LOST.with("status", "Declared lost").with("itemId", "1");
/// assert_eq!(refusal.message(), "item is Declared lost");
/// assert_eq!(TABLE.rows, [LOST, NOT_NAMED]);
/// ```
#[macro_export]
macro_rules! table {
    (
        $(#[doc = $about:literal])+
        $vis:vis $table:ident: $shape:ident, $docs:literal;
        $(
            $name:ident: $when:literal
                => $status:literal $($code:ident)? $([$other:literal])? $(as $kind:ident)? $text:literal $([$($parameter:tt),*])?;
        )*
    ) => {
        $(
            #[doc = $when]
            $vis const $name: &$crate::Wording = &$crate::Wording {
                name: stringify!($name),
                status: $status,
                code: [$(Some(stringify!($code)),)? $(Some($other),)? None][0],
                kind: [$(Some(stringify!($kind)),)? None][0],
                text: $text,
                parameters: &[$($($crate::table!(@key $parameter)),*)?],
                when: $when,
                shape: $crate::Shape::$shape,
            };
        )*
        $(#[doc = $about])+
        $vis const $table: &$crate::Table = &$crate::Table {
            about: concat!($($about),+),
            docs: $docs,
            rows: &[$($name),*],
        };
    };
    (@key $key:ident) => { stringify!($key) };
    (@key $key:literal) => { $key };
}
