//! Custom fields: members that a library adds to its users (docs/folio/custom-fields.md). Checks and numbers their
//! definitions, and checks the users' values against them.

pub mod definition;
pub(crate) mod name;
pub(crate) mod options;
pub mod records;
pub(crate) mod value;

use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FieldType {
    RadioButton,
    SingleCheckbox,
    SingleSelectDropdown,
    MultiSelectDropdown,
    TextboxShort,
    TextboxLong,
    DatePicker,
}

impl FieldType {
    /// One or several of a list of options.
    pub fn is_choice(self) -> bool {
        matches!(self, Self::RadioButton | Self::SingleSelectDropdown | Self::MultiSelectDropdown)
    }

    pub fn is_text(self) -> bool {
        matches!(self, Self::TextboxShort | Self::TextboxLong)
    }

    /// FOLIO's name in messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::RadioButton => "RADIO_BUTTON",
            Self::SingleCheckbox => "SINGLE_CHECKBOX",
            Self::SingleSelectDropdown => "SINGLE_SELECT_DROPDOWN",
            Self::MultiSelectDropdown => "MULTI_SELECT_DROPDOWN",
            Self::TextboxShort => "TEXTBOX_SHORT",
            Self::TextboxLong => "TEXTBOX_LONG",
            Self::DatePicker => "DATE_PICKER",
        }
    }
}

/// The format that a text must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TextFormat {
    #[default]
    Text,
    Email,
    Url,
    Number,
}

/// The parts of a definition that decisions depend on.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomField {
    /// For staff.
    pub name: String,
    /// The member of `customFields`; empty in a new definition.
    #[serde(default)]
    pub ref_id: String,
    #[serde(rename = "type")]
    pub field_type: FieldType,
    /// Whether a user may have several values.
    #[serde(default)]
    pub is_repeatable: bool,
    /// Explanation for staff.
    pub help_text: Option<String>,
    /// Set for a check box.
    pub checkbox_field: Option<Value>,
    /// Set for a choice.
    pub select_field: Option<SelectField>,
    /// Set for a text.
    pub text_field: Option<TextField>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectField {
    /// Whether several options can be selected.
    pub multi_select: bool,
    pub options: Options,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Options {
    /// In display order.
    pub values: Vec<Choice>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Choice {
    /// The value in users, such as `opt_0`; absent in a new option.
    pub id: Option<String>,
    /// The label for staff.
    pub value: String,
    /// Selected by default.
    #[serde(default)]
    pub default: bool,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextField {
    #[serde(default)]
    pub field_format: TextFormat,
}

impl CustomField {
    /// Reads a record that its declaration has accepted.
    pub fn read(record: &Map<String, Value>) -> Result<Self, serde_json::Error> {
        serde_json::from_value(Value::Object(record.clone()))
    }

    /// The options of a choice; empty for other fields.
    pub fn choices(&self) -> &[Choice] {
        match &self.select_field {
            Some(select) if self.field_type.is_choice() => &select.options.values,
            _ => &[],
        }
    }
}
