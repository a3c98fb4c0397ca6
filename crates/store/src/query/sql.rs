//! SQL fragments with parameters. They render in two ways: numbered, to be prepared once and run with any values, and
//! with the values inlined, for the planner's estimate.

use bytes::BytesMut;
use postgres_types::{IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

use super::expression::literal;

/// A value of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parameter {
    Text(String),
    Texts(Vec<String>),
    Uuid(Uuid),
    Uuids(Vec<Uuid>),
    /// A decimal number as text.
    Number(String),
    /// A JSON value as text.
    Json(String),
    Integer(i64),
}

impl Parameter {
    /// The placeholder with a cast, so that its type does not depend on the surrounding SQL.
    fn placeholder(&self, number: usize) -> String {
        match self {
            Self::Text(_) => format!("${number}::text"),
            Self::Texts(_) => format!("${number}::text[]"),
            Self::Uuid(_) => format!("${number}::uuid"),
            Self::Uuids(_) => format!("${number}::uuid[]"),
            Self::Number(_) => format!("${number}::text::numeric"),
            Self::Json(_) => format!("${number}::text::jsonb"),
            Self::Integer(_) => format!("${number}::bigint"),
        }
    }

    fn inlined(&self) -> String {
        match self {
            Self::Text(text) => format!("{}::text", literal(text)),
            Self::Texts(texts) => {
                format!("{}::text[]", array(texts.iter().map(|text| literal(text))))
            }
            Self::Uuid(id) => format!("'{id}'::uuid"),
            Self::Uuids(ids) => {
                format!("{}::uuid[]", array(ids.iter().map(|id| format!("'{id}'"))))
            }
            Self::Number(number) => format!("{}::numeric", literal(number)),
            Self::Json(json) => format!("{}::jsonb", literal(json)),
            Self::Integer(number) => format!("{number}::bigint"),
        }
    }
}

fn array(elements: impl Iterator<Item = String>) -> String {
    format!("ARRAY[{}]", elements.collect::<Vec<_>>().join(","))
}

impl ToSql for Parameter {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Text(text) | Self::Number(text) | Self::Json(text) => text.to_sql(ty, out),
            Self::Texts(texts) => texts.to_sql(ty, out),
            Self::Uuid(id) => id.to_sql(ty, out),
            Self::Uuids(ids) => ids.to_sql(ty, out),
            Self::Integer(number) => number.to_sql(ty, out),
        }
    }

    /// The placeholder's cast determines the type.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fragment {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Sql(String),
    Parameter(Parameter),
}

impl Fragment {
    /// SQL without parameters.
    pub fn new(sql: impl Into<String>) -> Self {
        Self { parts: vec![Part::Sql(sql.into())] }
    }

    pub fn parameter(parameter: Parameter) -> Self {
        Self { parts: vec![Part::Parameter(parameter)] }
    }

    /// Appends SQL.
    #[must_use]
    pub fn sql(mut self, sql: &str) -> Self {
        match self.parts.last_mut() {
            Some(Part::Sql(last)) => last.push_str(sql),
            _ => self.parts.push(Part::Sql(sql.to_owned())),
        }
        self
    }

    /// Appends a parameter.
    #[must_use]
    pub fn bind(mut self, parameter: Parameter) -> Self {
        self.parts.push(Part::Parameter(parameter));
        self
    }

    /// Appends another fragment.
    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        self.parts.extend(other.parts);
        self
    }

    /// Encloses the fragment.
    #[must_use]
    pub fn within(mut self, before: &str, after: &str) -> Self {
        match self.parts.first_mut() {
            Some(Part::Sql(first)) => first.insert_str(0, before),
            _ => self.parts.insert(0, Part::Sql(before.to_owned())),
        }
        self.sql(after)
    }

    /// The text with numbered parameters, which are appended to `parameters`.
    pub fn numbered(&self, parameters: &mut Vec<Parameter>) -> String {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Sql(sql) => text.push_str(sql),
                Part::Parameter(parameter) => {
                    parameters.push(parameter.clone());
                    text.push_str(&parameter.placeholder(parameters.len()));
                }
            }
        }
        text
    }

    /// The text with inlined values.
    pub fn inlined(&self) -> String {
        let render = |part: &Part| match part {
            Part::Sql(sql) => sql.clone(),
            Part::Parameter(parameter) => parameter.inlined(),
        };
        self.parts.iter().map(render).collect()
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        let is_parameter = |part: &&Part| matches!(part, Part::Parameter(_));
        self.parts.iter().filter(is_parameter).count()
    }
}
