//! The notation of record declarations; the contract uses the same.
//!
//! ```text
//! fields  = field {"," field}                 (a comma may be followed by line breaks)
//! field   = "..." | name ["*" | "!"] ["~"] ["?"] [kind] ["<=" digits] ["=" default]
//! kind    = ":" words | ":" "(" text {"|" text} ")" | "{" fields "}" | "[" [element] "]"
//! element = words | "{" fields "}" | "(" text {"|" text} ")"
//! words   = word {"|" word}                   (one of these kinds)
//! word    = text | bool | int | number | uuid | datetime | any | object | Name
//! body    = fields | kind                     (a whole body that is not an object: `[{id, action}]`, `:any`)
//! ```
//! `*` = required, `!` = required of a request (anonymization may have removed it from an answer), `~` = computed by the
//! server, `?` = may be null in an answer, no kind = text, `[]` = list of texts, `<=255` = at most 255 characters,
//! `=` = default if the request omits the member (a list with `*` and default may be absent, but not null), `...` = other
//! members of a request are stored too, `Name` = a record whose schema the API document has under this name, `~:any` =
//! requests may contain it, answers never do.

use super::{Field, Kind, Schema};

pub(super) fn parse(text: &str) -> Result<Schema, String> {
    let mut reader = Reader { text, at: 0 };
    let schema = reader.fields()?;
    reader.end()?;
    Ok(schema)
}

