//! Enums whose variants have a name in records.

/// Declares an enum with the name of each variant, as records spell it: `ALL`, `name`, `from_name`, and serde.
macro_rules! named {
    ($(#[$about:meta])* $type:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $type {
            $(
                #[doc = $name]
                #[serde(rename = $name)]
                $variant,
            )+
        }

        impl $type {
            /// Every variant, in the order of its declaration.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

            /// The name in records and on screens.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }

            /// The variant of that name; names must match exactly, including case.
            pub fn from_name(name: &str) -> Option<$type> {
                Self::ALL.iter().copied().find(|known| known.name() == name)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(crate) use named;
