//! Values that refusals mention.

use uuid::Uuid;

/// What a refusal can mention; nothing is printed as `null`.
pub trait Value {
    /// The value as text.
    fn text(self) -> Option<String>;
}

impl<V: Value> Value for Option<V> {
    fn text(self) -> Option<String> {
        self.and_then(V::text)
    }
}

impl Value for &Option<String> {
    fn text(self) -> Option<String> {
        self.clone()
    }
}

macro_rules! values {
    ($($kind:ty),*) => {
        $(impl Value for $kind {
            fn text(self) -> Option<String> {
                Some(self.to_string())
            }
        })*
    };
}

values!(String, &String, &str, Uuid, i32, i64, usize);