pub(super) fn parse_body(text: &str) -> Result<Kind, String> {
    if !text.trim_start().starts_with(['[', ':']) {
        return parse(text).map(Kind::Object);
    }
    let mut reader = Reader { text, at: 0 };
    let kind = reader.kind()?;
    reader.end()?;
    Ok(kind)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn wrong(&self, expected: &str) -> String {
        let near: String = self.rest().chars().take(30).collect();
        format!("expected {expected} at {} near `{near}`", self.at)
    }

    fn blank(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn take(&mut self, token: &str) -> bool {
        self.blank();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) { Ok(()) } else { Err(self.wrong(&format!("`{token}`"))) }
    }

    fn end(&mut self) -> Result<(), String> {
        self.blank();
        match self.rest() {
            "" => Ok(()),
            _ => Err(self.wrong("end of declaration")),
        }
    }

    fn until(&mut self, stop: &[char]) -> &str {
        let start = self.at;
        let length = self.rest().find(stop).unwrap_or(self.rest().len());
        self.at += length;
        self.text[start..self.at].trim()
    }

    fn name(&mut self) -> Result<String, String> {
        self.blank();
        let length = self
            .rest()
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '@'))
            .unwrap_or(self.rest().len());
        if length == 0 {
            return Err(self.wrong("a name"));
        }
        let name = self.rest()[..length].to_owned();
        self.at += length;
        Ok(name)
    }

    fn fields(&mut self) -> Result<Schema, String> {
        let mut schema = Schema::default();
        loop {
            self.blank();
            if self.rest().is_empty() || self.rest().starts_with('}') {
                return Ok(schema);
            }
            if self.take("...") {
                schema.undeclared_members = true;
            } else {
                schema.fields.push(self.field()?);
            }
            if !self.take(",") {
                return Ok(schema);
            }
        }
    }

    fn field(&mut self) -> Result<Field, String> {
        let name = self.name()?;
        let removable = self.take("!");
        let required = removable || self.take("*");
        let computed = self.take("~");
        let nullable = self.take("?");
        let kind = self.kind()?;
        let max_length = if self.take("<=") { Some(self.length()?) } else { None };
        let default = if self.take("=") { Some(self.default(&kind)?) } else { None };
        Ok(Field { name, kind, required, removable, computed, nullable, default, max_length })
    }

    fn length(&mut self) -> Result<usize, String> {
        let text = self.until(&[',', '}', '=', ' ', '\n']).to_owned();
        text.parse().map_err(|_| self.wrong("a length"))
    }

    fn kind(&mut self) -> Result<Kind, String> {
        if self.take(":") {
            return if self.take("(") { self.one_of() } else { self.words() };
        }
        if self.take("{") {
            return self.object();
        }
        if self.take("[") {
            return self.list();
        }
        Ok(Kind::Text)
    }

    fn object(&mut self) -> Result<Kind, String> {
        let schema = self.fields()?;
        self.expect("}")?;
        Ok(Kind::Object(schema))
    }

    fn list(&mut self) -> Result<Kind, String> {
        let element = if self.take("]") {
            return Ok(Kind::List(Box::new(Kind::Text)));
        } else if self.take("{") {
            self.object()?
        } else if self.take("(") {
            self.one_of()?
        } else {
            self.words()?
        };
        self.expect("]")?;
        Ok(Kind::List(Box::new(element)))
    }

    fn one_of(&mut self) -> Result<Kind, String> {
        let mut depth = 0;
        // A value may itself contain parentheses: `In process (non-requestable)`.
        let end = self.rest().find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth < 0
        });
        let end = end.ok_or_else(|| self.wrong("`)`"))?;
        let values = self.rest()[..end].split('|').map(|value| value.trim().to_owned()).collect();
        self.at += end;
        self.expect(")")?;
        Ok(Kind::OneOf(values))
    }

    fn words(&mut self) -> Result<Kind, String> {
        let first = self.word()?;
        if !self.take("|") {
            return Ok(first);
        }
        Ok(match self.words()? {
            Kind::Either(others) => Kind::Either([vec![first], others].concat()),
            other => Kind::Either(vec![first, other]),
        })
    }

    fn word(&mut self) -> Result<Kind, String> {
        let word = self.name()?;
        Ok(match word.as_str() {
            "text" => Kind::Text,
            "bool" => Kind::Bool,
            "int" => Kind::Integer,
            "number" => Kind::Number,
            "uuid" => Kind::Uuid,
            "datetime" => Kind::DateTime,
            "any" => Kind::Any,
            "object" => Kind::FreeObject,
            name if name.starts_with(char::is_uppercase) => Kind::Named(word),
            _ => return Err(format!("unknown kind `{word}`")),
        })
    }

    fn default(&mut self, kind: &Kind) -> Result<serde_json::Value, String> {
        let text = self.until(&[',', '}', '\n']).to_owned();
        match kind {
            Kind::Bool | Kind::Integer | Kind::Number | Kind::List(_) => {
                serde_json::from_str(&text).map_err(|error| format!("default `{text}`: {error}"))
            }
            _ => Ok(serde_json::Value::String(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_reads_like_the_contract() {
        let schema = parse(
            "name*<=255, code*, active:bool=true, holdShelf{duration*:int, intervalId*:(Minutes|Hours)},
             ids[uuid], notes[{note*, staffOnly:bool=false}], editions[], date~:datetime, kind=folio",
        )
        .unwrap();
        let names: Vec<_> = schema.fields().iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["name", "code", "active", "holdShelf", "ids", "notes", "editions", "date", "kind"]);
        assert!(schema.field("name").unwrap().required);
        assert_eq!(schema.field("name").unwrap().max_length, Some(255));
        assert_eq!(schema.field("active").unwrap().default, Some(true.into()));
        assert_eq!(schema.field("kind").unwrap().default, Some("folio".into()));
        assert!(schema.field("date").unwrap().computed);
        assert_eq!(schema.field("editions").unwrap().kind, Kind::List(Box::new(Kind::Text)));
        assert_eq!(
            parse("status:(In process|In process (non-requestable))").unwrap().find("status"),
            Some(&Kind::OneOf(vec!["In process".into(), "In process (non-requestable)".into()]))
        );
        assert_eq!(schema.find("holdShelf.intervalId"), Some(&Kind::OneOf(vec!["Minutes".into(), "Hours".into()])));
    }

    #[test]
    fn a_body_need_not_be_an_object() {
        let list = parse_body("[{id*, action?}]").unwrap();
        let Kind::List(element) = list else {
            panic!("{list:?}");
        };
        let Kind::Object(element) = *element else {
            panic!("{element:?}");
        };
        assert!(element.field("action").unwrap().nullable);
        assert_eq!(parse_body(":any"), Ok(Kind::Any));
        assert_eq!(parse_body("id"), parse("id").map(Kind::Object));
        assert!(parse_body("[uuid] x").is_err());
    }

    #[test]
    fn a_name_refers_to_a_schema_elsewhere() {
        let schema = parse("metadata~:Metadata, permissions[text|Permission], ids*[uuid]=[]").unwrap();
        let permission = Kind::Named("Permission".into());
        assert_eq!(
            schema.field("permissions").unwrap().kind,
            Kind::List(Box::new(Kind::Either(vec![Kind::Text, permission])))
        );
        assert_eq!(schema.field("ids").unwrap().default, Some(serde_json::json!([])));
        assert_eq!(Kind::Object(schema).names(), ["Metadata", "Permission"]);
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        for bad in ["name*, ,", "a:strange", "a{b", "a[uuid", "a b", "n<=x"] {
            assert!(parse(bad).is_err(), "{bad} was accepted");
        }
    }
}
