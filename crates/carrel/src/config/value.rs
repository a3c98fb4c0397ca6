//! The types of settings: parsing, and writing in TOML.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

/// A type of setting.
pub trait Value: Sized {
    /// Whether a flag may be given without a value.
    const SWITCH: bool = false;

    /// Parses a value; the error says what was expected.
    fn parse(text: &str) -> Result<Self, String>;

    /// The value in TOML, for people: secrets are masked.
    fn to_toml(&self) -> String;
}

/// Checks a text and renders it (the function in a row of the table).
pub fn render<V: Value>(text: &str) -> Result<String, String> {
    V::parse(text).map(|value| value.to_toml())
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

impl Value for String {
    fn parse(text: &str) -> Result<Self, String> {
        match text.trim() {
            "" => Err("it must not be empty".into()),
            text => Ok(text.to_owned()),
        }
    }

    fn to_toml(&self) -> String {
        quoted(self)
    }
}

impl Value for PathBuf {
    fn parse(text: &str) -> Result<Self, String> {
        String::parse(text).map(PathBuf::from)
    }

    fn to_toml(&self) -> String {
        quoted(&self.to_string_lossy())
    }
}

impl Value for SocketAddr {
    fn parse(text: &str) -> Result<Self, String> {
        let expected = || "an address and a port are expected, such as 127.0.0.1:9130".to_owned();
        text.trim().parse().map_err(|_| expected())
    }

    fn to_toml(&self) -> String {
        quoted(&self.to_string())
    }
}

impl Value for bool {
    const SWITCH: bool = true;

    fn parse(text: &str) -> Result<Self, String> {
        match text.trim() {
            "true" | "1" | "yes" | "on" => Ok(true),
            "false" | "0" | "no" | "off" => Ok(false),
            _ => Err("true or false is expected".into()),
        }
    }

    fn to_toml(&self) -> String {
        self.to_string()
    }
}

macro_rules! whole_numbers {
    ($($type:ty),+) => { $(
        impl Value for $type {
            fn parse(text: &str) -> Result<Self, String> {
                match text.trim().parse() {
                    Ok(0) | Err(_) => Err(format!("a whole number from 1 to {} is expected", Self::MAX)),
                    Ok(number) => Ok(number),
                }
            }

            fn to_toml(&self) -> String {
                self.to_string()
            }
        }
    )+ };
}
whole_numbers!(u32, u64, usize);

/// An empty text means no value.
impl<V: Value> Value for Option<V> {
    const SWITCH: bool = V::SWITCH;

    fn parse(text: &str) -> Result<Self, String> {
        match text.trim() {
            "" => Ok(None),
            text => V::parse(text).map(Some),
        }
    }

    fn to_toml(&self) -> String {
        self.as_ref().map_or_else(|| quoted(""), V::to_toml)
    }
}

/// A text that is not shown: a password, or a URL with one in it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The text with asterisks for the secret part: the password of a URL, otherwise all of it.
    pub fn masked(&self) -> String {
        let is_url = self.0.split_once("://").is_some_and(|(_, rest)| !rest.is_empty());
        if !is_url {
            return "***".into();
        }
        mask_url(&self.0)
    }
}

fn mask_url(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (address, query) = match rest.split_once('?') {
        Some((address, query)) => (address, format!("?{}", mask_parameters(query))),
        None => (rest, String::new()),
    };
    let address = match address.rsplit_once('@') {
        Some((credentials, host)) => match credentials.split_once(':') {
            Some((user, _)) => format!("{user}:***@{host}"),
            None => address.to_owned(),
        },
        None => address.to_owned(),
    };
    format!("{scheme}://{address}{query}")
}

fn mask_parameters(query: &str) -> String {
    let masked = query.split('&').map(|parameter| match parameter.split_once('=') {
        Some((name, _)) if name.contains("pass") => format!("{name}=***"),
        _ => parameter.to_owned(),
    });
    masked.collect::<Vec<_>>().join("&")
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

impl Value for Secret {
    fn parse(text: &str) -> Result<Self, String> {
        String::parse(text).map(Self)
    }

    fn to_toml(&self) -> String {
        quoted(&self.masked())
    }
}

/// Defines an enum whose values are words.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $( $(#[$doc:meta])* $variant:ident = $word:literal ),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $( $(#[$doc])* $variant ),+ }

        impl $name {
            pub fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $word ),+ }
            }
        }

        impl Value for $name {
            fn parse(text: &str) -> Result<Self, String> {
                let text = text.trim();
                $( if text.eq_ignore_ascii_case($word) { return Ok(Self::$variant); } )+
                Err(format!("one of {} is expected", [$($word),+].join(", ")))
            }

            fn to_toml(&self) -> String {
                quoted(self.as_str())
            }
        }
    };
}

words! {
    /// The form of the log.
    LogFormat {
        /// For people.
        Text = "text",
        /// One JSON object per line.
        Json = "json",
    }
}

words! {
    /// The SameSite attribute of a cookie.
    SameSite {
        /// Sent when the user follows a link from another site.
        Lax = "Lax",
        /// Never sent from another site.
        Strict = "Strict",
        /// Always sent.
        None = "None",
    }
}
